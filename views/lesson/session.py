"""One lesson under review: what stands, and every change a person can make to it.

Each change is one quick, durable call to the library. A refusal is told and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.coding.pick import Pick, pick_of
from app.coding.records import Decision, Prediction, Verdict
from app.coding.review import LessonReview
from app.coding.sight import Sight
from app.errors import ClerestoryError, Refused
from app.lesson.clips import Clip, merge_clips, split_clip
from app.lesson.transcript.records import Role, Utterance
from views.lesson.clip_edits import move_edges
from views.lesson.kept import Draft, Kept, read_kept
from views.lesson.known_changes import with_text

if TYPE_CHECKING:
    from app.desk import Desk

NOTHING = Pick()


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
        self._kept = Kept(desk.library, "", "")
        self.review: LessonReview | None = None
        self.coder = ""

    @property
    def sight(self) -> Sight:
        """What the reviewer may see now."""
        return Sight(self._desk.author, self._desk.settings.blind, self.coder)

    @property
    def utterances(self) -> tuple[Utterance, ...]:
        """The lines of the open lesson."""
        transcript = self.review.transcript if self.review else None
        return transcript.utterances if transcript else ()

    def open(self, lesson_id: str) -> bool:
        """Open a lesson; says whether it could be read."""
        return self._read_kept(lesson_id) and self._load(lesson_id)

    def close(self) -> None:
        """Let go of the lesson."""
        self.review = None

    def reload(self) -> None:
        """Read the open lesson again, after a job, a setting or another reviewer has changed it.

        What a reviewer has begun stays theirs: who comes after finds their own drafts.
        """
        if self.review is not None and self._read_kept(self.review.lesson_id):
            self._load(self.review.lesson_id)

    # Decisions

    def accept(self, clip: Clip, note: str, pick: Pick = NOTHING) -> bool:
        """Accept the suggestion that is on the screen, with the picked further codes and cites."""
        prediction = self._shown(clip)
        if prediction is None or not prediction.practice:
            self.refused.emit(
                Refused(
                    "There is no suggestion on the screen to accept.",
                    "Pick a practice (1 to 4) and a level (Shift+1 to 4), then press C.",
                )
            )
            return False
        taken = pick.with_practice(prediction.practice, prediction.level)
        return self._decide(clip, Verdict.ACCEPT, taken, note)

    def set_code(
        self, clip: Clip, practice: str, level: int | None, note: str, pick: Pick = NOTHING
    ) -> bool:
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
        return self._decide(clip, verdict, pick.with_practice(practice, level), note)

    def reject(self, clip: Clip, note: str, pick: Pick = NOTHING) -> bool:
        """Say that none of the four practices shows in a clip; what is cited is why."""
        return self._decide(clip, Verdict.REJECT, Pick(cites=pick.cites), note)

    def keep_note(self, clip: Clip, note: str) -> bool:
        """Store a note with the decision that stands; says whether there was one."""
        if self.review is None:
            return False
        standing = self.sight.own_decision(self.review, clip.clip_id)
        if standing is None:
            return False
        if standing.note == note:
            return True
        # The code is the one made then, so that it stays as blind, and as early, as it was.
        if not self._store_decision(replace(standing, note=note)):
            return False
        self._keep(clip.clip_id, replace(self._kept.draft(clip.clip_id), note=None))
        return True

    def note_for(self, clip_id: str) -> str:
        """Give the note on a clip: what was typed last, stored with a decision or not."""
        if self.review is None:
            return ""
        typed = self._kept.draft(clip_id).note
        standing = self.sight.own_decision(self.review, clip_id)
        return typed if typed is not None else standing.note if standing else ""

    def keep_draft(self, clip_id: str, note: str) -> None:
        """Keep a note that no decision carries yet, so that it outlives the program."""
        if self.review is not None and note != self.note_for(clip_id):
            self._keep(clip_id, replace(self._kept.draft(clip_id), note=note))

    def pick_for(self, clip_id: str) -> Pick:
        """Give what is picked for a clip: what was begun, else what stands."""
        begun = self._kept.draft(clip_id).pick
        return begun if begun is not None else self._standing_pick(clip_id)

    def keep_pick(self, clip_id: str, pick: Pick) -> None:
        """Keep what is picked and not committed, so that it outlives the program."""
        if self.review is not None:
            begun = None if pick == self._standing_pick(clip_id) else pick
            self._keep(clip_id, replace(self._kept.draft(clip_id), pick=begun))

    def has_begun(self, clip_id: str) -> bool:
        """Say whether something is picked for a clip that was not committed."""
        return self._kept.draft(clip_id).pick is not None

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
            partial(with_text, number=number, text=text),
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
        """Take back the last change to this lesson, unless it is another person's decision."""
        if self.review is not None and not self.sight.may_undo(self.review):
            by = self.sight.last_author(self.review)
            self.refused.emit(
                Refused(
                    f"The last change to this lesson is a decision by {by}.",
                    f"Only {by} can take it back. You can decide otherwise yourself.",
                )
            )
            return False
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

    def _decide(self, clip: Clip, verdict: Verdict, pick: Pick, note: str) -> bool:
        if self.review is None:
            return False
        sight = self.sight
        prediction = self._prediction(clip)
        is_hidden = not sight.shows_labels(self.review, clip.clip_id)
        made = Decision(
            clip=clip,
            verdict=verdict,
            practice=pick.practice,
            level=pick.level,
            author=sight.author,
            made_at=_now(),
            note=note,
            # A label that was on the screen in this session was seen, whatever is hidden now.
            blind=is_hidden and clip.clip_id not in self._kept.seen,
            coder=prediction.coder if prediction else "",
            also=pick.also,
            evidence=pick.cites,
        )
        if not self._store_decision(made):
            return False
        self._keep(clip.clip_id, Draft())
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
        library, lesson_id = self._desk.library, self.review.lesson_id
        if not self._try(partial(act, library, lesson_id, author)):
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
        shown = partial(self.sight.shows_labels, review)
        told = {p.clip.clip_id for p in review.predictions}
        told |= {d.clip.clip_id for d in review.decisions if d.author != self._kept.author}
        self._try(lambda: self._kept.see(filter(shown, told)))
        self.changed.emit(self.review)

    def _read_kept(self, lesson_id: str) -> bool:
        def read() -> None:
            self._kept = read_kept(self._desk.library, self._desk.author, lesson_id)

        return self._try(read)

    def _keep(self, clip_id: str, draft: Draft) -> None:
        self._try(lambda: self._kept.keep(clip_id, draft))

    def _try(self, act: Callable[[], object]) -> bool:
        """Do something in the library; a refusal is told."""
        try:
            act()
        except ClerestoryError as error:
            self.refused.emit(error)
            return False
        return True

    def _standing_pick(self, clip_id: str) -> Pick:
        """Give what stands and may be seen, else the own word, with what the reviewer cites."""
        if self.review is None:
            return NOTHING
        sight = self.sight
        own = sight.own_decision(self.review, clip_id)
        stands = pick_of(sight.decision(self.review, clip_id) or own, sight.author)
        return replace(stands, cites=own.evidence if own else ())

    def _prediction(self, clip: Clip) -> Prediction | None:
        return self.sight.on_screen(self.review, clip.clip_id) if self.review else None

    def _shown(self, clip: Clip) -> Prediction | None:
        return self.sight.prediction(self.review, clip.clip_id) if self.review else None

    def _number(self, clip_id: str) -> int:
        clips = self.review.clips if self.review else ()
        return next((n for n, c in enumerate(clips, 1) if c.clip_id == clip_id), 0)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
