"""Any run of changes, undos and redos against a plain model, the library reopened in between."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from app.coding.records import Decision, Verdict
from app.confusion.records import EventDecision, EventVerdict
from app.errors import StoreRefused
from app.lesson.clips import Clip
from app.lesson.transcript.records import Role, Transcript, Utterance
from app.store.library import Library

NAMES = st.sampled_from(["T", "S1", "Ms Okoro", ""])
TEXTS = st.sampled_from(["Why melts it?", "Ice.", "", "warm water", "como así"])
NUMBERS = st.integers(1, 3)
CLIPS = [Clip(f"c{n}", n, n, n * 1000, n * 1000 + 500) for n in (1, 2, 3)]
ORIGINAL = Transcript(
    (
        Utterance(1, "Why does ice melt?", 0, 900, "T"),
        Utterance(2, "Because it is warm.", 900, 1800, "S1"),
        Utterance(3, "How do you know?", 1800, None, "T"),
    ),
    "import:srt",
)


class Model:
    """What stands, as plain values; a past and a future of whole states."""

    def __init__(self):
        self.state = {
            "title": "Ice",
            "note": "",
            "lines": [(u.text, u.speaker) for u in ORIGINAL.utterances],
            "roles": {"T": Role.TEACHER},
            "decisions": [],
            "events": [],
            "clips": None,
        }
        self.past, self.future = [], []
        self.proposed = None

    def change(self, **new):
        after = {**self.state, **new}
        self.past.append(self.state)
        self.future.clear()
        self.state = after

    def step(self, source, target):
        if source:
            target.append(self.state)
            self.state = source.pop()


class Undo(RuleBasedStateMachine):
    @initialize()
    def start(self):
        self.folder = Path(tempfile.mkdtemp())
        self.library = Library.open(self.folder / "a.clerestory", "Ann")
        self.id = self.library.add_lesson("Ice", None, ORIGINAL, {"T": Role.TEACHER})
        learners = self.library.learners
        learners.add_video(self.id, learners.add_learner("K."))
        self.model = Model()

    def teardown(self):
        self.library.close()
        shutil.rmtree(self.folder)

    @rule(clip=st.sampled_from(CLIPS), practice=st.sampled_from(["D1", "D2"]), note=TEXTS)
    def decide(self, clip, practice, note):
        made = Decision(clip, Verdict.ACCEPT, practice, 2, "Ann", "2026-11-29T10:00:00.000Z", note)
        self.library.decide(self.id, made)
        self.model.change(decisions=[*self.model.state["decisions"], made])

    @rule(name=st.sampled_from("ab"), verdict=st.sampled_from(EventVerdict), note=TEXTS)
    def decide_event(self, name, verdict, note):
        when = "2026-11-29T10:00:00.000Z"
        made = EventDecision(name, verdict, 0, 2000, "Ann", when, note, "one", 0, 4000)
        self.library.learners.decide_event(self.id, made)
        self.model.change(events=[*self.model.state["events"], made])

    @rule(number=NUMBERS, text=TEXTS)
    def edit(self, number, text):
        self.library.edit_utterance(self.id, number, text)
        lines = list(self.model.state["lines"])
        if lines[number - 1][0] != text:
            lines[number - 1] = (text, lines[number - 1][1])
            self.model.change(lines=lines)

    @rule(number=NUMBERS, name=NAMES)
    def speak(self, number, name):
        self.library.set_utterance_speaker(self.id, number, name)
        lines = list(self.model.state["lines"])
        if lines[number - 1][1] != name:
            lines[number - 1] = (lines[number - 1][0], name)
            self.model.change(lines=lines)

    @rule(old=NAMES, new=NAMES)
    def rename(self, old, new):
        lines, roles = self.model.state["lines"], dict(self.model.state["roles"])
        if old not in roles and old not in [name for _, name in lines]:
            with pytest.raises(StoreRefused):
                self.library.rename_speaker(self.id, old, new)
            return
        self.library.rename_speaker(self.id, old, new)
        if old == new:
            return
        if old in roles:
            role = roles.pop(old)
            roles.setdefault(new, role)
        renamed = [(text, new if name == old else name) for text, name in lines]
        self.model.change(lines=renamed, roles=roles)

    @rule(name=NAMES, role=st.sampled_from(Role))
    def give_role(self, name, role):
        self.library.set_role(self.id, name, role)
        if self.model.state["roles"].get(name) is not role:
            self.model.change(roles={**self.model.state["roles"], name: role})

    @rule(text=TEXTS)
    def note(self, text):
        self.library.set_note(self.id, text)
        if self.model.state["note"] != text:
            self.model.change(note=text)

    @rule(text=TEXTS)
    def retitle(self, text):
        self.library.retitle(self.id, text)
        if self.model.state["title"] != text:
            self.model.change(title=text)

    @rule(chosen=st.lists(st.sampled_from(CLIPS), unique=True))
    def draw_clips(self, chosen):
        self.library.set_clips(self.id, chosen, "Ann", "Draw clips")
        self.model.change(clips=sorted(chosen, key=lambda clip: clip.start_ms))

    @rule()
    def propose(self):
        taken = self.library.propose_clips(self.id, CLIPS[:2])
        assert taken == (self.model.state["clips"] is None and self.model.proposed is None)
        if taken:
            self.model.proposed = CLIPS[:2]

    @rule(times=st.integers(1, 4))
    def undo(self, times):
        for _ in range(times):
            had = bool(self.model.past)
            assert (self.library.undo(self.id) is not None) == had
            self.model.step(self.model.past, self.model.future)

    @rule(times=st.integers(1, 3))
    def redo(self, times):
        for _ in range(times):
            had = bool(self.model.future)
            assert (self.library.redo(self.id) is not None) == had
            self.model.step(self.model.future, self.model.past)

    @rule(back=st.integers(1, 4), forth=st.integers(1, 3))
    def go_back_and_forth(self, back, forth):
        self.undo(back)
        self.redo(forth)

    @rule()
    def reopen(self):
        self.library.close()
        self.library = Library.open(self.folder / "a.clerestory", "Ann")

    @invariant()
    def the_library_shows_what_stands(self):
        review, state = self.library.lesson(self.id), self.model.state
        assert review.original == ORIGINAL
        assert review.transcript == replace(
            ORIGINAL,
            utterances=tuple(
                replace(line, text=text, speaker=speaker)
                for line, (text, speaker) in zip(ORIGINAL.utterances, state["lines"], strict=True)
            ),
        )
        shown = (review.title, review.note, review.roles, list(review.decisions))
        assert shown == (state["title"], state["note"], state["roles"], state["decisions"])
        assert list(self.library.learners.video(self.id).decisions) == state["events"]
        drawn = self.model.proposed if state["clips"] is None else state["clips"]
        assert list(review.clips) == (drawn or [])
        assert [c.undone for c in review.history].count(False) == len(self.model.past)
        assert (self.library.can_undo(self.id) is None) == (not self.model.past)
        assert (self.library.can_redo(self.id) is None) == (not self.model.future)

    @invariant()
    def the_search_finds_what_stands_and_nothing_else(self):
        state = self.model.state
        texts = [text for text, _ in state["lines"]] + [state["note"], state["title"]]
        texts += [decision.note for decision in state["decisions"] + state["events"]]
        for word in ("melt", "ice", "warm", "asi"):
            found = {hit.text for hit in self.library.search(word, 100)}
            plain = {text for text in texts if word in text.lower().replace("í", "i")}
            assert found == plain


TestUndo = pytest.mark.slow(Undo.TestCase)
TestUndo.settings = settings(max_examples=20, stateful_step_count=25, deadline=None)
