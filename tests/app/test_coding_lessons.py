"""A desk that codes lessons by models: which there are, what is planned, kept, refused."""

import json
import shutil
import threading
from dataclasses import replace

import pytest

from app.__main__ import parts
from app.coding.conditions import CoderChoice, Condition, Input, parse_choice
from app.desk import Desk
from app.errors import EngineMissing, MediaRefused, Paused, WrongUse
from app.models import Fit, Fits, ModelState, Origin
from app.settings import Settings
from app.store.library import Library
from engines.endpoints import Endpoint
from engines.scripted import Fault, Scripted
from resources import resource

pytestmark = pytest.mark.usefixtures("warm_children")

T, TV = Condition(Input.T), Condition(Input.TV)
SMALL = CoderChoice("small", T)
GOOD = json.dumps(
    {
        "category": "D1",
        "level": 2,
        "evidence": [{"quote": "Bags under the tables, please", "utterances": [1]}],
    }
)


class Shelf:
    """Stands for models on this computer."""

    def __init__(self, *names):
        self._states = tuple(
            ModelState(
                name, name.title(), kind, "gguf", "MIT", "", (), 1, 1, Fit(Fits.MEMORY, "fits"),
                False, False, "", "", Origin.LINKED,
            )
            for name, kind in names
        )  # fmt: skip

    def states(self):
        return self._states


class NoEndpointAsked:
    """Gives every chat by name, and notes what was asked for."""

    def __init__(self, engine):
        self.engine, self.named = engine, []

    def local(self, _child, name):
        self.named.append(name)
        if name == "broken":
            raise EngineMissing("The file is gone.", "Add it again.")
        return self.engine


@pytest.fixture
def made(tmp_path):
    """Make a desk whose only installed model answers from a script."""
    opened = []

    def make(script=(GOOD,) * 99, names=(("small", "text"),), settings=None, **engine):
        chats = NoEndpointAsked(Scripted(script, **engine))
        changed = replace(parts(), shelf=lambda: Shelf(*names), local_chat=chats.local)
        library = Library.open(tmp_path / "a.clerestory", "Ann")
        opened.append(Desk(library, changed, settings or Settings()))
        return opened[-1], chats

    yield make
    for desk in opened:
        desk.close()


@pytest.fixture
def words(tmp_path):
    """Give the words of the sample lesson, as a file of their own in a folder of its own."""
    path = tmp_path / "words" / "ice.vtt"
    path.parent.mkdir()
    shutil.copy(resource("sample") / "lesson.vtt", path)
    return path


def test_models_and_endpoints_are_listed_with_what_leaves_this_computer(made):
    far = Endpoint("far", "https://api.example.org/v1", "big-1", is_on=True).to_json()
    near = Endpoint("near", "http://127.0.0.1:9/v1", "m", is_on=True).to_json()
    off = Endpoint("off", "https://api.example.org/v1", "big-1").to_json()
    same = Endpoint("small", "https://api.example.org/v1", "big-1", is_on=True).to_json()
    settings = Settings(endpoints=(far, near, off, same))
    names = (("small", "text"), ("broken", "vision"), ("whisper", "speech"))
    desk, _ = made(names=names, settings=settings, images=8)
    found = {choice.title: choice for choice in desk.engines()}
    assert [c.name for c in desk.engines()] == ["small", "broken", "far", "near", "small"]
    assert (found["Small"].images, found["Small"].leaves, found["Small"].is_ready) == (
        8,
        False,
        True,
    )
    assert found["Broken"].trouble == "The file is gone. Add it again."
    assert found["far: big-1"].goes_to == "https://api.example.org/v1"
    assert found["near: m"].goes_to == ""
    assert "same name" in found["small: big-1"].trouble


def test_a_name_that_is_installed_is_never_sent_elsewhere(made):
    same = Endpoint("small", "https://api.example.org/v1", "big-1", is_on=True).to_json()
    desk, chats = made(settings=Settings(endpoints=(same,)))
    assert desk.answering.goes_to("small") == ""
    assert desk.answering.chat("small") is chats.engine


def test_a_model_that_is_not_there_is_refused_with_those_that_are(made):
    desk, _ = made()
    with pytest.raises(EngineMissing, match="no model called “huge”") as caught:
        desk.plan_coding([], "huge T cot")
    assert "small" in caught.value.hint
    with pytest.raises(WrongUse):
        desk.plan_coding([], "small")


