"""From windows that readers found to clips that people stand behind (ConfusionBench, 3.3 and 3.4).

Two researchers keep or drop each candidate alone, by five criteria; a clip stays only when both
keep it. Two experts, new to the clip, then say yes, no or unsure. Nobody sees what another said,
or what a reader made of the clip, before having spoken. Words are only ever added.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.coding.people_names import same_person
from app.confusion.records import WINDOW_MS
from app.confusion.review import CandidateWord, LearnerReview, Stage
from app.errors import Refused
from app.scoring.agreement import named_alpha, percent_with_interval
from app.scoring.figures import Figure

PEOPLE = 2
"""Who speak of a clip in each of the two rounds."""
Place = tuple[str, int]
"""A candidate's name: the video's id, and where the window starts."""


class Verdict(StrEnum):
    """What one person may say of a candidate."""

    KEEP = "keep"
    DROP = "drop"
    YES = "yes"
    NO = "no"
    UNSURE = "unsure"


VERDICTS = {
    Stage.CURATE: (Verdict.KEEP, Verdict.DROP),
    Stage.VALIDATE: (Verdict.YES, Verdict.NO, Verdict.UNSURE),
}


@dataclass(frozen=True, slots=True)
class Criterion:
    """One line of the researchers' checklist."""

    id: str
    title: str
    looked_for: str


