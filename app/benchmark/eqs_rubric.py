"""What raters of evidence go by: three dimensions, each with words for 1, 2 and 3.

The questions are those of the SciIBI paper (section 4.4). It prints no words for the three scores,
so these are ours.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dimension:
    """One side of the quality of evidence."""

    key: str
    """As in `app.scoring.eqs.DIMENSIONS`."""
    title: str
    question: str
    scores: tuple[str, str, str]
    """What 1, 2 and 3 stand for."""


RUBRIC = (
    Dimension(
        "alignment",
        "Alignment",
        "Does the cited evidence support the predicted practice?",
        (
            "It has nothing to do with this practice, or speaks for another one.",
            "It fits in part, or would fit another practice just as well.",
            "It shows this practice as it is defined.",
        ),
    ),
    Dimension(
        "sufficiency",
        "Sufficiency",
        "Is enough cited to justify the prediction?",
        (
            "Nothing is cited, or far too little to tell.",
            "Some is cited, and a part has to be taken on trust.",
            "What is cited would convince somebody who has not seen the clip.",
        ),
    ),
    Dimension(
        "specificity",
        "Specificity",
        "Does it name words or moments?",
        (
            "It describes in general and names neither words nor moments.",
            "It names some words or a moment, loosely or in part.",
            "It names words or moments that can be found in the clip.",
        ),
    ),
)
"""In the order in which scores are kept."""
