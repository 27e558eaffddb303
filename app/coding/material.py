"""What a coder is given of one lesson."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.coding.review import LessonReview
from app.lesson.clips import Clip
from app.lesson.media.facts import MediaFacts
from app.lesson.transcript.records import Role, Utterance


@dataclass(frozen=True, slots=True)
class Material:
    """The clips of one lesson with the words and the recording they lie in."""

    lesson_id: str
    title: str
    clips: tuple[Clip, ...]
    utterances: tuple[Utterance, ...]
    """The whole transcript, also the lines that are never coded from; empty without one."""
    roles: Mapping[str, Role] = field(default_factory=dict)
    """Who is teacher and who is student, by the speaker's name; may be empty."""
    media: MediaFacts | None = None
    """`None` for a lesson without a recording."""
    media_found: bool = True
    """Whether the recording lies where `media` says."""

    @property
    def has_words(self) -> bool:
        """Whether there is a line a coder may use."""
        return any(line.is_sound for line in self.utterances)


def material_of(review: LessonReview) -> Material:
    """Take from a lesson what a coder may see: nothing that anybody has said about it."""
    return Material(
        review.lesson_id,
        review.title,
        review.clips,
        review.transcript.utterances if review.transcript else (),
        dict(review.roles),
        review.media,
        review.media_found,
    )
