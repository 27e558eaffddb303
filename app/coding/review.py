"""Everything there is to show of one lesson: what the window and the report are given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from app.coding.probe_records import Answered
from app.coding.records import Decision, Prediction, Stage
from app.lesson.clips import Clip
from app.lesson.media.facts import MediaFacts
from app.lesson.transcript.records import Role, Transcript


@dataclass(frozen=True, slots=True)
class Change:
    """One thing a person did to a lesson, as undo and the history name it."""

    change_id: int
    label: str
    """What was done, in a few words: `Accept D1, level 2`, `Rename speaker T to Ms Okoro`."""
    author: str
    made_at: str
    undone: bool = False
    is_decision: bool = False
    """Whether it says what a clip shows; nobody takes back such a word for somebody else."""


@dataclass(frozen=True, slots=True)
class LessonReview:
    """One lesson with all that is known, claimed and decided about it."""

    lesson_id: str
    title: str
    added_at: str
    """UTC, ISO 8601."""
    media: MediaFacts | None
    """Facts as read when the lesson was added, the path as it is now; `None` without media."""
    media_found: bool
    """Whether the recording lies where it was last seen."""
    transcript: Transcript | None
    """As edited by people."""
    original: Transcript | None
    """As imported or heard; never changed."""
    roles: dict[str, Role] = field(default_factory=dict)
    """By the speaker's present name."""
    clips: tuple[Clip, ...] = ()
    """In order of time, as they stand after people moved, split and merged them."""
    predictions: tuple[Prediction, ...] = ()
    """All of them, oldest first; a later one of the same coder for the same clip supersedes."""
    decisions: tuple[Decision, ...] = ()
    """Decisions that stand, oldest first; what was undone is left out but stays in the store."""
    note: str = ""
    """The reviewer's note on the whole lesson."""
    history: tuple[Change, ...] = ()
    probes: tuple[Answered, ...] = ()
    """The latest probe of each kind of every prediction; see `app.coding.proofs`."""

    withheld: tuple[str, ...] = ()
    """Clips of which all that coders and people said is left out, since whoever reads this codes
    blind and has not coded them; see `app.coding.sight`."""

    _said: dict[str, tuple[Prediction, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _decided: dict[str, tuple[Decision, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def prediction_for(self, clip_id: str, coder: str = "") -> Prediction | None:
        """Give the latest prediction for a clip, by one coder or by any."""
        found = self.predictions_for(clip_id)
        if coder:
            found = tuple(p for p in found if p.coder == coder)
        return found[-1] if found else None

    def predictions_for(self, clip_id: str) -> tuple[Prediction, ...]:
        """Give everything coders said of a clip, oldest first."""
        if self.predictions and not self._said:
            self._said.update(_by_clip(self.predictions))
        return self._said.get(clip_id, ())

    def decisions_for(self, clip_id: str) -> tuple[Decision, ...]:
        """Give every decision on a clip that was not undone, oldest first."""
        if self.decisions and not self._decided:
            self._decided.update(_by_clip(self.decisions))
        return self._decided.get(clip_id, ())

    def decision_for(self, clip_id: str) -> Decision | None:
        """Give the decision that stands for a clip.

        A consensus stands over what its people, or anybody who codes blind, said on their own; a
        person who sees it and then decides otherwise replaces it. Without one, each person's
        latest decision counts. Where those differ nothing stands: see `is_disputed`.
        """
        words = _words_that_count(self.decisions_for(clip_id))
        return words[-1] if words and not _differ(words) else None

    def own_decisions(self, clip_id: str) -> tuple[Decision, ...]:
        """Give the latest decision that each person made on their own, in the order made."""
        own = [d for d in self.decisions_for(clip_id) if d.stage is Stage.OWN]
        return _latest_of_each(own)

    def consensus_for(self, clip_id: str) -> Decision | None:
        """Give the latest consensus on a clip, whether it still stands or not."""
        agreed = [d for d in self.decisions_for(clip_id) if d.stage is Stage.CONSENSUS]
        return agreed[-1] if agreed else None

    def is_disputed(self, clip_id: str) -> bool:
        """Say whether people coded a clip differently and have not agreed since."""
        return bool(self.disputed_words(clip_id))

    def disputed_words(self, clip_id: str) -> tuple[Decision, ...]:
        """Give the decisions that stand against each other; empty where nothing is disputed."""
        words = _words_that_count(self.decisions_for(clip_id))
        return words if _differ(words) else ()

    @property
    def unreviewed(self) -> tuple[Clip, ...]:
        """Clips that nobody has decided on."""
        return tuple(c for c in self.clips if not self.decisions_for(c.clip_id))


_Said = TypeVar("_Said", Prediction, Decision)


def _by_clip(said: Sequence[_Said]) -> dict[str, tuple[_Said, ...]]:
    gathered: dict[str, list[_Said]] = {}
    for one in said:
        gathered.setdefault(one.clip.clip_id, []).append(one)
    return {clip_id: tuple(found) for clip_id, found in gathered.items()}


def _words_that_count(decisions: Sequence[Decision]) -> tuple[Decision, ...]:
    """Give the words that speak for a clip now: a consensus, or what persons said since."""
    agreed = [place for place, d in enumerate(decisions) if d.stage is Stage.CONSENSUS]
    if not agreed:
        return _latest_of_each(decisions)
    consensus = decisions[agreed[-1]]
    # Whoever codes blind does not know of the consensus, and so does not speak against it. A
    # decision made before it and stored again after it has only got another note.
    since = [
        d for d in decisions[agreed[-1] + 1 :] if not d.blind and not d.made_at < consensus.made_at
    ]
    return _latest_of_each(since) or (consensus,)


def _latest_of_each(decisions: Sequence[Decision]) -> tuple[Decision, ...]:
    latest: dict[str, Decision] = {}
    for decision in decisions:
        latest.pop(decision.author, None)
        latest[decision.author] = decision
    return tuple(latest.values())


def _differ(words: Sequence[Decision]) -> bool:
    """Say whether words name another main code, or other codes beside it."""
    return len({(word.practice, word.level, frozenset(word.also)) for word in words}) > 1
