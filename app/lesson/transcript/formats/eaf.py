"""ELAN's .eaf: tiers become speakers, and tiers of words give their utterances word times.

pympi gives every symbolic subdivision the times of its whole parent, which the file does not say,
and expands entities that a file declares; so the XML is read here, by defusedxml.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from app.errors import TranscriptRefused
from app.lesson.transcript.formats.drafts import Draft, Found
from app.lesson.transcript.records import Word

_UNIT_MS = {"milliseconds": 1.0, "PAL-frames": 40.0, "NTSC-frames": 1001 / 30}
_GENERIC = frozenset(
    "text texts transcript transcription utterance utterances speech default tx ft words".split()
)


@dataclass(slots=True)
class _Annotation:
    """One annotation; symbolic ones have no times of their own."""

    key: str
    text: str
    parent: str = ""
    """Key of the annotation it belongs to; empty when it has times of its own."""
    start_ms: int | None = None
    end_ms: int | None = None


@dataclass(slots=True)
class _Tier:
    name: str
    parent: str
    participant: str
    constraint: str
    """How it depends on its parent: `Time_Subdivision`, `Symbolic_Association`, ..."""
    is_coded: bool
    """Whether its values come from a fixed list, as those of gestures do."""
    annotations: list[_Annotation] = field(default_factory=list)

    @property
    def has_text(self) -> bool:
        return any(annotation.text for annotation in self.annotations)


def read_eaf(data: bytes, name: str) -> Found:
    """Read an ELAN file.

    Raises:
        TranscriptRefused: It is damaged, declares entities, or is not ELAN's.
    """
    try:
        root = fromstring(data)
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        where = f", line {error.position[0]}," if isinstance(error, ParseError) else ""
        raise TranscriptRefused(
            f"{name}{where} cannot be read as an ELAN file.",
            "Open it in ELAN and save it anew.",
        ) from error
    if root.tag != "ANNOTATION_DOCUMENT":
        raise TranscriptRefused(
            f"{name} is XML, but neither ELAN's nor any other transcript.",
            "Export the transcript as ELAN (.eaf), SubRip (.srt) or WebVTT (.vtt).",
        )
    tiers = _tiers(root, _slots(root))
    found = Found("import:elan", [], sort=True, line_name="annotation")
    speech = _choose(tiers)
    for tier in speech:
        found.lines.extend(_lines(tier, tiers))
    _tell(tiers, speech, root, found)
    return found


def _slots(root: Element) -> dict[str, int | None]:
    """Read the time slots; many have no time, and get none here."""
    header = root.find("HEADER")
    unit_ms = _UNIT_MS.get(header.get("TIME_UNITS", "") if header is not None else "", 1.0)
    slots: dict[str, int | None] = {}
    for slot in root.iter("TIME_SLOT"):
        value = slot.get("TIME_VALUE", "")
        is_number = value.isascii() and value.isdecimal() and len(value) < 13
        slots[slot.get("TIME_SLOT_ID", "")] = round(int(value) * unit_ms) if is_number else None
    return slots


def _tiers(root: Element, slots: dict[str, int | None]) -> list[_Tier]:
    types = {kind.get("LINGUISTIC_TYPE_ID"): kind for kind in root.iter("LINGUISTIC_TYPE")}
    tiers = []
    for element in root.iter("TIER"):
        kind = types.get(element.get("LINGUISTIC_TYPE_REF"))
        tier = _Tier(
            element.get("TIER_ID", ""),
            element.get("PARENT_REF", ""),
            element.get("PARTICIPANT", "").strip(),
            kind.get("CONSTRAINTS", "") if kind is not None else "",
            kind is not None and bool(kind.get("CONTROLLED_VOCABULARY_REF")),
        )
        tier.annotations = [
            _annotation(a, slots) for a in element.iter() if a.tag.endswith("_ANNOTATION")
        ]
        tiers.append(tier)
    return tiers


def _annotation(element: Element, slots: dict[str, int | None]) -> _Annotation:
    value = element.find("ANNOTATION_VALUE")
    text = (value.text or "") if value is not None else ""
    return _Annotation(
        element.get("ANNOTATION_ID", ""),
        text.strip(),
        element.get("ANNOTATION_REF", ""),
        slots.get(element.get("TIME_SLOT_REF1", "")),
        slots.get(element.get("TIME_SLOT_REF2", "")),
    )


def _choose(tiers: Sequence[_Tier]) -> list[_Tier]:
    """Choose the tiers that hold speech: of each family the topmost with words in it.

    Tiers coded from a fixed list are no speech. If that leaves nothing, all topmost tiers are
    taken, since somebody may have listed the words of a game.
    """
    tops = [tier for tier in tiers if not tier.parent and tier.has_text]
    uncoded = [tier for tier in tops if not tier.is_coded]
    chosen = [_with_words(tier, tiers) for tier in (uncoded or tops)]
    bare = [tier for tier in tiers if not tier.parent and not tier.has_text]
    for top in bare:
        chosen.extend(_spoken_below(top, tiers)[:1])
    return chosen


def _with_words(tier: _Tier, tiers: Sequence[_Tier]) -> _Tier:
    """Give a tier, or the text beside it when the tier itself holds only numbers of lines."""
    if any(" " in a.text for a in tier.annotations):
        return tier
    numbered = all(any(c.isdigit() for c in a.text) or not a.text for a in tier.annotations)
    beside = [t for t in _spoken_below(tier, tiers) if t.constraint == "Symbolic_Association"]
    return beside[0] if numbered and beside else tier


def _spoken_below(tier: _Tier, tiers: Sequence[_Tier]) -> list[_Tier]:
    return [t for t in tiers if t.parent == tier.name and t.has_text and not t.is_coded]


def _lines(tier: _Tier, tiers: Sequence[_Tier]) -> list[Draft]:
    times = _times_of_all(tiers)
    words = _words_below(tier, tiers)
    speaker = _speaker(tier, tiers)
    lines = []
    for annotation in tier.annotations:
        start_ms, end_ms = times.get(annotation.key, (None, None))
        own = words.get(annotation.key, ())
        spelt = "".join(word.text for word in own) == "".join(annotation.text.split())
        lines.append(Draft(annotation.text, start_ms, end_ms, speaker, tuple(own) if spelt else ()))
    return lines


def _times_of_all(tiers: Sequence[_Tier]) -> dict[str, tuple[int | None, int | None]]:
    """Give each annotation its times; one that stands 1-to-1 beside another has those."""
    times: dict[str, tuple[int | None, int | None]] = {}
    for tier in tiers:
        for annotation in tier.annotations:
            if not annotation.parent:
                times[annotation.key] = (annotation.start_ms, annotation.end_ms)
    for tier in tiers:
        if tier.constraint != "Symbolic_Association":
            continue
        for annotation in tier.annotations:
            if annotation.parent in times:
                times[annotation.key] = times[annotation.parent]
    return times


def _words_below(tier: _Tier, tiers: Sequence[_Tier]) -> dict[str, list[Word]]:
    """Collect the words of each annotation of a tier, timed ones before symbolic ones."""
    for constraint in ("Time_Subdivision", "Symbolic_Subdivision"):
        for below in tiers:
            if below.parent == tier.name and below.constraint == constraint and below.has_text:
                return _by_parent(tier, below)
    return {}


def _by_parent(tier: _Tier, below: _Tier) -> dict[str, list[Word]]:
    found: dict[str, list[Word]] = {}
    if below.constraint == "Symbolic_Subdivision":
        for a in below.annotations:
            found.setdefault(a.parent, []).append(Word(a.text))
        return found
    above = [a for a in tier.annotations if a.start_ms is not None and a.end_ms is not None]
    above.sort(key=lambda a: a.start_ms or 0)
    index, reached = 0, 0
    for a in below.annotations:
        reached = a.start_ms if a.start_ms is not None else reached
        while index < len(above) - 1 and reached >= (above[index].end_ms or 0):
            index += 1
        if above:
            found.setdefault(above[index].key, []).append(Word(a.text, a.start_ms, a.end_ms))
    return found


def _speaker(tier: _Tier, tiers: Sequence[_Tier]) -> str:
    """Give the participant of a tier, else its name unless that says only what it holds."""
    by_name = {t.name: t for t in tiers}
    top = by_name.get(tier.parent, tier)
    if tier.participant or top.participant:
        return tier.participant or top.participant
    name = tier.name.partition("@")[2] or top.name
    return "" if name.lower() in _GENERIC else name


def _tell(tiers: Sequence[_Tier], speech: Sequence[_Tier], root: Element, found: Found) -> None:
    names = {tier.name for tier in speech}
    unread = [tier.name for tier in tiers if tier.name not in names and tier.has_text]
    if unread:
        found.notes.append(
            f"Read as speech: {', '.join(sorted(names))}. Other tiers: {', '.join(unread)}; their "
            "words were used where they spell an utterance, the rest was not read."
        )
    origins = [m.get("TIME_ORIGIN", "0") for m in root.iter("MEDIA_DESCRIPTOR")]
    moved = [origin for origin in origins if origin.strip("0")]
    if moved:
        found.notes.append(
            f"ELAN shifts the recording by {moved[0]} ms against these times; they are kept as "
            "written: compare one line with the sound."
        )
