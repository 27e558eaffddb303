"""What each key and menu entry of the lesson page does: one small method for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox

from app.coding.pick import cite_lines, cite_seen, end_seen
from app.coding.probes import no_probe
from app.coding.records import Citation, Prediction
from app.errors import ClerestoryError, Refused
from app.lesson.clips import Clip
from views.lesson.decision import DecisionPanel
from views.lesson.details import details_text
from views.lesson.details_dialog import DetailsDialog
from views.lesson.next_step import Act
from views.probing.doing import Wish

if TYPE_CHECKING:
    from views.lesson.page import LessonPage


class Doing(QObject):
    """Carries out the actions of the lesson page; see `actions.SPECS` for names and keys."""

    def __init__(self, page: LessonPage) -> None:
        super().__init__(page)
        self._page = page

    # Edit

    def undo(self) -> None:
        """Take back the last change to this lesson."""
        self._page.session.undo()

    def redo(self) -> None:
        """Bring back what was undone last."""
        self._page.session.redo()

    def edit_line(self) -> None:
        """Type over the words of the current line."""
        self._page.ui.tabs.setCurrentWidget(self._page.ui.transcript)
        self._page.ui.transcript.edit_line()

    def speakers(self) -> None:
        """Open the list of speakers."""
        if self._page.session.review is not None:
            self._page.speakers.show_speakers(self._page.session.review)
            self._page.speakers.show()
            self._page.speakers.raise_()

    def find(self) -> None:
        """Search the transcript."""
        self._page.ui.tabs.setCurrentWidget(self._page.ui.transcript)
        self._page.ui.transcript.start_search()

    def find_next(self) -> None:
        """Go to the next line found."""
        self._page.ui.transcript.find_next()

    def lesson_note(self) -> None:
        """Write the note on the whole lesson."""
        self._page.ui.tabs.setCurrentWidget(self._page.ui.note)
        self._page.ui.note.setFocus()

    def leave_field(self) -> None:
        """Give the keys of the page back from a text field."""
        self._page.ui.timeline.setFocus()

    # Playback

    def play(self) -> None:
        """Play or pause; on a button that the keyboard is on, press it, as everywhere else."""
        focused = QApplication.focusWidget()
        if isinstance(focused, QAbstractButton) and focused.isEnabled():
            focused.click()
        elif isinstance(focused, QComboBox):
            focused.showPopup()
        else:
            self._page.ui.player.toggle()

    def backward(self) -> None:
        """Play backwards."""
        self._page.ui.player.shuttle(-1)

    def pause(self) -> None:
        """Stand still."""
        self._page.ui.player.pause()

    def forward(self) -> None:
        """Play forwards, faster with each press."""
        self._page.ui.player.shuttle(1)

    def frame_back(self) -> None:
        """One frame back."""
        self._page.ui.player.step(-1)

    def frame_on(self) -> None:
        """One frame on."""
        self._page.ui.player.step(1)

    # Clip

    def next_in_queue(self) -> None:
        """Go to the clip most worth a look among those that wait."""
        clip = self._page.next_in_queue()
        if clip is not None:
            self._page.go_to_clip(clip.clip_id)
            return
        review = self._page.session.review
        if review is None or not review.clips:
            # Nothing has been reviewed where there was nothing to review.
            self._page.told.emit(
                "This lesson has no clips yet.", "The next step stands beside the picture."
            )
            return
        if self._page.session.sight.waiting(review):
            self._page.told.emit(
                "This is the last clip that waits for you.", "Decide on it, then write the report."
            )
        else:
            self._page.told.emit(
                "All clips of this lesson are reviewed.",
                "“Write report…” makes the page to talk over.",
            )

    def next_evidence(self) -> None:
        """Go to the next piece of evidence."""
        self._page.ui.side.evidence.go_to_next()

    def play_line(self, number: int) -> None:
        """Go to a line of the transcript and play from it."""
        page = self._page
        page.ui.tabs.setCurrentWidget(page.ui.transcript)
        page.ui.transcript.go_to_line(number)
        line = next((u for u in page.session.utterances if u.number == number), None)
        review = page.session.review
        if line is None or line.start_ms is None or review is None:
            return
        page.seek(line.start_ms)
        if review.media is not None and review.media_found:
            page.ui.player.play()

    def test_evidence(self) -> None:
        """Have it tested whether the evidence on the screen carries its label."""
        shown = self._seen("The evidence is tested against its label.")
        if shown is None:
            return
        why_not = no_probe(shown)
        if why_not:
            self._page.told.emit("This evidence cannot be tested.", why_not)
        else:
            self._wish(shown.coder, (shown.clip.clip_id,))

    def test_all(self) -> None:
        """Have the evidence of the coder on the screen tested in the whole lesson."""
        review = self._page.session.review
        if review is None:
            return
        clip = self._page.clip()
        shown = self._page.session.sight.on_screen(review, clip.clip_id) if clip else None
        self._wish(shown.coder if shown else "", None)

    def details(self) -> None:
        """Show how the suggestion came about, with every answer as it came."""
        shown, review = self._seen("The answers name it."), self._page.session.review
        if shown is None or review is None:
            return
        number = next(n for n, c in enumerate(review.clips, 1) if c.clip_id == self._page.clip_id)
        probes = [p for p in review.probes if p.prediction_id == shown.prediction_id]
        try:
            text = details_text(shown, number, probes, self._page.attempts)
        except ClerestoryError as error:
            self._page.trouble.emit(error)
            return
        dialog = DetailsDialog(f"Details of the suggestion for clip {number}", text, self._page)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _seen(self, why: str) -> Prediction | None:
        """Give the suggestion on the screen; where it is hidden or missing, say so."""
        page, clip = self._page, self._page.clip()
        review = page.session.review
        if review is None or clip is None:
            return None
        if not page.session.sight.shows_labels(review, clip.clip_id):
            hint = "Set your own code for this clip first: blind mode is on."
            page.told.emit(f"The suggestion is hidden. {why}", hint)
            return None
        shown = page.session.sight.on_screen(review, clip.clip_id)
        if shown is None:
            page.told.emit("No coder has looked at this clip.", "“Find codes…” has it done.")
        return shown

    def _wish(self, coder: str, clip_ids: tuple[str, ...] | None) -> None:
        review = self._page.session.review
        if review is not None:
            self._page.test_wanted.emit(Wish(review.lesson_id, review.title, coder, clip_ids))

    def clip_before(self) -> None:
        """Go to the clip before."""
        self._step(-1)

    def clip_after(self) -> None:
        """Go to the clip after."""
        self._step(1)

    def set_start(self) -> None:
        """Start the clip at the playhead."""
        clip = self._page.clip()
        if clip is not None and clip.end_ms is not None:
            self._page.session.move_clip(clip.clip_id, self._page.position_ms, clip.end_ms)

    def set_end(self) -> None:
        """End the clip at the playhead."""
        clip = self._page.clip()
        if clip is not None and clip.start_ms is not None:
            self._page.session.move_clip(clip.clip_id, clip.start_ms, self._page.position_ms)

    def split(self) -> None:
        """Cut the clip at the playhead or, without times, at the current line."""
        clip = self._page.clip()
        if clip is not None:
            row = self._page.ui.transcript.view.currentIndex().row()
            line = self._page.ui.transcript.lines.line_at(row)
            self._page.session.split_clip(clip, self._page.position_ms, line.number if line else 0)

    def merge(self) -> None:
        """Make one clip of this one and the next."""
        clip = self._page.clip()
        if clip is not None:
            self._page.session.merge_clip(clip)

    def show_all(self) -> None:
        """Show the whole lesson on the timeline."""
        self._page.ui.timeline.fit()

    def show_clip(self) -> None:
        """Show the clip on the timeline, with a little around it."""
        self._page.show_clip_on_timeline()

    # Decide

    def pick_code(self, place: int) -> None:
        """Pick a practice by its place, from 0."""
        self._decision.codes.pick_practice(place)

    def pick_level(self, level: int) -> None:
        """Pick a level."""
        self._decision.codes.pick_level(level)

    def pick_further(self, place: int) -> None:
        """Add a further practice by its place, from 0, or take it out again."""
        self._decision.codes.pick_further(place)

    def pick_further_level(self, level: int) -> None:
        """Pick the level of the further practice that was added last."""
        self._decision.codes.pick_further_level(level)

    def cite_lines(self) -> None:
        """Cite the chosen lines of the transcript for the clip."""
        page = self._page
        numbers = page.ui.transcript.chosen_numbers()
        self._cite(lambda clip: cite_lines(clip, page.session.utterances, numbers))

    def cite_seen(self) -> None:
        """Cite what is seen from the playhead on."""
        self._cite(lambda clip: cite_seen(clip, self._page.position_ms))

    def end_seen(self) -> None:
        """End the stretch of picture cited last at the playhead."""
        self._cite(lambda clip: end_seen(clip, self._page.position_ms, self._decision.pick.cites))

    def keep_pick(self) -> None:
        """Keep what is picked as a draft."""
        clip = self._page.clip()
        if clip is not None:
            self._page.session.keep_pick(clip.clip_id, self._decision.pick)
            self._decision.show_begun(begun=self._page.session.has_begun(clip.clip_id))

    def accept(self) -> None:
        """Accept the suggestion."""
        clip = self._page.clip()
        if clip is not None:
            self._page.session.accept(clip, self._note(), self._decision.pick)

    def correct(self) -> None:
        """Set the picked code."""
        clip, pick = self._page.clip(), self._decision.pick
        if clip is not None:
            self._page.session.set_code(clip, pick.practice, pick.level, self._note(), pick)

    def reject(self) -> None:
        """Say that no practice shows."""
        clip = self._page.clip()
        if clip is not None:
            self._page.session.reject(clip, self._note(), self._decision.pick)

    def clip_note(self) -> None:
        """Write a note on the clip."""
        self._page.ui.side.decision.focus_note()

    def keep_note(self) -> None:
        """Store the note with the decision, or keep it for the decision to come."""
        clip, note = self._page.clip(), self._note()
        if clip is None:
            return
        if not self._page.session.keep_note(clip, note):
            self._page.session.keep_draft(clip.clip_id, note)
            self._page.told.emit("The note is kept.", "It is stored with your decision.")
        self.leave_field()

    def keep_draft(self) -> None:
        """Keep a note as it is being typed."""
        clip = self._page.clip()
        if clip is not None:
            note = self._page.ui.side.decision.note
            self._page.session.keep_draft(clip.clip_id, note)

    # Buttons of the page's head

    def find_codes(self) -> None:
        """Choose who codes the clips."""
        self._page.act_wanted.emit(Act.CHOOSE_CODER)

    def find_media(self) -> None:
        """Have the recording looked for."""
        self._page.act_wanted.emit(Act.FIND_MEDIA)

    @property
    def _decision(self) -> DecisionPanel:
        return self._page.ui.side.decision

    def _cite(self, make: Callable[[Clip], Citation]) -> None:
        clip = self._page.clip()
        if clip is None:
            return
        try:
            cited = make(clip)
        except Refused as error:
            self._page.told.emit(error.message, error.hint)
            return
        self._decision.take(self._decision.pick.citing(cited))

    def _note(self) -> str:
        """Take the note as typed; from here it travels with the decision."""
        self._page.ui.side.decision.finish_typing()
        return self._page.ui.side.decision.note

    def _step(self, by: int) -> None:
        review = self._page.session.review
        clips = review.clips if review else ()
        here = next((i for i, c in enumerate(clips) if c.clip_id == self._page.clip_id), -1)
        if clips and 0 <= here + by < len(clips):
            self._page.go_to_clip(clips[here + by].clip_id)
