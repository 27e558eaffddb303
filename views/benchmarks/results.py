"""The results of one set, one view at a time: tables, matrix, pairs, and what they rest on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QPlainTextEdit, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from app.benchmark.behind import Behind, apart, failed, in_cell
from app.benchmark.cases import Case
from app.benchmark.results import BenchmarkResults, Pair
from app.benchmark.words import about, table_of
from views.benchmarks.behind import BehindView
from views.benchmarks.matrix import MatrixView
from views.benchmarks.pairs import PairsView
from views.benchmarks.table import TableView
from views.common.widgets import EmptyState
from views.common.words import coder_words, count_words

MATRIX, PAIRS, ABOUT = "matrix", "pair", "about"
VIEWS = (
    ("table2", "Accuracy (Table 2)"),
    ("by_practice", "By practice"),
    ("table3", "Levels (Table 3)"),
    ("table4", "Frames (Table 4)"),
    (MATRIX, "Confusion matrix"),
    (PAIRS, "Compare two"),
    ("pairs", "All pairs"),
    ("evidence", "Evidence found"),
    ("not_run", "What could not run"),
    (ABOUT, "About this set"),
)
"""Key and name of each view, in the order in which it is read."""
LATER = frozenset(("table4", "pairs", "evidence"))
"""Views that wait for what takes long."""
NO_ANSWERS = (
    "No coder has coded these clips yet",
    "Choose coders and conditions, look at what they will take, and start: the two coders that ask "
    "no model take seconds and give a floor to measure against.",
    "Run coders…",
)
WHY_EMPTY = {
    "table2": "No coder has answered yet.",
    "by_practice": "No coder has answered yet.",
    "table3": "No coder that answered gives levels of sophistication.",
    "table4": "Run one model both with words alone (zero-shot) and with frames to see what frames "
    "add.",
    "pairs": "Run a second coder, or the same model under another condition.",
    "evidence": "No coder that answered cites evidence.",
    "not_run": "Everything that was asked for ran whole.",
}
WAITING = "Working it out…", "Intervals and pairs are drawn 10,000 times; this takes a moment."


class ResultsView(QWidget):
    """Shows what came of a set.

    Args:
        case_of: Gives what stands behind an answer.
        may_show: Says whether the reviewer may see what was said of a clip.

    Signals:
        run_wanted: Coders are to be run.
        pair_wanted: Two coders to compare.
        lesson_opened, listed, trouble: As of `BehindView`.
    """

    run_wanted = Signal()
    pair_wanted = Signal(str, str)
    lesson_opened = Signal(str, int)
    listed = Signal(list)
    trouble = Signal(object)

    def __init__(
        self,
        case_of: Callable[[Behind], Case],
        may_show: Callable[[Behind], bool],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.results: BenchmarkResults | None = None
        self._is_whole = False
        self.view = VIEWS[0][0]
        self.table, self.matrix, self.pairs = TableView(), MatrixView(), PairsView()
        self.cell = BehindView(case_of, may_show)
        self.apart = BehindView(case_of, may_show)
        self.about = QPlainTextEdit()
        self.about.setReadOnly(True)
        self.about.setTabChangesFocus(True)
        self.about.setAccessibleName("What the figures rest on")
        self._empty = EmptyState(*NO_ANSWERS)
        self._pages = QStackedLayout(self)
        for page in (
            self._empty,
            self.table,
            _over(self.matrix, self.cell),
            _over(self.pairs, self.apart),
            self.about,
        ):
            self._pages.addWidget(page)
        self._connect()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the view in front."""
        shown = (self._empty, self.table, self.matrix, self.pairs, self.about)
        shown[self._pages.currentIndex()].setFocus(event.reason())

    def changeEvent(self, event: QEvent) -> None:
        """Tint the matrix anew in another look."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange and self.view == MATRIX:
            self.matrix.paint_anew()

    def show_results(self, results: BenchmarkResults, *, is_whole: bool) -> None:
        """Show results; `is_whole` says whether what takes long is in them."""
        is_other = self.results is None or self.results.digest != results.digest
        self.results, self._is_whole = results, is_whole
        if is_other:
            self.cell.show_clips("", ())
            self.apart.show_clips("", ())
        self._show()

    def show_view(self, key: str) -> None:
        """Bring one of `VIEWS` to the front."""
        self.view = key
        self._show()

    def forget(self) -> None:
        """Show nothing more of clips, since what may be seen has changed."""
        self.cell.show_clips("", ())
        self.apart.show_clips("", ())

    def _show(self) -> None:
        results = self.results
        if results is None:
            return
        if self.view == ABOUT:
            self.about.setPlainText(about_words(results))
            self._pages.setCurrentIndex(4)
        elif not any(each.has_answers for each in results.conditions) and self.view != "not_run":
            self._pages.setCurrentIndex(0)
        elif self.view == MATRIX:
            self.matrix.show_results(results)
            self._pages.setCurrentIndex(2)
        elif self.view == PAIRS:
            self._pages.setCurrentIndex(3)
            self.pairs.show_results(results)
        else:
            self._show_table(results)

    def _show_table(self, results: BenchmarkResults) -> None:
        self._pages.setCurrentIndex(1)
        if self.view in LATER and not self._is_whole:
            self.table.show_empty(*WAITING)
            return
        table = table_of(results, self.view)
        if self.view == "table2":
            # Beside the shares even where a small window cuts the column off.
            table = replace(table, notes=(*failure_notes(results), *table.notes))
        self.table.show_table(table, WHY_EMPTY[self.view])

    def _list_cell(self, coder: str, true: str, given: str) -> None:
        if self.results is not None:
            clips = in_cell(self.results, coder, true, given)
            what = f"given {given}" if given else "no code given"
            title = f"People say {true}, {what}: {count_words(len(clips), 'clip')}."
            self.cell.show_clips(title, clips)

    def _list_failures(self, coder: str) -> None:
        if self.results is not None:
            clips = failed(self.results, coder)
            told = f"{count_words(len(clips), 'failure')}: in no cell and in no share."
            self.cell.show_clips(told, clips)

    def _list_apart(self, first: bool) -> None:
        pair = self.pairs.pair
        if self.results is None or pair is None:
            return
        clips = apart(self.results, pair)[0 if first else 1]
        right, wrong = (pair.one, pair.other) if first else (pair.other, pair.one)
        told = f"Only {coder_words(right)} is right here; shown is what {coder_words(wrong)} gave."
        self.apart.show_clips(told, clips)

    def show_pair(self, pair: Pair) -> None:
        """Show a comparison that was asked for."""
        self.pairs.show_pair(pair)

    def _connect(self) -> None:
        self._empty.asked.connect(self.run_wanted)
        self.matrix.cell_chosen.connect(self._list_cell)
        self.matrix.failures_wanted.connect(self._list_failures)
        self.pairs.wanted.connect(self.pair_wanted)
        self.pairs.clips_wanted.connect(self._list_apart)
        for behind in (self.cell, self.apart):
            behind.lesson_opened.connect(self.lesson_opened)
            behind.listed.connect(self.listed)
            behind.trouble.connect(self.trouble)


def about_words(results: BenchmarkResults) -> str:
    """Write what the figures rest on, and what made each coder's answers."""
    told = [*about(results), f"Folder: {results.folder}", f"Set: sha256 {results.digest}"]
    for each in results.conditions:
        if each.provenance:
            told += ["", coder_words(each.coder)]
            told += [f"  {name}: {value}" for name, value in each.provenance]
    return "\n".join(told)


def failure_notes(results: BenchmarkResults) -> list[str]:
    """Name the conditions that failed on some clips, with how."""
    told = []
    for each in results.conditions:
        scores = each.scores
        if scores.failed:
            kinds = ", ".join(f"{count} {kind}" for kind, count in scores.failures)
            of = scores.failed + scores.right.of
            who = coder_words(each.coder)
            told.append(f"{who} failed on {scores.failed} of {of} clips ({kinds}).")
    return told


def _over(above: QWidget, below: QWidget) -> QWidget:
    split = QSplitter(Qt.Orientation.Vertical)
    split.setChildrenCollapsible(False)
    split.addWidget(above)
    split.addWidget(below)
    split.setStretchFactor(1, 1)
    around = QWidget()
    around.setFocusProxy(above)
    column = QVBoxLayout(around)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(split)
    return around
