"""The settings: who reviews, how the window looks, blind mode, another speech model."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from app.settings import Settings
from views.common.controls import page_button, text_label

THEME_WORDS = {"light": "Light", "dark": "Dark", "high-contrast": "High contrast"}
SCALES = (0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)


class SettingsDialog(QDialog):
    """Changes hold at once; there is nothing to confirm.

    Signals:
        changed: A setting was changed in the record that was given.
        author_picked: A name was chosen or typed; who takes over may first be put on the list.
    """

    changed = Signal()
    author_picked = Signal(str)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Settings")
        self.setModal(False)
        self._settings = settings
        self._author = QComboBox()
        self._author.setEditable(True)
        self._author.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self._theme, self._scale = QComboBox(), QComboBox()
        self._blind = QCheckBox("Hide suggestions until I have set my own code for a clip")
        self._folder = QLineEdit()
        self._choose = page_button("Choose…", "Choose the folder of a speech model")
        self._fill()
        self.show_settings()
        self._lay_out()
        self._connect()

    def show_settings(self) -> None:
        """Show the settings as they stand."""
        self._author.setCurrentText(self._settings.author)
        self._theme.setCurrentIndex(self._theme.findData(self._settings.theme))
        nearest = min(SCALES, key=lambda scale: abs(scale - self._settings.text_scale))
        self._scale.setCurrentIndex(SCALES.index(nearest))
        self._blind.setChecked(self._settings.blind)
        self._folder.setText(self._settings.whisper_folder)

    def show_reviewers(self, names: Sequence[str]) -> None:
        """Offer the people who code in this library."""
        self._author.clear()
        self._author.addItems(list(names))
        self._author.setCurrentText(self._settings.author)

    def _fill(self) -> None:
        for name, words in THEME_WORDS.items():
            self._theme.addItem(words, name)
        for scale in SCALES:
            self._scale.addItem(f"{round(scale * 100)} %", scale)
        self._folder.setPlaceholderText("The one that comes along")
        for widget, name in (
            (self._author, "Your name or initials"),
            (self._theme, "Look"),
            (self._scale, "Size of text"),
            (self._blind, "Blind mode: hide suggestions until I have set my own code for a clip"),
            (self._folder, "Folder of another speech model"),
            (self._choose, "Choose the folder of another speech model"),
        ):
            widget.setAccessibleName(name)

    def _lay_out(self) -> None:
        folder = QHBoxLayout()
        folder.addWidget(self._folder, 1)
        folder.addWidget(self._choose)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for words, widget in (
            ("Your name or initials", self._author),
            ("Look", self._theme),
            ("Size of text", self._scale),
        ):
            label = QLabel(words)
            label.setBuddy(widget)
            form.addRow(label, widget)
        form.addRow(self._blind)
        form.addRow(QLabel("Folder of another speech model"), folder)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(
            text_label(
                "The name is written beside each decision. The speech model must be one for "
                "faster-whisper; leave the field empty for the one that comes along."
            )
        )
        column.addStretch()
        column.addWidget(close)
        self.resize(520, 320)

    def _connect(self) -> None:
        line = self._author.lineEdit()
        assert line is not None
        line.editingFinished.connect(self._take_author)
        self._author.activated.connect(self._take_author)
        self._folder.editingFinished.connect(self._take)
        self._theme.activated.connect(self._take)
        self._scale.activated.connect(self._take)
        self._blind.clicked.connect(self._take)
        self._choose.clicked.connect(self._choose_folder)

    def _take_author(self) -> None:
        author = self._author.currentText().strip()
        if author != self._settings.author:
            self.author_picked.emit(author)

    def _take(self) -> None:
        settings = self._settings
        before = (
            settings.theme,
            settings.text_scale,
            settings.blind,
            settings.whisper_folder,
        )
        settings.theme = self._theme.currentData()
        settings.text_scale = self._scale.currentData()
        settings.blind = self._blind.isChecked()
        settings.whisper_folder = self._folder.text().strip()
        after = (
            settings.theme,
            settings.text_scale,
            settings.blind,
            settings.whisper_folder,
        )
        if before != after:
            self.changed.emit()

    def _choose_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, "Folder of a speech model")
        if folder:
            self._folder.setText(folder)
            self._take()
