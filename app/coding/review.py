"""Everything there is to show of one lesson: what the window and the report are given."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.coding.records import Decision, Prediction
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

    def prediction_for(self, clip_id: str, coder: str = "") -> Prediction | None:
        """Give the latest prediction for a clip, by one coder or by any."""
        found = [p for p in self.predictions if p.clip.clip_id == clip_id]
        if coder:
            found = [p for p in found if p.coder == coder]
        return found[-1] if found else None

    def decision_for(self, clip_id: str) -> Decision | None:
        """Give the decision that stands for a clip: the latest one not undone."""
        found = [d for d in self.decisions if d.clip.clip_id == clip_id]
        return found[-1] if found else None

    @property
    def unreviewed(self) -> tuple[Clip, ...]:
        """Clips that nobody has decided on."""
        decided = {d.clip.clip_id for d in self.decisions}
        return tuple(c for c in self.clips if c.clip_id not in decided)
