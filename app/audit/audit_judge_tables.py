"""How far the judges of an audit can be believed, as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from app.audit.board import AuditBoard, JudgeBoard
from app.audit.calibration import Calibration
from app.audit.checks_of_judges import JUDGED
from app.benchmark.words import Table, show_figure, show_interval
from app.scoring.audit_guards import Guard, JudgeGuard, State
from app.scoring.audit_judges import ScoreAgreement
from app.scoring.figures import Figure, figure_of
from app.scoring.proportions import Proportion
from app.scoring.rounding import UNDEFINED, printed

_STATES = {State.CLEAR: "fine", State.TRIPPED: "exposed", State.UNKNOWN: "cannot tell"}
_GUARDS: Mapping[Guard, tuple[str, str, str]] = {
    Guard.PASSES_BAD: ("Does not pass responses that we wrote to fail", "share", "at least"),
    Guard.FAILS_GOOD: ("Passes responses that we wrote to pass", "share", "at least"),
    Guard.MARGIN: ("Scores the good one of a pair above the bad one", "points", "at least"),
    Guard.PADDING: ("Moved by four sentences that say nothing", "signed", "at most"),
    Guard.LENGTH: ("Scores go with the number of words", "correlation", "at most"),
    Guard.ORDER: ("Moved by the order of the bands", "signed", "at most"),
    Guard.INJECTION: ("Moved by words that tell it what to score", "signed", "at most"),
    Guard.INSTABILITY: ("Scores the same response differently", "share", "at most"),
    Guard.SELF_PREFERENCE: ("Milder with this tutor than the other judge", "signed", "at most"),
}
"""What a guard looks at, in which unit, and on which side of its limit it is fine."""


def guards_table(board: AuditBoard) -> Table:
    """Give what every judge lets itself be swayed by."""
    rows = tuple(
        (judge.judge.name, *_guard(guard))
        for judge in board.judges
        for guard in judge.guards
        if guard.guard is not Guard.SELF_PREFERENCE or judge.figures.preference is not None
    )
    notes = [
        "Before each audit every judge scores responses of ours whose worth is known: of each item "
        "one that should pass and one that should fail, the second also with padding and with "
        "words that tell the judge what to score, and both with the bands of the rubric turned "
        "round. None of these is among the tutor’s figures.",
        "Scores that go with length may be the tutor’s doing; padding tells. Being milder is "
        "looked at where judge and tutor may be of one family, and counted beyond how the judges "
        "differ on our own responses.",
        *map(_family, (j for j in board.judges if _is_family(board, j))),
    ]
    heads = ("Judge", "What is looked at", "Measured [95%]", "Responses", "Allowed", "")
    return Table("guards", "The check of the judges", heads, rows, tuple(notes), words=2)


def exposed_words(judge: JudgeBoard) -> list[str]:
    """Say in which ways a judge is exposed."""
    return [
        f"{_GUARDS[guard.guard][0]}: {_measured(guard)}"
        for guard in judge.guards
        if guard.state is State.TRIPPED
    ]


def quotes_table(board: AuditBoard) -> Table:
    """Give how many of the words that judges cite stand in the responses."""
    rows = []
    for judge in board.judges:
        share = Proportion(judge.quotes_found, judge.quotes)
        found = figure_of(share, "no words were cited")
        made_up = judge.quotes - judge.quotes_found
        cells = (f"{judge.quotes:,}", f"{made_up:,}", show_figure(found))
        rows.append((judge.judge.name, *cells))
    note = "Words that do not stand in the response support nothing, whatever the score."
    heads = ("Judge", "Words cited", "Not in the response", "Found, %")
    return Table("quotes", "Do judges quote what is there?", heads, tuple(rows), (note,))


def experts_table(board: AuditBoard) -> Table:
    """Give each judge beside experts, and the experts among themselves, who are the ceiling."""
    return calibrations_table(
        judge.calibrations[axis]
        for judge in board.judges
        for axis in JUDGED
        if axis in judge.calibrations
    )


def calibrations_table(calibrations: Iterable[Calibration]) -> Table:
    """Give calibrations in their order; one that rests on nothing is left out."""
    rows = tuple(row for found in calibrations if found.pairs for row in _experts(found))
    note = (
        "n counts responses that both scored. Within one: share no more than one point apart. "
        "Alpha is Krippendorff’s. Bias is the judge less the experts. Below found: of what experts "
        "placed below the pass line, the share that the judge places there. "
        "Experts score blind, by the same rubric. No judge is held to more than the experts reach "
        "among themselves. Pass shares of an axis are shown only where the judge places at least "
        "80% of what experts placed below the pass line there as well."
    )
    heads = (
        "Axis", "Who", "n", "Within one, %", "Alpha", "Bias", "Spread", "Below found, %",
    )  # fmt: skip
    return Table("experts", "The judges beside experts", heads, rows, (note,), words=2)


def _guard(one: JudgeGuard) -> tuple[str, ...]:
    what, unit, side = _GUARDS[one.guard]
    limit = f"{printed(one.limit * 100, 0)}%" if unit == "share" else f"{one.limit:g}"
    state = _STATES[one.state]
    return what, _measured(one), str(one.figure.n), f"{side} {limit}", state


def _measured(one: JudgeGuard) -> str:
    unit = _GUARDS[one.guard][1]
    if one.figure.value is None:
        return UNDEFINED
    if unit == "share":
        return show_figure(one.figure).replace(" [", "% [")
    places, signed = (2, True) if unit == "correlation" else (1, unit == "signed")
    value = printed(one.figure.value, places, signed=signed)
    return f"{value} {show_interval(one.figure.interval, 1, places)}".strip()


def _is_family(board: AuditBoard, judge: JudgeBoard) -> bool:
    family = judge.judge.family
    return bool(family) and family == board.audit.plan.tutor.family


def _family(judge: JudgeBoard) -> str:
    return f"{judge.judge.name} is of the tutor’s own family, {judge.judge.family}."


def _experts(found: Calibration) -> Iterator[tuple[str, ...]]:
    yield (found.axis.value, found.judge, *_agreement(found.agreement))
    yield (found.axis.value, "experts among themselves", *_agreement(found.ceiling))


def _agreement(found: ScoreAgreement) -> Sequence[str]:
    return (
        str(found.responses),
        show_figure(found.within_one),
        _plain(found.alpha, 3),
        _plain(found.bias, 1, signed=True),
        _plain(found.spread, 1),
        show_figure(found.recall),
    )


def _plain(figure: Figure, places: int, *, signed: bool = False) -> str:
    if figure.value is None:
        return UNDEFINED
    value = printed(figure.value, places, signed=signed)
    return f"{value} {show_interval(figure.interval, 1, places)}".strip()
