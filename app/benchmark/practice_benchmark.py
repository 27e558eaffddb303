"""The practice benchmark from a folder to its files, for the window, the command line and tests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from app.benchmark.bring_in import digest_of_set, find_set, open_set
from app.benchmark.cases import Case, cases_of
from app.benchmark.keyword_rule import NAME as KEYWORD_RULE
from app.benchmark.keyword_rule import KeywordRule
from app.benchmark.records import CodedClip, CodedSet
from app.benchmark.results import BenchmarkResults, results_of
from app.benchmark.rows import levels_of
from app.benchmark.run import Outcome, Planned, Wish, chosen_clips, plan_benchmark, run_benchmark
from app.coding.coders import Coder
from app.coding.conditions import CoderChoice
from app.coding.practices import Practice
from app.files import Files
from app.running.protocols import Report, no_report
from app.store.library import Library


class PracticeBenchmark:
    """Sets of coded clips in one library, and coders run over them.

    Args:
        library: Where sets, answers and predictions are kept.
        files: Reads recordings and transcripts, and writes pages.
        coder: Gives a coder by choice; raises `Refused` where it cannot be used.
        practices: The four practices with their levels.
    """

    def __init__(
        self,
        library: Library,
        files: Files,
        coder: Callable[[CoderChoice], Coder],
        practices: Sequence[Practice],
    ) -> None:
        self._library, self._files = library, files
        self._coder, self._practices = coder, practices

    def bring_in(
        self,
        place: Path,
        split: str = "",
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> CodedSet:
        """Bring a folder of coded clips in; the same set again is the set that is there.

        Recordings that lie elsewhere now are noted.

        Raises:
            CodedSetRefused: Anything is wrong with it; all of it is told, and nothing is kept.
            Refused: There is no table.
        """
        found = find_set(place, levels_of(self._practices), split)
        digest = "" if found.problems else digest_of_set(found, self._files, stop)
        known = self._by_digest(digest)
        if known is None:
            set_id = self._library.add_coded_set(open_set(found, digest, self._files, report, stop))
            known = next(s for s in self._library.coded_sets() if s.set_id == set_id)
        media = {
            clip.clip_id: source.media
            for clip, source in zip(found.wanted, found.sources, strict=True)
        }
        self._note_places(known, media)
        return known

    def plan(
        self, coded: CodedSet, wanted: Sequence[Wish], limit: int | None = None
    ) -> tuple[Planned, ...]:
        """Say what each condition would take; asks nothing."""
        return plan_benchmark(self._library, chosen_clips(coded, limit), wanted, self._make)

    def run(
        self,
        coded: CodedSet,
        wanted: Sequence[Wish],
        limit: int | None = None,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> tuple[Outcome, ...]:
        """Run every condition that can run; see `run_benchmark`.

        Raises:
            Cancelled: `stop` was set; what was answered is kept.
        """
        clips = chosen_clips(coded, limit)
        return run_benchmark(self._library, clips, wanted, self._make, report, stop)

    def results(
        self, coded: CodedSet, outcomes: Sequence[Outcome] = (), limit: int | None = None
    ) -> BenchmarkResults:
        """Draw the figures from what is in the library; see `results_of`."""
        return results_of(coded, self._library.said_of_set(coded.set_id), outcomes, limit)

    def all_results(
        self,
        coded: CodedSet,
        outcomes: Sequence[Outcome] = (),
        *,
        quick: bool = False,
        stop: threading.Event | None = None,
    ) -> BenchmarkResults:
        """Draw the figures of everybody who ever coded a set, and of `outcomes` beside.

        Args:
            coded: The set.
            outcomes: How the last run ended, so that what could not run has its reason.
            quick: Leave out what takes long, evidence among it; see `results_of`.
            stop: Set to stop.

        Raises:
            Cancelled: `stop` was set.
        """
        said = self._library.said_of_set(coded.set_id, cited=not quick)
        return results_of(coded, said, outcomes, quick=quick, every=True, stop=stop)

    def case(self, clip: CodedClip, coder: str) -> Case:
        """Give what stands behind one answer: the words, the evidence, the answer as it came."""
        return cases_of(self._library, [clip], coder)[clip.clip_id]

    def write(
        self,
        results: BenchmarkResults,
        folder: Path,
        made_at: str,
        program: str,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> list[Path]:
        """Write the page, the tables, the JSON and a log for Inspect into a folder.

        Raises:
            ReportRefused: The folder cannot be written, or the page cannot be made.
        """
        report(0.0, "writing the page and the tables")
        written = self._files.benchmark_report(
            results, folder, made_at=made_at, program=program, stop=stop
        )
        for number, each in enumerate(results.conditions, 1):
            if each.has_answers:
                report(number / (len(results.conditions) + 1), f"writing the log of {each.coder}")
                cases = cases_of(self._library, results.clips, each.coder)
                written += self._files.inspect_log(
                    results, each.coder, cases, folder, made_at=made_at, program=program, stop=stop
                )
        return written

    def _make(self, choice: CoderChoice) -> Coder:
        if choice.engine == KEYWORD_RULE:
            return KeywordRule(self._practices)
        return self._coder(choice)

    def _by_digest(self, digest: str) -> CodedSet | None:
        return next((s for s in self._library.coded_sets() if s.digest == digest), None)

    def _note_places(self, coded: CodedSet, media: dict[str, Path | None]) -> None:
        """Note where the recordings of a set lie now, if they are no longer where they were."""
        seen: set[str] = set()
        for clip in coded.clips:
            place = media.get(clip.clip_id)
            if place is None or clip.lesson_id in seen:
                continue
            seen.add(clip.lesson_id)
            _, facts, is_there = self._library.media(clip.lesson_id)
            if facts is not None and not is_there:
                self._library.move_media(clip.lesson_id, place)
