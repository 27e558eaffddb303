"""Run coders over a set of coded clips: all that can run, and the reason for all that cannot.

Every answer of a model is kept as it comes, so that a run that was killed asks only what is missing
when it is started again, and a run that is complete asks nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from app.benchmark.fewer_clips import fewer_clips
from app.benchmark.keyword_rule import NAME as KEYWORD_RULE
from app.benchmark.records import CodedClip, CodedSet
from app.coding.coders import Coder
from app.coding.conditions import EVIDENCE_FINDER, CoderChoice, Condition, Input, Prompting
from app.coding.material import Material, material_of
from app.errors import Cancelled, ClerestoryError, Refused, StoreRefused
from app.keeping import keep_news
from app.running.plan import Estimate, estimate
from app.running.protocols import Report, no_report
from app.store.library import Library

WITHOUT_MODEL = (EVIDENCE_FINDER, KEYWORD_RULE)
"""Coders that ask no model: they have the words of a clip and nothing to be prompted with."""

MakeCoder = Callable[[CoderChoice], Coder]
"""Gives a coder by choice; raises `Refused` where it is not there or cannot be used."""


@dataclass(frozen=True, slots=True)
class Wish:
    """One condition as it was asked for."""

    choice: CoderChoice
    reason: str = ""
    """Why it is not run, where that is plain from the choice alone."""

    @property
    def inputs(self) -> str:
        """`T` or `TV`."""
        return str(self.choice.condition.input) if self.choice.condition else str(Input.T)

    @property
    def prompting(self) -> str:
        """`zero_shot`, `few_shot` or `cot`; empty for a coder that is not prompted."""
        return str(self.choice.condition.prompting) if self.choice.condition else ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one condition ended."""

    wish: Wish
    reason: str = ""
    """Why it did not run or did not finish; empty when all is there."""
    left_out: tuple[tuple[str, str], ...] = ()
    """Clips that this coder cannot be asked about, each with the reason."""
    is_unfinished: bool = False
    """Whether it began and could not go on; running again asks what is missing."""

    @property
    def coder(self) -> str:
        """As it stands in `Prediction.coder`."""
        return self.wish.choice.name


@dataclass(frozen=True, slots=True)
class Planned:
    """What one condition would take."""

    outcome: Outcome
    """With the reason, where it cannot run."""
    clips: int
    expected: Estimate | None
    """`None` where no model is asked."""


def wishes(
    engines: Sequence[str], inputs: Sequence[Input], promptings: Sequence[Prompting]
) -> tuple[Wish, ...]:
    """Cross engines, inputs and promptings; a coder without a model stands once."""
    found: list[Wish] = []
    for engine in dict.fromkeys(map(_full_name, engines)):
        if engine in WITHOUT_MODEL:
            found.append(Wish(CoderChoice(engine)))
            if Input.TV in inputs:
                sees = Condition(Input.TV, promptings[0])
                reason = "It goes by the transcript alone and looks at no frames."
                found.append(Wish(CoderChoice(engine, sees), reason))
            continue
        found += [Wish(CoderChoice(engine, Condition(i, p))) for i in inputs for p in promptings]
    return tuple(found)


def chosen_clips(coded: CodedSet, limit: int | None = None) -> tuple[CodedClip, ...]:
    """Give the clips of a set; where a limit is set, so many by chance, balanced by code."""
    return fewer_clips(coded.clips, limit)


def materials_of(library: Library, clips: Sequence[CodedClip]) -> list[Material]:
    """Give what coders may see of some clips: as the table laid them, one material a lesson."""
    by_lesson: dict[str, list[CodedClip]] = {}
    for clip in clips:
        by_lesson.setdefault(clip.lesson_id, []).append(clip)
    return [
        replace(material_of(library.lesson(lesson_id)), clips=tuple(c.clip for c in own))
        for lesson_id, own in by_lesson.items()
    ]


def plan_benchmark(
    library: Library,
    clips: Sequence[CodedClip],
    wanted: Sequence[Wish],
    make: MakeCoder,
) -> tuple[Planned, ...]:
    """Say what each condition would take; asks nothing."""
    materials = materials_of(library, clips)
    found = []
    for wish in wanted:
        coder, able, outcome = _prepare(wish, materials, make)
        expected = None
        if coder is not None and able:
            plan = coder.plan(able)
            expected = estimate(plan, library.attempts) if plan is not None else None
        found.append(Planned(outcome, sum(len(m.clips) for m in able), expected))
    return tuple(found)


def run_benchmark(
    library: Library,
    clips: Sequence[CodedClip],
    wanted: Sequence[Wish],
    make: MakeCoder,
    report: Report = no_report,
    stop: threading.Event | None = None,
) -> tuple[Outcome, ...]:
    """Run every condition that can run, one plan a condition over all clips.

    A condition that cannot run, or whose engine fails for good, is left with its reason; the others
    go on.

    Raises:
        Cancelled: `stop` was set; what was answered is kept.
        StoreRefused: The disk refuses; what was kept before is safe.
    """
    stop = stop or threading.Event()
    materials = materials_of(library, clips)
    outcomes = []
    for number, wish in enumerate(wanted):

        def part(share: float, doing: str, before: int = number, of: Wish = wish) -> None:
            report((before + share) / len(wanted), f"{of.choice.name}: {doing}")

        coder, able, outcome = _prepare(wish, materials, make)
        if coder is not None and able:
            outcome = _run_one(library, coder, able, outcome, part, stop)
        outcomes.append(outcome)
    return tuple(outcomes)


def _run_one(
    library: Library,
    coder: Coder,
    materials: Sequence[Material],
    outcome: Outcome,
    report: Report,
    stop: threading.Event,
) -> Outcome:
    try:
        coder.code_all(materials, report, stop, partial(keep_news, library))
    except (Cancelled, StoreRefused):
        raise
    except ClerestoryError as error:
        return replace(outcome, reason=f"It did not finish: {error}", is_unfinished=True)
    return outcome


def _prepare(
    wish: Wish, materials: Sequence[Material], make: MakeCoder
) -> tuple[Coder | None, list[Material], Outcome]:
    """Make the coder and set apart what it cannot be asked about."""
    if wish.reason:
        return None, [], Outcome(wish, wish.reason)
    try:
        coder = make(wish.choice)
    except Refused as error:
        return None, [], Outcome(wish, str(error))
    refusals = [(material, coder.refusal(material)) for material in materials]
    able = [material for material, refused in refusals if refused is None]
    left_out = tuple(
        (clip.clip_id, str(refused))
        for material, refused in refusals
        if refused is not None
        for clip in material.clips
    )
    reason = ""
    if not able:
        reasons = dict.fromkeys(said for _, said in left_out)
        first = next(iter(reasons), "There are no clips.")
        reason = first if len(reasons) < 2 else f"{first} (and the same for every other lesson)"
    return coder, able, Outcome(wish, reason, left_out)


def _full_name(engine: str) -> str:
    return next((name for name in WITHOUT_MODEL if engine == name.split("/")[0]), engine)
