"""How records become columns and come back, equal to the field."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from datetime import UTC, datetime
from functools import lru_cache
from itertools import starmap
from typing import TYPE_CHECKING, Any, TypeVar

from app.coding.records import Check, Citation, Decision, Evidence, Said, Stage, Verdict
from app.lesson.clips import Clip
from app.lesson.media.facts import AudioFacts, MediaFacts, VideoFacts
from app.lesson.transcript.records import Flag, Utterance, Word
from app.scoring.scored import Code

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Row = tuple[Any, ...]
_Record = TypeVar("_Record", bound="DataclassInstance")
_NONE = "[]"
"""An empty list, which most rows hold: reading it as JSON takes longer than all the rest."""


def now_utc() -> str:
    """Give this moment in UTC, ISO 8601 with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def sound_text(text: str) -> str:
    """Give text that a UTF-8 file can hold: half a character becomes the replacement sign."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def to_json(value: object) -> str:
    """Write JSON as readable as it can be; halves of characters are escaped, and so kept."""
    if value == () or value == []:
        return _NONE
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"))
    return text


def media_to_json(facts: MediaFacts) -> str:
    """Write the facts of a recording."""
    return to_json(asdict(facts))


def media_from_json(text: str, path: str) -> MediaFacts:
    """Read the facts of a recording back, with the path where it lies now."""
    table = json.loads(text)
    video, audio = table["video"], table["audio"]
    if video:
        video["sample_aspect"] = tuple(video["sample_aspect"])
    table["video"] = _known(VideoFacts, video) if video else None
    table["audio"] = _known(AudioFacts, audio) if audio else None
    table["notes"] = tuple(table["notes"])
    table["path"] = path
    return _known(MediaFacts, table)


UTTERANCE_COLUMNS = "number, text, start_ms, end_ms, speaker, words, flags"


def utterance_to_row(line: Utterance) -> Row:
    """Give the columns of one line of a transcript."""
    words = [[w.text, w.start_ms, w.end_ms, w.probability] for w in line.words]
    return (
        line.number,
        sound_text(line.text),
        line.start_ms,
        line.end_ms,
        sound_text(line.speaker),
        to_json(words) if words else "",
        to_json(list(line.flags)) if line.flags else "",
    )


def utterances_from_rows(found: Iterable[Row]) -> tuple[Utterance, ...]:
    """Read the lines of a transcript back."""
    lines = list(found)
    # All words in one go: one call for each of thousands of lines takes twice as long.
    all_words = json.loads(f"[{','.join(line[5] or '[]' for line in lines)}]")
    return tuple(
        [
            Utterance(
                number,
                text,
                start_ms,
                end_ms,
                speaker,
                tuple(starmap(Word, words)),
                tuple([Flag(flag) for flag in json.loads(flags)]) if flags else (),
            )
            for (number, text, start_ms, end_ms, speaker, _, flags), words in zip(
                lines, all_words, strict=True
            )
        ]
    )


CLIP_COLUMNS = "clip_id, first, last, start_ms, end_ms, proposed_by"


def clip_to_row(clip: Clip) -> Row:
    """Give the columns of a clip."""
    return (
        sound_text(clip.clip_id),
        clip.first,
        clip.last,
        clip.start_ms,
        clip.end_ms,
        sound_text(clip.proposed_by),
    )


def clip_from_row(row: Row) -> Clip:
    """Read a clip back."""
    return Clip(*row)


def clip_to_json(clip: Clip) -> str:
    """Write a clip as it was at some moment, beside what was said of it."""
    return to_json(list(clip_to_row(clip)))


@lru_cache(maxsize=4096)
def clip_from_json(text: str) -> Clip:
    """Read such a clip back; many things are said of one clip, so that the last are kept."""
    return Clip(*json.loads(text))


DECISION_COLUMNS = (
    "clip, verdict, practice, level, author, made_at, note, blind, coder, stage, also, evidence"
)


_VERDICTS = {verdict.value: verdict for verdict in Verdict}
_STAGES = {stage.value: stage for stage in Stage}
# Looked up, since calling the classes takes as long as all the rest of a decision.


def decision_to_row(decision: Decision) -> Row:
    """Give the columns of a decision."""
    return (
        clip_to_json(decision.clip),
        decision.verdict.value,
        sound_text(decision.practice),
        decision.level,
        sound_text(decision.author),
        sound_text(decision.made_at),
        sound_text(decision.note),
        int(decision.blind),
        sound_text(decision.coder),
        decision.stage.value,
        codes_to_json(decision.also),
        to_json([_citation_to_list(cited) for cited in decision.evidence]),
    )


def decision_from_row(row: Row) -> Decision:
    """Read a decision back."""
    clip, verdict, practice, level, author, made_at, note, blind, coder, *more = row
    stage, also, evidence = more
    return Decision(
        clip_from_json(clip),
        _VERDICTS[verdict],
        practice,
        level,
        author,
        made_at,
        note,
        bool(blind),
        coder,
        _STAGES[stage],
        codes_from_json(also),
        () if evidence == _NONE else tuple(map(_citation_from_list, json.loads(evidence))),
    )


def codes_to_json(codes: Iterable[Code]) -> str:
    """Write practices and levels in their order."""
    return to_json([[code.practice, code.level] for code in codes])


def codes_from_json(text: str) -> tuple[Code, ...]:
    """Read practices and levels back."""
    if text == _NONE:
        return ()
    return tuple(Code(practice, level) for practice, level in json.loads(text))


def said_to_json(said: Iterable[Said]) -> str:
    """Write what each draw of a model said."""
    return to_json(
        [
            [
                one.code.practice if one.code else "",
                one.code and one.code.level,
                one.status,
                one.key,
            ]
            for one in said
        ]
    )


def said_from_json(text: str) -> tuple[Said, ...]:
    """Read what each draw of a model said back."""
    return tuple(
        Said(Code(practice, level) if practice else None, status, key)
        for practice, level, status, key in json.loads(text)
    )


def _citation_to_list(cited: Citation) -> list[object]:
    return [cited.quote, list(cited.utterances), cited.start_ms, cited.end_ms, cited.seen]


def _citation_from_list(row: Sequence[Any]) -> Citation:
    quote, utterances, start_ms, end_ms, seen = row
    return Citation(quote, tuple(utterances), start_ms, end_ms, seen)


EVIDENCE_COLUMNS = (
    "quote, cited, cited_start_ms, cited_end_ms, seen, "
    "checked, found, utterances, start_ms, end_ms, score, reason, weak"
)


def evidence_to_row(evidence: Evidence) -> Row:
    """Give the columns of a piece of evidence: what was cited, then what the check found."""
    cited = evidence.citation
    return (
        sound_text(cited.quote),
        to_json(cited.utterances),
        cited.start_ms,
        cited.end_ms,
        sound_text(cited.seen),
        evidence.check.value,
        sound_text(evidence.found),
        to_json(evidence.utterances),
        evidence.start_ms,
        evidence.end_ms,
        evidence.score,
        sound_text(evidence.reason),
        int(evidence.weak),
    )


def evidence_from_row(row: Row) -> Evidence:
    """Read a piece of evidence back."""
    quote, cited, cited_start_ms, cited_end_ms, seen, *rest = row
    checked, found, utterances, start_ms, end_ms, score, reason, weak = rest
    citation = Citation(quote, tuple(json.loads(cited)), cited_start_ms, cited_end_ms, seen)
    return Evidence(
        citation,
        Check(checked),
        found,
        tuple(json.loads(utterances)),
        start_ms,
        end_ms,
        score,
        reason,
        bool(weak),
    )


def provenance_to_json(pairs: Iterable[Sequence[str]]) -> str:
    """Write pairs of name and value in their order."""
    return to_json([list(pair) for pair in pairs])


def provenance_from_json(text: str) -> tuple[tuple[str, str], ...]:
    """Read pairs of name and value back."""
    return tuple((name, value) for name, value in json.loads(text))


def _known(record: type[_Record], table: dict[str, Any]) -> _Record:
    # A field that a later version drops must not make older libraries unreadable.
    names = {f.name for f in fields(record)}
    return record(**{name: value for name, value in table.items() if name in names})
