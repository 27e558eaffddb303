"""The menu bar: every action of the window with its key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from views.lesson.actions import CLIP, DECIDE, EDIT, PLAYBACK, SPECS, LessonActions
from views.places import PAGES
from views.settings.choices import Choices
from views.settings.dialog import THEME_WORDS


def add_action(
    menu: QMenu, text: str, act: Callable[[], object], key: str = "", *, stays: bool = False
) -> QAction:
    """Add an action that is not tied to the lesson page."""
    action = menu.addAction(text)
    if key:
        action.setShortcut(QKeySequence(key))
    action.setCheckable(stays)
    action.triggered.connect(lambda _on=False: act())
    return action


def add_lesson_menus(window: QMainWindow, keys: LessonActions) -> dict[str, QMenu]:
    """Add the menus of the lesson page, in the order the work is done."""
    menus = {}
    for title in (EDIT, PLAYBACK, CLIP, DECIDE):
        menu = window.menuBar().addMenu(f"&{title}")
        menus[title] = menu
        for spec in SPECS:
            if spec.menu != title:
                continue
            if spec.starts_group:
                menu.addSeparator()
            menu.addAction(keys[spec.name])
    return menus


def add_listed_menu(window: QMainWindow, title: str, actions: Sequence[QAction | None]) -> QMenu:
    """Add a menu of actions that a page made itself; `None` stands for a line."""
    menu = window.menuBar().addMenu(title)
    for action in actions:
        if action is None:
            menu.addSeparator()
        else:
            menu.addAction(action)
    return menu


def add_page_actions(menu: QMenu, show_page: Callable[[int], object]) -> list[QAction]:
    """Add an action for each page, and give them by the number of the page."""
    return [
        add_action(menu, title, partial(show_page, page), key)
        for page, (title, _icon, key) in enumerate(PAGES)
    ]


def add_look_actions(menu: QMenu, choices: Choices) -> None:
    """Add the looks and the sizes of text."""
    for name, words in THEME_WORDS.items():
        add_action(menu, f"{words} look", partial(choices.set_theme, name))
    menu.addSeparator()
    add_action(menu, "Larger text", partial(choices.scale_text, 1), "Ctrl++")
    add_action(menu, "Smaller text", partial(choices.scale_text, -1), "Ctrl+-")
