"""One lesson under review: what stands, and every change a person can make to it.

Each change is one quick, durable call to the library. A refusal is told and changes nothing.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.coding.records import Decision, Prediction, Verdict
from app.coding.review import LessonReview
from app.errors import ClerestoryError, Refused
from app.lesson.clips import Clip, merge_clips, split_clip
from app.lesson.transcript.records import Role, Utterance
from views.common.words import count_words
from views.lesson.clip_edits import move_edges
from app.coding.sight import Sight

if TYPE_CHECKING:
    from app.desk import Desk

log = logging.getLogger(__name__)


class Session(QObject):
    """Holds the lesson that is open.

    Signals:
        changed: The review as it stands now.
        refused: Why a change could not be made.
        author_missing: A change needs the reviewer's name first.
    """

    changed = Signal(object)
    refused = Signal(object)
    author_missing = Signal()

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._seen: set[str] = set()
        self._drafts: dict[str, str] = {}
        self.review: LessonReview | None = None

    @property
    def sight(self) -> Sight:
        """What the reviewer may see now."""
        return Sight(self._desk.author, self._desk.settings.blind)

    @property
    def utterances(self) -> tuple[Utterance, ...]:
        """The lines of the open lesson."""
        transcript = self.review.transcript if self.review else None
        return transcript.utterances if transcript else ()

    def open(self, lesson_id: str) -> bool:
        """Open a lesson; says whether it could be read."""
        self._drafts = self._read_setting("drafts", lesson_id, {})
        self._seen = set(self._read_setting(f"seen by {self._desk.author}", lesson_id, []))
        return self._load(lesson_id)

    def close(self) -> None:
        """Let go of the lesson."""
        self.review = None

    def reload(self) -> None:
        """Read the open lesson again, after a job or a setting has changed it."""
        if self.review is not None:
            self._load(self.review.lesson_id)

    # Decisions

    def accept(self, clip: Clip, note: str) -> bool:
        """Accept the suggestion that is on the screen."""
        prediction = self._shown(clip)
        if prediction is None or not prediction.practice:
            self.refused.emit(
                Refused(
                    "There is no suggestion on the screen to accept.",
                    "Pick a practice (1 to 4) and a level (Shift+1 to 4), then press C.",
                )
            )
            return False
        return self._decide(clip, Verdict.ACCEPT, prediction.practice, prediction.level, note)

    def set_code(self, clip: Clip, practice: str, level: int | None, note: str) -> bool:
        """Set the reviewer's own code; the same as the suggestion counts as accepting it."""
        if not practice or level is None:
            missing = "practice (1 to 4)" if not practice else "level (Shift+1 to 4)"
            self.refused.emit(
                Refused(
                    f"No {missing.split(' (')[0]} is picked yet.",
                    f"Pick a {missing}, then press C.",
                )
            )
            return False
        prediction = self._prediction(clip)
        is_same = prediction is not None and (prediction.practice, prediction.level) == (
            practice,
            level,
        )
        verdict = Verdict.ACCEPT if is_same else Verdict.CORRECT
        return self._decide(clip, verdict, practice, level, note)

    def reject(self, clip: Clip, note: str) -> bool:
        """Say that none of the four practices shows in a clip."""
        return self._decide(clip, Verdict.REJECT, "", None, note)

    def keep_note(self, clip: Clip, note: str) -> bool:
        """Store a note with the decision that stands; says whether there was one."""
        if self.review is None:
            return False
        standing = self.sight.own_decision(self.review, clip.clip_id)
        if standing is None:
            return False
        if standing.note == note:
            return True
        # The code is the one made then, so that it stays as blind as it was.
        again = replace(standing, note=note, made_at=_now())
        if not self._store_decision(again):
            return False
        if self._drafts.pop(clip.clip_id, None) is not None:
            self._write_drafts()
        return True

    def note_for(self, clip_id: str) -> str:
        """Give the note on a clip: what was typed last, stored with a decision or not."""
        if self.review is None:
            return ""
        standing = self.sight.own_decision(self.review, clip_id)
        return self._drafts.get(clip_id, standing.note if standing else "")

    def keep_draft(self, clip_id: str, note: str) -> None:
        """Keep a note that no decision carries yet, so that it outlives the program."""
        if self.review is None or note == self.note_for(clip_id):
            return
        self._drafts = {**self._drafts, clip_id: note}
        self._write_drafts()

    # Clips

    def move_clip(self, clip_id: str, start_ms: int, end_ms: int) -> bool:
        """Give a clip other times."""
        clips = self.review.clips if self.review else ()
        if any((c.clip_id, c.start_ms, c.end_ms) == (clip_id, start_ms, end_ms) for c in clips):
            return True
        return self._edit_clips(
            lambda clips, _by: move_edges(clips, clip_id, start_ms, end_ms, self.utterances),
            f"Move clip {self._number(clip_id)}",
        )

    def split_clip(self, clip: Clip, at_ms: int, line: int) -> bool:
        """Cut a clip at the playhead or, without times, at a line."""
        is_timed = clip.start_ms is not None
        return self._edit_clips(
            lambda clips, by: split_clip(
                clips,
                clip.clip_id,
                self.utterances,
                by,
                at_ms=at_ms if is_timed else None,
                at_line=None if is_timed else line,
            ),
            f"Split clip {self._number(clip.clip_id)}",
        )

    def merge_clip(self, clip: Clip) -> bool:
        """Make one clip of this one and the next."""
        number = self._number(clip.clip_id)
        clips = self.review.clips if self.review else ()
        if number >= len(clips):
            self.refused.emit(
                Refused("There is no clip after this one to merge with.", "Choose an earlier clip.")
            )
            return False
        following = clips[number].clip_id
        return self._edit_clips(
            lambda clips, by: merge_clips(clips, clip.clip_id, following, self.utterances, by),
            f"Merge clips {number} and {number + 1}",
        )

    # Transcript, speakers, note

    def edit_text(self, number: int, text: str) -> bool:
        """Change the words of a line; the original stays in the store."""
        return self._change(
            lambda library, lesson, author: library.edit_utterance(lesson, number, text, author),
            partial(_with_text, number=number, text=text),
        )

    def edit_speaker(self, number: int, speaker: str) -> bool:
        """Say that a line was spoken by somebody else."""
        return self._change(
            lambda library, lesson, author: library.set_utterance_speaker(
                lesson, number, speaker, author
            )
        )

    def rename_speaker(self, old: str, new: str) -> bool:
        """Rename a speaker on all lines."""
        return self._change(
            lambda library, lesson, author: library.rename_speaker(lesson, old, new, author)
        )

    def set_role(self, speaker: str, role: str) -> bool:
        """Say who a speaker is in the lesson."""
        return self._change(
            lambda library, lesson, author: library.set_role(lesson, speaker, Role(role), author)
        )

    def set_note(self, text: str) -> bool:
        """Keep the note on the whole lesson."""
        if self.review is None or text == self.review.note:
            return True
        return self._change(
            lambda library, lesson, author: library.set_note(lesson, text, author),
            lambda review: replace(review, note=text),
        )

    def undo(self) -> bool:
        """Take back the last change to this lesson."""
        return self._change(lambda library, lesson, author: library.undo(lesson, author))

    def redo(self) -> bool:
        """Bring back the change that was undone last."""
        return self._change(lambda library, lesson, author: library.redo(lesson, author))

    def undo_words(self) -> str:
        """Say what would be undone; empty for nothing."""
        if self.review is None:
            return ""
        label = self._desk.library.can_undo(self.review.lesson_id)
        return self.sight.undo_words(self.review, label)

    def redo_words(self) -> str:
        """Say what would be brought back; empty for nothing."""
        if self.review is None:
            return ""
        label = self._desk.library.can_redo(self.review.lesson_id) or ""
        return "the change" if label and self.sight.is_blind else label

    def _decide(
        self, clip: Clip, verdict: Verdict, practice: str, level: int | None, note: str
    ) -> bool:
        if self.review is None:
            return False
        sight = self.sight
        prediction = self._prediction(clip)
        is_hidden = not sight.shows_labels(self.review, clip.clip_id)
        made = Decision(
            clip=clip,
            verdict=verdict,
            practice=practice,
            level=level,
            author=sight.author,
            made_at=_now(),
            note=note,
            # A label that was on the screen in this session was seen, whatever is hidden now.
            blind=is_hidden and clip.clip_id not in self._seen,
            coder=prediction.coder if prediction else "",
        )
        if not self._store_decision(made):
            return False
        if self._drafts.pop(clip.clip_id, None) is not None:
            self._write_drafts()
        return True

    def _store_decision(self, made: Decision) -> bool:
        """Store a decision; what is on the screen is brought up to date without reading all."""
        return self._change(
            lambda library, lesson, author: library.decide(lesson, made),
            lambda review: replace(review, decisions=(*review.decisions, made)),
        )

    def _edit_clips(
        self, edit: Callable[[tuple[Clip, ...], str], tuple[Clip, ...]], label: str
    ) -> bool:
        def change(library: object, lesson: str, author: str) -> None:
            assert self.review is not None
            clips = edit(self.review.clips, author)
            self._desk.library.set_clips(lesson, clips, author, label)

        return self._change(change)

    def _change(
        self,
        act: Callable[..., object],
        known: Callable[[LessonReview], LessonReview] | None = None,
    ) -> bool:
        """Make one change for the named reviewer.

        Args:
            act: Makes it, given the library, the lesson and the reviewer.
            known: What the lesson is afterwards; without it the lesson is read again.
        """
        if self.review is None:
            return False
        author = self._desk.author
        if not author:
            self.author_missing.emit()
            return False
        try:
            act(self._desk.library, self.review.lesson_id, author)
        except ClerestoryError as error:
            self.refused.emit(error)
            return False
        if known is None:
            return self._load(self.review.lesson_id)
        history = self._desk.library.history(self.review.lesson_id)
        self._take(replace(known(self.review), history=history))
        return True

    def _load(self, lesson_id: str) -> bool:
        try:
            review = self._desk.library.lesson(lesson_id)
        except ClerestoryError as error:
            self.refused.emit(error)
            return False
        self._take(review)
        return True

    def _take(self, review: LessonReview) -> None:
        self.review = review
        shown = partial(self.sight.shows_labels, self.review)
        seen = {p.clip.clip_id for p in self.review.predictions if shown(p.clip.clip_id)}
        if not seen <= self._seen:
            self._seen |= seen
            self._write_setting(f"seen by {self._desk.author}", sorted(self._seen))
        self.changed.emit(self.review)

    def _write_drafts(self) -> None:
        self._write_setting("drafts", self._drafts)

    def _write_setting(self, name: str, value: object) -> None:
        assert self.review is not None
        text = json.dumps(value, ensure_ascii=False)
        try:
            self._desk.library.set_setting(f"{name}: {self.review.lesson_id}", text)
        except ClerestoryError as error:
            self.refused.emit(error)

    def _read_setting(self, name: str, lesson_id: str, otherwise: Any) -> Any:
        try:
            text = self._desk.library.setting(f"{name}: {lesson_id}")
            value = json.loads(text) if text else otherwise
        except (ClerestoryError, ValueError) as error:
            log.warning("%s of lesson %s could not be read: %s", name, lesson_id, error)
            return otherwise
        return value if isinstance(value, type(otherwise)) else otherwise

    def _prediction(self, clip: Clip) -> Prediction | None:
        return self.review.prediction_for(clip.clip_id) if self.review else None

    def _shown(self, clip: Clip) -> Prediction | None:
        return self.sight.prediction(self.review, clip.clip_id) if self.review else None

    def _number(self, clip_id: str) -> int:
        clips = self.review.clips if self.review else ()
        return next((n for n, c in enumerate(clips, 1) if c.clip_id == clip_id), 0)


def reviewed_words(review: LessonReview, waiting: int) -> str:
    """Say how far the review has come."""
    total = len(review.clips)
    if not total:
        return "No clips yet"
    if not waiting:
        return "All clips reviewed"
    return f"{total - waiting} of {count_words(total, 'clip')} reviewed"


def _with_text(review: LessonReview, number: int, text: str) -> LessonReview:
    """Give the lesson with other words in a line; times of words went with the old ones."""
    if review.transcript is None:
        return review
    lines = tuple(
        replace(line, text=text, words=()) if line.number == number else line
        for line in review.transcript.utterances
    )
    return replace(review, transcript=replace(review.transcript, utterances=lines))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
