"""Everything that can be done on the lesson page, with its menu and its key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from views.lesson.doing import Doing

PLAYBACK, CLIP, DECIDE, EDIT = "Playback", "Clip", "Decide", "Edit"


@dataclass(frozen=True, slots=True)
class Spec:
    """One action: where it stands, what it is called, which keys fire it."""

    name: str
    menu: str
    text: str
    keys: tuple[str, ...]
    starts_group: bool = False
    """Whether a line is drawn above it in the menu."""


SPECS = (
    Spec("undo", EDIT, "Undo", ("Ctrl+Z",)),
    Spec("redo", EDIT, "Redo", ("Ctrl+Shift+Z", "Ctrl+Y")),
    Spec("edit_line", EDIT, "Edit line of transcript", ("F2",), True),
    Spec("speakers", EDIT, "Speakers…", ("Ctrl+Shift+S",)),
    Spec("find", EDIT, "Find in transcript", ("Ctrl+F",), True),
    Spec("find_next", EDIT, "Find next", ("F3",)),
    Spec("lesson_note", EDIT, "Note on the lesson", ("Ctrl+Shift+N",), True),
    Spec("leave_field", EDIT, "Leave the text field", ("Esc",)),
    Spec("play", PLAYBACK, "Play or pause", ("Space",)),
    Spec("backward", PLAYBACK, "Play backwards, faster with each press", ("J",), True),
    Spec("pause", PLAYBACK, "Pause", ("K",)),
    Spec("forward", PLAYBACK, "Play forwards, faster with each press", ("L",)),
    Spec("frame_back", PLAYBACK, "One frame back", (",",), True),
    Spec("frame_on", PLAYBACK, "One frame on", (".",)),
    Spec("next_in_queue", CLIP, "Next in queue", ("N",)),
    Spec("next_evidence", CLIP, "Next evidence", ("E",)),
    Spec("test_evidence", CLIP, "Does the evidence carry the label?", ("T",)),
    Spec("test_all", CLIP, "Test the evidence of the whole lesson…", ("Ctrl+Shift+T",)),
    Spec("details", CLIP, "Details of the suggestion…", ("D",)),
    Spec("clip_before", CLIP, "Clip before", ("Alt+Left",), True),
    Spec("clip_after", CLIP, "Clip after", ("Alt+Right",)),
    Spec("set_start", CLIP, "Start the clip at the playhead", ("[",), True),
    Spec("set_end", CLIP, "End the clip at the playhead", ("]",)),
    Spec("split", CLIP, "Split the clip at the playhead", ("S",)),
    Spec("merge", CLIP, "Merge the clip with the next", ("M",)),
    Spec("show_all", CLIP, "Show the whole lesson on the timeline", ("Ctrl+0",), True),
    Spec("show_clip", CLIP, "Show the clip on the timeline", ("Ctrl+9",)),
    Spec("code_1", DECIDE, "Practice BI", ("1",)),
    Spec("code_2", DECIDE, "Practice D1", ("2",)),
    Spec("code_3", DECIDE, "Practice D2", ("3",)),
    Spec("code_4", DECIDE, "Practice D3", ("4",)),
    Spec("level_1", DECIDE, "Level 1", ("Shift+1",), True),
    Spec("level_2", DECIDE, "Level 2", ("Shift+2",)),
    Spec("level_3", DECIDE, "Level 3", ("Shift+3",)),
    Spec("level_4", DECIDE, "Level 4", ("Shift+4",)),
    Spec("further_1", DECIDE, "Also practice BI", ("Alt+1",), True),
    Spec("further_2", DECIDE, "Also practice D1", ("Alt+2",)),
    Spec("further_3", DECIDE, "Also practice D2", ("Alt+3",)),
    Spec("further_4", DECIDE, "Also practice D3", ("Alt+4",)),
    Spec("also_level_1", DECIDE, "Level 1 for the practice added last", ("Alt+Shift+1",)),
    Spec("also_level_2", DECIDE, "Level 2 for the practice added last", ("Alt+Shift+2",)),
    Spec("also_level_3", DECIDE, "Level 3 for the practice added last", ("Alt+Shift+3",)),
    Spec("also_level_4", DECIDE, "Level 4 for the practice added last", ("Alt+Shift+4",)),
    Spec("cite_lines", DECIDE, "Cite the chosen lines", ("Q",), True),
    Spec("cite_seen", DECIDE, "Cite what is seen from the playhead", ("W",)),
    Spec("end_seen", DECIDE, "End the cited stretch at the playhead", ("Shift+W",)),
    Spec("accept", DECIDE, "Accept the suggestion", ("A",), True),
    Spec("correct", DECIDE, "Correct: set the picked code", ("C",)),
    Spec("reject", DECIDE, "Reject: no practice shows", ("X",)),
    Spec("clip_note", DECIDE, "Note on the clip", ("Ctrl+Return",), True),
)


class LessonActions(QObject):
    """Holds the actions of the lesson page.

    Args:
        parent: Owns the actions.
        doing: Has a method for each action, under the action's name.
    """

    def __init__(self, parent: QObject, doing: Doing) -> None:
        super().__init__(parent)
        self.by_name: dict[str, QAction] = {}
        for spec in SPECS:
            action = QAction(spec.text, self)
            action.setShortcuts([QKeySequence(key) for key in spec.keys])
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            action.triggered.connect(_slot(spec.name, doing))
            action.setAutoRepeat(spec.name in ("frame_back", "frame_on", "forward", "backward"))
            self.by_name[spec.name] = action

    def __getitem__(self, name: str) -> QAction:
        return self.by_name[name]

    def set_enabled(self, on: bool) -> None:
        """Let the actions work only while the page is in view and a lesson is open."""
        for action in self.by_name.values():
            action.setEnabled(on)

    def name_undo(self, undo: str, redo: str) -> None:
        """Say in the menu what undo and redo would do."""
        for name, verb, label in (("undo", "Undo", undo), ("redo", "Redo", redo)):
            self[name].setText(f"{verb}: {label}" if label else f"Nothing to {verb.lower()}")
            self[name].setEnabled(bool(label))


def _slot(name: str, doing: Doing) -> Callable[[], None]:
    """Find what an action calls: `code_2` picks the second practice, `play` plays."""
    what, _, number = name.rpartition("_")
    if what == "code":
        return partial(doing.pick_code, int(number) - 1)
    if what == "further":
        return partial(doing.pick_further, int(number) - 1)
    if what == "also_level":
        return partial(doing.pick_further_level, int(number))
    if what == "level":
        return partial(doing.pick_level, int(number))
    slot: Callable[[], None] = getattr(doing, name)
    return slot
