"""What the timeline says about itself: tool tips, and words for a screen reader."""

from __future__ import annotations

from app.lesson.spans import Span, show_time
from views.common.words import CHECK_WORDS, WRONG_REASON, code_words
from views.timeline.index import SpanIndex
from views.timeline.layout import Lane
from views.timeline.marks import ClipMark, ClipState, TurnMark
from views.timeline.scene import Scene


def under_playhead(scene: Scene, time_ms: int, whole: Span | None) -> str:
    """Say what lies under the playhead, for a screen reader."""
    if whole is None:
        return "Nothing to show yet."
    parts = [f"At {show_time(time_ms)} of {show_time(whole.end_ms)}"]
    parts += [turn_words(turn)] if (turn := scene.turns.at(time_ms)) else ["nobody speaks"]
    parts += [clip_words(clip)] if (clip := scene.clips.at(time_ms)) else ["no clip"]
    if scene.why_no_clips:
        parts[-1] = scene.why_no_clips.rstrip(".")
    return "; ".join(parts) + "."


def tip(scene: Scene, lane: Lane | None, time_ms: int, reach_ms: float) -> str:
    """Say what lies under the pointer; always with the time."""
    words = ""
    if lane is Lane.SPEECH:
        words = _turn_tip(scene.turns, time_ms)
    elif lane is Lane.CLIPS:
        clip = scene.clips.at(time_ms)
        words = clip_words(clip) if clip else scene.why_no_clips
    elif lane is Lane.EVIDENCE:
        piece = scene.evidence_near(time_ms, reach_ms)
        words = f"{piece.text}\n{CHECK_WORDS[piece.check]}".strip() if piece else ""
        time_ms = piece.time_ms if piece else time_ms
    elif lane is Lane.DECISIONS:
        decision = scene.decision_near(time_ms, reach_ms)
        words = decision.text or (decision.verdict or "") if decision else ""
    return f"{show_time(time_ms, tenths=True)}  {words}".rstrip()


def turn_words(turn: TurnMark) -> str:
    """Say who speaks."""
    role = "teacher" if turn.is_teacher else "not the teacher"
    return f"{turn.speaker or 'somebody'} speaks ({role})"


def clip_words(clip: ClipMark) -> str:
    """Say which clip this is, without its code while that is hidden."""
    code = "code hidden" if clip.is_hidden else code_words(clip.practice, clip.level)
    span = f"{show_time(clip.start_ms)} to {show_time(clip.end_ms)}"
    if clip.state is ClipState.DISPUTED:
        return f"clip {span}, {clip.state.value}: {clip.words}"
    flag = f", {WRONG_REASON}" if clip.is_flagged and not clip.is_hidden else ""
    return f"clip {span}, {code}, {clip.state.value}{flag}"


def _turn_tip(turns: SpanIndex[TurnMark], time_ms: int) -> str:
    turn = turns.at(time_ms)
    if turn is None:
        return ""
    doubt = " (flagged as doubtful)" if turn.is_doubtful else ""
    return f"{turn.speaker or 'Somebody'}: {turn.text}{doubt}"
