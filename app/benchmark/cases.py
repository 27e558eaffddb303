"""What stands behind the answers of one coder: what it was shown, what it wrote, what was cited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.benchmark.records import CodedClip
from app.coding.records import Evidence, Prediction
from app.lesson.transcript.records import Transcript
from app.store.attempts import StoredAttempt
from app.store.library import Library


@dataclass(frozen=True, slots=True)
class Case:
    """One clip with the answer to it."""

    clip_id: str
    title: str
    """Of its lesson."""
    words: str
    """What is said in the clip: a line an utterance, with its number and speaker."""
    shown: tuple[tuple[str, str], ...] = ()
    """What the model saw: pairs of role and text, frames named by their moment."""
    written: str = ""
    """The answer as it came; empty where no model was asked."""
    finish: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float = 0.0
    evidence: tuple[Evidence, ...] = ()
    made_at: str = ""
    """UTC, ISO 8601; empty where no model was asked."""


def cases_of(library: Library, clips: Sequence[CodedClip], coder: str) -> dict[str, Case]:
    """Gather the cases of one coder, by clip; clips it said nothing of are there without answer."""
    found: dict[str, Case] = {}
    shown: dict[int, tuple[tuple[str, str], ...]] = {}
    by_lesson: dict[str, list[CodedClip]] = {}
    for clip in clips:
        by_lesson.setdefault(clip.lesson_id, []).append(clip)
    for lesson_id, own in by_lesson.items():
        lesson = library.lesson(lesson_id)
        attempts = _attempts(library, [p for p in lesson.predictions if p.coder == coder])
        for clip in own:
            said = lesson.prediction_for(clip.clip_id, coder)
            attempt = attempts.get(said.said[0].key) if said and said.said else None
            if attempt is not None and attempt.attempt_id not in shown:
                shown[attempt.attempt_id] = _shown(library, attempt)
            found[clip.clip_id] = _case(clip, lesson.title, lesson.transcript, said, attempt, shown)
    return found


def _attempts(library: Library, predictions: Sequence[Prediction]) -> dict[str, StoredAttempt]:
    """Give the attempt that stands for each key, else the last one."""
    keys = {said.key for prediction in predictions for said in prediction.said if said.key}
    kept: dict[str, StoredAttempt] = {}
    for attempt in library.attempts.of_keys(sorted(keys)):
        if attempt.key not in kept or attempt.stands or not kept[attempt.key].stands:
            kept[attempt.key] = attempt
    return kept


def _case(
    clip: CodedClip,
    title: str,
    transcript: Transcript | None,
    said: Prediction | None,
    attempt: StoredAttempt | None,
    shown: dict[int, tuple[tuple[str, str], ...]],
) -> Case:
    lines = transcript.utterances if transcript else ()
    words = "\n".join(
        f"{line.number}. {line.speaker}: {line.text}"
        if line.speaker
        else f"{line.number}. {line.text}"
        for line in lines
        if clip.clip.first <= line.number <= clip.clip.last
    )
    evidence = said.evidence if said else ()
    if attempt is None:
        return Case(clip.clip_id, title, words, evidence=evidence)
    raw = attempt.raw
    return Case(
        clip.clip_id,
        title,
        words,
        shown[attempt.attempt_id],
        raw.text,
        raw.finish,
        raw.tokens_in,
        raw.tokens_out,
        raw.seconds,
        evidence,
        attempt.made_at,
    )


def _shown(library: Library, attempt: StoredAttempt) -> tuple[tuple[str, str], ...]:
    asked = library.attempts.question_of(attempt.attempt_id)
    return tuple((role, "\n".join(map(_part, parts))) for role, parts in asked.messages)


def _part(part: Sequence[Any]) -> str:
    if part[0] == "text":
        return str(part[1])
    return f"[frame at {part[2]} ms]"
