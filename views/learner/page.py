"""The Learner page: when confusion shows in a learner's video, and what a person says of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QFocusEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.confusion.review import LearnerReview
from app.errors import ClerestoryError
from app.lesson.spans import show_time
from views.background import Background
from views.curation.page import CurationPage
from views.learner.actions import LearnerActions
from views.learner.coming import Coming
from views.learner.doing import LearnerDoing
from views.learner.faces import Faces
from views.learner.items import Item
from views.learner.layout import LearnerLayout
from views.learner.session import LearnerSession
from views.learner.shelf import LearnerShelf
from views.learner.shown import Shown, notes_of
from views.learner.side import NO_EVENT, NOTHING_FOUND
from views.lesson.pictures import Pictures

if TYPE_CHECKING:
    from app.desk import Desk


class LearnerPage(QWidget):
    """The list of learner videos, and one of them under review.

    Signals:
        video_wanted: A learner video is to be added.
        read_wanted: The id of a video for which a reader is to be chosen.
        report_wanted: The id of a video of which the report is to be written.
        media_wanted: The id of a video whose recording is to be looked for.
        told: Something to tell: message and hint.
        trouble: An error to tell.
    """

    video_wanted = Signal()
    read_wanted = Signal(str)
    report_wanted = Signal(str)
    media_wanted = Signal(str)
    told = Signal(str, str)
    trouble = Signal(object)

    def __init__(self, desk: Desk, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._background = desk, background
        self.session = LearnerSession(desk, self)
        self.pictures = Pictures(desk, background, self, wants_sound=False)
        self.faces = Faces(desk, background, self)
        self.shelf, self.ui = LearnerShelf(), LearnerLayout()
        self.event_id = ""
        """The event in view; empty for none."""
        self.position_ms = 0
        self._drawn: LearnerReview | None = None
        self._shown = Shown(self)
        self._doing = LearnerDoing(self)
        self.keys = LearnerActions(self, self._doing)
        self.coming = Coming(self, desk, background)
        self._curation: CurationPage | None = None
        self._stack = QStackedWidget()
        self._stack.addWidget(self.shelf)
        self._stack.addWidget(self.ui)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)
        self._connect()
        self.keys.set_open(on=False)

    @property
    def actions_in_menu(self) -> list[QAction | None]:
        """The actions for the menu, in order; `None` stands for a line."""
        return self.keys.in_menu

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the bands, or to the list of videos."""
        if self.is_curating:
            self.curation.setFocus(event.reason())
            return
        is_open = self.session.review is not None
        (self.ui.bands if is_open else self.shelf).setFocus(event.reason())

    # What is open

    def refresh(self) -> None:
        """Bring the page up to date: it comes into view, or what may be seen has changed."""
        self.keys.set_open(on=self.session.review is not None)
        if self.session.review is not None:
            self.leave_typing()
            self.session.reload()
            self.coming.clock.start()
            return
        if self.is_curating:
            self.curation.refresh()
            return
        try:
            self.shelf.show_rows(self._desk.library.learners.videos())
        except ClerestoryError as error:
            self.trouble.emit(error)

    @property
    def curation(self) -> CurationPage:
        """Candidate clips and sets; built when it is first asked for, as few people make sets."""
        if self._curation is None:
            self._curation = CurationPage(self._desk, self._background)
            self._curation.closed.connect(self.close_video)
            self._curation.told.connect(self.told)
            self._curation.trouble.connect(self.trouble)
            self._stack.addWidget(self._curation)
        return self._curation

    @property
    def is_curating(self) -> bool:
        """Whether candidate clips and sets are in view."""
        return self._curation is not None and self._stack.currentWidget() is self._curation

    def show_curation(self) -> None:
        """Bring candidate clips and sets into view; an open video is closed."""
        if self.session.review is not None:
            self.close_video()
        self._stack.setCurrentWidget(self.curation)
        self.curation.refresh()
        self.curation.setFocus()

    def leave(self) -> None:
        """Stand still, as the page goes out of view."""
        if self._curation is not None:
            self._curation.leave()
        self.leave_typing()
        self.ui.player.pause()
        self.coming.clock.stop()
        # From another page, a menu must not decide on an event that nobody sees.
        self.keys.set_open(on=False)

    def close_media(self) -> None:
        """Let go of the recording, before the window goes."""
        self.leave()
        self.pictures.close()
        self.faces.close()
        if self._curation is not None:
            self._curation.close_media()
        self.ui.player.close_media()

    def knows(self, lesson_id: str) -> bool:
        """Say whether a recording is a learner's, and so opens here."""
        try:
            return self._desk.library.learners.is_video(lesson_id)
        except ClerestoryError as error:
            self.trouble.emit(error)
            return False

    def open_video(self, lesson_id: str, at_ms: int = -1) -> bool:
        """Open a video, at a moment if one is given; says whether it could be opened."""
        self.leave()
        self.event_id, self._drawn = "", None
        if not self.session.open(lesson_id):
            return False
        self._stack.setCurrentWidget(self.ui)
        self.keys.set_open(on=True)
        self._name_undo()
        self.coming.show_own()
        self.coming.clock.start()
        if at_ms >= 0:
            self.seek(at_ms)
        self.ui.bands.setFocus()
        self._recall_begun()
        return True

    def _recall_begun(self) -> None:
        """Say that an event of an earlier sitting still waits for its end."""
        begun_ms = self.session.begun_ms
        if begun_ms is not None:
            told = show_time(begun_ms, tenths=True)
            self.told.emit(
                f"The event that you began at {told} has no end yet.",
                "B ends it at the playhead, Esc gives it up.",
            )

    def close_video(self) -> None:
        """Go back to the list of videos."""
        self.close_media()
        self.session.close()
        self._drawn = None
        self.keys.set_open(on=False)
        self._stack.setCurrentWidget(self.shelf)
        self.refresh()
        self.shelf.setFocus()

    def leave_typing(self) -> None:
        """Keep the note that is being typed: with what stands of the event, else as begun."""
        item = self.item()
        if item is None or self.note() == self.session.note_of(item):
            return
        if item.waits:
            self.session.keep_draft(item, self.note())
        else:
            self.session.keep_note(item, self.note())

    def keep_draft(self) -> None:
        """Keep the note as it is being typed, so that it outlives the program."""
        item = self.item()
        if item is not None:
            self.session.keep_draft(item, self.note())

    # Events

    def item(self) -> Item | None:
        """Give the event in view."""
        return self.session.item(self.event_id)

    def note(self) -> str:
        """Give the note as typed."""
        return self.ui.side.note.text().strip()

    def go_to_event(self, event_id: str, *, seek: bool = True) -> None:
        """Bring an event into view and, if asked, its start under the playhead."""
        if event_id != self.event_id:
            self.leave_typing()
            self.ui.side.forget_typing()
        self.event_id = event_id
        item = self.item()
        self.ui.bands.select_event(event_id if item else "")
        self.ui.side.events.pick(event_id if item else "")
        self._show_item(item)
        if item is not None and seek:
            self.seek(item.start_ms)

    # Where we are

    def seek(self, time_ms: int) -> None:
        """Move the playhead."""
        review = self.session.review
        if review is not None and review.media is not None and review.media_found:
            self.ui.player.seek(time_ms)
        self.show_position(time_ms)

    def show_position(self, time_ms: int) -> None:
        """Show where the playhead is, everywhere."""
        self.position_ms = time_ms
        self.ui.bands.set_position(time_ms)
        self._shown.show_now(time_ms)

    # What is shown

    def _show_review(self, review: LearnerReview) -> None:
        before, self._drawn = self._drawn, review
        self.coming.note_shown(review.lesson_id)
        is_new = before is None or (before.media, before.media_found) != (
            review.media,
            review.media_found,
        )
        if is_new:
            self._open_media(review)
        ui = self.ui
        ui.title.setText(f"{review.title}  ·  {review.learner.name}")
        ui.title.setToolTip(ui.title.text())
        ui.find_media.setVisible(review.media is not None and not review.media_found)
        self._shown.show_review(review, is_new=is_new)
        told = notes_of(review, self._shown.marks)
        ui.notes.setText(told)
        ui.notes.setVisible(bool(told))
        if is_new or before is None or (before.bands, before.face) != (review.bands, review.face):
            self.faces.ask(review)
        items = self.session.items
        ui.bands.show_events([item.mark for item in items])
        if self.item() is None:
            self.event_id = ""
        without = NO_EVENT
        if not items and review.latest_bands and self.session.shows_readers:
            without = NOTHING_FOUND
        ui.side.show_items(items, self.event_id, without)
        ui.side.show_beginning(self.session.begun_ms)
        ui.bands.select_event(self.event_id)
        self._show_item(self.item())
        self._shown.show_now(self.position_ms)
        self._name_undo()

    def _show_item(self, item: Item | None) -> None:
        self.ui.side.show_item(item, self.session.note_of(item) if item else "")

    def _name_undo(self) -> None:
        self.keys.name_undo(self.session.undo_words(), self.session.redo_words())

    def _open_media(self, review: LearnerReview) -> None:
        media, span = review.media, self.session.span
        is_there = media is not None and review.media_found
        self.ui.player.setVisible(is_there)
        if span is not None:
            self.ui.bands.show_span(span)
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
        self.pictures.open_recording(review.lesson_id, media if is_there else None)

    def _take_face(self, x: float, y: float) -> None:
        review = self.session.review
        video = review.media.video if review is not None and review.media is not None else None
        if video is None:
            return
        at_ms = self.ui.player.position_ms
        if self.session.choose_face(at_ms, x * video.width, y * video.height):
            self.told.emit(
                "The learner's face is chosen.",
                "Readings made before keep to what they saw; have it read again to use the choice.",
            )
        self.ui.bands.setFocus()

    # What is connected

    def _connect(self) -> None:
        ui, do = self.ui, self._doing
        self.shelf.opened.connect(self.open_video)
        self.shelf.add_wanted.connect(self.video_wanted)
        self.shelf.find_wanted.connect(self.media_wanted)
        self.shelf.curation_wanted.connect(self.show_curation)
        self.session.changed.connect(self._show_review)
        self.session.refused.connect(self.trouble)
        self.session.told.connect(self.told)
        self.session.author_missing.connect(self._ask_author)
        self.faces.curves_came.connect(self._shown.take_measured)
        self.pictures.trouble.connect(self.trouble)
        self.pictures.frame_came.connect(ui.player.show_frame)
        self.pictures.frame_times_came.connect(ui.player.set_frame_times)
        ui.player.position_changed.connect(self.show_position)
        ui.player.frame_wanted.connect(self.pictures.want_frame)
        ui.player.trouble.connect(lambda text: self.told.emit(text, ""))
        ui.picker.picked.connect(self._take_face)
        ui.picker.left.connect(ui.bands.setFocus)
        ui.bands.moment_picked.connect(self.seek)
        ui.bands.event_picked.connect(lambda name: self.go_to_event(name, seek=False))
        ui.bands.edges_moved.connect(do.move_event)
        ui.side.events.event_picked.connect(self.go_to_event)
        ui.side.confirmed.connect(do.confirm)
        ui.side.dismissed.connect(do.dismiss)
        ui.side.note_kept.connect(do.keep_note)
        ui.side.note_typed.connect(self.keep_draft)
        ui.side.start.clicked.connect(do.start_here)
        ui.side.end.clicked.connect(do.end_here)
        ui.side.add.clicked.connect(do.add_event)
        ui.side.next.clicked.connect(do.next_uncertain)
        ui.readers.activated.connect(self._shown.choose_reader)
        ui.back.clicked.connect(do.back)
        ui.learner.clicked.connect(do.name_learner)
        ui.read.clicked.connect(do.read)
        ui.first.button.clicked.connect(do.read)
        ui.report.clicked.connect(do.write_report)
        ui.faces.button.clicked.connect(do.face_step)
        ui.blind.button.clicked.connect(do.commit_marking)
        ui.find_media.clicked.connect(self._find_media)
        ui.job.cancel_wanted.connect(self._background.cancel)
        ui.job.pause_wanted.connect(self._background.pause)
        ui.job.resume_wanted.connect(self._background.resume)
        self._background.changed.connect(self.coming.show_job)

    def _find_media(self) -> None:
        if self.session.review is not None:
            self.media_wanted.emit(self.session.review.lesson_id)

    def _ask_author(self) -> None:
        self.told.emit(
            "Nothing was changed: your name or initials are not set yet.",
            "Ctrl+U asks for them; they are kept with each decision.",
        )
