"""How far people, or a person and a model, coded the same clips alike.

Agreement is taken before discussion; what a consensus says later is not looked at here. Practices
are compared by each coder's main code, and whole sets of codes beside it, since a clip may show
more than one practice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.scoring.agreement import (
    NOTHING_SHARED,
    ac1_with_interval,
    alpha_with_interval,
    kappa_with_interval,
    masi_alpha,
    named_alpha,
    percent_with_interval,
)
from app.scoring.figures import Figure, figure_of
from app.scoring.proportions import Proportion
from app.scoring.scored import Code

Codes = Mapping[str, tuple[Code, ...]]
"""What one coder gave to each clip, by its id, the main code first. An empty tuple says that the
coder looked and found none of the practices; a clip that is not there was not coded."""

NONE = ""
"""Stands for "none of the practices" where ratings are compared."""


@dataclass(frozen=True, slots=True)
class PracticeAgreement:
    """One practice against the rest: did both see it, or both not?"""

    practice: str
    both: int
    """Clips to which both coders gave it."""
    only_one: int
    only_other: int
    neither: int
    percent: Figure
    kappa: Figure
    ac1: Figure
    """Beside kappa, which falls where a practice is very rare or very common."""


@dataclass(frozen=True, slots=True)
class LevelAgreement:
    """Levels of the clips to which both coders gave the same main practice, both with a level.

    Levels of different practices do not measure the same thing and are not compared.
    """

    percent: Figure
    plain: Figure
    """Cohen's kappa; `n` of each figure says how many clips it rests on."""
    linear: Figure
    quadratic: Figure
    alpha: Figure
    """Krippendorff's, ordinal."""


@dataclass(frozen=True, slots=True)
class CoderAgreement:
    """Two coders over the clips that both of them coded."""

    shared: int
    only_one: int
    """Clips that only the first coder coded; they are left out."""
    only_other: int
    percent: Figure
    """Same main practice."""
    kappa: Figure
    alpha: Figure
    """Krippendorff's, nominal."""
    ac1: Figure
    in_common: Figure
    """Share of clips with any code in common; two empty sets have it too."""
    masi: Figure
    """Krippendorff's alpha over the whole sets of codes."""
    levels: LevelAgreement
    by_practice: tuple[PracticeAgreement, ...]


def compare_coders(one: Codes, other: Codes, practices: Sequence[str]) -> CoderAgreement:
    """Compare two coders over the clips that both coded.

    Args:
        one: The first coder's codes.
        other: The second coder's.
        practices: All practices there are, in order.
    """
    shared = sorted(one.keys() & other.keys())
    a, b = _main(one, shared), _main(other, shared)
    scale = (*practices, NONE)
    return CoderAgreement(
        shared=len(shared),
        only_one=len(one) - len(shared),
        only_other=len(other) - len(shared),
        percent=percent_with_interval(a, b),
        kappa=kappa_with_interval(a, b, categories=scale),
        alpha=named_alpha([list(pair) for pair in zip(a, b, strict=True)]),
        ac1=ac1_with_interval(a, b, _occurring(scale, practices, a, b)),
        in_common=_in_common(one, other, shared),
        masi=masi_alpha([(_set(one[clip]), _set(other[clip])) for clip in shared]),
        levels=compare_levels(one, other),
        by_practice=tuple(_by_practice(one, other, shared, p) for p in practices),
    )


def alpha_of_coders(coders: Sequence[Codes]) -> Figure:
    """Give nominal alpha of the main practices over any number of coders, gaps allowed."""
    clips = sorted({clip for codes in coders for clip in codes})
    return named_alpha(
        [[_first(codes[clip]) if clip in codes else None for codes in coders] for clip in clips]
    )


def masi_of_coders(coders: Sequence[Codes]) -> Figure:
    """Give alpha of the sets of codes over any number of coders, gaps allowed."""
    clips = sorted({clip for codes in coders for clip in codes})
    return masi_alpha(
        [[_set(codes[clip]) if clip in codes else None for codes in coders] for clip in clips]
    )


def compare_levels(one: Codes, other: Codes) -> LevelAgreement:
    """Compare the levels of two coders where both chose the same main practice."""
    pairs: list[tuple[int, int]] = []
    for clip in sorted(one.keys() & other.keys()):
        if not one[clip] or not other[clip]:
            continue
        first, second = one[clip][0], other[clip][0]
        if first.practice == second.practice and first.level and second.level:
            pairs.append((first.level, second.level))
    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    # The whole scale up to the highest level that occurs, so that distances are in steps.
    scale = range(1, max([*a, *b], default=0) + 1)
    return LevelAgreement(
        percent=percent_with_interval(a, b),
        plain=kappa_with_interval(a, b, "plain", scale),
        linear=kappa_with_interval(a, b, "linear", scale),
        quadratic=kappa_with_interval(a, b, "quadratic", scale),
        alpha=alpha_with_interval(pairs, "ordinal"),
    )


def _by_practice(
    one: Codes, other: Codes, shared: Sequence[str], practice: str
) -> PracticeAgreement:
    a = [practice in _set(one[clip]) for clip in shared]
    b = [practice in _set(other[clip]) for clip in shared]
    pairs = list(zip(a, b, strict=True))
    return PracticeAgreement(
        practice,
        both=pairs.count((True, True)),
        only_one=pairs.count((True, False)),
        only_other=pairs.count((False, True)),
        neither=pairs.count((False, False)),
        percent=percent_with_interval(a, b),
        kappa=kappa_with_interval(a, b, categories=(False, True)),
        ac1=ac1_with_interval(a, b, (False, True)),
    )


def _in_common(one: Codes, other: Codes, shared: Sequence[str]) -> Figure:
    met = sum(
        bool(_set(one[clip]) & _set(other[clip])) or (not one[clip] and not other[clip])
        for clip in shared
    )
    return figure_of(Proportion(met, len(shared)), NOTHING_SHARED)


def _occurring(
    scale: Sequence[str], practices: Sequence[str], a: Sequence[str], b: Sequence[str]
) -> Sequence[str]:
    """Leave "none" off the scale where nobody used it: AC1 depends on the length of the scale."""
    return scale if NONE in a or NONE in b else practices


def _main(codes: Codes, clips: Sequence[str]) -> list[str]:
    return [_first(codes[clip]) for clip in clips]


def _first(codes: tuple[Code, ...]) -> str:
    return codes[0].practice if codes else NONE


def _set(codes: tuple[Code, ...]) -> frozenset[str]:
    return frozenset(code.practice for code in codes)
