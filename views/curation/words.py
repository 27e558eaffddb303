"""The words of the curation pages: what is asked, how far it is, why there is nothing to do."""

from __future__ import annotations

from collections.abc import Sequence

from app.confusion.curation import Standing, Validated, Verdict, to_talk_over
from app.confusion.review import CandidateWord, LearnerReview, Stage
from app.set_making import Material
from views.common.words import count_words

ASKED = {
    Stage.CURATE: "Does this clip show signs of confusion? Keep it for a sign that you see.",
    Stage.VALIDATE: "Does this clip show signs of confusion? Unsure means that more would have to "
    "be known.",
}
TALK = (
    "You differ on this clip. Talk about it; whoever sees it otherwise now says so. While you "
    "differ it stays out of the set."
)
DONE = {
    Verdict.KEEP: "kept",
    Verdict.DROP: "dropped",
    Verdict.YES: "yes",
    Verdict.NO: "no",
    Verdict.UNSURE: "unsure",
}
WHO = (
    "Who judges?",
    "Say who you are at the bottom of the window (Ctrl+U). Each person judges alone, and nobody "
    "sees what another said.",
)


def nothing_words(material: Material, held_back: int, stage: Stage, author: str) -> tuple[str, str]:
    """Say why a person has no clip to judge, and what would bring one.

    Args:
        material: What there is to judge.
        held_back: Videos that the person has not marked yet and works blind on.
        stage: The round.
        author: The person; empty for nobody.
    """
    reviews, standings = material.reviews, material.standings
    if not author:
        return WHO
    if held_back:
        return (
            "You work blind.",
            f"{count_words(held_back, 'recording')} wait for your own marking: candidates would "
            "show where readers found something. Mark what you see on the Learner page and say so "
            "there, or turn blind mode off.",
        )
    if not reviews:
        return (
            "There is no learner video yet.",
            "Add one on the Learner page and let a reader read it. Windows in which it finds "
            "confusion become candidates.",
        )
    if not standings:
        return _no_candidates(reviews)
    said = sum(author.casefold() in map(str.casefold, s.people(stage)) for s in standings)
    own = f"{author} has judged {count_words(said, 'clip')}." if said else ""
    if stage is Stage.CURATE:
        return (
            "Nothing is left for you here.",
            f"{own} A clip goes on once a second researcher has judged it too.".strip(),
        )
    kept = sum(s.validated is not Validated.NOT_ASKED for s in standings)
    if not kept:
        return (
            "No clip has been kept yet.",
            "Experts see the clips that two researchers both kept. Judge those first.",
        )
    talk = len(to_talk_over(standings, author))
    more = f" {count_words(talk, 'clip')} to talk over." if talk else ""
    return (
        "Nothing is left for you here.",
        f"{own}{more} Experts judge clips that they did not judge as researchers.".strip(),
    )


def no_talk_words(author: str) -> tuple[str, str]:
    """Say why there is nothing to talk over."""
    if not author:
        return WHO
    return (
        "Nothing to talk over.",
        "Where two experts differ, each sees here what the other said and may say again. Clips on "
        "which they still differ stay out of the set.",
    )


def own_words(word: CandidateWord | None) -> str:
    """Say what this person said of the clip, and that it may still be changed."""
    if word is None:
        return ""
    return f"You said: {DONE[Verdict(word.verdict)]}. Say it again to change it."


def before_words(before: CandidateWord | None, is_next_door: bool) -> str:
    """Say what this person made of the clip right before, to find ones that are much the same."""
    if not is_next_door:
        return ""
    if before is None:
        return "The 2 s right before are a candidate too, which you have not judged."
    return f"The 2 s right before are a candidate too: you {DONE[Verdict(before.verdict)]} it."


def both_words(standing: Standing) -> str:
    """Say what each expert said, for the talk."""
    said = standing.latest(Stage.VALIDATE)
    return "   ".join(f"{who}: {DONE[Verdict(word.verdict)]}" for who, word in said.items())


def _no_candidates(reviews: Sequence[LearnerReview]) -> tuple[str, str]:
    if not any(review.bands for review in reviews):
        return (
            "No reader has read a learner video yet.",
            "Let one read it on the Learner page; windows in which it finds confusion become "
            "candidates.",
        )
    return (
        "No reader has found confusion.",
        "Let another reader read the videos, or choose other readers under Sets.",
    )
