"""Everything that can be done on the Learner page, with its key, for the menu."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence

if TYPE_CHECKING:
    from views.learner.doing import LearnerDoing
    from views.learner.page import LearnerPage

SPECS: tuple[tuple[str, str, tuple[str, ...]] | None, ...] = (
    ("add_video", "Add a learner video…", ("Ctrl+Shift+O",)),
    ("back", "All learner videos", ("Ctrl+L",)),
    ("curate", "Candidate clips and sets for others…", ("Ctrl+Shift+J",)),
    ("name_learner", "Say whose video this is…", ("F2",)),
    ("choose_face", "Choose the learner's face…", ("F",)),
    ("read", "Have it read…", ("R",)),
    ("write_report", "Write the student confusion report…", ("Ctrl+Shift+W",)),
    ("commit_marking", "I have marked what I see (ends blind mode here)", ("Ctrl+Shift+M",)),
    None,
    ("next_uncertain", "Next uncertain event", ("N",)),
    ("event_before", "Event before", ("Alt+Left",)),
    ("event_after", "Event after", ("Alt+Right",)),
    ("next_evidence", "Next evidence of the event", ("E",)),
    None,
    ("confirm", "Confirm: confusion shows here", ("A",)),
    ("dismiss", "Dismiss: no confusion shows here", ("X",)),
    ("start_here", "The event starts at the playhead", ("[",)),
    ("end_here", "The event ends at the playhead", ("]",)),
    ("add_event", "Begin, then end, an event of your own at the playhead", ("B",)),
    ("event_note", "Note on the event", ("Ctrl+Return",)),
    None,
    ("undo", "Undo", ("Ctrl+Z",)),
    ("redo", "Redo", ("Ctrl+Shift+Z", "Ctrl+Y")),
    None,
    ("play", "Play or pause", ("Space",)),
    ("backward", "Play backwards, faster with each press", ("J",)),
    ("pause", "Pause", ("K",)),
    ("forward", "Play forwards, faster with each press", ("L",)),
    ("frame_back", "One frame back", (",",)),
    ("frame_on", "One frame on", (".",)),
    None,
    ("show_all", "Show the whole video on the bands", ("Ctrl+0",)),
    ("show_event", "Show the event on the bands", ("Ctrl+9",)),
    ("next_reader", "Suggestions of the next reader", ("V",)),
    ("leave_field", "Leave the text field, or give up what was begun", ("Esc",)),
)
"""Name, words and keys; the name is that of a method of `LearnerDoing`. `None` is a line."""
ALWAYS = ("add_video", "curate")
"""What can be done without an open video."""
REPEATED = ("frame_back", "frame_on", "forward", "backward")


class LearnerActions:
    """Holds the actions of the page; they work inside the page only.

    Args:
        page: Owns them.
        doing: Has a method for each, under its name.
    """

    def __init__(self, page: LearnerPage, doing: LearnerDoing) -> None:
        self.by_name: dict[str, QAction] = {}
        self.in_menu: list[QAction | None] = []
        for spec in SPECS:
            if spec is None:
                self.in_menu.append(None)
                continue
            name, words, keys = spec
            action = QAction(words, page)
            action.setShortcuts([QKeySequence(key) for key in keys])
            # The same keys mean other things on the lesson page: these work only on this one.
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            action.setAutoRepeat(name in REPEATED)
            act: Callable[[], object] = getattr(doing, name)
            action.triggered.connect(partial(_call, act))
            page.addAction(action)
            self.by_name[name] = action
            self.in_menu.append(action)

    def __getitem__(self, name: str) -> QAction:
        return self.by_name[name]

    def set_open(self, *, on: bool) -> None:
        """Let the actions on a video work only while one is open."""
        for name, action in self.by_name.items():
            action.setEnabled(on or name in ALWAYS)

    def name_undo(self, undo: str, redo: str) -> None:
        """Say in the menu what undo and redo would do."""
        for name, verb, label in (("undo", "Undo", undo), ("redo", "Redo", redo)):
            self[name].setText(f"{verb}: {label}" if label else f"Nothing to {verb.lower()}")
            self[name].setEnabled(bool(label))


def _call(act: Callable[[], object], _is_checked: bool = False) -> None:
    act()
