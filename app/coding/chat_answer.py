"""Read what a model says of a clip: a code, and citations that are still claims."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from app.coding.practices import read_practices
from app.coding.records import Citation
from app.errors import BadAnswer
from app.lesson.clips import Clip
from app.scoring.scored import Code
from resources import resource

_SECOND_MS = 1000
_TIME = re.compile(r"\s*(?:(\d{1,2}):)?(\d{1,3}):([0-5]\d)(?:\.(\d{1,3}))?\s*")


@dataclass(frozen=True, slots=True)
class Claim:
    """What one draw says of a clip."""

    code: Code
    citations: tuple[Citation, ...]
    """Times are those the model wrote, in whole seconds as a rule; see `on_the_clock`."""


def read_claim(text: str) -> Claim:
    """Read an answer that keeps the schema. Reasoning stays in the raw answer and is not read.

    Raises:
        BadAnswer: The level is not one of the practice's, or a time is none.
    """
    answer = json.loads(text)
    practice, level = str(answer["category"]), int(answer["level"])
    highest = _highest_levels()[practice]
    if not 1 <= level <= highest:
        raise BadAnswer(f"“level” is {level}, but {practice} has only the levels 1 to {highest}.")
    citations = (_citation(entry, place) for place, entry in enumerate(answer["evidence"]))
    return Claim(Code(practice, level), tuple(citations))


def on_the_clock(citation: Citation, clip: Clip) -> Citation:
    """Take times that a model copied from the question for the moments they stand for.

    There they are cut off to whole seconds, so that the first moment of a clip that starts at
    7.4 s reads `0:07`; and a single second is a stretch as long as a second.
    """
    start_ms, end_ms = citation.start_ms, citation.end_ms
    if start_ms is None or end_ms is None or clip.start_ms is None or clip.end_ms is None:
        return citation
    last_ms = end_ms
    if start_ms < clip.start_ms < start_ms + _SECOND_MS:
        start_ms = clip.start_ms
    if last_ms <= start_ms < last_ms + _SECOND_MS:
        end_ms = last_ms + _SECOND_MS
        if last_ms < clip.end_ms < end_ms:
            end_ms = clip.end_ms
    return replace(citation, start_ms=start_ms, end_ms=end_ms)


def _citation(entry: Mapping[str, Any], place: int) -> Citation:
    # What a model says it saw is never a quote, whatever it reads like.
    if "quote" in entry:
        return Citation(quote=str(entry["quote"]), utterances=tuple(entry["utterances"]))
    return Citation(
        start_ms=_time_ms(entry["from"], f"evidence[{place}].from"),
        end_ms=_time_ms(entry["to"], f"evidence[{place}].to"),
        seen=str(entry["seen"]),
    )


def _time_ms(text: str, where: str) -> int:
    found = _TIME.fullmatch(text)
    if found is None:
        told = json.dumps(text[:40], ensure_ascii=False)
        raise BadAnswer(f"“{where}” is {told}, but must be a time as it stands at the frames.")
    hours, minutes, seconds, part = found.groups()
    whole_s = int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)
    return whole_s * _SECOND_MS + int((part or "0").ljust(3, "0"))


@cache
def _highest_levels() -> dict[str, int]:
    practices = read_practices(resource("practices.toml"))
    return {practice.id: max(at.level for at in practice.levels) for practice in practices}
