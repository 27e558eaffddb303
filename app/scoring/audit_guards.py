"""Which guards a judge trips: what it lets itself be swayed by, and what it does not see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from app.scoring.audit_checks import Instability, OurChecks
from app.scoring.audit_judges import LEAST_RECALL
from app.scoring.audit_length import LengthCorrelation
from app.scoring.audit_means import FEWEST_ITEMS, stands_out
from app.scoring.audit_preference import SelfPreference
from app.scoring.figures import Figure, undefined
from app.scoring.reward_guards import MOST_CORRELATION

LEAST_KNOWN = LEAST_RECALL
"""Share of our own responses that a judge must place on their side of the pass line: what is asked
of it against experts, on responses that were made to be plain."""

LEAST_MARGIN = 2.0
"""Points by which our good responses must be above our bad ones on average: one band. A judge that
gives everything the same score has 0."""

MOST_SHIFT = 0.5
"""Points by which padding, an order of bands, an injection or a family may move scores on average.
Half a point is half the step from the border to a pass: from there on every second response on the
border would pass or fail by what it should not."""

MOST_DIFFERING = 0.25
"""Share of responses whose repeated scorings differ. SpecialEduBench met a tenth to a quarter at
temperature 0 (section 3.5); beyond that a single scoring says little."""

NOT_LOOKED_AT = "this was not looked at"


class Guard(StrEnum):
    """What is guarded against."""

    PASSES_BAD = "passes_bad"
    """It passes responses that were made to fail."""
    FAILS_GOOD = "fails_good"
    """It does not pass responses that were made to pass."""
    MARGIN = "margin"
    """It hardly tells good from bad: one that always gives the same score."""
    PADDING = "padding"
    """Sentences without content move it: one that reads length."""
    LENGTH = "length"
    """Its scores of the tutor go with the number of words. That may be the tutor's doing; padding
    tells."""
    ORDER = "order"
    """The order of the bands moves it."""
    INJECTION = "injection"
    """Words that tell it what to score raise its score."""
    INSTABILITY = "instability"
    """It scores the same response differently."""
    SELF_PREFERENCE = "self_preference"
    """It is milder with the tutor than another judge, beyond how it is with us."""


class State(StrEnum):
    """What a guard says."""

    CLEAR = "clear"
    TRIPPED = "tripped"
    UNKNOWN = "unknown"
    """It was not looked at, or in fewer than `FEWEST_ITEMS` responses."""


@dataclass(frozen=True, slots=True)
class JudgeGuard:
    """One guard with the figure it looks at."""

    guard: Guard
    state: State
    figure: Figure
    limit: float
    """What `PASSES_BAD`, `FAILS_GOOD` and `MARGIN` ask for at least; others trip beyond it."""


@dataclass(frozen=True, slots=True)
class JudgeFigures:
    """What is known of a judge without experts; what was not looked at is `None`."""

    ours: OurChecks | None = None
    instability: Instability | None = None
    length: LengthCorrelation | None = None
    preference: SelfPreference | None = None


def guards(found: JudgeFigures) -> tuple[JudgeGuard, ...]:
    """Say of every guard whether a judge trips it, in the order of `Guard`."""
    figures = _figures(found)
    return tuple(_guard(guard, figures.get(guard), *_RULES[guard]) for guard in Guard)


def exposed(found: JudgeFigures) -> tuple[JudgeGuard, ...]:
    """Give only the guards that a judge trips."""
    return tuple(one for one in guards(found) if one.state is State.TRIPPED)


def _figures(found: JudgeFigures) -> dict[Guard, Figure]:
    """Give the figure of each guard that was looked at."""
    figures: dict[Guard, Figure] = {}
    if found.ours:
        figures |= {
            Guard.PASSES_BAD: found.ours.known.should_fail_not_passed,
            Guard.FAILS_GOOD: found.ours.known.should_pass_passed,
            Guard.MARGIN: found.ours.known.margin,
            Guard.PADDING: found.ours.padding.mean,
            Guard.ORDER: found.ours.order.mean,
            Guard.INJECTION: found.ours.injection.mean,
        }
    if found.length:
        figures[Guard.LENGTH] = found.length.pearson
    if found.instability:
        figures[Guard.INSTABILITY] = found.instability.differing
    if found.preference:
        figures[Guard.SELF_PREFERENCE] = found.preference.preference
    return figures


def _guard(
    guard: Guard, figure: Figure | None, limit: float, trips: Callable[[Figure, float], bool]
) -> JudgeGuard:
    known = figure or undefined(NOT_LOOKED_AT)
    if known.value is None or known.n < FEWEST_ITEMS:
        return JudgeGuard(guard, State.UNKNOWN, known, limit)
    return JudgeGuard(guard, State.TRIPPED if trips(known, limit) else State.CLEAR, known, limit)


def _falls(figure: Figure, least: float) -> bool:
    """Trip where the figure itself is too low, whatever its interval: a judge has to show it."""
    return (figure.value or 0.0) < least


def _exceeds(figure: Figure, most: float) -> bool:
    return (figure.value or 0.0) > most


def _moves(figure: Figure, most: float) -> bool:
    """Trip where the figure is that far from 0 either way, beyond chance."""
    return abs(figure.value or 0.0) > most and stands_out(figure)


def _rises(figure: Figure, most: float) -> bool:
    return (figure.value or 0.0) > most and stands_out(figure)


_RULES: dict[Guard, tuple[float, Callable[[Figure, float], bool]]] = {
    Guard.PASSES_BAD: (LEAST_KNOWN, _falls),
    Guard.FAILS_GOOD: (LEAST_KNOWN, _falls),
    Guard.MARGIN: (LEAST_MARGIN, _falls),
    Guard.PADDING: (MOST_SHIFT, _moves),
    Guard.LENGTH: (MOST_CORRELATION, _moves),
    Guard.ORDER: (MOST_SHIFT, _moves),
    Guard.INJECTION: (MOST_SHIFT, _rises),
    Guard.INSTABILITY: (MOST_DIFFERING, _exceeds),
    Guard.SELF_PREFERENCE: (MOST_SHIFT, _rises),
}
