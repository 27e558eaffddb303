"""The words the window uses for what the records hold; one place, so that they stay the same."""

from __future__ import annotations

from collections.abc import Sequence

from app.coding.practices import Practice
from app.coding.records import Check, Citation, Decision, Evidence, Stage, Verdict
from app.lesson.spans import show_time
from app.lesson.transcript.records import Flag, Role
from app.scoring.scored import Code

CHECK_WORDS = {
    Check.VERIFIED: "verified: said word for word",
    Check.CLOSE: "close: the true words are shown",
    Check.NOT_FOUND: "not found in the transcript – does not count",
    Check.OUTSIDE: "outside the clip – does not count",
    Check.SEEN: "seen, not checked – look for yourself",
}
FLAG_WORDS = {
    Flag.NO_TIME: "no time in the file",
    Flag.DOUBTFUL_TIME: "doubtful time",
    Flag.NO_END: "no end in the file",
    Flag.OVERLAP: "starts before the line above ends",
    Flag.REPEATED: "repeated, probably not said; not used",
    Flag.INVENTED: "heard where nobody speaks; not used",
    Flag.PAST_END: "after the end of the recording; not used",
    Flag.LOW_PROBABILITY: "unsure hearing",
    Flag.UNTIMED_WORDS: "some words without a time",
}
WRONG_REASON = "right for the wrong reason?"
"""The mark of a label that stays without its evidence; a question, never a verdict."""
ROLE_WORDS = {
    Role.TEACHER: "teacher",
    Role.STUDENT: "student",
    Role.OTHER: "other",
    Role.UNKNOWN: "role not set",
}


def code_words(practice: str, level: int | None) -> str:
    """Write a code, e.g. `D1, level 2`; `no practice` when there is none."""
    if not practice:
        return "no practice"
    return practice if level is None else f"{practice}, level {level}"


def coder_words(coder: str) -> str:
    """Write who suggests: the evidence finder is always called a finder."""
    # Only the finder's version is left away: a model's own name may have a stroke in it.
    return "the evidence finder" if coder.split("/")[0] == "evidence-finder" else coder or "a coder"


def codes_words(codes: Sequence[Code]) -> str:
    """Write all codes of a clip, the main one first: `D1, level 2, also D3, level 1`."""
    if not codes:
        return "no practice"
    further = " and ".join(code_words(code.practice, code.level) for code in codes[1:])
    main = code_words(codes[0].practice, codes[0].level)
    return f"{main}, also {further}" if further else main


def decision_words(decision: Decision) -> str:
    """Write what was decided and by whom."""
    who = decision.author or "somebody"
    if decision.stage is Stage.CONSENSUS:
        return f"{who} agreed on {codes_words(decision.codes)}"
    blind = ", before seeing the suggestion" if decision.blind else ""
    if decision.verdict is Verdict.REJECT:
        return f"{who} rejected it{blind}"
    what = {Verdict.ACCEPT: "accepted", Verdict.CORRECT: "set"}[decision.verdict]
    if decision.blind:
        what = "set"
    return f"{who} {what} {codes_words(decision.codes)}{blind}"


def disputed_words(words: Sequence[Decision]) -> str:
    """Write who said what where people differ: `AK: D1, level 2; BM: no practice`."""
    return "; ".join(f"{word.author}: {codes_words(word.codes)}" for word in words)


def citation_words(cited: Citation) -> str:
    """Write what a person cites: `line 12: “…”`, or a stretch of picture with what is seen."""
    if cited.seen:
        end = show_time(cited.end_ms, tenths=True)
        return f"{show_time(cited.start_ms, tenths=True)} to {end}: {cited.seen}"
    lines = ", ".join(str(number) for number in cited.utterances)
    return f"line {lines}: “{cited.quote}”"


def check_words(evidence: Evidence) -> str:
    """Write what the check found of a piece of evidence."""
    if evidence.check is Check.NOT_FOUND and not evidence.citation.quote:
        return "cannot be looked up – does not count"
    return CHECK_WORDS[evidence.check]


def evidence_words(evidence: Evidence, speaker: str) -> str:
    """Write a piece of evidence as a screen reader says it; one that does not count says so first.

    Whoever listens must not take a made-up quote for something that was said.
    """
    cited = evidence.citation
    told = check_words(evidence)
    what = f"“{cited.quote}”" if cited.quote else f"seen: {cited.seen}"
    where = show_time(evidence.start_ms)
    who = f", {speaker}" if speaker else ""
    if evidence.check in (Check.NOT_FOUND, Check.OUTSIDE):
        return f"Does not count, {told.split(' – ')[0]}: {what}{who} at {where}."
    return f"{what}{who} at {where}. {told}"


def practice_named(practices: Sequence[Practice], practice_id: str) -> Practice | None:
    """Find a practice by its id."""
    return next((p for p in practices if p.id == practice_id), None)


def count_words(count: int, one: str, many: str = "") -> str:
    """Write `1 clip`, `3 clips`."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def length_words(duration_ms: int | None) -> str:
    """Write a length, e.g. `4 min 10 s`; an en dash when it is not known."""
    if duration_ms is None:
        return "–"
    seconds = round(duration_ms / 1000)
    if seconds < 60:
        return f"{seconds} s"
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {seconds} s" if seconds else f"{minutes} min"
