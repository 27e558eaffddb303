"""Entering an endpoint: where it is, which model, and where its key lies."""

from __future__ import annotations

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
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.endpoints import EndpointState
from views.common.controls import scrolling, text_label

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


class EndpointForm(QDialog):
    """Takes what is known of an endpoint; stays open until it is kept.

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
        self._in_flight = QSpinBox()
        self._elsewhere = QCheckBox("Leads elsewhere: a tunnel, or a server that asks another")
        self._plain = QCheckBox("Allow an unencrypted address (http) on a network I trust")
        self._keyring_trouble = ""
        self._form = QFormLayout()
        self._set_up()
        self._lay_out()

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
        self._in_flight.setValue(self._stored.get("max_in_flight", 8))
        self._elsewhere.setChecked(self._stored.get("leads_elsewhere", False))
        self._plain.setChecked(self._stored.get("allows_plain", False))
        self._key.clear()
        self._told.setText(
            "With another address or model it is turned off until you turn it on again."
            if state and state.is_on
            else "It stays off until you turn it on."
        )
        self.show_trouble("")
        self._show_key_fields()
        self._name.setFocus()

    def show_keyring(self, trouble: str) -> None:
        """Say whether keys can be kept on this computer."""
        self._keyring_trouble = trouble
        self._show_key_fields()

    def show_trouble(self, words: str) -> None:
        """Say why what was entered cannot be kept; empty when nothing is wrong."""
        self._trouble.setText(words)
        self._trouble.setVisible(bool(words))
        self._save.setEnabled(True)

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
            "max_in_flight": self._in_flight.value(),
            "leads_elsewhere": self._elsewhere.isChecked(),
            "allows_plain": self._plain.isChecked(),
        }
        key = self._key.text().strip() if key_from == "keyring" else ""
        self._save.setEnabled(False)
        self.filled.emit(told, self._was, key)

    def _show_key_fields(self) -> None:
        chosen = self._key_from.currentData()
        has_keyring = not self._keyring_trouble
        self._form.setRowVisible(self._key, chosen == "keyring" and has_keyring)
        self._form.setRowVisible(self._variable, chosen == "environment")
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
        self._in_flight.setRange(1, 1024)
        # The look of the program leaves no room for its arrows; keys and typing do the same.
        self._in_flight.setButtonSymbols(QSpinBox.ButtonSymbols.NoButtons)
        for value, words in KEY_CHOICES:
            self._key_from.addItem(words, value)
        self._key_from.activated.connect(self._show_key_fields)
        self._elsewhere.setToolTip("The status bar then says that data leaves this computer")

    def _lay_out(self) -> None:
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for words, widget in (
            ("Name", self._name),
            ("Address", self._url),
            ("Model", self._model),
            ("Its key", self._key_from),
            ("Key", self._key),
            ("Name of the variable", self._variable),
        ):
            self._add_row(words, widget)
        self._form.addRow(self._key_told)
        self._add_row("Questions at once", self._in_flight)
        self._form.addRow(self._elsewhere)
        self._form.addRow(self._plain)
        inside = QWidget()
        inside.setLayout(self._form)
        buttons = QDialogButtonBox()
        self._save = QPushButton("Keep")
        self._save.setDefault(True)
        buttons.addButton(self._save, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self._take)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self._trouble)
        column.addWidget(scrolling(inside, "Endpoint"), 1)
        column.addWidget(self._told)
        column.addWidget(buttons)
        self.resize(620, 460)

    def _add_row(self, words: str, widget: QWidget) -> None:
        widget.setAccessibleName(words)
        label = QLabel(words)
        label.setBuddy(widget)
        self._form.addRow(label, widget)
