"""Everything that is known of how a suggestion came about, as text that can be copied."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.coding.probe_records import Answered
from app.coding.records import Prediction, Said
from app.lesson.clips import Clip
from app.lesson.spans import show_time
from app.store.attempts import Attempts, StoredAttempt
from views.common.words import code_words, coder_words
from views.lesson.differences import failed_words

NAMES = {
    "kind": "What it is",
    "engine": "Model",
    "input": "Given",
    "prompting": "Asked",
    "draws": "Answers asked for",
    "prompt": "Prompt and its version",
    "sha256 prompt": "Prompt, SHA-256",
    "practices": "Practices it was told of",
    "run by": "Run by",
    "endpoint": "Address",
    "frames": "Frames shown",
    "left out": "Left out for want of room",
    "tokens in": "Tokens read",
    "tokens out": "Tokens written",
    "most new tokens": "Most tokens it may write",
    "attempt": "Key of the answer in the library",
    "retry": "Asked a second time",
    "seconds": "Seconds",
    "temperature": "Temperature",
    "seed": "Seed",
    "sha256 weights": "Weights, SHA-256",
    "sha256 projector": "Projector for pictures, SHA-256",
    "sha256 template": "Chat template, SHA-256",
}
"""What the pairs of a provenance are called; any other stands under its own name."""


def details_text(
    prediction: Prediction, number: int, probes: Iterable[Answered], attempts: Attempts
) -> str:
    """Write down how a prediction came about: what made it, then every answer as it came.

    Args:
        prediction: What is on the screen.
        number: The clip's place in the lesson, from 1.
        probes: The tests of this prediction's evidence.
        attempts: Where the answers are kept; read now, a few rows.
    """
    parts = [_head(prediction, number), _made_with(prediction)]
    draws = len(prediction.said)
    for place, said in enumerate(prediction.said, 1):
        parts.append(_answer(f"Answer {place} of {draws}: {_code(said)}", said.key, attempts))
    for probe in probes:
        title = f"Test of the evidence, {probe.kind.value}: {_probed(probe)}"
        parts.append(_answer(title, probe.key, attempts))
    if not prediction.said:
        parts.append("No model was asked, so there is no answer to show.")
    return "\n\n".join(parts)


def raw_of(said: Sequence[Said], attempts: Attempts) -> str:
    """Give the last answer that came for any of some draws, as it came; empty for none."""
    kept = attempts.of_keys(one.key for one in said if one.key)
    return next((attempt.raw.text for attempt in reversed(kept) if attempt.raw.text), "")


def _head(prediction: Prediction, number: int) -> str:
    who = coder_words(prediction.coder)
    said = code_words(prediction.practice, prediction.level)
    told = failed_words(prediction.status) if prediction.is_failure else said
    lines = [f"Clip {number}: {_where(prediction.clip)}", f"{who[:1].upper()}{who[1:]}: {told}"]
    if prediction.made_at:
        lines.append(f"Stored at {prediction.made_at}")
    if prediction.note:
        lines.append(prediction.note)
    return "\n".join(lines)


def _where(clip: Clip) -> str:
    lines = f"lines {clip.first} to {clip.last}"
    if clip.start_ms is None:
        return lines
    return f"{show_time(clip.start_ms)} to {show_time(clip.end_ms)}, {lines}"


def _made_with(prediction: Prediction) -> str:
    if not prediction.provenance:
        return "How it was made\nNothing more was recorded."
    told = [f"{NAMES.get(name, name)}: {value}" for name, value in prediction.provenance]
    return "\n".join(["How it was made", *told])


def _code(said: Said) -> str:
    if said.code is not None:
        again = " (at the second attempt)" if said.status == "retry-ok" else ""
        return code_words(said.code.practice, said.code.level) + again
    return failed_words(said.status) if said.status not in ("ok", "retry-ok") else "no practice"


def _probed(probe: Answered) -> str:
    if probe.code is not None:
        return code_words(probe.code.practice, probe.code.level)
    return probe.note or probe.status


def _answer(title: str, key: str, attempts: Attempts) -> str:
    found = _attempts(key, attempts)
    if not found:
        return f"{title}\nThe library holds no answer for it."
    return "\n".join([title, *(_attempt(one) for one in found)])


def _attempts(key: str, attempts: Attempts) -> list[StoredAttempt]:
    """Give every attempt at one answer: a second one is kept under a key of its own."""
    found = attempts.of_keys([key]) if key else []
    if not any(one.place > 1 for one in found):
        return found
    last = found[-1]
    return [
        one
        for one in attempts.of_run(last.run_id)
        if (one.name, one.draw) == (last.name, last.draw)
    ]


def _attempt(one: StoredAttempt) -> str:
    raw = one.raw
    facts = [
        f"Attempt {one.place} at {one.made_at}: {one.status.value}, ended with “{raw.finish}”",
        f"prompt {one.prompt_version}",
        f"seed {one.seed}",
        f"{_count(raw.tokens_in)} tokens read",
        f"{_count(raw.tokens_out)} written",
        f"{raw.seconds:.1f} s",
    ]
    told = [", ".join(facts)]
    told += [f"Why it cannot be used: {one.error}"] if one.error else []
    told += [f"Taken off before it was read: {', '.join(one.taken_off)}"] if one.taken_off else []
    told += [f"{name}: {value}" for name, value in raw.details]
    told += [f"The engine said: {raw.error}"] if raw.error else []
    told += ["As it came:", raw.text or "(nothing)"]
    return "\n".join(told)


def _count(tokens: int | None) -> str:
    return "–" if tokens is None else f"{tokens:,}"
