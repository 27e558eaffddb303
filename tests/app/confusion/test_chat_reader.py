"""The chat reader over a scripted model: what is asked, what is read of it, and what fails."""

import json
import threading
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from window_material import hidden, material, recording, seen, series

from app.coding.prompts import read_prompt
from app.confusion.chat_answer import read_claim, schema_of
from app.confusion.chat_questions import NO_PICTURE, TABLES, Asking
from app.confusion.chat_reader import ChatReader
from app.confusion.face_gate import NOT_SEEN, FaceGate
from app.confusion.reader_names import FACE_CUES, OneReader, parse_reader
from app.confusion.records import Confidence, Cue, CueKind, Level, Reading
from app.confusion.thresholds import read_thresholds
from app.confusion.windows import windows_of
from app.errors import BadAnswer, Cancelled, EngineMissing, MediaRefused, Paused, WrongUse
from app.lesson.spans import Span
from app.running.protocols import no_report
from app.running.schemas import schema_error
from app.store.library import Library
from app.store.readings import require_sound
from engines.llama_cpp_grammar import grammar_of
from engines.scripted import Fault, Scripted
from resources import resource

FROWN = ("brow lowered", (2, 3), "brows drawn together")
MEDIUM = seen("medium", "high", (2, 3), [FROWN])


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "a.clerestory", "Ann") as opened:
        yield opened


@pytest.fixture
def read(library):
    """Read a video by a scripted model; gives the readings and the engine."""

    def go(script, video=None, windows=None, *, draws=1, gate=None, engine=None, **facts):
        video = video or material()
        engine = engine or Scripted(script, **facts)
        given = {} if gate is None else {"gate_of": lambda _video: gate}
        reader = ChatReader(OneReader("small", draws), engine, library.attempts, **given)
        found = []
        reader.read(
            video,
            windows or windows_of(video.media.span),
            found.extend,
            no_report,
            threading.Event(),
        )
        for reading in found:
            require_sound(reading)
        return found, engine

    return go


def words_of(question):
    return "".join(p for m in question.messages for p in m.parts if isinstance(p, str))


def test_a_window_is_shown_in_four_frames_that_are_named_by_number_and_time(read):
    (reading,), engine = read([MEDIUM], windows=[Span(4000, 6000)])
    ((question, _),) = engine.asked
    assert [(f.time_ms, f.max_px) for f in question.frames] == [
        (4000, 640),
        (4500, 640),
        (5000, 640),
        (5500, 640),
    ]
    assert "Frame 2, at 0:04.5:" in words_of(question)
    assert "runs from 0:04.0 to 0:06.0" in words_of(question)
    assert reading == Reading(
        4000,
        6000,
        True,
        Level.MEDIUM,
        Confidence.HIGH,
        (Cue(CueKind.BROW, (4500, 5000), words="brows drawn together"),),
        (4500, 5000),
    )


def test_all_five_criteria_the_levels_and_the_rule_of_the_hidden_face_are_told(read):
    _, engine = read([MEDIUM], windows=[Span(0, 2000)])
    told = words_of(engine.asked[0][0])
    for part in ("AU4", "AU7", "AU10", "AU24", "smile speaks against", "hand at the chin"):
        assert part in told
    for part in ("leaning in", "none:", "low:", "medium:", "high:", "Never guess", '"visible"'):
        assert part in told
    assert all(f"“{kind}”" in told for kind in CueKind)


def test_the_prefix_that_questions_share_comes_first(read):
    _, engine = read([seen()] * 2, windows=[Span(0, 2000), Span(2000, 4000)])
    first, second = (question for question, _ in engine.asked)
    assert first.messages[0] == second.messages[0]
    assert first.schema == second.schema


def test_a_face_that_cannot_be_seen_has_no_level(read):
    (reading,), _ = read([hidden()], windows=[Span(0, 2000)])
    assert reading == Reading(0, 2000, False, note="The chair is empty.")


def test_the_form_of_an_answer_has_no_place_for_a_level_of_nobody():
    schema = schema_of(4)
    assert schema_error(json.loads(hidden()), schema) == ""
    assert schema_error(json.loads(MEDIUM), schema) == ""
    wrong = json.loads(hidden())
    wrong["window"]["level"] = "high"
    assert schema_error(wrong, schema)
    wrong = json.loads(MEDIUM)
    wrong["window"]["visible"] = "no"
    assert schema_error(wrong, schema)
    del wrong["window"]["level"]
    assert schema_error(wrong, schema)


def test_a_local_model_can_be_held_to_the_form_of_an_answer():
    assert "root ::=" in grammar_of(schema_of(4))


def test_a_level_must_rest_on_a_frame(read):
    with pytest.raises(BadAnswer, match="names no frame"):
        read_claim(seen("high"))
    (reading,), engine = read([seen("high"), MEDIUM], windows=[Span(0, 2000)])
    assert (reading.level, reading.status) == (Level.MEDIUM, "retry-ok")
    assert "names no frame" in words_of(engine.asked[1][0])


