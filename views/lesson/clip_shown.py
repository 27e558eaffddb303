"""Brings what is known of the clip in view onto the page, as far as the reviewer may see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.coding.calibration import Trust
from app.coding.probes import no_probe
from app.coding.proofs import prove
from app.coding.queue import QueueItem, review_queue
from app.coding.records import Prediction
from app.coding.review import LessonReview
from app.errors import ClerestoryError
from app.lesson.clips import Clip
from views.background import Background
from views.lesson.details import raw_of
from views.lesson.grounding import Grounding
from views.lesson.next_step import reviewed_words

if TYPE_CHECKING:
    from app.desk import Desk
    from views.lesson.page import LessonPage


class ClipShown:
    """Shows the clip in view on the side of a page and in its transcript."""

    def __init__(self, page: LessonPage, desk: Desk, background: Background) -> None:
        self._page, self._desk = page, desk
        self._grounding = Grounding(background, self._show_grounding)
        self._queued: tuple[LessonReview, tuple[Trust, ...], dict[str, QueueItem]] | None = None

    def show(self) -> None:
        """Show the clip in view; nothing where there is none."""
        page = self._page
        review, clip = page.session.review, page.clip()
        if review is None or clip is None:
            return
        sight, side = page.session.sight, page.ui.side
        prediction = sight.on_screen(review, clip.clip_id)
        shows_label = sight.shows_labels(review, clip.clip_id)
        side.show_clip(
            review,
            clip,
            prediction,
            shows_label=shows_label,
            raw=self._raw(prediction) if shows_label else "",
        )
        self._show_grounding()
        self._show_proof(review, prediction if shows_label else None)
        self._show_decision(review, clip, prediction, shows_label)
        side.show_progress(
            reviewed_words(review, len(sight.waiting(review))), self._why(review, clip)
        )
        pieces = prediction.evidence if prediction else ()
        cited = {n: e.check.value for e in pieces for n in e.utterances if e.check.supports}
        page.ui.transcript.lines.show_cited(cited, range(clip.first, clip.last + 1))
        page.pictures.want_cards(e.start_ms for e in pieces if e.start_ms is not None)

    def _show_grounding(self) -> None:
        """Show the rate of the coder on the screen; nothing else, since somebody may be typing."""
        page, review = self._page, self._page.session.review
        shown = page.session.sight.on_screen(review, page.clip_id) if review else None
        words = self._grounding.words(review, shown.coder) if review and shown else ""
        page.ui.side.show_grounding(words)

    def _show_decision(
        self, review: LessonReview, clip: Clip, prediction: Prediction | None, shows_label: bool
    ) -> None:
        session, panel = self._page.session, self._page.ui.side.decision
        panel.show_clip(
            session.sight.decision(review, clip.clip_id),
            session.note_for(clip.clip_id),
            can_accept=shows_label and prediction is not None and bool(prediction.practice),
            pick=session.pick_for(clip.clip_id),
            against=session.sight.disputed_words(review, clip.clip_id),
            is_begun=session.has_begun(clip.clip_id),
        )
        panel.ask_author(wanted=not self._desk.author)

    def _show_proof(self, review: LessonReview, prediction: Prediction | None) -> None:
        """Show what the tests of the evidence say; nothing where the label may not be seen."""
        box = self._page.ui.side.proof
        if prediction is None:
            box.show_nothing()
            return
        own = [p for p in review.probes if p.prediction_id == prediction.prediction_id]
        decision = review.decision_for(prediction.clip.clip_id)
        box.show_proof(prove(prediction, own, decision) if own else None, no_probe(prediction))

    def _raw(self, prediction: Prediction | None) -> str:
        if prediction is None or not prediction.is_failure:
            return ""
        try:
            return raw_of(prediction.said, self._desk.library.attempts)
        except ClerestoryError as error:
            self._page.trouble.emit(error)
            return ""

    def _why(self, review: LessonReview, clip: Clip) -> str:
        """Say why a clip is worth a look; in blind mode the reasons could name the label."""
        if self._page.session.sight.is_blind:
            return ""
        item = self._queue(review).get(clip.clip_id)
        # The first reason only says whether the clip was decided on, which the panel says below.
        reasons = item.reasons[1:] if item else ()
        return f"Worth a look: {' '.join(reasons)}" if reasons else ""

    def _queue(self, review: LessonReview) -> dict[str, QueueItem]:
        """Give the queue by clip; put in order once for what is known, since that takes a while."""
        trusts, known = self._page.trusts, self._queued
        if known is None or known[0] is not review or known[1] is not trusts:
            items = {item.clip.clip_id: item for item in review_queue(review, trusts)}
            known = self._queued = (review, trusts, items)
        return known[2]
