"""What coders say is kept once, however often they are run."""

from __future__ import annotations

from collections.abc import Sequence

from app.coding.material import Material
from app.coding.records import Prediction
from app.store.library import Library


def keep_news(library: Library, material: Material, predictions: Sequence[Prediction]) -> None:
    """Keep what a coder says of a lesson, unless it is what that coder said last.

    Args:
        library: Where it is kept.
        material: The lesson.
        predictions: What one coder says of its clips; none where it says nothing.

    Raises:
        StoreRefused: It could not be written.
    """
    if not predictions:
        return
    coder = predictions[0].coder
    review = library.lesson(material.lesson_id)
    if any(review.prediction_for(p.clip.clip_id, coder) != p for p in predictions):
        library.add_run(material.lesson_id, coder, predictions[0].provenance, predictions)
