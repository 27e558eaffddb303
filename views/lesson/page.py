"""The lesson page: where a lesson is watched, read and decided on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.coding.calibration import Trust
from app.coding.review import LessonReview
from app.lesson.clips import Clip
from app.lesson.spans import Span
from app.store.attempts import Attempts
from views.background import Background, Job, Lane, State
from views.lesson import timeline_marks as marks
from views.lesson.actions import LessonActions
from views.lesson.clip_shown import ClipShown
from views.lesson.doing import Doing
from views.lesson.layout import LessonLayout
from views.lesson.lines import TOLD_ONCE, common_flags
from views.lesson.next_step import next_step
from views.lesson.pictures import Pictures
from views.lesson.session import Session
from views.lesson.speakers import SpeakersDialog

if TYPE_CHECKING:
    from app.desk import Desk


class LessonPage(QWidget):
    """One lesson under review.

    Signals:
        act_wanted: A step the lesson needs, `Act`, chosen with its button.
        report_wanted: The report is to be written.
        test_wanted: Evidence is to be tested, `views.probing.doing.Wish`.
        blind_set: Blind mode was turned on or off.
        author_named: The reviewer typed a name or initials.
        told: Something to tell: message and hint.
        trouble: An error to tell.
        job_stopped: A job is to be stopped.
        changed: The lesson has changed, so that lists of lessons are out of date.
    """

    act_wanted = Signal(object)
    report_wanted = Signal()
    test_wanted = Signal(object)
    blind_set = Signal(bool)
    author_named = Signal(str)
    told = Signal(str, str)
    trouble = Signal(object)
    job_stopped = Signal(object)
    changed = Signal()

    def __init__(self, desk: Desk, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._background = background
        self.session = Session(desk, self)
        self.pictures = Pictures(desk, background, self)
        self.ui = LessonLayout(desk.practices)
        self.speakers = SpeakersDialog(self)
        self.clip_id = ""
        """The clip in view; empty for none."""
        self.position_ms = 0
        """Where the playhead stands, on the media's clock."""
        self._drawn: LessonReview | None = None
        self._shown = ClipShown(self, desk, background)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.ui)
        self._doing = Doing(self)
        self.keys = LessonActions(self, self._doing)
        self._connect()
        self.keys.set_enabled(False)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard on; a focus proxy would take the page out of the tab order."""
        self.ui.timeline.setFocus(event.reason())

    # What is shown

    def open_lesson(self, lesson_id: str, at_ms: int = -1) -> bool:
        """Open a lesson, at a moment if one is given; says whether it could be opened."""
        self.leave()
        self.clip_id, self._drawn, self.position_ms = "", None, 0
        if not self.session.open(lesson_id):
            return False
        if at_ms >= 0:
            self.go_to_moment(at_ms)
        self._show_job(None)
        self._learn_trust()
        return True

    def _learn_trust(self) -> None:
        """Have it worked out how far coders were right, for the order of the clips to come."""
        self._background.start(
            Job("Set coders beside decisions", Lane.LOOK),
            lambda report, stop: self._desk.trust.figures("", report, stop),
            lambda _found: None,
            self.trouble.emit,
        )

    def leave(self) -> None:
        """Store what is being typed and stop what is being fetched."""
        self.leave_typing()
        self.pictures.close()
        self.ui.player.pause()
        self.speakers.hide()

    def close_media(self) -> None:
        """Let go of the recording, before the window goes."""
        self.ui.player.close_media()

    def leave_typing(self) -> None:
        """Store what is being typed."""
        self.ui.side.decision.finish_typing()
        self.ui.note.hand_on_if_typed()

    def refresh(self) -> None:
        """Read the lesson again: a job or a setting has changed what is to be shown."""
        self.leave_typing()
        self.session.reload()

    def clip(self) -> Clip | None:
        """Give the clip in view."""
        review = self.session.review
        clips = review.clips if review else ()
        return next((c for c in clips if c.clip_id == self.clip_id), None)

    def go_to_clip(self, clip_id: str, *, seek: bool = True) -> None:
        """Bring a clip into view and, if asked, its start under the playhead."""
        self.ui.side.decision.finish_typing()
        self.clip_id = clip_id
        self.ui.timeline.select_clip(clip_id)
        self._shown.show()
        clip = self.clip()
        if clip is None or not seek:
            return
        if clip.start_ms is not None:
            self.seek(clip.start_ms)
        elif clip.first:
            self.ui.transcript.go_to_line(clip.first)

    def go_to_moment(self, time_ms: int) -> None:
        """Move the playhead, and bring the clip that holds the moment into view."""
        review = self.session.review
        clips = review.clips if review else ()
        held = (c for c in clips if c.start_ms is not None and c.start_ms <= time_ms)
        clip = next((c for c in held if c.end_ms is None or time_ms < c.end_ms), None)
        if clip is not None and clip.clip_id != self.clip_id:
            self.go_to_clip(clip.clip_id, seek=False)
        self.seek(time_ms)

    def seek(self, time_ms: int) -> None:
        """Move the playhead."""
        review = self.session.review
        if review is not None and review.media is not None and review.media_found:
            self.ui.player.seek(time_ms)
        self.show_position(time_ms)

    def show_position(self, time_ms: int) -> None:
        """Show where the playhead is, everywhere."""
        self.position_ms = time_ms
        self.ui.timeline.set_position(time_ms)
        self.ui.transcript.set_position(time_ms)

    def show_clip_on_timeline(self) -> None:
        """Show the clip in view on the timeline, with a little around it."""
        clip = self.clip()
        if clip is not None and clip.start_ms is not None and clip.end_ms is not None:
            around = max(1000, (clip.end_ms - clip.start_ms) // 8)
            self.ui.timeline.show_part(Span(clip.start_ms - around, clip.end_ms + around))

    @property
    def attempts(self) -> Attempts:
        """Every answer of a model that the library keeps."""
        return self._desk.library.attempts

    @property
    def trusts(self) -> tuple[Trust, ...]:
        """How far coders were right in this library, as far as it was worked out already."""
        return self._desk.trust.known()

    def next_in_queue(self) -> Clip | None:
        """Give the clip most worth a look after the one in view, among those still waiting."""
        review = self.session.review
        if review is None:
            return None
        waiting = {clip.clip_id for clip in self.session.sight.waiting(review)}
        order = self.session.sight.in_order(review, self.trusts)
        here = next((i for i, c in enumerate(order) if c.clip_id == self.clip_id), -1)
        ahead = [*order[here + 1 :], *order[: here + 1]]
        return next((c for c in ahead if c.clip_id in waiting and c.clip_id != self.clip_id), None)

    def show_job(self, job: Job) -> None:
        """Show a job, if it is about this lesson."""
        review = self.session.review
        if review is not None and job.lesson_id == review.lesson_id and job.kind:
            self._show_job(job)

    def _show_job(self, job: Job | None) -> None:
        review = self.session.review
        lesson_id = review.lesson_id if review else None
        # One that rests is shown as well, so that it can be resumed where it was paused.
        own = [one for one in self._background.jobs if one.lesson_id == lesson_id]
        own = [one for one in own if not one.is_over or one.state is State.PAUSED]
        own.sort(key=lambda one: one.state is State.PAUSED)
        shown = job if job in own else own[0] if own else None
        self.ui.job.setVisible(shown is not None)
        if shown is not None:
            self.ui.job.show_job(shown)

    def _open_media(self, review: LessonReview) -> None:
        media = review.media
        span = marks.span_to_show(review)
        is_there = media is not None and review.media_found
        self.ui.player.setVisible(is_there)
        self.ui.timeline.setVisible(span is not None)
        if span is not None:
            self.ui.timeline.show_span(span)
            self.show_position(span.start_ms)
        if media is not None and is_there:
            self.ui.player.open_media(
                Path(media.path),
                media.span,
                media.video is not None,
                media.audio is not None,
                is_mirrored=media.video is not None and media.video.mirrored,
            )
        else:
            self.ui.player.close_media()
        self.pictures.open(review)
        self.ui.timeline.fit()

    def _show_review(self, review: LessonReview) -> None:
        before, self._drawn = self._drawn, review
        sight = self.session.sight
        ui = self.ui
        if before is None or _place_changed(before, review):
            self._open_media(review)
        ui.title.setText(review.title)
        ui.title.setToolTip(review.title)
        self._show_notes(review)
        lines = review.transcript.utterances if review.transcript else ()
        ui.transcript.show_transcript(lines, review.roles)
        if before is None or (before.transcript, before.roles) != (review.transcript, review.roles):
            ui.timeline.show_turns(marks.turn_marks(review))
        ui.timeline.show_clips(marks.clip_marks(review, sight), marks.why_no_clips(review))
        ui.timeline.show_evidence(marks.evidence_marks(review, sight))
        ui.timeline.show_decisions(marks.decision_marks(review, sight))
        ui.note.show_note(review.note)
        ui.blind.setChecked(sight.is_blind)
        if self.speakers.isVisible():
            self.speakers.show_speakers(review)
        self._show_side(review)
        self.keys.set_enabled(True)
        self.keys.name_undo(self.session.undo_words(), self.session.redo_words())
        self.changed.emit()

    def _show_notes(self, review: LessonReview) -> None:
        is_gone = review.media is not None and not review.media_found
        said = list(review.media.notes if review.media else ())
        if review.transcript:
            said += review.transcript.notes
            said += [TOLD_ONCE[flag] for flag in common_flags(review.transcript.utterances)]
        said += [told] if (told := marks.some_without_place(review)) else []
        if is_gone and review.media is not None:
            said.insert(0, f"The recording is no longer at {review.media.path}.")
        self.ui.notes.setText(" ".join(said))
        self.ui.notes.setVisible(bool(said))
        self.ui.find_media.setVisible(is_gone)

    def _show_side(self, review: LessonReview) -> None:
        step = next_step(review)
        self.ui.code.setVisible(step is None)
        self.ui.report.setVisible(step is None)
        if step is not None:
            self.clip_id = ""
            self.ui.side.show_step(step)
            return
        if self.clip() is None:
            following = self.next_in_queue() or review.clips[0]
            self.go_to_clip(following.clip_id, seek=False)
        else:
            self._shown.show()

    def _look_at_coder(self, coder: str) -> None:
        """Show another coder's evidence, here and on the timeline, until another is picked."""
        self.session.coder = coder
        review = self.session.review
        if review is not None:
            sight, timeline = self.session.sight, self.ui.timeline
            timeline.show_clips(marks.clip_marks(review, sight), marks.why_no_clips(review))
            timeline.show_evidence(marks.evidence_marks(review, sight))
        self._shown.show()

    # What is connected

    def _connect(self) -> None:
        ui, do = self.ui, self._doing
        self.session.changed.connect(self._show_review)
        self.session.refused.connect(self.trouble)
        self.session.author_missing.connect(self._ask_author)
        self.pictures.trouble.connect(self.trouble)
        self.pictures.thumbnails_came.connect(ui.timeline.show_thumbnails)
        self.pictures.cards_came.connect(ui.side.show_pictures)
        self.pictures.frame_came.connect(ui.player.show_frame)
        self.pictures.frame_times_came.connect(ui.player.set_frame_times)
        self.pictures.waveform_came.connect(self._show_waveform)
        ui.player.position_changed.connect(self.show_position)
        ui.player.frame_wanted.connect(self.pictures.want_frame)
        ui.player.trouble.connect(lambda text: self.told.emit(text, ""))
        ui.timeline.moment_picked.connect(self.seek)
        ui.timeline.clip_picked.connect(lambda clip_id: self.go_to_clip(clip_id, seek=False))
        ui.timeline.clip_edges_moved.connect(self.session.move_clip)
        ui.timeline.thumbnails_wanted.connect(self.pictures.want_thumbnails)
        ui.transcript.moment_picked.connect(self.seek)
        ui.transcript.text_typed.connect(self.session.edit_text)
        ui.transcript.speaker_typed.connect(self.session.edit_speaker)
        ui.transcript.role_picked.connect(self.session.set_role)
        ui.transcript.speakers_wanted.connect(do.speakers)
        ui.note.typed.connect(self.session.set_note)
        ui.side.next_wanted.connect(do.next_in_queue)
        ui.side.coder_picked.connect(self._look_at_coder)
        ui.side.evidence.moment_picked.connect(self.seek)
        ui.side.evidence.line_picked.connect(ui.transcript.go_to_line)
        ui.side.evidence.line_followed.connect(do.play_line)
        ui.side.proof.test_wanted.connect(do.test_evidence)
        ui.side.proof.details_wanted.connect(do.details)
        ui.side.decision.accepted.connect(do.accept)
        ui.side.decision.corrected.connect(do.correct)
        ui.side.decision.rejected.connect(do.reject)
        ui.side.decision.note_kept.connect(do.keep_note)
        ui.side.decision.note_typed.connect(do.keep_draft)
        ui.side.decision.picked.connect(do.keep_pick)
        ui.side.decision.cites.lines_wanted.connect(do.cite_lines)
        ui.side.decision.cites.seen_wanted.connect(do.cite_seen)
        ui.transcript.cite_wanted.connect(do.cite_lines)
        ui.side.decision.author_named.connect(self.author_named)
        ui.side.step.asked.connect(self.act_wanted)
        ui.code.clicked.connect(do.find_codes)
        ui.report.clicked.connect(self.report_wanted)
        ui.find_media.clicked.connect(do.find_media)
        ui.blind.toggled.connect(self.blind_set)
        ui.job.cancel_wanted.connect(self.job_stopped)
        ui.job.pause_wanted.connect(self._background.pause)
        ui.job.resume_wanted.connect(self._background.resume)
        self.speakers.renamed.connect(self.session.rename_speaker)
        self.speakers.role_picked.connect(self.session.set_role)

    def _ask_author(self) -> None:
        self.ui.side.decision.ask_author(wanted=True)
        self.ui.side.decision.focus_author()
        self.told.emit(
            "Nothing was changed: your name or initials are not set yet.",
            "Type them above the practices, or in the settings; they are kept with each decision.",
        )
        review = self.session.review
        if review is not None:
            self._show_review(review)

    def _show_waveform(self, waveform: Any) -> None:
        self.ui.timeline.show_waveform(waveform.peaks, waveform.start_ms, waveform.end_ms)


def _place_changed(before: LessonReview, after: LessonReview) -> bool:
    """Say whether there is something else to play or another stretch of time to show."""
    if (before.media, before.media_found) != (after.media, after.media_found):
        return True
    same_words = before.transcript is after.transcript
    return not same_words and marks.span_to_show(before) != marks.span_to_show(after)
