"""What the face-cue reader says of a window, in plain words: the signs, and why it cannot know."""

from __future__ import annotations

from app.confusion.baseline import Baseline
from app.confusion.records import Cue, CueKind, Level

AS_USUAL = "brows and lids are as usual"
SMILED = "a smile speaks against confusion"
NO_BASELINE = "what is usual for this learner is not known, so faces at rest in general are taken"
TAKEN_BACK = "the face came back after nobody was seen, and is taken to be the same learner's"
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


def too_few_words(usable: int, looked: int) -> str:
    """Say that too few pictures could be read, where no single reason stands out."""
    return f"the face can be read in only {usable} of {looked} pictures"


def level_words(
    level: Level, cues: tuple[Cue, ...], baseline: Baseline | None, *, is_taken_back: bool
) -> str:
    """Say in one line what a level rests on, and what takes from its sureness."""
    said = []
    if level is Level.NONE:
        against = any(cue.speaks_against for cue in cues)
        main = any(cue.kind in (CueKind.BROW, CueKind.LIDS) for cue in cues)
        if against:
            said.append(SMILED)
        elif not main:
            said.append(AS_USUAL)
        else:
            said.append("too little for confusion")
    if baseline is None:
        said.append(NO_BASELINE)
    elif baseline.source != "this video":
        said.append(f"compared with {baseline.source}")
    if is_taken_back:
        said.append(TAKEN_BACK)
    return "; ".join(said)
