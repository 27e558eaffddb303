"""Plans, banks and scripted judges that tests of the audit share."""

from __future__ import annotations

import json
import re
from functools import cache

from app.audit.bank import read_bank
from app.audit.items import Axis
from app.audit.records import AuditPlan, Seat
from resources import resource


@cache
def starter():
    return read_bank(resource("items"), resource("rubrics"))


def plan_of(items=None, axes=tuple(Axis), **more):
    items = starter().items if items is None else items
    chosen = [item.item_id for item in items if item.axis in axes]
    settled = {"title": "Spring", "tutor": Seat("small"), "judges": (Seat("one"), Seat("two"))}
    return AuditPlan(axes=axes, bank="", item_ids=tuple(chosen), **(settled | more))


def item(item_id):
    return next(one for one in starter().items if one.item_id == item_id)


def text_of(question):
    """Give all that a model is told in words, in order."""
    return "\n".join(p for m in question.messages for p in m.parts if isinstance(p, str))


def judged(band, upper=True, points=(("the point", True, "quote"),), reason="why"):
    """Write an answer of a judge."""
    listed = [{"about": about, "met": met, "quote": quote} for about, met, quote in points]
    return json.dumps({"points": listed, "band": band, "upper": upper, "reason": reason})


_RESPONSE = re.compile(r"=== response (\w{16}) begins ===\n(.*?)\n=== response \1 ends ===", re.S)


def response_in(question):
    """Give the response that a judge is shown, as its writer wrote it, without empty lines."""
    found = _RESPONSE.search(question.messages[-1].parts[0])
    return "\n".join(json.loads(line) for line in found.group(2).splitlines()) if found else ""


@cache
def _good():
    """Give the scene and the good response of every item, each with single blanks."""
    return [(one.scene, " ".join(one.passing.split())) for one in starter().items if one.passing]


def honest_judge(question, _draw=0):
    """Score as a judge who knows our own responses: the passing one of this very scene is good.

    It goes by the words before anything that was put behind them.
    """
    said, shown = " ".join(response_in(question).split()), question.messages[-1].parts[0]
    for scene, good in _good():
        if scene in shown and said.startswith(good):
            return judged("D", True, (("the point", True, " ".join(said.split()[:6])),))
    return judged("A", True, (("the point", False, ""),))


def good_tutor(question, _draw):
    """Answer as the item's own good response, or with the right letter."""
    told = question.messages[-1].parts[0]
    for one in starter().items:
        if one.axis is Axis.KNOWLEDGE:
            if one.prompt in told and one.options[0] in told:
                return one.key
        elif one.scene in told:
            return one.passing
    raise AssertionError(told)