def test_the_plan_counts_every_clip_asks_nothing_and_keeps_no_clips(made, words):
    desk, chats = made()
    lesson_id = desk.add_lesson(None, words)
    plan = desk.plan_coding([lesson_id], replace(SMALL, draws=3))
    assert plan.calls == plan.answers > 3
    assert plan.answers % 3 == 0
    assert chats.engine.asked == []
    assert desk.library.lesson(lesson_id).clips == ()
    assert desk.plan_coding([lesson_id], "evidence-finder") is None


def test_a_lesson_is_coded_kept_once_and_not_asked_about_again(made, words):
    desk, chats = made()
    lesson_id = desk.add_lesson(None, words)
    desk.code(lesson_id, SMALL)
    review = desk.library.lesson(lesson_id)
    assert len(review.predictions) == len(review.clips) > 1
    assert {p.coder for p in review.predictions} == {"small T zero_shot"}
    asked = len(chats.engine.asked)
    assert asked == len(review.clips)
    desk.code(lesson_id, SMALL)
    assert len(chats.engine.asked) == asked
    assert desk.library.lesson(lesson_id).predictions == review.predictions
    assert desk.plan_coding([lesson_id], SMALL).calls == 0
    desk.code(lesson_id)
    assert "evidence-finder/1" in {p.coder for p in desk.library.lesson(lesson_id).predictions}


def test_lessons_that_cannot_be_shown_are_named_and_the_others_are_coded(made, words):
    desk, chats = made()
    bare = desk.add_lesson(None, words, "Words alone")
    desk.coding.code([bare], "evidence-finder")
    whole = desk.add_sample()
    [left_out] = desk.code_many([bare, whole], CoderChoice("small", TV))
    assert (left_out.lesson_id, left_out.title) == (bare, "Words alone")
    assert "no recording" in left_out.why.message
    assert {p.coder for p in desk.library.lesson(whole).predictions} == {"small TV zero_shot"}
    assert all(question.frames for question, _ in chats.engine.asked)
    with pytest.raises(MediaRefused, match="Words alone"):
        desk.code(bare, CoderChoice("small", TV))


def test_the_size_of_frames_is_that_of_the_settings(made):
    desk, chats = made(settings=Settings(frame_px=448))
    desk.code(desk.add_sample(), CoderChoice("small", TV))
    assert {f.max_px for q, _ in chats.engine.asked for f in q.frames} == {448}


def test_a_paused_run_keeps_whole_lessons_and_a_resumed_one_ends_like_an_unbroken_one(
    made, words, tmp_path
):
    desk, _ = made(script=[GOOD] * 3 + [Fault.CRASH] * 3)
    lesson_id = desk.add_lesson(None, words)
    with pytest.raises(Paused):
        desk.code(lesson_id, SMALL)
    assert desk.library.lesson(lesson_id).predictions == ()
    later, chats = made()
    later.code(lesson_id, SMALL)
    review = later.library.lesson(lesson_id)
    assert [p.status for p in review.predictions] == ["ok"] * len(review.clips)
    assert len(chats.engine.asked) == len(review.clips) - 3


def test_clips_of_many_lessons_go_to_a_server_in_one_run(made, words):
    def script(question, _draw):
        barrier.wait(20)
        return GOOD

    desk, _ = made(script=script, in_flight=4)
    other = words.with_name("other.vtt")
    other.write_text(words.read_text("utf-8").replace("Good morning", "Good day"), "utf-8")
    ids = [desk.add_lesson(None, words), desk.add_lesson(None, other)]
    answers = desk.plan_coding(ids, SMALL).answers
    width = max(n for n in (1, 2, 3, 4) if answers % n == 0)
    barrier = threading.Barrier(width)
    assert desk.code_many(ids, SMALL) == ()
    assert len(desk.library.attempts.runs()) == 1
    for lesson_id in ids:
        review = desk.library.lesson(lesson_id)
        assert len(review.predictions) == len(review.clips)


def test_a_choice_may_be_given_by_its_name(made, words):
    desk, _ = made()
    lesson_id = desk.add_lesson(None, words)
    desk.code(lesson_id, "small T few_shot")
    found = desk.library.lesson(lesson_id).predictions
    assert {parse_choice(p.coder).engine for p in found} == {"small"}
