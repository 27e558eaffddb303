"""What the panel says of a coder; also what stands for its drawing where it cannot be seen."""

from __future__ import annotations

from app.coding.calibration import Trust, decisions_words
from app.coding.confidence import Source
from app.scoring.calibration import LEAST, Bin
from app.scoring.figures import Figure

SOURCE_WORDS = {
    Source.DRAWS: "The share of its draws that name the practice",
    Source.CONDITIONS: "The share of its conditions (T or TV, each prompting) that name it",
}
NO_SOURCE = (
    "Nothing tells how sure this coder is. A model tells it when it is asked several times, or by "
    "several promptings."
)
HOW_TO_READ = (
    "Each point is one group of clips: to the right, how sure the coder was; upward, how often "
    "people accepted its practice, with the range in which the true share lies (95%). On the line "
    "it is as good as it says; below it, it is surer than it may be. A hollow point has fewer than "
    "10 clips."
)
FEW = 10
"""Clips in a group under which its point is drawn hollow."""


def percent(share: float) -> str:
    """Write a share, e.g. `84%`; never all or none where it is only nearly so."""
    whole = round(100 * share)
    if whole in (0, 100) and share not in (0.0, 1.0):
        return "over 99%" if whole else "under 1%"
    return f"{whole}%"


def share_words(figure: Figure) -> str:
    """Write a share with what it rests on, or a dash with the reason."""
    if figure.value is None:
        return f"– ({figure.reason})"
    told = f"{percent(figure.value)} of {figure.n}"
    if figure.interval is None:
        return told
    return f"{told}, 95%: {percent(figure.interval.low)} to {percent(figure.interval.high)}"


def error_words(trust: Trust) -> str:
    """Say how far the coder's confidence lies from what came of it, in points of a hundred."""
    value = trust.error.value
    if value is None:
        return f"–: {_too_few(trust)}"
    told = f"{100 * value:.0f} points off on average"
    interval = trust.error.interval
    if interval is not None:
        told += f", 95%: {100 * interval.low:.0f} to {100 * interval.high:.0f}"
    brier = trust.brier.value
    return told if brier is None else f"{told}; Brier score {brier:.2f}"


def set_words(trust: Trust) -> str:
    """Say what sets of practices come to at the stated coverage."""
    if trust.limit.most is None:
        reason = trust.limit.reason
        enough = trust.limit.n >= LEAST and trust.source is not None
        return f"–: {reason}" if enough else f"–: {_too_few(trust)}"
    sizes = ", ".join(f"{size} in {times}" for size, times in trust.sizes)
    mean = trust.mean_size
    told = f"{100 * trust.limit.coverage:g}% of sets hold an accepted practice"
    if mean is None:
        return told
    return (
        f"{told}; {mean:.1f} practices on average (by size: {sizes} clips, each left out in turn)"
    )


def beside_words(trust: Trust) -> str:
    """Say what is counted beside the figures; empty when there is nothing."""
    counted = (
        (trust.failures, "without a usable answer"),
        (trust.silent, "without a practice"),
        (trust.no_confidence, "without a confidence"),
        (trust.moved, "moved since"),
    )
    told = [f"{count} {what}" for count, what in counted if count]
    return f"Counted beside, decided clips: {', '.join(told)}." if told else ""


def rests_words(trust: Trust) -> str:
    """Say what the figures rest on, with a capital letter."""
    return f"Rests on {decisions_words(trust)}"


def bin_words(one: Bin) -> str:
    """Say what one point of the drawing says."""
    if one.mean_confidence is None or one.right.share is None:
        return ""
    told = (
        f"{percent(one.mean_confidence)} sure: accepted in {one.right.count} of {one.n} "
        f"({percent(one.right.share)}"
    )
    if one.interval is not None:
        told += f", 95%: {percent(one.interval.low)} to {percent(one.interval.high)}"
    return f"{told})"


def plot_words(trust: Trust) -> str:
    """Say everything the drawing shows, for those who do not see it."""
    filled = [bin_words(one) for one in trust.bins if one.n]
    if not filled:
        return f"No drawing: {no_plot_words(trust)}"
    return "How sure the coder was, and how often people accepted it. " + "; ".join(filled) + "."


def no_plot_words(trust: Trust) -> str:
    """Say why there is no drawing."""
    if trust.source is None:
        return NO_SOURCE
    return f"The drawing comes with {LEAST} decisions on clips in which it names a practice."


def _too_few(trust: Trust) -> str:
    if trust.source is None:
        return "nothing tells how sure it is"
    return f"{trust.limit.n} of {LEAST} decisions"
