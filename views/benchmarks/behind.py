"""The clips behind a figure: a list, and beside it all that is known of the one chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.benchmark.behind import Behind
from app.benchmark.cases import Case
from app.coding.records import Evidence
from app.errors import ClerestoryError
from views.common.controls import page_button, text_label
from views.common.words import CHECK_WORDS, code_words, coder_words, codes_words

HIDDEN = (
    "Not shown: you code blind and have not coded this clip yet. Code it on the Lesson page, or "
    "turn blind mode off, to see what was said of it."
)
NO_CHOICE = "Choose a clip to read its words, what people say of it, and what the coder cites."


class BehindView(QWidget):
    """Lists clips and reads out one of them.

    Args:
        case_of: Gives what stands behind an answer.
        may_show: Says whether the reviewer may see what was said of a clip.

    Signals:
        lesson_opened: A lesson's id and the moment of the clip, or -1.
        listed: The clips whose codes are on the screen now, `Behind` each.
        trouble: An error to tell.
    """

    lesson_opened = Signal(str, int)
    listed = Signal(list)
    trouble = Signal(object)

    def __init__(
        self,
        case_of: Callable[[Behind], Case],
        may_show: Callable[[Behind], bool],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._case_of, self._may_show = case_of, may_show
        self._title = text_label(bold=True)
        self.list = QListWidget()
        self.list.setAccessibleName("Clips behind the figure")
        self.list.setUniformItemSizes(True)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName("The clip chosen")
        self._open = page_button("Open lesson", "Open this clip on the Lesson page", "Enter")
        self._open.clicked.connect(self._open_clip)
        self.list.currentItemChanged.connect(self._show_case)
        self.list.itemActivated.connect(self._open_clip)
        self._lay_out()
        self.show_clips("", ())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the list."""
        self.list.setFocus(event.reason())

    def show_clips(self, title: str, clips: Sequence[Behind]) -> None:
        """List other clips; those the reviewer may not see yet are counted, not named."""
        seen = [clip for clip in clips if self._may_show(clip)]
        hidden = len(clips) - len(seen)
        told = f"{title} {hidden} of them are not shown: you code blind." if hidden else title
        self._title.setText(told)
        self._title.setVisible(bool(title))
        self.list.blockSignals(True)
        self.list.clear()
        several = len({clip.coder for clip in seen}) > 1
        for clip in seen:
            item = QListWidgetItem(_line(clip, several=several))
            item.setData(Qt.ItemDataRole.UserRole, clip)
            self.list.addItem(item)
        self.list.blockSignals(False)
        if seen:
            self.list.setCurrentRow(0)
        else:
            self._show_case()
        self.listed.emit(seen)

    @property
    def shown(self) -> Behind | None:
        """The clip that is read out."""
        item = self.list.currentItem()
        clip = None if item is None else item.data(Qt.ItemDataRole.UserRole)
        return clip if isinstance(clip, Behind) else None

    def _show_case(self) -> None:
        clip = self.shown
        self._open.setEnabled(clip is not None)
        if clip is None:
            self.text.setPlainText(NO_CHOICE)
            return
        if not self._may_show(clip):
            self.text.setPlainText(HIDDEN)
            return
        try:
            self.text.setPlainText(case_words(clip, self._case_of(clip)))
        except ClerestoryError as error:
            self.text.setPlainText(str(error))
            self.trouble.emit(error)

    def _open_clip(self) -> None:
        clip = self.shown
        if clip is not None:
            start_ms = clip.clip.clip.start_ms
            self.lesson_opened.emit(clip.clip.lesson_id, -1 if start_ms is None else start_ms)

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        left.addWidget(self.list, 1)
        left.addWidget(self._open, 0, Qt.AlignmentFlag.AlignLeft)
        row = QHBoxLayout()
        row.addLayout(left, 2)
        row.addWidget(self.text, 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._title)
        column.addLayout(row, 1)


def case_words(clip: Behind, case: Case) -> str:
    """Write all that stands behind one answer."""
    answer = clip.answer
    right = {True: "right", False: "wrong", None: "not scored"}[answer.is_right]
    told = [
        f"Clip {clip.clip.clip_id}, “{case.title}”",
        "",
        f"People accept: {codes_words(clip.clip.codes)}",
        f"{coder_words(clip.coder)}: {_given(clip)} ({right})",
        "",
        "Cited",
        *([_cited(piece) for piece in case.evidence] or ["  nothing"]),
        "",
        "Said in the clip",
        case.words or "  no words are known",
    ]
    if case.written:
        told += ["", "The answer as it came", case.written]
    return "\n".join(told)


def _given(clip: Behind) -> str:
    given = clip.answer.given
    if given is None:
        return f"nothing is there{f': {clip.answer.reason}' if clip.answer.reason else ''}"
    if given.code is not None:
        return code_words(given.code.practice, given.code.level)
    if clip.answer.scored is not None and not clip.answer.scored.is_scored:
        return f"failed, {given.status}{f': {given.note}' if given.note else ''}"
    return f"no practice{f': {given.note}' if given.note else ''}"


def _cited(piece: Evidence) -> str:
    cited = piece.citation
    what = f"“{cited.quote}”" if cited.quote else f"seen: {cited.seen}"
    lines = ", ".join(str(number) for number in piece.utterances or cited.utterances)
    where = f" (line {lines})" if lines else ""
    told = f"  {CHECK_WORDS[piece.check]}: {what}{where}"
    true = (
        f"\n    truly said: “{piece.found}”" if piece.found and piece.found != cited.quote else ""
    )
    return f"{told}{true}"


def _line(clip: Behind, *, several: bool) -> str:
    given = clip.answer.given
    said = code_words(given.code.practice, given.code.level) if given and given.code else "no code"
    if clip.answer.scored is not None and not clip.answer.scored.is_scored and given:
        said = f"failed ({given.status})"
    people = codes_words(clip.clip.codes)
    who = f"{coder_words(clip.coder)}: " if several else ""
    return f"{clip.clip.clip_id}  ·  people {people}  ·  {who}{said}"
