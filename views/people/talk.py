"""Clips that people coded differently, one after another, to be talked over and agreed on."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent, QHideEvent, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QWidget

from app.coding.people_clips import (
    CodedClip,
    Which,
    begin_consensus,
    consensus,
    in_sight,
)
from app.coding.people_names import joined
from app.coding.pick import Pick
from app.coding.records import Decision
from app.coding.review import LessonReview
from app.coding.sight import Sight
from app.errors import ClerestoryError, Refused
from views.common.words import decision_words, disputed_words
from views.lesson.kept import Draft, Kept, read_kept
from views.lesson.pictures import Pictures
from views.people.gathering import Gathering
from views.people.keys import talk_actions
from views.people.seen import note_seen
from views.people.talk_layout import TalkLayout

if TYPE_CHECKING:
    from app.desk import Desk
    from views.background import Background


class TalkView(QWidget):
    """Shows what each person said of a clip, and takes what they agree on.

    Signals:
        changed: The id of a lesson in which something was agreed or taken back, or seen.
        told: Something to tell: message and hint.
        trouble: An error to tell.
    """

    changed = Signal(str)
    told = Signal(str, str)
    trouble = Signal(object)

    def __init__(
        self,
        desk: Desk,
        background: Background,
        gathering: Gathering,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._gathering = gathering
        self._clips: list[CodedClip] = []
        self._shown: CodedClip | None = None
        self._kept: Kept | None = None
        self._agreed: list[tuple[str, int]] = []
        """Lesson and change of each consensus made here, for undo."""
        self.pictures = Pictures(desk, background, self, wants_sound=False)
        self.ui = TalkLayout(desk.practices, self)
        self.panel = self.ui.panel
        self.actions_in_menu = talk_actions(self)
        self._connect()
        self._let_act(on=False)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the list."""
        self.ui.list.setFocus(event.reason())

    def showEvent(self, event: QShowEvent) -> None:
        """Let the actions work while the view is in front."""
        self._let_act(on=True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Keep the menu from acting on what nobody sees."""
        self._let_act(on=False)

    @property
    def sight(self) -> Sight:
        """What the reviewer may see now."""
        return Sight(self._desk.author, self._desk.settings.blind)

    @property
    def shown(self) -> CodedClip | None:
        """The clip in view."""
        return self._shown

    def show_clips(self) -> None:
        """Show the list as the lessons stand, staying at the clip in view where it is still in."""
        self.panel.finish_typing()
        clips, hidden = in_sight(self._gathering.coded, self.sight)
        which = self.ui.which
        self._clips = [clip for clip in clips if clip.is_among(which)]
        before = _key(self._shown) if self._shown else None
        keys = [_key(clip) for clip in self._clips]
        self.ui.show_list([_line(clip) for clip in self._clips], _list_words(clips, which, hidden))
        self._see()
        self._go_to(keys.index(before) if before in keys else 0)

    def step(self, by: int) -> None:
        """Go to the next or the previous clip of the list."""
        self._go_to(self.ui.list.currentRow() + by)

    def play(self) -> None:
        """Play the clip from its start, or pause; on a button, press it, as everywhere else."""
        focused = QApplication.focusWidget()
        if isinstance(focused, QAbstractButton) and focused.isEnabled():
            focused.click()
            return
        if isinstance(focused, QComboBox):
            focused.showPopup()
            return
        player = self.ui.player
        clip = self._shown.clip if self._shown else None
        if clip is None or clip.start_ms is None:
            return
        if not player.is_playing and not _is_inside(clip.start_ms, clip.end_ms, player.position_ms):
            player.seek(clip.start_ms)
        player.toggle()

    def agree(self) -> None:
        """Keep the picked code as the consensus."""
        pick = self.panel.pick
        if not pick.practice or pick.level is None:
            missing = "practice (1 to 4)" if not pick.practice else "level (Shift+1 to 4)"
            self.told.emit("Nothing is agreed yet.", f"Pick a {missing}, then press Enter.")
            return
        self._keep_consensus(pick)

    def agree_on_none(self) -> None:
        """Keep as the consensus that no practice shows."""
        self._keep_consensus(Pick())

    def undo(self) -> None:
        """Take back the consensus made last, if nothing else was changed in its lesson since."""
        if not self._agreed:
            self.told.emit("Nothing was agreed here that could be taken back.", "")
            return
        lesson_id, change_id = self._agreed[-1]
        try:
            standing = [c for c in self._desk.library.history(lesson_id) if not c.undone]
            if not standing or standing[-1].change_id != change_id:
                raise Refused(
                    "Something else was changed in that lesson since.",
                    "Take that back first on its Lesson page, or agree on another code here.",
                )
            self._desk.library.undo(lesson_id, self._desk.author)
            self._agreed.pop()
            self._gathering.reread(lesson_id)
        except ClerestoryError as error:
            self.trouble.emit(error)
            return
        self.changed.emit(lesson_id)

    def leave(self) -> None:
        """Store what is being typed and stand still."""
        self.panel.finish_typing()
        self.ui.player.pause()

    def close_media(self) -> None:
        """Let go of the recording, before the window goes."""
        self.leave()
        self.pictures.close()
        self.ui.player.close_media()

    def _let_act(self, *, on: bool) -> None:
        for action in self.actions_in_menu:
            if action is not None:
                action.setEnabled(on)

    def _keep_consensus(self, pick: Pick) -> None:
        coded = self._shown
        review = self._gathering.review(coded.lesson_id) if coded else None
        if coded is None or review is None:
            return
        self.panel.finish_typing()
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        made = consensus(review, coded, pick, self.panel.note, now)
        place = self.ui.list.currentRow()
        try:
            change = self._desk.library.decide(coded.lesson_id, made)
            self._agreed.append((coded.lesson_id, change))
            if self._kept is not None:
                self._kept.keep(coded.clip.clip_id, Draft())
            self._gathering.reread(coded.lesson_id)
        except ClerestoryError as error:
            self.trouble.emit(error)
            return
        if _key(coded) in [_key(clip) for clip in self._clips]:
            place += 1  # the clip stays in this list, so the next one is one further down
        self._go_to(min(place, len(self._clips) - 1))
        self.changed.emit(coded.lesson_id)

    def _go_to(self, place: int) -> None:
        if not self._clips:
            self._show(None)
        elif 0 <= place < len(self._clips):
            self.ui.list.setCurrentRow(place)
            if self._clips[place] is not self._shown:
                self._show(self._clips[place])

    def _show(self, coded: CodedClip | None) -> None:
        before, self._shown = self._shown, coded
        self.ui.show_nothing(nothing=coded is None)
        review = self._gathering.review(coded.lesson_id) if coded else None
        if coded is None or review is None:
            self.ui.player.close_media()
            return
        latest = {word.author: word for word in coded.latest}
        self.ui.show_words([(word, latest[word.author]) for word in coded.words])
        self.ui.show_lines(review, coded)
        self._show_panel(coded)
        if before is None or before.lesson_id != coded.lesson_id:
            self._open_media(review)
        if coded.clip.start_ms is not None and (before is None or _key(before) != _key(coded)):
            self.ui.player.seek(coded.clip.start_ms)

    def _show_panel(self, coded: CodedClip) -> None:
        people = joined(coded.people)
        try:
            self._kept = read_kept(self._desk.library, people, coded.lesson_id)
        except ClerestoryError as error:
            self._kept = Kept(self._desk.library, people, coded.lesson_id)
            self.trouble.emit(error)
        begun = self._kept.draft(coded.clip.clip_id)
        pick = begun.pick if begun.pick is not None else begin_consensus(coded)
        self.panel.show_clip(people, _stands_words(coded), pick, begun.note or "")

    def _keep_begun(self) -> None:
        coded = self._shown
        if coded is None or self._kept is None:
            return
        pick = None if self.panel.pick == begin_consensus(coded) else self.panel.pick
        draft = Draft(self.panel.note or None, pick)
        try:
            self._kept.keep(coded.clip.clip_id, draft)
        except ClerestoryError as error:
            self.trouble.emit(error)

    def _see(self) -> None:
        """Note the codes on the screen: who sets one of their own later does not do so blind."""
        shown = [(clip.lesson_id, clip.clip.clip_id) for clip in self._clips]
        try:
            for lesson_id in note_seen(self._desk.library, self._gathering, self.sight, shown):
                self.changed.emit(lesson_id)
        except ClerestoryError as error:
            self.trouble.emit(error)

    def _open_media(self, review: LessonReview) -> None:
        media, player = review.media, self.ui.player
        player.setVisible(media is not None and review.media_found)
        if media is None or not review.media_found:
            player.close_media()
            return
        player.open_media(
            Path(media.path),
            media.span,
            media.video is not None,
            media.audio is not None,
            is_mirrored=media.video is not None and media.video.mirrored,
        )
        self.pictures.open(review)

    def _stop_at_end(self, time_ms: int) -> None:
        end_ms = self._shown.clip.end_ms if self._shown else None
        if end_ms is not None and time_ms >= end_ms and self.ui.player.is_playing:
            self.ui.player.pause()

    def _connect(self) -> None:
        self.ui.which_picked.connect(self.show_clips)
        self.ui.list.itemSelectionChanged.connect(self._picked)
        self.panel.agreed.connect(self.agree)
        self.panel.none_agreed.connect(self.agree_on_none)
        self.panel.begun.connect(self._keep_begun)
        self.ui.player.position_changed.connect(self._stop_at_end)
        self.ui.player.frame_wanted.connect(self.pictures.want_frame)
        self.pictures.frame_came.connect(self.ui.player.show_frame)
        self.pictures.frame_times_came.connect(self.ui.player.set_frame_times)
        self.pictures.trouble.connect(self.trouble)

    def _picked(self) -> None:
        place = self.ui.list.currentRow()
        if 0 <= place < len(self._clips) and self._clips[place] is not self._shown:
            self.panel.finish_typing()
            self._show(self._clips[place])


def _key(coded: CodedClip) -> tuple[str, str]:
    return coded.lesson_id, coded.clip.clip_id


def _is_inside(start_ms: int, end_ms: int | None, at_ms: int) -> bool:
    return end_ms is None or start_ms <= at_ms < end_ms


def _line(coded: CodedClip) -> str:
    said = disputed_words(coded.words)
    state = "agreed" if not coded.is_open and coded.differs else "" if coded.differs else "the same"
    where = f"{coded.title}, clip {coded.number}"
    return f"{where}\n{said}" + (f" ({state})" if state else "")


def _list_words(clips: tuple[CodedClip, ...], which: Which, hidden: int) -> str:
    told = f"{len(clips)} coded by two or more people; {sum(c.is_open for c in clips)} to agree on."
    if hidden:
        told += (
            f" {hidden} more are left out: blind mode is on and you have not coded them yourself."
        )
    if not any(clip.is_among(which) for clip in clips):
        told += " Nothing to talk over in this list."
    return told


def _stands_words(coded: CodedClip) -> str:
    if coded.stands is None:
        return "No code stands while people differ."
    decision: Decision = replace(coded.stands, blind=False)
    note = f" Note: {coded.stands.note}" if coded.stands.note else ""
    return f"Stands: {decision_words(decision)}.{note}"
