"""The words in which a reward model is told: on its page, on a terminal and in a report alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.audit.audit_words import called
from app.audit.reward_records import Flaw, KeptModel, Pair, PairOrigin, Trained
from app.benchmark.words import show_figure, show_interval
from app.scoring.figures import Figure
from app.scoring.reward_guards import MOST_CORRELATION, Guarded, Trip
from app.scoring.rounding import UNDEFINED, printed

NOT_EDITED = "starter pairs, not expert-edited"
"""Stands wherever figures rest on pairs that no expert made."""

FLAWS: Mapping[Flaw, str] = {
    Flaw.WAIT_INTERVAL_VIOLATED: "Does not wait, or not long enough",
    Flaw.WRONG_BEHAVIOUR_REINFORCED: "Rewards the wrong behaviour",
    Flaw.CHILD_TURN_TAKEN: "Takes a turn that is the child's",
    Flaw.TURNED_INTO_QUIZ: "Turns the strategy into a quiz",
}

ORIGINS: Mapping[PairOrigin, str] = {
    PairOrigin.EDITED: "edited here",
    PairOrigin.BROUGHT_IN: "brought in",
    PairOrigin.STARTER: "starter, not expert-edited",
}

READS_ON = "What this model says is used nowhere in this program: no tutor is ranked by it."

LONGER_SHARE = 0.25
"""Share of its words by which an edit may change a response before it is said. An edit that puts
one thing right keeps length from telling the two apart (SpecialEduBench, section 3.5)."""


def flaw_words(flaw: Flaw | None) -> str:
    """Name a flaw; an en dash where nobody said."""
    return FLAWS[flaw] if flaw is not None else UNDEFINED


def edit_caution(rejected: str, chosen: str) -> str:
    """Say what to heed of an edit before it is kept; empty when there is nothing."""
    before, after = len(rejected.split()), len(chosen.split())
    if not before or abs(after - before) <= LONGER_SHARE * before:
        return ""
    side = "longer" if after > before else "shorter"
    return (
        f"The edit has {after} words, the response {before}. A model may learn from such pairs "
        f"that {side} is better: put right the one thing that is wrong, and leave the rest."
    )


def pair_share_words(figure: Figure) -> str:
    """Write a share of pairs: `95.0% [83.5, 98.6], 38 of 40 pairs`."""
    if figure.value is None:
        return UNDEFINED
    right = round(figure.value * figure.n)
    return f"{_percent(figure)}, {right:,} of {figure.n:,} pairs"


def win_words(figure: Figure) -> str:
    """Write a win rate: `62.5% [47.0, 75.8], 25 of 40 responses`."""
    if figure.value is None:
        return UNDEFINED
    won = round(figure.value * figure.n)
    return f"{_percent(figure)}, {won:,} of {figure.n:,} responses"


def figure_rows(found: Guarded) -> tuple[tuple[str, str, str], ...]:
    """Give what is known of a model: what, the figure, and what to hold it against."""
    return (
        (
            "Pairs told apart",
            pair_share_words(found.accuracy),
            "half of them by chance",
        ),
        (
            "Told apart by length alone",
            pair_share_words(found.length_alone),
            "the model has to do better",
        ),
        (
            "Loss of a pair",
            _number(found.loss, 3),
            "0.693 by chance; less is better",
        ),
        (
            "Median margin",
            _number(found.median_margin, 2),
            "reward of the better response less that of the worse",
        ),
        (
            "Shift by four empty sentences",
            _shift_words(found),
            "at most a quarter of the median margin",
        ),
        (
            "Correlation with length",
            _number(found.correlation, 2),
            f"at most {MOST_CORRELATION} either way",
        ),
        (
            "Shift by the texts beside it",
            _number(found.batch, 6),
            "at most a hundredth of the median margin",
        ),
    )


def group_rows(found: Guarded, names: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Give pairs told apart by strategy, then by flaw where these are known."""
    flaws = {str(flaw): words for flaw, words in FLAWS.items()}
    by_group = [
        (called(group, names) if group else "no strategy named", pair_share_words(figure))
        for group, figure in found.by_group
    ]
    return (*by_group, *((flaws[f], pair_share_words(figure)) for f, figure in found.by_flaw))


def verdict_words(model: Trained) -> tuple[str, ...]:
    """Say whether a model may rank; if not, why, a sentence each."""
    if model.may_rank:
        return ("It may put responses in order: none of the guards speaks against it.",)
    told = [_REASONS[trip](model.figures) for trip in model.figures.trips]
    return ("Refused.", *told, READS_ON)


def taught_by(model: Trained) -> str:
    """Say which pairs taught a model: `40 starter pairs, not expert-edited; vectors by minilm`."""
    known = dict(model.provenance)
    counts = {origin: int(known.get(f"pairs {origin}", "0")) for origin in PairOrigin}
    told = [f"{counts[one]:,} {ORIGINS[one]}" for one in PairOrigin if counts[one]]
    return f"Pairs: {'; '.join(told)}. Vectors: {known.get('vectors', UNDEFINED)}."


def made_words(kept: KeptModel) -> str:
    """Say which model this is: `Reward model 3 of 2026-11-30.`."""
    return f"Reward model {kept.model_id} of {kept.made_at[:10]}."


def who_words(pair: Pair) -> str:
    """Say where a pair comes from: `edited here by AK, 2026-11-30`."""
    who = f" by {pair.author}" if pair.author else ""
    day = f", {pair.made_at[:10]}" if pair.made_at else ""
    return f"{ORIGINS[pair.origin]}{who}{day}"


def _percent(figure: Figure) -> str:
    shown = show_figure(figure).split(" ", 1)
    return " ".join([f"{shown[0]}%", *shown[1:]])


def _number(figure: Figure, places: int) -> str:
    if figure.value is None:
        return f"{UNDEFINED} ({figure.reason})"
    shown = printed(figure.value, places)
    return f"{shown} {show_interval(figure.interval, places=places)}".strip()


def _shift_words(found: Guarded) -> str:
    share = found.padding_share.value
    told = _number(found.padding, 2)
    return told if share is None else f"{told}, {printed(100 * share, 0)}% of the median margin"


def _chance(found: Guarded) -> str:
    return (
        f"It tells {pair_share_words(found.accuracy)} apart; a coin may do as well, since the "
        "interval reaches down to half."
    )


def _length_alone(found: Guarded) -> str:
    return (
        f"Going by the number of words alone tells {pair_share_words(found.length_alone)} apart, "
        f"the model {pair_share_words(found.accuracy)}: nothing shows that it reads more than "
        "length."
    )


def _padding(found: Guarded) -> str:
    if found.padding_share.value is None:
        return f"Its reading of length cannot be told: {found.padding_share.reason}."
    side = "raise" if (found.padding.value or 0) > 0 else "lower"
    share = printed(100 * found.padding_share.value, 0)
    return (
        f"Four sentences without content behind a response {side} its reward by {share}% of the "
        "median margin: it goes by how much is said, or in what tone, and not only by the teaching."
    )


def _correlation(found: Guarded) -> str:
    side = "longer" if (found.correlation.value or 0) > 0 else "shorter"
    return (
        f"Its reward is higher for {side} responses (correlation {_number(found.correlation, 2)})."
    )


def _batch(_found: Guarded) -> str:
    return "The reward of a text changes with the texts that are read beside it."


_REASONS: Mapping[Trip, Callable[[Guarded], str]] = {
    Trip.CHANCE: _chance,
    Trip.LENGTH_ALONE: _length_alone,
    Trip.PADDING: _padding,
    Trip.CORRELATION: _correlation,
    Trip.BATCH: _batch,
}
