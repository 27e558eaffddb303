"""Notes which labels a reviewer has seen outside of the lesson page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from app.coding.sight import Sight
from views.lesson.kept import read_kept
from views.people.gathering import Gathering

if TYPE_CHECKING:
    from app.store.library import Library


def note_seen(
    library: Library, gathering: Gathering, sight: Sight, shown: Iterable[tuple[str, str]]
) -> list[str]:
    """Note clips whose codes are on the screen and which the reviewer has not coded yet.

    A code that they set later is then not blind.

    Args:
        library: Where it is kept.
        gathering: The lessons as they stand.
        sight: The reviewer.
        shown: Lesson and clip of each code on the screen.

    Returns:
        The lessons of which something new was seen.

    Raises:
        StoreRefused: It could not be written.
    """
    by_lesson: dict[str, set[str]] = {}
    for lesson_id, clip_id in shown:
        review = gathering.review(lesson_id)
        if review is not None and sight.own_decision(review, clip_id) is None:
            by_lesson.setdefault(lesson_id, set()).add(clip_id)
    new = []
    for lesson_id, clip_ids in by_lesson.items():
        kept = read_kept(library, sight.author, lesson_id)
        if not clip_ids <= kept.seen:
            kept.see(clip_ids)
            new.append(lesson_id)
    return new
