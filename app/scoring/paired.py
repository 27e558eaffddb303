"""Two models, or two ways of asking, on the same clips: where they differ and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from app.scoring.figures import Figure, undefined
from app.scoring.intervals import Floats, bootstrap_counts, divide, if_all_alike, kinds_of
from app.scoring.scored import Scored

NOTHING_PAIRED = "there is no clip that both answered"
NEVER_APART = "the two are never apart in being right, so there is nothing to test"


@dataclass(frozen=True, slots=True)
class McNemar:
    """McNemar's test on the clips that only one of two got right.

    `p` is the exact two-sided one of the binomial test with one half; `mid_p` counts outcomes as
    likely as the one seen by half, which is less cautious (Fagerland, Lydersen and Laake 2013).
    Both are `None`, with the reason, when the two are never apart.
    """

    only_one: int
    only_other: int
    p: float | None
    mid_p: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs over the same clips. Every difference is the first minus the second.

    Clips that either of them failed are left out of all figures, and counted.
    """

    both_right: int
    only_one_right: int
    only_other_right: int
    both_wrong: int
    one_failed: int
    """Clips that the first failed, the second having answered."""
    other_failed: int
    both_failed: int
    not_shared: int
    """Clips that are in one of the runs alone."""
    test: McNemar
    accuracy: Figure
    """Difference of the two accuracies, -1 to 1, with a bootstrap interval over clips."""
    macro_f1: Figure
    """Difference of macro-F1 over all practices, likewise."""

    @property
    def compared(self) -> int:
        """Clips that both answered."""
        return self.both_right + self.only_one_right + self.only_other_right + self.both_wrong


def compare_runs(
    one: Sequence[Scored], other: Sequence[Scored], practices: Sequence[str]
) -> Comparison:
    """Compare two runs over the clips that are in both.

    Args:
        one: The first run, each clip once.
        other: The second run, each clip once.
        practices: All practices; macro-F1 is averaged over them.

    Raises:
        ValueError: A clip is twice in a run, or was scored against other codes in each.
    """
    first, second = _by_clip(one), _by_clip(other)
    shared = sorted(first.keys() & second.keys())
    pairs = [(first[clip], second[clip]) for clip in shared]
    for a, b in pairs:
        if a.codes != b.codes:
            raise ValueError(f"clip {a.clip_id} was scored against different codes")
    answered = [(a, b) for a, b in pairs if a.is_scored and b.is_scored]
    right = [(a.is_right, b.is_right) for a, b in answered]
    only_one, only_other = right.count((True, False)), right.count((False, True))
    return Comparison(
        both_right=right.count((True, True)),
        only_one_right=only_one,
        only_other_right=only_other,
        both_wrong=right.count((False, False)),
        one_failed=sum(not a.is_scored and b.is_scored for a, b in pairs),
        other_failed=sum(a.is_scored and not b.is_scored for a, b in pairs),
        both_failed=sum(not a.is_scored and not b.is_scored for a, b in pairs),
        not_shared=len(first.keys() ^ second.keys()),
        test=mcnemar(only_one, only_other),
        accuracy=_accuracy_difference(right),
        macro_f1=_macro_difference(answered, practices),
    )


def change_of_share(pairs: Sequence[tuple[bool, bool]], reason: str) -> Figure:
    """Say by how much a share changed between two looks at the same items: after minus before.

    The interval is the percentile bootstrap over items. Where all items changed alike it cannot
    tell that others might not; then as many may go the other way as Wilson's interval allows.

    Args:
        pairs: Of each item, whether it counted before and after.
        reason: Why there is none, where there are no items.

    Returns:
        -1 to 1.
    """
    if not pairs:
        return undefined(reason)
    found = _accuracy_difference([(after, before) for before, after in pairs])
    steps = {int(after) - int(before) for before, after in pairs}
    if len(steps) > 1:
        return found
    return replace(found, interval=if_all_alike(float(steps.pop()), len(pairs), -1.0, 1.0))


def mcnemar(only_one: int, only_other: int) -> McNemar:
    """Test whether one of two is right more often, from the clips that only one got right.

    Args:
        only_one: Clips only the first got right.
        only_other: Clips only the second got right.
    """
    n, least = only_one + only_other, min(only_one, only_other)
    if n == 0:
        return McNemar(0, 0, None, None, NEVER_APART)
    # Whole numbers throughout, of 2**n ways in all: exact for any number of clips.
    seen = tail = 1
    for k in range(least):
        seen = seen * (n - k) // (k + 1)
        tail += seen
    if only_one == only_other:
        return McNemar(only_one, only_other, 1.0, 1 - seen / 2 ** (n + 1))
    return McNemar(only_one, only_other, 2 * tail / 2**n, (2 * tail - seen) / 2**n)


def _by_clip(run: Sequence[Scored]) -> dict[str, Scored]:
    clips: dict[str, Scored] = {}
    for scored in run:
        if scored.clip_id in clips:
            raise ValueError(f"clip {scored.clip_id} is twice in one run")
        clips[scored.clip_id] = scored
    return clips


def _accuracy_difference(right: Sequence[tuple[bool, bool]]) -> Figure:
    if not right:
        return undefined(NOTHING_PAIRED)
    kinds, counts = kinds_of(right)
    lead = np.array([int(a) - int(b) for a, b in kinds], dtype=float)
    value = sum(int(a) - int(b) for a, b in right) / len(right)
    interval = bootstrap_counts(counts, lambda drawn: drawn @ lead / len(right))
    return Figure(value, len(right), interval)


def _macro_difference(
    answered: Sequence[tuple[Scored, Scored]], practices: Sequence[str]
) -> Figure:
    if not answered:
        return undefined(NOTHING_PAIRED)
    kinds, counts = kinds_of([(_told(a), _told(b)) for a, b in answered])
    one, other = [a for a, _ in kinds], [b for _, b in kinds]

    def difference(drawn: Floats) -> Floats:
        return macro_f1s(drawn, one, practices) - macro_f1s(drawn, other, practices)

    value = float(difference(np.array([counts], dtype=float))[0])
    return Figure(value, len(answered), bootstrap_counts(counts, difference))


def macro_f1s(drawn: Floats, kinds: Sequence[tuple[str, str]], practices: Sequence[str]) -> Floats:
    """Give macro-F1 of each draw, over all practices; one that is never met adds 0.

    Args:
        drawn: (b, kinds) counts of clips.
        kinds: The true and the predicted practice of each kind; "" for no prediction.
        practices: What the average runs over.

    Returns:
        (b,), 0 to 1.
    """
    total = np.zeros(len(drawn))
    for practice in practices:
        right = drawn @ np.array([t == practice == p for t, p in kinds], dtype=float)
        named = drawn @ np.array([(t == practice) + (p == practice) for t, p in kinds], dtype=float)
        total += np.nan_to_num(divide(2 * right, named))
    return total / len(practices)


def _told(scored: Scored) -> tuple[str, str]:
    return scored.true.practice, scored.predicted.practice if scored.predicted else ""
