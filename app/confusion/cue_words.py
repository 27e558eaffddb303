"""What the face-cue reader says of a window, in plain words: the signs, and why it cannot know."""

from __future__ import annotations

from app.confusion.baseline import Baseline
from app.confusion.records import Cue, CueKind, Level

SMILED = "a smile speaks against confusion"
NO_BASELINE = "what is usual for this learner is not known, so faces at rest in general are taken"
TAKEN_BACK = "the face was lost and came back, and is taken to be the same learner's"
NOT_LOOKED = "no picture falls into this window"

WORDS = {
    CueKind.BROW: "brows lower than usual",
    CueKind.LIDS: "lids narrower than usual",
    CueKind.LIP_RAISED: "upper lip higher than usual; only supports",
    CueKind.LIPS_PRESSED: "lips pressed more than usual; only supports",
    CueKind.SMILE: "a smile",
    CueKind.HAND: "something, such as a hand, covers the chin or the mouth; only supports",
    CueKind.POSTURE: "the face is nearer to the camera than usual; only supports",
}


def hidden_words(reason: str, pictures: int, looked: int) -> str:
    """Say why a window is not visible: `no face is seen (in 9 of 10 pictures)`."""
    return f"{reason} (in {pictures} of {looked} pictures)"


def too_few_words(usable: int, looked: int, readable_s: float, needed_s: float) -> str:
    """Say that too few pictures could be read, where no single reason stands out."""
    if usable == looked:
        return (
            f"too short: the face can be read for {readable_s:.1f} s of the {needed_s:.1f} s needed"
        )
    return f"the face can be read in only {usable} of {looked} pictures"


def as_usual_words(
    measured: tuple[float, float],
    least: tuple[float, float],
    baseline: Baseline | None,
    *,
    is_head_lowered: bool,
) -> str:
    """Say that nothing shows, with what was measured: the reasons for the level none.

    Args:
        measured: Brows and lids.
        least: From where on each would stand out.
        baseline: What is usual for the learner.
        is_head_lowered: Whether more is asked for because of that.
    """
    whose = "for this learner " if baseline is not None else ""
    more = ", and more as the head is lowered" if is_head_lowered else ""
    return (
        f"brows {measured[0]:.2f} and lids {measured[1]:.2f}: "
        f"{whose}{least[0]:.2f} and {least[1]:.2f} would stand out{more}"
    )


def level_words(
    level: Level,
    cues: tuple[Cue, ...],
    as_usual: str,
    baseline: Baseline | None,
    *,
    is_taken_back: bool,
) -> str:
    """Say in one line what a level rests on beside its signs, and what takes from its sureness."""
    said = []
    if level is Level.NONE:
        against = any(cue.speaks_against for cue in cues)
        main = any(cue.kind in (CueKind.BROW, CueKind.LIDS) for cue in cues)
        if against:
            said.append(SMILED)
        elif not main:
            said.append(as_usual)
        else:
            said.append("too little for confusion")
    if baseline is None:
        said.append(NO_BASELINE)
    elif baseline.source != "this video":
        said.append(f"compared with {baseline.source}")
    if is_taken_back:
        said.append(TAKEN_BACK)
    return "; ".join(said)
