"""Turn a review into the marks the timeline draws, hiding what the reviewer may not see yet."""

from __future__ import annotations

from app.coding.probe_records import Answered, Flag
from app.coding.proofs import prove
from app.coding.records import Prediction
from app.coding.review import LessonReview
from app.coding.sight import Sight
from app.lesson.spans import Span
from app.lesson.transcript.records import Role, reach_ms
from views.common.words import count_words, decision_words, disputed_words
from views.timeline.marks import ClipMark, ClipState, DecisionMark, EvidenceMark, TurnMark

UNKNOWN_END_MS = 2000
"""How long the last line is drawn when its end is not known."""
TIP_LETTERS = 120


def span_to_show(review: LessonReview) -> Span | None:
    """Give the stretch of time the page shows; `None` when nothing has a time."""
    if review.media is not None:
        return review.media.span
    lines = review.transcript.utterances if review.transcript else ()
    starts = [line.start_ms for line in lines if line.start_ms is not None]
    # A line without an end reaches to the next one, which has a start or an end of its own.
    ends = [line.end_ms for line in lines if line.end_ms is not None]
    ends += [start + UNKNOWN_END_MS for start in starts[-1:]]
    return Span(min(starts), max(ends)) if starts and min(starts) < max(ends) else None


def turn_marks(review: LessonReview) -> list[TurnMark]:
    """Give a mark for each line that has a time."""
    lines = review.transcript.utterances if review.transcript else ()
    marks = []
    for place, line in enumerate(lines):
        if line.start_ms is None:
            continue
        _, end = reach_ms(lines, place) if line.end_ms is None else (None, line.end_ms)
        until = end if end is not None and end > line.start_ms else line.start_ms + UNKNOWN_END_MS
        marks.append(
            TurnMark(
                line.start_ms,
                until,
                line.speaker,
                review.roles.get(line.speaker) is Role.TEACHER,
                line.text[:TIP_LETTERS],
                bool(line.flags),
            )
        )
    return marks


def clip_marks(review: LessonReview, sight: Sight) -> list[ClipMark]:
    """Give a mark for each clip that has times, with the code that stands or is suggested."""
    marks = []
    probes = _probes_of(review)
    for clip in review.clips:
        if clip.start_ms is None or clip.end_ms is None:
            continue
        decision = sight.decision(review, clip.clip_id)
        shown = sight.prediction(review, clip.clip_id)
        against = sight.disputed_words(review, clip.clip_id)
        code = None if against else decision or shown
        state = ClipState.DISPUTED if against else ClipState.UNREVIEWED
        marks.append(
            ClipMark(
                clip.clip_id,
                clip.start_ms,
                clip.end_ms,
                code.practice if code else "",
                code.level if code else None,
                ClipState.DECIDED if decision else state,
                not sight.shows_labels(review, clip.clip_id),
                disputed_words(against),
                shown is not None and _is_flagged(review, shown, probes),
            )
        )
    return marks


def _probes_of(review: LessonReview) -> dict[int, list[Answered]]:
    found: dict[int, list[Answered]] = {}
    for probe in review.probes:
        found.setdefault(probe.prediction_id, []).append(probe)
    return found


def _is_flagged(review: LessonReview, shown: Prediction, probes: dict[int, list[Answered]]) -> bool:
    """Say whether a label that is drawn may be right for the wrong reason."""
    own = probes.get(shown.prediction_id)
    if not own:
        return False
    return prove(shown, own, review.decision_for(shown.clip.clip_id)).flag is Flag.RAISED


def why_no_clips(review: LessonReview) -> str:
    """Say why none of the clips can be drawn, and where they are; empty when some can."""
    if not review.clips or any(clip.start_ms is not None for clip in review.clips):
        return ""
    lines = review.transcript.utterances if review.transcript else ()
    why = (
        "Their lines have no times that can be trusted"
        if any(line.start_ms is not None for line in lines)
        else "Their lines have no times"
    )
    count = count_words(len(review.clips), "clip")
    return f"{count} without a place here. {why}. N goes to the next; its lines are marked below."


def some_without_place(review: LessonReview) -> str:
    """Say that some clips cannot be drawn while others are; empty when all or none can."""
    missing = sum(clip.start_ms is None for clip in review.clips)
    if not 0 < missing < len(review.clips):
        return ""
    is_one = missing == 1
    return (
        f"{missing} of {len(review.clips)} clips {'has' if is_one else 'have'} no time that can "
        f"be trusted and {'is' if is_one else 'are'} not on the timeline; N goes through them all."
    )


def evidence_marks(review: LessonReview, sight: Sight) -> list[EvidenceMark]:
    """Give a tick for each piece of evidence of the clips that stand."""
    marks = []
    for clip in review.clips:
        prediction = sight.on_screen(review, clip.clip_id)
        for piece in prediction.evidence if prediction else ():
            if piece.start_ms is not None:
                text = piece.citation.quote or piece.citation.seen
                marks.append(EvidenceMark(piece.start_ms, piece.check, clip.clip_id, text))
    return marks


def decision_marks(review: LessonReview, sight: Sight) -> list[DecisionMark]:
    """Give a mark for each clip with a decision that stands, and for each that is disputed."""
    marks = []
    for clip in review.clips:
        if clip.start_ms is None or clip.end_ms is None:
            continue
        middle = (clip.start_ms + clip.end_ms) // 2
        decision = sight.decision(review, clip.clip_id)
        against = sight.disputed_words(review, clip.clip_id)
        if decision is not None:
            words = decision_words(decision)
            marks.append(DecisionMark(middle, decision.verdict, clip.clip_id, words))
        elif against:
            words = f"People differ: {disputed_words(against)}"
            marks.append(DecisionMark(middle, None, clip.clip_id, words))
    return marks