CRITERIA = (
    Criterion(
        "brow_lids",
        "Brows and lids",
        "brows lowered or drawn together (AU4), eyelids tightened (AU7); both together are the "
        "most reliable sign",
    ),
    Criterion(
        "lips",
        "Lips",
        "upper lip raised (AU10), lips pressed or tightened (AU24); supports, is not enough alone",
    ),
    Criterion("smile", "Smile", "speaks against confusion in most cases"),
    Criterion(
        "hand",
        "Hand to the face",
        "touching the chin, pressing the forehead, covering the mouth; supports",
    ),
    Criterion(
        "posture",
        "Body and posture",
        "leaning forward, upright and alert, restless; supports",
    ),
)
"""ConfusionBench, section 3.3."""
NEIGHBOUR = "neighbour"
"""A reason to drop that is no criterion: much the same as the clip before or after."""
_FOR = ("brow_lids", "lips", "hand", "posture")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A window of 2 s that at least one reader found positive."""

    lesson_id: str
    start_ms: int
    end_ms: int
    readers: tuple[str, ...]
    """Who found it; never shown to those who judge."""

    @property
    def place(self) -> Place:
        """Its name."""
        return self.lesson_id, self.start_ms


class Curated(StrEnum):
    """Where a candidate stands with the researchers."""

    WAITING = "waiting for researchers"
    KEPT = "kept by both"
    DROPPED = "dropped by both"
    SPLIT = "kept by one, dropped by the other"


class Validated(StrEnum):
    """Where a kept clip stands with the experts."""

    NOT_ASKED = "not asked"
    WAITING = "waiting for experts"
    YES = "yes"
    NO = "no"
    UNSURE = "unsure"
    DIFFER = "experts differ"


@dataclass(frozen=True, slots=True)
class Standing:
    """One candidate with everything that people said of it."""

    candidate: Candidate
    words: tuple[CandidateWord, ...]
    """Oldest first."""

    def people(self, stage: Stage) -> tuple[str, ...]:
        """Give who has spoken in a round, in order."""
        return tuple(self.latest(stage))

    def latest(self, stage: Stage) -> dict[str, CandidateWord]:
        """Give the latest word of each person in a round, in the order they first spoke."""
        found: dict[str, CandidateWord] = {}
        for word in self.words:
            if word.stage is stage:
                found[_known(word.author, found)] = word
        return found

    def alone(self, stage: Stage) -> tuple[CandidateWord, ...]:
        """Give what the two said before they could know of each other; empty before both did."""
        found: dict[str, CandidateWord] = {}
        for word in self.words:
            if word.stage is stage and len(found) < PEOPLE:
                found[_known(word.author, found)] = word
        return tuple(found.values()) if len(found) == PEOPLE else ()

    @property
    def curated(self) -> Curated:
        """Where it stands with the researchers."""
        said = [word.verdict for word in self.alone(Stage.CURATE)]
        if not said:
            return Curated.WAITING
        if said[0] != said[1]:
            return Curated.SPLIT
        return Curated.KEPT if said[0] == Verdict.KEEP else Curated.DROPPED

    @property
    def validated(self) -> Validated:
        """Where it stands with the experts, after they talked where they differed."""
        if self.curated is not Curated.KEPT:
            return Validated.NOT_ASKED
        said = [word.verdict for word in self.latest(Stage.VALIDATE).values()]
        if len(said) < PEOPLE:
            return Validated.WAITING
        return Validated(said[0]) if said[0] == said[1] else Validated.DIFFER

    @property
    def criteria(self) -> tuple[str, ...]:
        """The criteria that both researchers saw, in the order of the list."""
        words = self.alone(Stage.CURATE)
        return tuple(
            one.id for one in CRITERIA if words and all(one.id in w.criteria for w in words)
        )


@dataclass(frozen=True, slots=True)
class Counts:
    """How many candidates came how far."""

    candidates: int
    curated: dict[Curated, int]
    validated: dict[Validated, int]
    """Of those that both researchers kept."""
    talked_over: int
    """Clips on which the experts differed at first and agreed after talking."""

    @property
    def kept(self) -> int:
        """Clips that both researchers kept."""
        return self.curated[Curated.KEPT]


def candidates_of(
    reviews: Iterable[LearnerReview], readers: Sequence[str] = ()
) -> tuple[Candidate, ...]:
    """Give the whole windows that a reader found positive, by video and in order of time.

    Args:
        reviews: Learner videos.
        readers: Whose windows count; all when empty.
    """
    found: dict[Place, Candidate] = {}
    for review in reviews:
        windows: dict[tuple[int, int], list[str]] = {}
        for bands in review.latest_bands:
            for reading in bands.readings if not readers or bands.reader in readers else ():
                if reading.is_positive and reading.end_ms - reading.start_ms == WINDOW_MS:
                    at = reading.start_ms, reading.end_ms
                    windows.setdefault(at, []).append(bands.reader)
        for (start_ms, end_ms), who in sorted(windows.items()):
            one = Candidate(review.lesson_id, start_ms, end_ms, tuple(who))
            found[one.place] = one
    return tuple(found.values())


def standings_of(
    candidates: Iterable[Candidate], words: Iterable[CandidateWord]
) -> tuple[Standing, ...]:
    """Put candidates and words together.

    A clip that somebody spoke of stays, also when no reader finds it any more: what people
    decided is the record.
    """
    known = {one.place: one for one in candidates}
    said: dict[Place, list[CandidateWord]] = {place: [] for place in known}
    for word in words:
        place = word.lesson_id, word.start_ms
        known.setdefault(place, Candidate(word.lesson_id, word.start_ms, word.end_ms, ()))
        said.setdefault(place, []).append(word)
    order = {place: number for number, place in enumerate(dict.fromkeys(p[0] for p in known))}
    places = sorted(known, key=lambda place: (order[place[0]], place[1]))
    return tuple(Standing(known[place], tuple(said[place])) for place in places)


def counts_of(standings: Sequence[Standing]) -> Counts:
    """Count how far candidates came, as ConfusionBench prints it: 301 kept, 224 / 46 / 31."""
    curated = dict.fromkeys(Curated, 0)
    validated = dict.fromkeys(Validated, 0)
    talked_over = 0
    for one in standings:
        curated[one.curated] += 1
        if one.curated is not Curated.KEPT:
            continue
        validated[one.validated] += 1
        alone = [word.verdict for word in one.alone(Stage.VALIDATE)]
        agrees = one.validated not in (Validated.WAITING, Validated.DIFFER)
        talked_over += agrees and len(set(alone)) > 1
    return Counts(len(standings), curated, validated, talked_over)


def agreement(standings: Iterable[Standing], stage: Stage) -> tuple[Figure, Figure]:
    """Give how far two people agreed alone: the share of clips, and nominal alpha."""
    pairs = [one.alone(stage) for one in standings if one.alone(stage)]
    first = [pair[0].verdict for pair in pairs]
    second = [pair[1].verdict for pair in pairs]
    units = [list(pair) for pair in zip(first, second, strict=True)]
    return percent_with_interval(first, second), named_alpha(units)


def why_not(standing: Standing, stage: Stage, author: str) -> str:
    """Say why a person cannot speak of a clip in a round; empty when they can."""
    if not author:
        return "Nobody is named as sitting here."
    spoke = standing.people(stage)
    if stage is Stage.VALIDATE:
        if standing.curated is not Curated.KEPT:
            return "Experts see only clips that both researchers kept."
        if same_person(author, standing.people(Stage.CURATE)):
            return f"{author} judged this clip as a researcher; an expert comes new to it."
        if standing.validated in (Validated.YES, Validated.NO, Validated.UNSURE):
            return "Both experts agree on this clip."
    elif standing.curated is not Curated.WAITING:
        return "Both researchers have spoken; what they said alone stays."
    if len(spoke) >= PEOPLE and not same_person(author, spoke):
        return f"{' and '.join(spoke)} judge this clip."
    return ""


def to_judge(standings: Iterable[Standing], stage: Stage, author: str) -> tuple[Standing, ...]:
    """Give the clips that a person may judge alone and has not yet, in that person's order.

    Researchers see them in order of time, since they also leave out neighbours that are much the
    same. For experts each has an order of their own, so that tiredness falls on other clips.
    """
    left = [
        one
        for one in standings
        if not why_not(one, stage, author)
        and not same_person(author, one.people(stage))
        and one.validated is not Validated.DIFFER
    ]
    if stage is Stage.VALIDATE:
        left.sort(key=lambda one: mixed(author.casefold(), *map(str, one.candidate.place)))
    return tuple(left)


def judged_by(standings: Iterable[Standing], stage: Stage, author: str) -> tuple[Standing, ...]:
    """Give the clips that a person has judged in a round, latest first."""
    own = [one for one in standings if same_person(author, one.people(stage))]
    return tuple(sorted(own, key=lambda one: _last(one, stage, author).made_at, reverse=True))


def to_talk_over(standings: Iterable[Standing], author: str) -> tuple[Standing, ...]:
    """Give the clips on which a person and the other expert differ, to be talked over."""
    return tuple(
        one
        for one in standings
        if one.validated is Validated.DIFFER and same_person(author, one.people(Stage.VALIDATE))
    )


def check_word(standing: Standing, word: CandidateWord) -> None:
    """Let a word through only when it keeps to the rules.

    Raises:
        Refused: The person cannot speak of this clip, the verdict is none of the round's, or a
            clip is kept without a sign that speaks for confusion.
    """
    why = why_not(standing, word.stage, word.author)
    if why:
        raise Refused(why, "Go on with another clip, or let somebody else sit here (Ctrl+U).")
    if word.verdict not in VERDICTS[word.stage]:
        raise Refused(f"“{word.verdict}” is no verdict in this round.", "Choose one that is shown.")
    if word.verdict == Verdict.KEEP and not any(one in _FOR for one in word.criteria):
        raise Refused(
            "A clip is kept for a sign that is seen in it, and none is ticked.",
            "Tick what you see (1, 2, 4 or 5), or drop the clip.",
        )


def mixed(*parts: str) -> str:
    """Give a key that puts things in an order which looks drawn and is always the same."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _known(author: str, found: dict[str, CandidateWord]) -> str:
    return same_person(author, tuple(found)) or author


def _last(standing: Standing, stage: Stage, author: str) -> CandidateWord:
    said = standing.latest(stage)
    return said[same_person(author, tuple(said))]
