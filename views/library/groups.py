"""How lessons are arranged in the list: those of a coded set stand folded under its name."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from app.store.records import LessonRow
from views.common.words import count_words


@dataclass(frozen=True, slots=True)
class SetHead:
    """The line above the lessons of a coded set."""

    name: str
    lessons: int
    clips: int
    is_open: bool

    @property
    def words(self) -> str:
        """What stands on it."""
        count = count_words(self.lessons, "lesson")
        return f"Coded set “{self.name}”: {count}, {count_words(self.clips, 'clip')}"


def arrange(rows: Iterable[LessonRow], opened: Collection[str]) -> list[LessonRow | SetHead]:
    """Give lessons outside of sets first, then each set with its lessons where it is opened."""
    shown: list[LessonRow | SetHead] = []
    sets: dict[str, list[LessonRow]] = {}
    for row in rows:
        if row.coded_set:
            sets.setdefault(row.coded_set, []).append(row)
        else:
            shown.append(row)
    for name, members in sets.items():
        is_open = name in opened
        clips = sum(row.clips for row in members)
        shown.append(SetHead(name, len(members), clips, is_open))
        if is_open:
            shown += members
    return shown