def test_a_frame_that_was_not_shown_breaks_the_form(read):
    (reading,), _ = read([seen("low", "low", (5,))] * 2, windows=[Span(0, 2000)])
    assert (reading.is_visible, reading.level, reading.status) == (True, None, "schema-fail")


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (Fault.REFUSAL, "refusal"),
        (Fault.REFUSAL_TEXT, "refusal"),
        (Fault.TRUNCATION, "truncated"),
        ("Perhaps a little.", "schema-fail"),
        (Fault.SERVER_ERROR, "backend-error"),
    ],
)
def test_every_failure_stays_one_and_is_never_a_level(read, fault, status):
    (reading,), _ = read([fault, fault], windows=[Span(0, 2000)])
    assert (reading.status, reading.level) == (status, None)
    assert reading.is_failure
    assert reading.is_positive is None
    assert reading.note


def test_a_smile_speaks_against(read):
    cues = [("smile", (1, 4), "smiles at the screen")]
    (reading,), _ = read([seen("none", "medium", (), cues)], windows=[Span(0, 2000)])
    (cue,) = reading.cues
    assert (cue.speaks_against, cue.at_ms) == (True, (0, 1500))


def test_five_draws_vote_and_each_stays_beside_the_result(read):
    answers = [
        seen("medium", "high", (1,), [("brow lowered", (1,), "frowns")]),
        seen("medium", "medium", (2,), [("brow lowered", (2,), "brows down")]),
        seen("none", "low"),
        hidden(),
        Fault.REFUSAL,
    ]
    (reading,), engine = read(answers, windows=[Span(0, 2000)], draws=5)
    assert len(engine.asked) == 5
    assert engine.asked[0][0].sampler.temperature > 0
    assert (reading.level, reading.confidence) == (Level.MEDIUM, Confidence.MEDIUM)  # 5 of 3: 1.7
    assert reading.cues == (Cue(CueKind.BROW, (0, 500), words="frowns (named in 2 of 2 draws)"),)
    assert reading.evidence_ms == (0, 500)
    assert reading.note == "2 of 5 draws say medium."
    assert [(d.level, d.status) for d in reading.draws] == [
        (Level.MEDIUM, "ok"),
        (Level.MEDIUM, "ok"),
        (Level.NONE, "ok"),
        (None, "ok"),
        (None, "refusal"),
    ]
    assert all(draw.key for draw in reading.draws)


def test_when_most_draws_see_nobody_the_window_is_not_visible(read):
    answers = [hidden("turned away"), hidden("too dark"), hidden("turned away"), MEDIUM, MEDIUM]
    (reading,), _ = read(answers, windows=[Span(0, 2000)], draws=5)
    assert (reading.is_visible, reading.level) == (False, None)
    assert reading.note == "turned away; too dark"


def test_without_a_majority_of_usable_draws_the_window_is_a_failure(read):
    answers = [MEDIUM, MEDIUM, Fault.REFUSAL, Fault.REFUSAL, Fault.TRUNCATION]
    (reading,), _ = read(answers, windows=[Span(0, 2000)], draws=5)
    assert (reading.status, reading.level) == ("refusal", None)
    assert reading.note.startswith("Only 2 of 5 draws can be used.")


def test_a_model_that_takes_two_pictures_is_shown_two_and_that_is_said(read):
    (reading,), engine = read([seen("low", "low", (2,))], windows=[Span(0, 2000)], images=2)
    assert [f.time_ms for f in engine.asked[0][0].frames] == [0, 1000]
    assert reading.evidence_ms == (1000,)
    assert reading.note == "2 of 4 frames were shown, because the model takes 2 pictures."


def test_a_single_picture_is_taken_from_the_middle(read):
    _, engine = read([seen()], windows=[Span(0, 2000)], images=1)
    assert [f.time_ms for f in engine.asked[0][0].frames] == [1000]


def test_a_model_that_keeps_too_little_in_mind_is_not_asked(read):
    (reading,), engine = read([], windows=[Span(0, 2000)], context_tokens=2000)
    assert (reading.status, reading.level, engine.asked) == ("truncated", None, [])


@pytest.mark.parametrize(
    ("video", "facts", "error", "told"),
    [
        (material(), {"images": 0}, EngineMissing, "cannot be shown frames"),
        (material(recording(has_video=False)), {}, MediaRefused, "no picture"),
        (material(media_found=False), {}, MediaRefused, "no longer at"),
    ],
)
def test_what_cannot_be_shown_is_refused_before_anything_is_asked(read, video, facts, error, told):
    engine = Scripted([MEDIUM], **facts)
    with pytest.raises(error, match=told):
        read([], video, engine=engine)
    assert engine.asked == []


def test_windows_where_the_video_has_no_picture_are_not_visible(read):
    media = recording(4000)
    media = replace(media, video=replace(media.video, end_ms=2000))
    found, engine = read([seen()], material(media))
    assert [(r.is_visible, r.note) for r in found] == [(True, ""), (False, NO_PICTURE)]
    assert len(engine.asked) == 1


