"""Entering an endpoint: where it is, which model, its key, its limits and its prices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.endpoints import EndpointState
from views.common.controls import scrolling, text_label
from views.models.entry import Entry

KEY_CHOICES = (
    ("none", "No key"),
    ("keyring", "In the system's keyring"),
    ("environment", "In an environment variable"),
)
KEYRING = (
    "The key goes into the system's keyring, for this name at this address, and into no file. It "
    "is not shown again. Leave the field empty to keep the one that is there."
)
NO_KEYRING = (
    "Keys cannot be kept here: {trouble}. Name an environment variable that holds the key instead, "
    "and set it before the program starts."
)
VARIABLE = (
    "Type the name of the variable, not the key. Set it before the program starts, for instance "
    "in the file that sets up your shell."
)
PRICES = (
    "With both prices, what a run may cost is worked out before it starts, and what it has cost "
    "is shown beside it. The provider's price list has them; for your own server leave them empty."
)
TURNED_OFF = (
    "With another address, model or way there (tunnel, unencrypted, proxy) it is turned off until "
    "you turn it on again."
)
NUMBERS = {
    "max_in_flight": ("Questions at once", "8"),
    "silence_s": ("Longest silence, in seconds", "300"),
    "connect_s": ("Longest wait to connect, in seconds", "10"),
}
"""Limits, with what the form begins with."""
PRICE_WORDS = {
    "price_in": "Tokens read",
    "price_out": "Tokens written",
    "price_cached": "Tokens it had kept",
}
UNKNOWN_PRICE = "not known"


class EndpointForm(QDialog):
    """Takes what is known of an endpoint; stays open until it is kept.

    What is typed is passed on as it is: the engine alone says what an endpoint may be, and what
    it says of a field is shown below that field.

    Signals:
        filled: What to keep, the name it had before, and a key or nothing.
    """

    filled = Signal(object, str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModal(True)
        self._stored: dict[str, Any] = {}
        self._was = ""
        self._trouble = text_label(bold=True)
        self._name, self._url, self._model = QLineEdit(), QLineEdit(), QLineEdit()
        self._key_from, self._key, self._variable = QComboBox(), QLineEdit(), QLineEdit()
        self._key_told, self._told = text_label(), text_label()
        self._elsewhere = QCheckBox("Leads elsewhere: a tunnel, or a server that asks another")
        self._plain = QCheckBox("Allow an unencrypted address (http) on a network I trust")
        self._proxy = QCheckBox("Go through the system's proxy (never for this computer itself)")
        self._numbers = {name: QLineEdit() for name in (*NUMBERS, *PRICE_WORDS)}
        self._currency = QLineEdit()
        self._keyring_trouble = ""
        self._entries: dict[str, Entry] = {}
        self._form = QFormLayout()
        self._set_up()
        self._area = self._lay_out()

    def show_endpoint(self, state: EndpointState | None) -> None:
        """Begin with an endpoint as it is, or with a new one. Keys are never shown."""
        self._stored = dict(state.stored) if state else {}
        self._was = state.name if state else ""
        self.setWindowTitle(f"Edit {self._was}" if state else "Add an endpoint")
        self._name.setText(self._was)
        self._url.setText(self._stored.get("base_url", ""))
        self._model.setText(self._stored.get("model", ""))
        self._key_from.setCurrentIndex(
            self._key_from.findData(self._stored.get("key_from", "none"))
        )
        self._variable.setText(self._stored.get("key_variable", ""))
        for name, field in self._numbers.items():
            first = NUMBERS[name][1] if name in NUMBERS else ""
            field.setText(_written(self._stored[name]) if name in self._stored else first)
        self._currency.setText(self._stored.get("currency", "USD"))
        self._elsewhere.setChecked(self._stored.get("leads_elsewhere", False))
        self._plain.setChecked(self._stored.get("allows_plain", False))
        self._proxy.setChecked(self._stored.get("uses_system_proxy", False))
        self._key.clear()
        is_on = state is not None and state.is_on
        self._told.setText(TURNED_OFF if is_on else "It stays off until you turn it on.")
        self.show_trouble("")
        self._show_key_fields()
        self._area.verticalScrollBar().setValue(0)
        self._name.setFocus()

    def show_keyring(self, trouble: str) -> None:
        """Say whether keys can be kept on this computer."""
        self._keyring_trouble = trouble
        self._show_key_fields()

    def show_trouble(self, words: str, fields: Mapping[str, str] | None = None) -> None:
        """Say why what was entered cannot be kept; empty when nothing is wrong.

        Args:
            words: What is not about one field, on top.
            fields: What is wrong with single fields, below each; the first gets the keyboard.
        """
        told = dict(fields or {})
        for name, entry in self._entries.items():
            entry.show_trouble(told.pop(name, ""))
        # Of fields that are not on the form, it is still said.
        words = " ".join([words, *told.values()]).strip()
        self._trouble.setText(words)
        self._trouble.setVisible(bool(words))
        self._save.setEnabled(True)
        wrong = [entry for entry in self._entries.values() if entry.trouble]
        if wrong:
            wrong[0].field.setFocus()
            self._area.ensureWidgetVisible(wrong[0])

    def done(self, result: int) -> None:
        """Close; a key that was typed does not stay in the field."""
        self._key.clear()
        super().done(result)

    def _take(self) -> None:
        key_from = self._key_from.currentData()
        told = {
            **self._stored,
            "name": self._name.text().strip(),
            "base_url": self._url.text().strip(),
            "model": self._model.text().strip(),
            "key_from": key_from,
            "key_variable": self._variable.text().strip() if key_from == "environment" else "",
            "currency": self._currency.text().strip(),
            "leads_elsewhere": self._elsewhere.isChecked(),
            "allows_plain": self._plain.isChecked(),
            "uses_system_proxy": self._proxy.isChecked(),
        }
        told |= {name: _number(field.text()) for name, field in self._numbers.items()}
        key = self._key.text().strip() if key_from == "keyring" else ""
        self._save.setEnabled(False)
        self.filled.emit(told, self._was, key)

    def _show_key_fields(self) -> None:
        chosen = self._key_from.currentData()
        has_keyring = not self._keyring_trouble
        self._form.setRowVisible(self._entries["key"], chosen == "keyring" and has_keyring)
        self._form.setRowVisible(self._entries["key_variable"], chosen == "environment")
        told = {
            "none": "",
            "keyring": KEYRING if has_keyring else NO_KEYRING.format(trouble=self._keyring_trouble),
            "environment": VARIABLE,
        }[chosen]
        self._key_told.setText(told)
        self._key_told.setVisible(bool(told))

    def _set_up(self) -> None:
        self._url.setPlaceholderText("http://127.0.0.1:8000/v1")
        self._model.setPlaceholderText("the name that the server knows it by")
        self._variable.setPlaceholderText("MY_SERVER_KEY")
        self._key.setEchoMode(QLineEdit.EchoMode.Password)
        for name in PRICE_WORDS:
            self._numbers[name].setPlaceholderText(UNKNOWN_PRICE)
        self._numbers["price_cached"].setPlaceholderText("as for those read")
        for value, words in KEY_CHOICES:
            self._key_from.addItem(words, value)
        self._key_from.activated.connect(self._show_key_fields)
        self._elsewhere.setToolTip("The status bar then says that data leaves this computer")
        self._proxy.setToolTip("Whoever runs the proxy sees which server is asked")

    def _lay_out(self) -> QScrollArea:
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._add_row("name", "Name", self._name)
        self._add_row("base_url", "Address", self._url)
        self._add_row("model", "Model", self._model)
        self._add_row("key_from", "Its key", self._key_from)
        self._add_row("key", "Key", self._key)
        self._add_row("key_variable", "Name of the variable", self._variable)
        self._form.addRow(self._key_told)
        for box in (self._elsewhere, self._plain, self._proxy):
            self._form.addRow(box)
        self._form.addRow(text_label("Limits", bold=True))
        for name, (words, _first) in NUMBERS.items():
            self._add_row(name, words, self._numbers[name])
        self._form.addRow(text_label("Prices per million tokens", bold=True))
        self._form.addRow(text_label(PRICES))
        for name, words in PRICE_WORDS.items():
            self._add_row(name, words, self._numbers[name])
            self._numbers[name].setAccessibleName(f"Price per million tokens: {words}")
        self._add_row("currency", "Currency", self._currency)
        inside = QWidget()
        inside.setLayout(self._form)
        area = scrolling(inside, "Endpoint")
        column = QVBoxLayout(self)
        column.addWidget(self._trouble)
        column.addWidget(area, 1)
        column.addWidget(self._told)
        column.addWidget(self._buttons())
        self.resize(680, 600)
        return area

    def _buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox()
        self._save = QPushButton("Keep")
        self._save.setDefault(True)
        buttons.addButton(self._save, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self._take)
        buttons.rejected.connect(self.reject)
        return buttons

    def _add_row(self, name: str, words: str, field: QWidget) -> None:
        self._entries[name] = entry = Entry(field, words)
        label = QLabel(words)
        label.setBuddy(field)
        self._form.addRow(label, entry)


def _number(text: str) -> int | float | str | None:
    """Give the number that was typed, nothing for nothing, and else what was typed."""
    text = text.strip()
    if not text:
        return None
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def _written(value: object) -> str:
    if value is None:
        return ""
    return f"{value:g}" if isinstance(value, float) and value == int(value) else str(value)
