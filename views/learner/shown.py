"""Puts together what the page shows of a review: rows, curves, banners, words of the moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction

from app.confusion.face_choice import SEVERAL_FACES
from app.confusion.records import Bands, CueKind
from app.confusion.review import LearnerReview
from app.lesson.spans import show_time
from views.learner.marks import BandMarks, Curve, Show, band_marks, curves_of
from views.learner.painting import MOST_CURVES
from views.learner.words import cue_words, curve_words, reading_words

if TYPE_CHECKING:
    from views.learner.page import LearnerPage

ALL_READERS = "All readers"
FIRST_CURVES = (CueKind.BROW, CueKind.LIDS)
"""Together the most reliable sign of the protocol."""
FACES_WORDS = "Several faces are in view, so nobody can know which is the learner's."
LATE_FACES_WORDS = (
    "From {time} on several faces are in view, so nobody can know which is the learner's. What was "
    "read before stays; with the face chosen, the rest can be read too."
)
FACE_CHOSEN = "The learner's face is chosen. Have the video read again, so that it is followed."
CHOOSE, READ_AGAIN = "Choose the face…", "Have it read…"


class Shown:
    """Keeps what is drawn of the readers between changes.

    Args:
        page: The page it is shown on.
    """

    def __init__(self, page: LearnerPage) -> None:
        self._page = page
        self._bands: tuple[Bands, ...] | None = None
        self._was_hidden = False
        self.marks: tuple[BandMarks, ...] = ()
        self._measured: tuple[Curve, ...] = ()
        self._curves: tuple[Curve, ...] = ()
        self._drawn: BandMarks | None = None
        """Whose cues are drawn and told."""
        self._wanted: list[CueKind] = list(FIRST_CURVES)

    def show_review(self, review: LearnerReview, *, is_new: bool) -> None:
        """Show the rows, where they have changed, and what asks for a step."""
        ui, session = self._page.ui, self._page.session
        is_hidden = not session.shows_readers
        bands = review.latest_bands
        if is_new:
            self._measured = ()
        if is_new or bands != self._bands or is_hidden != self._was_hidden:
            self._bands, self._was_hidden = bands, is_hidden
            self.marks = tuple(
                band_marks(one, one.reader, _row_name(one), is_hidden=is_hidden) for one in bands
            )
            ui.bands.show_bands(self.marks)
            self._offer_readers(is_hidden=is_hidden)
            self.show_curves()
        told = "" if is_hidden else faces_words(bands)
        ui.faces.say(*(told, CHOOSE) if review.face is None else (FACE_CHOSEN, READ_AGAIN))
        ui.faces.setVisible(bool(told))
        ui.first.setVisible(not bands)
        ui.blind.setVisible(is_hidden and bool(bands or review.decisions))

    def choose_reader(self, place: int) -> None:
        """List the suggestions of one reader, and draw its cues; 0 takes all readers."""
        self._page.session.reader = self.marks[place - 1].key if place else ""
        self.show_curves()
        review = self._page.session.review
        if review is not None:
            self._page.session.changed.emit(review)

    def take_measured(self, curves: tuple[Curve, ...]) -> None:
        """Take what was measured on the face all along; better than what readers put down."""
        self._measured = curves
        self.show_curves()
        self.show_now(self._page.position_ms)

    def show_curves(self) -> None:
        """Draw the chosen cues: as measured on the face, else as the reader in view has them."""
        ui, key = self._page.ui, self._page.session.reader
        asked = [band for band in self.marks if key in ("", band.key)]
        told = ((band, curves) for band in asked if (curves := curves_of(band)))
        self._drawn, found = next(told, (asked[0] if asked else None, ()))
        if self._measured and self._page.session.shows_readers:
            found = self._measured
        chosen = [curve for kind in self._wanted for curve in found if curve.kind is kind]
        self._curves = tuple(chosen)
        ui.bands.show_curves(chosen)
        ui.cue_menu.clear()
        for curve in found:
            action = QAction(curve.kind.value, ui.cue_menu)
            action.setCheckable(True)
            action.setChecked(curve.kind in self._wanted)
            action.triggered.connect(lambda _on=False, kind=curve.kind: self._toggle(kind))
            ui.cue_menu.addAction(action)
        ui.cues.setEnabled(bool(found))

    def show_now(self, time_ms: int) -> None:
        """Say what lies under the playhead."""
        lines = []
        for band in self.marks:
            reading = band.at(time_ms)
            if band.is_hidden or reading is None:
                continue
            lines.append(f"{band.name}: {reading_words(reading)}")
            if band is self._drawn:
                lines += [f"   {cue_words(cue)}" for cue in reading.cues]
        lines += [words for curve in self._curves if (words := curve_words(curve, time_ms))]
        head = f"At {show_time(time_ms, tenths=True)}"
        self._page.ui.side.now.setText("\n".join([f"{head}:", *lines]) if lines else "")

    def _toggle(self, kind: CueKind) -> None:
        if kind in self._wanted:
            self._wanted.remove(kind)
        else:
            # The one chosen longest ago makes room.
            self._wanted = [*self._wanted, kind][-MOST_CURVES:]
        self.show_curves()

    def _offer_readers(self, *, is_hidden: bool) -> None:
        box, session = self._page.ui.readers, self._page.session
        box.clear()
        box.addItem(ALL_READERS)
        box.addItems([f"Only {band.key}" for band in self.marks])
        keys = [band.key for band in self.marks]
        if session.reader not in keys:
            session.reader = ""
        box.setCurrentIndex(keys.index(session.reader) + 1 if session.reader else 0)
        box.setEnabled(not is_hidden and len(keys) > 1)


def notes_of(review: LearnerReview, bands: Sequence[BandMarks]) -> str:
    """Say what a person should know of a video before they trust its bands."""
    said = list(review.media.notes if review.media else ())
    if review.media is not None and not review.media_found:
        said.insert(0, f"The recording is no longer at {review.media.path}.")
    for marks in bands:
        said += () if marks.is_hidden else _limits(marks)
    return " ".join(said)


def _limits(marks: BandMarks) -> list[str]:
    hidden = int((marks.shows == Show.NOT_VISIBLE).sum())
    failed = int((marks.shows == Show.FAILED).sum())
    told = []
    if len(marks.shows) and hidden == len(marks.shows):
        why = marks.readings[0].note
        if SEVERAL_FACES in why:
            return []  # the banner says so, with the button that helps
        told.append(f"{marks.key} sees no usable face at all{f': {why}' if why else ''}.")
    elif hidden:
        told.append(f"{marks.key}: {hidden} of {len(marks.shows)} windows not visible.")
    if failed:
        told.append(f"{marks.key}: {failed} failed, beside every share.")
    return told


def _row_name(bands: Bands) -> str:
    return bands.reader if bands.is_complete else f"{bands.reader} (not complete)"


def faces_words(bands: Sequence[Bands]) -> str:
    """Say that several faces keep readers from knowing whose is the learner's, and from when on;
    empty where none say so.
    """
    readings = [reading for one in bands for reading in one.readings]
    late = [reading.start_ms for reading in readings if SEVERAL_FACES in reading.note]
    if not late:
        return ""
    first_ms = min(late)
    before = any(one.is_visible and one.start_ms < first_ms for one in readings)
    return LATE_FACES_WORDS.format(time=show_time(first_ms)) if before else FACES_WORDS
