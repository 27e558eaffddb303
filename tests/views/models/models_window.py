"""A person who answers, and hands and eyes for the Models page."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

KEY = "sk-planted-0123456789"
AWAY = {"name": "lab", "base_url": "https://vllm.example.org/v1", "model": "m"}
FETCHING = "Fetching weights.gguf: 1.0 of 4.0 GB."
HERE = {"name": "here", "base_url": "http://127.0.0.1:8000/v1", "model": "m"}


class Person:
    """Answers questions as told, and keeps what was asked."""

    def __init__(self):
        self.says_yes = True
        self.asked = []

    def __call__(self, _parent, title, text, yes):
        self.asked.append((title, text, yes))
        return self.says_yes


def button(widget, name):
    found = [
        b
        for b in widget.findChildren(QPushButton)
        if b.accessibleName() == name and not b.isHidden()
    ]
    return found[0] if found else None


def click(qtbot, widget, name):
    qtbot.mouseClick(button(widget, name), Qt.MouseButton.LeftButton)


def words(widget):
    return " | ".join(label.text() for label in widget.findChildren(QLabel) if not label.isHidden())


def told(window):
    return [notice.text for notice in window.notices.kept]
