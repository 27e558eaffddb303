"""What a reviewer may see on the Benchmarks page, and noting what they have seen there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from app.benchmark.behind import Behind
from app.coding.review import LessonReview
from app.coding.sight import Sight
from views.lesson.kept import read_kept

if TYPE_CHECKING:
    from app.desk import Desk


class Seeing:
    """Says what may be shown to the reviewer at the desk, by the same rules as everywhere."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._reviews: dict[str, LessonReview] = {}

    def forget(self) -> None:
        """Read the lessons anew from now on."""
        self._reviews.clear()

    def may_show(self, clip: Behind) -> bool:
        """Say whether what was said of a clip may be shown."""
        settings = self._desk.settings
        if not settings.blind:
            return True
        lesson_id = clip.clip.lesson_id
        if lesson_id not in self._reviews:
            self._reviews[lesson_id] = self._desk.library.lesson(lesson_id)
        sight = Sight(settings.author, settings.blind)
        return sight.shows_labels(self._reviews[lesson_id], clip.clip.clip_id)


def note_seen(desk: Desk, author: str, shown: Iterable[Behind]) -> list[str]:
    """Note clips whose codes are on the screen and which the reviewer has not coded yet.

    A code that they set later is then not blind. Call it in the background: it reads lessons.

    Returns:
        The lessons of which something new was seen.

    Raises:
        StoreRefused: It could not be written.
    """
    by_lesson: dict[str, set[str]] = {}
    for clip in shown:
        by_lesson.setdefault(clip.clip.lesson_id, set()).add(clip.clip.clip_id)
    sight, new = Sight(author, is_blind=False), []
    for lesson_id, clip_ids in by_lesson.items():
        kept = read_kept(desk.library, author, lesson_id)
        if clip_ids <= kept.seen:
            continue
        review = desk.library.lesson(lesson_id)
        uncoded = {c for c in clip_ids if sight.own_decision(review, c) is None}
        if not uncoded <= kept.seen:
            kept.see(uncoded)
            new.append(lesson_id)
    return new
