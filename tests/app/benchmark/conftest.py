"""Folders with coded tables, and a reader of their files that needs no child process."""

from __future__ import annotations

import csv
import hashlib
import json
from pathlib import Path

import pytest

from app.benchmark.bring_in import digest_of_set, find_set, open_set
from app.benchmark.records import CodedClip, CodedSet, Given, SaidOfSet
from app.benchmark.results import results_of
from app.benchmark.rows import levels_of
from app.coding.practices import read_practices
from app.errors import MediaRefused
from app.lesson.clips import Clip
from app.lesson.media.facts import MediaFacts, VideoFacts
from app.lesson.transcript.read import read_transcript
from app.scoring.scored import Code
from app.store.library import Library
from resources import resource

PUBLISHED = Path(__file__).parents[2] / "data" / "coded_clips"


class PlainFiles:
    """Reads transcripts for real; a "recording" is a text file with its length in ms."""

    def __init__(self) -> None:
        self.opened: list[str] = []

    def probe(self, path, stop=None):
        self.opened.append(path.name)
        text = path.read_text()
        if not text.strip().isdigit():
            raise MediaRefused(f"{path.name} is no recording.", "")
        video = VideoFacts(
            0, "h264", 640, 360, 640, 360, 0, False, (1, 1), 100, 0, int(text), False, "yuv420p",
            False,
        )  # fmt: skip
        size = path.stat().st_size
        return MediaFacts(
            str(path), size, self.fingerprint(path), "mov,mp4", 0, int(text), video, None
        )

    def fingerprint(self, path, stop=None):
        return hashlib.sha256(path.read_bytes()).hexdigest()

    def read_transcript(self, path, stop=None):
        self.opened.append(path.name)
        return read_transcript(path)


@pytest.fixture
def files():
    return PlainFiles()


@pytest.fixture(scope="session")
def levels():
    return levels_of(read_practices(resource("practices.toml")))


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "benchmark.clerestory", "Ann") as opened:
        yield opened


def write_csv(folder, rows, columns=("id", "media", "transcript", "start", "end", "codes")):
    """Write a table and give its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "clips.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(rows)
    return folder


def write_vtt(path, lines=30, every_s=4):
    """Write a transcript of that many lines, one every few seconds."""
    cues = ["WEBVTT", ""]
    for n in range(lines):
        start, end = n * every_s, n * every_s + every_s - 1
        cues += [f"{_clock(start)} --> {_clock(end)}", f"<v Teacher>This is line {n + 1}.", ""]
    path.write_text("\n".join(cues), encoding="utf-8")


def _clock(seconds):
    return f"00:{seconds // 60:02}:{seconds % 60:02}.000"


@pytest.fixture
def set_folder(tmp_path):
    """A folder with two recordings of two minutes, their transcripts, and five clips."""
    folder = tmp_path / "term 1"
    folder.mkdir()
    for name in ("ice", "mould"):
        (folder / f"{name}.mp4").write_text("120000\n" + " " * len(name))
        write_vtt(folder / f"{name}.vtt")
    return write_csv(
        folder,
        [
            ("i1", "ice.mp4", "ice.vtt", "0:00", "0:40", "D1:2"),
            ("i2", "ice.mp4", "ice.vtt", "0:40", "1:20", "D3:4 | D1:2"),
            ("i3", "ice.mp4", "ice.vtt", "80", "120.5", "BI"),
            ("m1", "mould.mp4", "", "0:10", "0:50", "none"),
            ("m2", "mould.mp4", "", "", "", "D2:1"),
        ],
    )


@pytest.fixture
def bring_in(library, levels, files):
    """Give a function that brings a folder in and gives the set as the library has it."""

    def bring(folder, split=""):
        found = find_set(folder, levels, split)
        digest = "" if found.problems else digest_of_set(found, files)
        set_id = library.add_coded_set(open_set(found, digest, files))
        return next(s for s in library.coded_sets() if s.set_id == set_id)

    return bring


@pytest.fixture
def published_rows():
    text = (PUBLISHED / "clips.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


# Results built from the counts behind the published tables

FIXTURE = json.loads(
    (Path(__file__).parents[2] / "data" / "scoring" / "sciibi_tables.json").read_text()
)
OTHER = {"BI": "D3", "D1": "D3", "D2": "D1", "D3": "BI"}


def coded_set_of(codes):
    """A set of clips, one lesson a clip, by the codes of each."""
    clips = [
        CodedClip(f"c{n:03}", f"l{n:03}", tuple(each), Clip(f"c{n:03}", 1, 4, None, None))
        for n, each in enumerate(codes)
    ]
    return CodedSet(1, "SciIBI", "", "d" * 64, "2026-11-30T00:00:00.000Z", tuple(clips))


@pytest.fixture(scope="session")
def published_set():
    """113 clips with the published label counts, each of level 2."""
    return coded_set_of(
        [[Code(code, 2)] for code, count in FIXTURE["labels"].items() for _ in range(count)]
    )


@pytest.fixture(scope="session")
def published_said(published_set):
    """As many right, wrong and failed answers under each condition as the paper counts."""
    given, provenance = [], {}
    for row in FIXTURE["table2"]:
        coder = f"{row['model']} {row['modality']} {row['prompting']}"
        provenance[coder] = (("engine", row["model"]),)
        for number, clip in enumerate(published_set.clips):
            true = clip.codes[0].practice
            if number < row["correct"]:
                code, status = Code(true, 2), "ok"
            elif number < row["scored"]:
                code, status = Code(OTHER[true], 3), "retry-ok"
            else:
                code, status = None, "schema-fail"
            given.append(Given(clip.clip_id, coder, code, status, "", 0))
    return SaidOfSet(tuple(given), provenance)


@pytest.fixture(scope="session")
def published_results(published_set, published_said):
    return results_of(published_set, published_said)
