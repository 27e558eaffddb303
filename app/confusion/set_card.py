"""The data card of a set: what is in it, how it came about, what was left out, what to heed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.confusion.curation import Curated, Validated
from app.confusion.sets import LocalizationSet, ReaderUsed, RecognitionSet, SetSource, Source
from app.lesson.media.cuts import Cut
from app.scoring.figures import Figure

SIGNS = "Labels tell what shows on a face. They do not tell what a learner felt or understood."
NO_STAKES = (
    "A support for research and for talks with learners; never a basis for marks, placement or any "
    "other decision with high stakes."
)


@dataclass(frozen=True, slots=True)
class Made:
    """When, with what and on which terms a set was written."""

    made_at: str
    """UTC, ISO 8601."""
    program: str
    licence: str
    """As the person wrote it; empty when nothing was said."""


def recognition_card(
    chosen: RecognitionSet, cuts: Sequence[tuple[SetSource, Cut]], made: Made
) -> str:
    """Write the card of a recognition set, in Markdown."""
    counts = chosen.counts
    both = counts.candidates - counts.curated[Curated.WAITING]
    rows = [[str(source), source.label, str(chosen.number(source))] for source in Source]
    funnel = [
        ["windows that a reader found (medium or high)", counts.candidates],
        ["judged by two researchers, each alone", both],
        *[[f"– {one}", counts.curated[one]] for one in Curated if one is not Curated.WAITING],
        *[[f"– kept, then: {one}", counts.validated[one]] for one in _ASKED],
        ["clips on which experts differed and then agreed", counts.talked_over],
    ]
    return _page(
        "Confusion recognition set",
        f"{len(chosen.clips)} clips of 2 s of {_number(chosen.sources, 'learner')} in "
        f"{_number(chosen.sources, 'recording')}.",
        chosen.warnings,
        _section("What is in it", _table(("label comes from", "label", "clips"), rows)),
        _section(
            "How the labels came about",
            f"{_count(chosen.people[0], 'researcher')}, {_count(chosen.people[1], 'expert')}. Two "
            "researchers judged each window alone by five criteria (ConfusionBench, section 3.3); "
            "it was kept only when both kept it. Two experts who had not judged it before then "
            "said yes, no or unsure, each alone; where they differed they could talk and say "
            "again. The page they judge on shows no reader’s level and nobody else’s word.",
            _table(("step", "number"), funnel),
            f"Researchers agreed on {_figure(chosen.researchers[0])}, alpha "
            f"{_figure(chosen.researchers[1])}; experts, each alone, on "
            f"{_figure(chosen.experts[0])}, alpha {_figure(chosen.experts[1])}.",
            "Windows “no criterion seen by any reader” were chosen by rule and **no person looked "
            f"at them**. {chosen.wanted_clear} were needed to make the labels equal, "
            "as far as possible of the same learners.",
        ),
        _left_out(
            chosen.left_out, "Counted in windows; reasons for windows without confusion too."
        ),
        _readers(chosen.readers, "Windows that none of these readers found were never judged."),
        _files(cuts, _RECOGNITION_FILES),
        _privacy(chosen.sources, made),
        _limits(len({source.learner for source in chosen.sources})),
        _provenance(made, chosen.seed),
    )


def localization_card(
    chosen: LocalizationSet, cuts: Sequence[tuple[SetSource, Cut]], made: Made
) -> str:
    """Write the card of a localization set, in Markdown."""
    events = [event for video in chosen.videos for event in video.events]
    length_s = sum(cut.duration_ms for _source, cut in cuts) / 1000
    held_s = sum(event.end_ms - event.start_ms for event in events) / 1000
    rows = [
        [source.video, source.learner, f"{cut.duration_ms / 1000:.1f} s", len(video.events)]
        for (source, cut), video in zip(cuts, chosen.videos, strict=True)
    ]
    return _page(
        "Confusion localization set",
        f"{len(cuts)} recordings of {_number(chosen.sources, 'learner')}, {length_s:.1f} s in all; "
        f"{len(events)} events of {held_s:.1f} s.",
        chosen.warnings,
        _section("What is in it", _table(("video", "learner", "length", "events"), rows)),
        _section(
            "How the events came about",
            "Events are those that people confirmed, moved or added "
            f"({_count(chosen.people, 'person', 'people')}). A recording is here when somebody "
            "has decided on every event of every reader in it, or has marked all they see. "
            "Whoever decides sees the readers’ events, so the boundaries are not independent of "
            "them.",
        ),
        _left_out(chosen.left_out, "Counted in recordings."),
        _readers(chosen.readers, "Stretches that nobody marked count as no confusion."),
        _files(cuts, _LOCALIZATION_FILES),
        _privacy(chosen.sources, made),
        _limits(len({source.learner for source in chosen.sources})),
        _provenance(made, chosen.seed),
    )


_ASKED = (
    Validated.YES, Validated.NO, Validated.UNSURE, Validated.DIFFER, Validated.WAITING,
)  # fmt: skip
_RECOGNITION_FILES = (
    "`clips.csv` has a row for each clip (`clerestory benchmark confusion --data` reads the "
    "folder); `labels.json` has the same with where each clip lay, how it was cut, its size and "
    "SHA-256. Clips are in `clips/`."
)
_LOCALIZATION_FILES = (
    "`truth.csv` has a row for each event, in ms from the first moment of the file, and one "
    "without times for a recording without events (`clerestory benchmark confusion --data` and "
    "`score confusion --truth` read it); `labels.json` has the same with how each was copied and "
    "its SHA-256. Recordings are in `videos/`."
)


def _page(title: str, first: str, warnings: Sequence[str], *sections: str) -> str:
    told = "".join(f"> **Heed this:** {warning}\n>\n" for warning in warnings)
    told = told.removesuffix(">\n")
    return (
        "\n\n".join(part for part in (f"# {title}", first, told.rstrip(), *sections) if part) + "\n"
    )


def _section(title: str, *parts: str) -> str:
    return "\n\n".join((f"## {title}", *parts))


def _table(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [names, ["---"] * len(names), *rows]
    return "\n".join(
        "| " + " | ".join(str(cell).replace("|", "/") for cell in line) + " |" for line in lines
    )


def _left_out(left_out: Sequence[tuple[str, int]], about: str) -> str:
    table = _table(("why", "number"), left_out) if left_out else "Nothing."
    return _section("What was left out", about, table)


def _readers(readers: Sequence[ReaderUsed], about: str) -> str:
    rows = [
        [one.name, "; ".join(f"{name}: {value}" for name, value in one.provenance) or "–"]
        for one in readers
    ]
    return _section("Readers", about, _table(("reader", "rests on"), rows) if rows else "None.")


def _files(cuts: Sequence[tuple[SetSource, Cut]], about: str) -> str:
    copied = sum(cut.is_copied for _source, cut in cuts)
    whys = Counter(cut.why for _source, cut in cuts if cut.why)
    told = f"Files with the stored pictures as they were: {copied}. "
    told += f"Encoded again: {len(cuts) - copied}"
    because = "; ".join(f"{number}: {why}" for why, number in whys.most_common())
    told += f" as MPEG-4 part 2 ({because})." if because else "."
    return _section("Files", about, f"{told} None holds sound.")


def _privacy(sources: Sequence[SetSource], made: Made) -> str:
    noted = [source for source in sources if source.consent is not None]
    rows = [
        [source.video, source.consent.note if source.consent else "not noted"] for source in sources
    ]
    licence = made.licence or (
        "not stated. Without one nobody may pass the files on or publish them."
    )
    return _section(
        "Consent, privacy, licence",
        f"Consent is noted for {len(noted)} of {len(sources)} recordings.",
        _table(("recording", "consent"), rows),
        "Learners and recordings bear names of this set alone. **Faces can be recognised.** "
        "Keep the files as you would keep the recordings themselves.",
        f"Licence: {licence}",
    )


def _limits(learners: int) -> str:
    few = f" It shows {_count(learners, 'learner')}; figures on it say little of others."
    return _section("What it can and cannot say", f"{SIGNS}{few} {NO_STAKES}")


def _provenance(made: Made, seed: int) -> str:
    return _section(
        "Provenance",
        f"Written {made.made_at} by {made.program}, seed {seed}. Each source’s fingerprint is in "
        "`labels.json`: SHA-256 of the size and three parts of the recording.",
    )


def _number(sources: Sequence[SetSource], what: str) -> str:
    number = len({source.learner for source in sources}) if what == "learner" else len(sources)
    return _count(number, what)


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def _figure(figure: Figure) -> str:
    if figure.value is None:
        return f"– ({figure.reason})"
    reach = figure.interval
    told = f", 95% {reach.low:.2f} to {reach.high:.2f}" if reach else ""
    return f"{figure.value:.2f} (n = {figure.n}{told})"
