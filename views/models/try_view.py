"""The box for trying a model: one question, and what came back as it came."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.endpoints import LOCAL, EndpointState
from app.models import ModelState
from app.running.questions import RawAnswer
from views.background import Job
from views.common.controls import page_button, scrolling, text_label
from views.common.widgets import EmptyState
from views.jobs.row import JobStrip
from views.models.words import answer_facts, answer_worth, asked_words, local_words

TEXT_LINES, SCHEMA_LINES, ANSWER_LINES = 4, 3, 6


class TryView(QWidget):
    """Asks one question outside of any lesson. Nothing of it is kept.

    Signals:
        asked: Whom, the question, a picture or `None`, the schema or nothing.
        stop_wanted: A job that is to be stopped.
        endpoints_wanted: There is nobody to ask; the endpoints are to be shown.
    """

    asked = Signal(str, str, object, str)
    stop_wanted = Signal(object)
    endpoints_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._nobody = EmptyState(
            "There is nobody to ask yet",
            "Turn on an endpoint, or get a model, and it can be tried here.",
            "Show endpoints",
        )
        self._whom = QComboBox()
        self._goes_to = text_label()
        self._text, self._schema, self._answer = _field(), _field(), _field(is_read=True)
        self._picture: Path | None = None
        self._picture_name = text_label("No picture")
        self._choose = page_button("Choose picture…", "Show a JPEG or PNG with the question")
        self._clear = page_button("No picture", "Ask without a picture")
        self._ask = page_button("Ask", "Send this question once", "Ctrl+Return")
        self._ask.setShortcut("Ctrl+Return")
        self._facts, self._worth = text_label(), text_label()
        self._job = JobStrip()
        self._endpoints: dict[str, EndpointState] = {}
        self._models: dict[str, ModelState] = {}
        self._schema_asked = ""
        self._stack = QStackedWidget()
        self._connect()
        self._lay_out()

    def show_endpoints(self, states: Sequence[EndpointState]) -> None:
        """Show which endpoints can be asked: those that are on."""
        self._endpoints = {state.name: state for state in states if state.is_on}
        self._show_engines()

    def show_models(self, states: Sequence[ModelState]) -> None:
        """Show which models can be asked: those that are installed and read or see."""
        self._models = {
            f"{LOCAL}{state.name}": state
            for state in states
            if state.is_installed and state.form == "gguf"
        }
        self._show_engines()

    def _show_engines(self) -> None:
        chosen = self._whom.currentText()
        names = [*self._endpoints, *self._models]
        self._whom.clear()
        self._whom.addItems(names)
        self._whom.setCurrentIndex(max(self._whom.findText(chosen), 0))
        self._stack.setCurrentIndex(1 if names else 0)
        self._show_where()

    def show_answer(self, answer: RawAnswer) -> None:
        """Show an answer as it came, with what it took."""
        self._answer.setPlainText(answer.text)
        self._facts.setText(answer_facts(answer))
        self._worth.setText(answer_worth(answer, self._schema_asked))

    def show_trouble(self, words: str) -> None:
        """Say why there is no answer."""
        self._answer.clear()
        self._facts.setText("")
        self._worth.setText(words)

    def show_job(self, job: Job) -> None:
        """Show that an answer is being waited for."""
        self._job.show_job(job)
        self._job.setVisible(not job.is_over)
        self._ask.setEnabled(job.is_over)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the question."""
        self._text.setFocus(event.reason())

    def fit_text(self) -> None:
        """Give the fields room for their lines at the size of text that is chosen."""
        fields = ((self._text, TEXT_LINES), (self._schema, SCHEMA_LINES))
        for field, lines in (*fields, (self._answer, ANSWER_LINES)):
            field.setMinimumHeight(field.fontMetrics().lineSpacing() * lines + 16)
        for field, _lines in fields:
            field.setMaximumHeight(field.minimumHeight())

    def _send(self) -> None:
        whom, text = self._whom.currentText(), self._text.toPlainText().strip()
        if not text:
            self.show_trouble("Type a question first.")
            self._text.setFocus()
            return
        self._schema_asked = self._schema.toPlainText().strip()
        self.show_trouble("")
        self.asked.emit(whom, text, self._picture, self._schema_asked)

    def _show_where(self) -> None:
        chosen = self._whom.currentText()
        if chosen in self._endpoints:
            self._goes_to.setText(asked_words(self._endpoints[chosen]))
        elif chosen in self._models:
            self._goes_to.setText(local_words(self._models[chosen]))

    def _choose_picture(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self, "Picture to show", filter="Pictures (*.jpg *.jpeg *.png)"
        )
        if name:
            self.show_picture(Path(name))

    def show_picture(self, path: Path | None) -> None:
        """Take a picture to go with the question, or none."""
        self._picture = path
        self._picture_name.setText(path.name if path else "No picture")
        self._clear.setEnabled(path is not None)

    def _connect(self) -> None:
        self._nobody.asked.connect(self.endpoints_wanted)
        self._whom.currentIndexChanged.connect(self._show_where)
        self._choose.clicked.connect(self._choose_picture)
        self._clear.clicked.connect(lambda: self.show_picture(None))
        self._ask.clicked.connect(self._send)
        self._job.cancel_wanted.connect(self.stop_wanted)

    def _lay_out(self) -> None:
        picture = QHBoxLayout()
        picture.addWidget(self._picture_name, 1)
        picture.addWidget(self._choose)
        picture.addWidget(self._clear)
        self._clear.setEnabled(False)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for words, widget in (
            ("Whom to ask", self._whom),
            ("Question", self._text),
            ("JSON Schema of the answer, if any", self._schema),
        ):
            self._add_row(form, words, widget)
        form.insertRow(1, self._goes_to)
        form.insertRow(3, QLabel("Picture"), picture)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.addLayout(form)
        send = QHBoxLayout()
        send.addWidget(self._ask)
        send.addStretch()
        column.addLayout(send)
        column.addWidget(self._job)
        self._job.hide()
        column.addWidget(text_label("The answer, as it came", bold=True))
        self._answer.setAccessibleName("The answer, as it came")
        column.addWidget(self._answer, 1)
        column.addWidget(self._worth)
        column.addWidget(self._facts)
        column.addWidget(text_label("Nothing of this is kept."))
        self._stack.addWidget(self._nobody)
        self._stack.addWidget(scrolling(inside, "Try it"))
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)
        self.fit_text()

    def _add_row(self, form: QFormLayout, words: str, widget: QWidget) -> None:
        widget.setAccessibleName(words)
        label = QLabel(words)
        label.setBuddy(widget)
        form.addRow(label, widget)


def _field(*, is_read: bool = False) -> QPlainTextEdit:
    field = QPlainTextEdit()
    field.setTabChangesFocus(True)
    field.setReadOnly(is_read)
    return field
