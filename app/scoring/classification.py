"""Codes against people's codes, where a clip may have more than one acceptable code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.coding.practices import is_high
from app.scoring.proportions import Proportion


@dataclass(frozen=True, slots=True)
class Coded:
    """One clip: the codes people accept, the best first, and the one that was predicted.

    Raises:
        ValueError: No code is acceptable; such a clip cannot be scored.
    """

    acceptable: tuple[str, ...]
    predicted: str
    """Empty when no practice was predicted: wrong for every code, right for none."""

    def __post_init__(self) -> None:
        if not self.acceptable:
            raise ValueError("a clip without an acceptable code cannot be scored")

    @property
    def is_right(self) -> bool:
        """Whether the predicted code is acceptable."""
        return self.predicted in self.acceptable

    @property
    def true(self) -> str:
        """The code it counts under: the predicted one if acceptable, else the clip's first."""
        return self.predicted if self.is_right else self.acceptable[0]


@dataclass(frozen=True, slots=True)
class LabelScores:
    """How one code was met. Each is `None` where its denominator is zero."""

    label: str
    right: int
    true: int
    """Clips that count under this code."""
    predicted: int
    """Clips for which this code was predicted."""

    @property
    def precision(self) -> float | None:
        """Share of the predicted that were right."""
        return Proportion(self.right, self.predicted).share

    @property
    def recall(self) -> float | None:
        """Share of the true that were found."""
        return Proportion(self.right, self.true).share

    @property
    def f1(self) -> float | None:
        """Twice the right over the true and the predicted together."""
        return Proportion(2 * self.right, self.true + self.predicted).share


@dataclass(frozen=True, slots=True)
class Macro:
    """Averages over all labels, each counting the same."""

    precision: float
    recall: float
    f1: float


def accuracy(clips: Sequence[Coded]) -> Proportion:
    """Count the clips whose predicted code is acceptable, over all that were scored."""
    return Proportion(sum(clip.is_right for clip in clips), len(clips))


def label_scores(clips: Sequence[Coded], labels: Sequence[str]) -> tuple[LabelScores, ...]:
    """Count for each label what is needed for precision, recall and F1."""
    return label_scores_of(Counter((clip.true, clip.predicted) for clip in clips), labels)


def label_scores_of(
    pairs: Mapping[tuple[str, str], int], labels: Sequence[str]
) -> tuple[LabelScores, ...]:
    """Give the same from counts of clips by true and by predicted code."""
    return tuple(
        LabelScores(
            label,
            right=pairs.get((label, label), 0),
            true=sum(count for (true, _), count in pairs.items() if true == label),
            predicted=sum(count for (_, said), count in pairs.items() if said == label),
        )
        for label in labels
    )


def macro(clips: Sequence[Coded], labels: Sequence[str]) -> Macro | None:
    """Average precision, recall and F1 over all labels; `None` without clips or labels.

    A label that is neither true nor predicted adds 0, as over all four codes of the benchmark
    (`macro_f1` in the reference vectors: 0.4167, not 0.5556).
    """
    return macro_of(Counter((clip.true, clip.predicted) for clip in clips), labels)


def macro_of(pairs: Mapping[tuple[str, str], int], labels: Sequence[str]) -> Macro | None:
    """Give the same from counts of clips by true and by predicted code."""
    if not pairs or not labels:
        return None
    scores = label_scores_of(pairs, labels)
    return Macro(
        sum(s.precision or 0.0 for s in scores) / len(labels),
        sum(s.recall or 0.0 for s in scores) / len(labels),
        sum(s.f1 or 0.0 for s in scores) / len(labels),
    )


def confusion(clips: Sequence[Coded], labels: Sequence[str]) -> dict[str, dict[str, int]]:
    """Count clips by true code, then by predicted code; `""` stands for no prediction."""
    counts = Counter((clip.true, clip.predicted) for clip in clips)
    return {
        true: {predicted: counts[true, predicted] for predicted in (*labels, "")} for true in labels
    }


def levels_right(levels: Sequence[tuple[int, int]]) -> tuple[Proportion, Proportion]:
    """Count exact levels and right sides of low/high, from pairs of true and predicted level."""
    exact = sum(true == predicted for true, predicted in levels)
    sides = sum(is_high(true) == is_high(predicted) for true, predicted in levels)
    return Proportion(exact, len(levels)), Proportion(sides, len(levels))


def points_gained(with_frames: Proportion, words_zero_shot: Proportion) -> float | None:
    """Give the gain in percentage points, from unrounded shares (SciIBI, Table 4)."""
    if with_frames.share is None or words_zero_shot.share is None:
        return None
    return 100 * (with_frames.share - words_zero_shot.share)