def test_a_stopped_run_keeps_what_was_read_and_asks_only_the_rest(library):
    stop = threading.Event()
    video = material()

    def script(_question, _draw):
        if len(engine.asked) == 2:
            stop.set()
        return seen()

    engine = Scripted(script)
    kept = []
    reader = ChatReader(OneReader("small"), engine, library.attempts)
    with pytest.raises(Cancelled):
        reader.read(video, windows_of(video.media.span), kept.extend, no_report, stop)
    assert 1 <= len(kept) <= 3
    assert [r.start_ms for r in kept] == [2000 * n for n in range(len(kept))]
    later = Scripted([seen()] * 5)
    again = ChatReader(OneReader("small"), later, library.attempts)
    rest = []
    again.read(video, windows_of(video.media.span), rest.extend, no_report, threading.Event())
    assert len(rest) == 5
    assert len(later.asked) == 5 - len(kept)


def test_three_crashes_pause_and_what_failed_is_not_kept(library):
    video, kept = material(), []
    reader = ChatReader(
        OneReader("small"), Scripted([seen(), *[Fault.CRASH] * 3]), library.attempts
    )
    with pytest.raises(Paused):
        reader.read(video, windows_of(video.media.span), kept.extend, no_report, threading.Event())
    assert [(r.start_ms, r.status) for r in kept] == [(0, "ok")]


def gate(rows, looked_ms, face=None):
    made = series(rows, looked_ms)
    return FaceGate(made, face, read_thresholds(resource("face_cues.toml")), "faces 1")


def test_a_window_without_the_learners_face_is_never_asked_about(read):
    looked = range(0, 10_000, 200)
    rows = [(at, 1, 300, 200) for at in looked if at < 4000]
    found, engine = read([seen(), seen()], gate=gate(rows, looked))
    assert [r.is_visible for r in found] == [True, True, False, False, False]
    assert found[2].note == NOT_SEEN
    assert len(engine.asked) == 2


def test_with_several_faces_and_no_choice_nothing_is_asked(read):
    looked = range(0, 10_000, 200)
    rows = [(at, track, x, 200) for at in looked for track, x in ((1, 150), (2, 450))]
    found, engine = read([], gate=gate(rows, looked))
    assert engine.asked == []
    assert {r.is_visible for r in found} == {False}
    assert "choose the learner" in found[0].note


def test_the_model_is_told_which_of_several_faces_is_the_learners(read):
    looked = range(0, 2000, 200)
    rows = [(at, track, x, 240) for at in looked for track, x in ((1, 160), (2, 476))]
    _, engine = read([seen()], material(recording(2000)), gate=gate(rows, looked, (400, 476, 240)))
    told = words_of(engine.asked[0][0])
    assert "about 75 % of the way from the left" in told
    assert "50 % of the way from the top" in told


def test_what_a_reading_rests_on_is_kept_with_it(library):
    reader = ChatReader(OneReader("small", 5), Scripted(), library.attempts)
    told = dict(reader.provenance(material()))
    assert told["draws"] == "5"
    assert told["prompt"] == "confusion/1"
    assert told["faces"].startswith("not looked for")
    assert told["script"] == "script"
    assert len(told["sha256 prompt"]) == 64


@given(st.integers(0, 5000), st.integers(1, 30_000), st.integers(1, 8), st.integers(1, 8))
def test_frames_lie_in_their_window_and_rise(start_ms, duration_ms, images, wanted):
    facts = Scripted(images=images).facts()
    prompt = read_prompt(resource("prompts/confusion.toml"), TABLES)
    asking = Asking("small", facts, prompt, frames=wanted)
    video = material(recording(duration_ms, start_ms=start_ms))
    for window in windows_of(video.media.span):
        asked = asking.ask(video, window, None)
        times = [frame.time_ms for frame in asked.question.frames]
        assert times == sorted(set(times))
        assert 1 <= len(times) <= min(images, wanted)
        assert all(window.holds(at) for at in times)


@pytest.mark.parametrize(
    ("told", "draws", "name"),
    [
        ("face-cues", 1, FACE_CUES),
        ("face-cues", 5, FACE_CUES),
        ("my-model", 1, "my-model"),
        ("my-model", 5, "my-model x5"),
        ("my-model x5", 1, "my-model x5"),
        ("face-cues then my model", 5, "face-cues/1 then my model x5"),
        ("small then large x3", 5, "small then large x3"),
    ],
)
def test_readers_are_chosen_by_name(told, draws, name):
    chosen = parse_reader(told, draws)
    assert chosen.name == name
    assert parse_reader(name) == chosen


@pytest.mark.parametrize("told", ["", "a then b then c", "a then a", "a x100"])
def test_what_is_no_reader_is_refused(told):
    with pytest.raises(WrongUse):
        parse_reader(told)
    with pytest.raises(WrongUse):
        parse_reader("a", 0)
