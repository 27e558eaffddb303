from __future__ import annotations

import json
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.errors import BadAnswer, EngineMissing, EngineStopped, StoreRefused
from app.places import log_folder
from app.running.plan import estimate, estimate_in_words, make_plan
from app.running.protocols import Price, no_report
from app.running.questions import FrameRef, Message, Question, RawAnswer, Sampler, Status
from app.running.results import read_results
from app.running.run import Ended, run
from app.store.library import Library
from engines.scripted import Fault, Scripted, Slow

SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {"level": {"type": "integer", "minimum": 1, "maximum": 4}},
        "required": ["level"],
        "additionalProperties": False,
    }
)
GOOD = '{"level": 2}'
SYSTEM = Message("system", ("Give the level.",))


def ask_about(*clips, draws=1, schema=SCHEMA, seed=0):
    return [
        Question(
            f"clip {clip}",
            (SYSTEM, Message("user", (f"Clip {clip}",))),
            schema,
            Sampler(seed=seed),
            draws,
        )
        for clip in clips
    ]


def read_level(text):
    level = json.loads(text)["level"]
    if level == 4:
        raise BadAnswer("Level 4 needs evidence.")
    return level


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "a.clerestory", "Ann") as opened:
        yield opened


@pytest.fixture
def store(library):
    return library.attempts


def go(questions, engine, store, read=read_level, report=no_report, stop=None):
    plan = make_plan("levels", questions, engine.facts())
    return run(plan, engine, store, read, report, stop)


def statuses(summary):
    return [result.status for result in summary.results]


def asked_clips(engine):
    return [question.name for question, _ in engine.asked]


# What is asked, and what is not


def test_a_second_run_asks_only_what_is_missing(store):
    go(ask_about(1, 2), Scripted([GOOD, GOOD]), store)
    later = Scripted(['{"level": 3}'])
    done = go(ask_about(1, 2, 3), later, store)
    assert asked_clips(later) == ["clip 3"]
    assert [result.value for result in done.results] == [2, 2, 3]
    assert (done.ended, done.cached, done.attempts, done.left) == (Ended.DONE, 2, 1, 0)


def test_a_run_with_everything_there_writes_nothing(store):
    go(ask_about(1), Scripted([GOOD]), store)
    done = go(ask_about(1), Scripted([]), store)
    assert (done.run_id, done.attempts, done.cached) == (None, 0, 1)
    assert len(store.runs()) == 1


def test_draws_are_answers_of_their_own_and_only_missing_ones_are_asked(store):
    engine = Scripted(lambda _question, draw: json.dumps({"level": draw + 1}))
    go(ask_about(1, draws=2), engine, store)
    more = Scripted(lambda _question, draw: json.dumps({"level": draw + 1}))
    done = go(ask_about(1, draws=3), more, store)
    assert [draw for _, draw in more.asked] == [2]
    assert [result.value for result in done.results] == [1, 2, 3]


def test_the_same_question_twice_in_a_plan_is_asked_once_and_answered_twice(store):
    engine = Scripted([GOOD])
    done = go(ask_about(1, 1), engine, store)
    assert len(engine.asked) == 1
    assert [result.value for result in done.results] == [2, 2]


def test_two_models_share_no_answer(store):
    go(ask_about(1), Scripted([GOOD], model="a"), store)
    other = Scripted(['{"level": 3}'], model="b")
    assert go(ask_about(1), other, store).results[0].value == 3


def test_a_plan_for_another_model_is_a_bug(store):
    plan = make_plan("levels", ask_about(1), Scripted(model="a").facts())
    with pytest.raises(ValueError, match="another model"):
        run(plan, Scripted([GOOD], model="b"), store, read_level)


FRAME = FrameRef("/a.mp4", "f" * 64, 1000, 448)
PARTS = st.lists(
    st.text(max_size=3)
    | st.builds(
        FrameRef,
        st.just("/a.mp4"),
        st.sampled_from(["f" * 64, "e" * 64]),
        st.integers(0, 3),
        st.sampled_from([224, 448]),
    ),
    max_size=3,
).map(tuple)
MESSAGES = st.lists(st.builds(Message, st.sampled_from(["system", "user"]), PARTS), max_size=3).map(
    tuple
)
SAMPLERS = st.builds(
    Sampler,
    st.sampled_from([0.0, 1.0]),
    st.integers(1, 2),
    st.integers(0, 2),
    st.sampled_from([0.9, 1.0]),
)
ASKED = st.tuples(
    MESSAGES,
    st.sampled_from(["", SCHEMA, "{}"]),
    SAMPLERS,
    st.integers(0, 2),
    st.sampled_from([(("w", "1"),), (("w", "2"),), (("w", "1"), ("p", "1"))]),
)


def key_of(asked):
    messages, schema, sampler, draw, identity = asked
    return Question("q", messages, schema, sampler).key(identity, draw)


@settings(max_examples=500)
@given(ASKED, ASKED)
def test_keys_are_equal_exactly_when_every_part_is(one, other):
    assert (key_of(one) == key_of(other)) == (one == other)


@pytest.mark.parametrize(
    "other",
    [
        Question("q", (SYSTEM, Message("user", ("Clip 2",))), SCHEMA),
        Question("q", (SYSTEM, Message("user", ("Clip 1", ""))), SCHEMA),
        Question("q", (SYSTEM, Message("user", ("Clip", " 1"))), SCHEMA),
        Question("q", (SYSTEM, Message("assistant", ("Clip 1",))), SCHEMA),
        Question("q", (Message("user", ("Clip 1",)), SYSTEM), SCHEMA),
        Question("q", (SYSTEM, Message("user", ("Clip 1", FRAME))), SCHEMA),
        Question("q", (SYSTEM, Message("user", ("Clip 1",))), ""),
        Question("q", (SYSTEM, Message("user", ("Clip 1",))), SCHEMA, Sampler(0.1)),
        Question("q", (SYSTEM, Message("user", ("Clip 1",))), SCHEMA, Sampler(max_tokens=9)),
        Question("q", (SYSTEM, Message("user", ("Clip 1",))), SCHEMA, Sampler(seed=1)),
        Question("q", (SYSTEM, Message("user", ("Clip 1",))), SCHEMA, Sampler(top_p=0.5)),
    ],
)
def test_a_change_of_any_part_asks_again(other):
    first = Question("q", (SYSTEM, Message("user", ("Clip 1",))), SCHEMA)
    assert other.key((), 0) != first.key((), 0)


def test_moving_a_recording_or_renaming_a_question_asks_nothing_again():
    moved = FrameRef("/elsewhere/a.mp4", FRAME.fingerprint, 1000, 448)
    keys = {
        Question(name, (Message("user", (frame,)),), "", prompt_version=name).key((("w", "1"),), 0)
        for name, frame in (("a", FRAME), ("b", moved))
    }
    assert len(keys) == 1


# What becomes of an answer


def test_every_failure_has_its_status_and_none_has_a_value(store):
    script = [
        GOOD,
        Fault.REFUSAL,
        Fault.REFUSAL_TEXT,
        Fault.TRUNCATION,
        Fault.SERVER_ERROR,
        Fault.BAD_JSON,
        "Once more, badly",
    ]
    done = go(ask_about(1, 2, 3, 4, 5, 6), Scripted(script), store)
    assert statuses(done) == [
        Status.OK,
        Status.REFUSAL,
        Status.REFUSAL,
        Status.TRUNCATED,
        Status.BACKEND_ERROR,
        Status.SCHEMA_FAIL,
    ]
    assert [result.value for result in done.results] == [2, None, None, None, None, None]
    assert done.counts[Status.REFUSAL] == 2
    assert done.attempts == 7


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ('{"level": 9}', "“level”: 9 is above 4."),
        ('{"level": 4}', "Level 4 needs evidence."),
        ("Two.", "The answer is not sound JSON: expecting value (line 1)."),
        ('{"level": 2,}', "The JSON is broken: it has a comma before the end."),
        ("", "The answer is empty."),
    ],
)
def test_the_error_is_shown_to_the_model_once(store, broken, told):
    engine = Scripted([broken, GOOD])
    done = go(ask_about(1), engine, store)
    assert (statuses(done), done.results[0].value) == ([Status.RETRY_OK], 2)
    first, second = (question for question, _ in engine.asked)
    assert second.messages[: len(first.messages)] == first.messages
    assert [message.role for message in second.messages[-2:]] == ["assistant", "user"]
    assert second.messages[-2].parts == (broken or "(nothing)",)
    assert told in second.messages[-1].parts[0]


def test_a_second_broken_answer_is_final_and_never_asked_again(store):
    done = go(ask_about(1), Scripted(["?", "??"]), store)
    assert statuses(done) == [Status.SCHEMA_FAIL]
    assert done.results[0].raw.text == "??"
    again = Scripted([])
    assert statuses(go(ask_about(1), again, store)) == [Status.SCHEMA_FAIL]
    assert again.asked == []


def test_a_repaired_answer_never_counts_but_can_be_seen(store):
    done = go(ask_about(1), Scripted(['{"level": 2,}', '{"level": 3,}']), store)
    result = done.results[0]
    assert (result.status, result.value) == (Status.SCHEMA_FAIL, None)
    assert (result.opened.value, result.opened.repairs) == (
        {"level": 3},
        ("a comma before the end",),
    )


def test_what_was_taken_off_is_kept_beside_the_whole_text(store):
    text = f"<think>Hm.</think>```json\n{GOOD}\n```"
    go(ask_about(1), Scripted([text]), store)
    kept = store.of_run(1)[0]
    assert (kept.raw.text, kept.status) == (text, Status.OK)
    assert kept.taken_off == ("thinking (3 characters)", "a code fence")


def test_free_text_is_kept_as_it_is(store):
    engine = Scripted(["Follow the child's lead."])
    done = go(ask_about(1, schema=""), engine, store, read=lambda text: text)
    assert done.results[0].value == "Follow the child's lead."


def test_every_attempt_is_kept_with_all_that_is_known_of_it(store):
    raw = RawAnswer('{"level": 9}', "stop", 812, 700, 6, 1.25, details=(("frames", "6"),))
    go(ask_about(1, draws=2, seed=7), Scripted([GOOD, raw, Fault.CRASH]), store)
    first, second, third = store.of_run(1)
    assert (first.status, second.status, third.status) == (
        Status.OK,
        Status.SCHEMA_FAIL,
        Status.BACKEND_ERROR,
    )
    assert second.raw == raw
    assert (second.draw, second.seed, second.place, second.error) == (
        1,
        8,
        1,
        "“level”: 9 is above 4.",
    )
    assert (first.stands, second.stands, third.stands) == (True, True, False)
    assert (third.place, third.raw.text) == (2, "")
    assert "engine crashed" in third.error
    asked = store.question_of(second.attempt_id)
    assert asked.messages[1] == ["user", [["text", "Clip 1"]]]
    assert (asked.schema, asked.seed, asked.max_tokens) == (SCHEMA, 7, 1024)
    assert store.runs()[0].identity == (("script", "script"),)


def test_attempts_are_never_rewritten(library):
    go(ask_about(1), Scripted([GOOD]), library.attempts)
    with library._connections.plain() as connection:
        for statement in ("UPDATE attempt SET status = 'ok'", "DELETE FROM attempt"):
            with pytest.raises(Exception, match="only ever added to"):
                connection.execute(statement)


def test_half_a_character_reads_the_same_now_and_later(store):
    engine = Scripted(["a \ud83d b"])
    now = go(ask_about(1, schema=""), engine, store, read=lambda text: text)
    plan = make_plan("levels", ask_about(1, schema=""), engine.facts())
    assert read_results(plan, store, lambda text: text) == now.results


def test_an_answer_of_another_program_that_came_first_stands(store):
    other = Scripted(['{"level": 3}'])

    def meanwhile(_question, _draw):
        go(ask_about(1), other, store)
        return GOOD

    done = go(ask_about(1), Scripted(meanwhile), store)
    assert done.results[0].value == 3
    assert [attempt.stands for attempt in store.of_keys([done.results[0].key])] == [True, False]


def test_what_the_reader_does_not_take_is_judged_alike_now_and_later(store):
    engine = Scripted(['{"level": 4}', '{"level": 4}', '{"level": 4}', GOOD])
    now = go(ask_about(1, 2), engine, store)
    assert statuses(now) == [Status.SCHEMA_FAIL, Status.RETRY_OK]
    plan = make_plan("levels", ask_about(1, 2), engine.facts())
    assert read_results(plan, store, read_level) == now.results


def test_a_reader_that_takes_more_than_before_asks_nothing(store):
    go(ask_about(1), Scripted(['{"level": 4}', '{"level": 4}']), store)
    later = Scripted([])
    done = go(ask_about(1), later, store, read=lambda text: json.loads(text)["level"])
    assert (statuses(done), done.results[0].value, later.asked) == ([Status.OK], 4, [])


def test_answers_are_checked_again_when_the_checks_have_changed(store, monkeypatch):
    go(ask_about(1), Scripted([GOOD]), store)
    monkeypatch.setattr("app.store.attempts.CHECKS_VERSION", "2")
    monkeypatch.setattr("app.running.attempts.schema_error", lambda *_: "It is too short")
    done = go(ask_about(1), Scripted(["?"]), store)
    assert statuses(done) == [Status.SCHEMA_FAIL]


# When the engine fails


def test_a_crash_costs_one_question_and_resuming_asks_it_again(store):
    done = go(ask_about(1, 2, 3), Scripted([GOOD, Fault.CRASH, GOOD]), store)
    assert statuses(done) == [Status.OK, Status.BACKEND_ERROR, Status.OK]
    later = Scripted([GOOD])
    assert statuses(go(ask_about(1, 2, 3), later, store)) == [Status.OK] * 3
    assert asked_clips(later) == ["clip 2"]


def test_a_crash_at_the_second_attempt_asks_only_that_again(store):
    go(ask_about(1), Scripted(["?", Fault.CRASH]), store)
    later = Scripted([GOOD])
    assert statuses(go(ask_about(1), later, store)) == [Status.RETRY_OK]
    assert len(later.asked) == 1


@pytest.mark.parametrize("fault", [Fault.CRASH, Fault.SERVER_ERROR])
def test_three_failures_in_a_row_pause_the_work_and_name_the_log(store, fault):
    engine = Scripted([GOOD, fault, GOOD, fault, fault, fault, GOOD])
    done = go(ask_about(*range(8)), engine, store)
    assert (done.ended, done.left) == (Ended.PAUSED, 2)
    assert isinstance(done.notice, EngineStopped)
    assert "“levels” is paused" in done.notice.message
    assert "The script says that the" in done.notice.message
    assert str(log_folder() / "engines.log") in done.notice.hint


def test_questions_that_bring_the_engine_down_do_not_keep_the_rest_from_being_asked(store):
    def script(question, _draw):
        return Fault.CRASH if question.name in ("clip 0", "clip 1", "clip 2") else GOOD

    assert go(ask_about(*range(6)), Scripted(script), store).ended == Ended.PAUSED
    done = go(ask_about(*range(6)), Scripted(script), store)
    assert [result.value for result in done.results] == [None, None, None, 2, 2, 2]


def test_a_missing_model_ends_the_run_and_what_was_answered_is_kept(store):
    def script(question, _draw):
        if question.name == "clip 2":
            raise EngineMissing("The weights are gone.", "Add them again.")
        return GOOD

    with pytest.raises(EngineMissing, match="weights are gone"):
        go(ask_about(1, 2, 3), Scripted(script), store)
    later = Scripted([GOOD, GOOD])
    assert go(ask_about(1, 2, 3), later, store).cached == 1


def test_a_fault_of_ours_is_not_taken_for_an_engines(store):
    def script(_question, _draw):
        raise KeyError("oops")

    with pytest.raises(KeyError, match="oops"):
        go(ask_about(1), Scripted(script), store)
    assert store.of_run(1) == []


def test_a_fault_in_a_reader_ends_the_run_but_loses_no_answer(store):
    def faulty(_text):
        raise KeyError("oops")

    with pytest.raises(KeyError, match="oops"):
        go(ask_about(1, 2), Scripted([GOOD, GOOD]), store, read=faulty)
    later = Scripted([GOOD])
    assert statuses(go(ask_about(1, 2), later, store)) == [Status.OK, Status.OK]
    assert asked_clips(later) == ["clip 2"]


def test_an_answer_that_cannot_be_kept_ends_the_run(tmp_path):
    library = Library.open(tmp_path / "b.clerestory", "Ann", wait_ms=50)
    engine = Scripted(lambda *_: (library.close(), GOOD)[1])
    with pytest.raises(StoreRefused):
        go(ask_about(1, 2), engine, library.attempts)


# Stopping


@pytest.mark.parametrize("in_flight", [1, 4])
@pytest.mark.parametrize("entry", [Slow(30, GOOD), Fault.DEAF])
def test_stopping_takes_less_than_a_second_whatever_the_engine_does(store, in_flight, entry):
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    began = time.monotonic()
    engine = Scripted(lambda *_: entry, in_flight=in_flight)
    done = go(ask_about(*range(5)), engine, store, stop=stop)
    assert time.monotonic() - began < 1.2
    assert (done.ended, done.left) == (Ended.STOPPED, 5)


def test_an_answer_that_comes_just_after_the_stop_is_kept(store):
    stop = threading.Event()

    def script(_question, _draw):
        stop.set()
        time.sleep(0.2)
        return GOOD

    done = go(ask_about(1, 2), Scripted(script), store, stop=stop)
    assert (done.ended, statuses(done)) == (Ended.STOPPED, [Status.OK])


def test_a_stop_after_the_last_answer_changes_nothing(store):
    stop = threading.Event()
    engine = Scripted(lambda *_: (stop.set(), GOOD)[1])
    assert go(ask_about(1), engine, store, stop=stop).ended == Ended.DONE


# Several at a time


def test_as_many_questions_are_in_flight_as_the_engine_takes(store):
    together = threading.Barrier(6, timeout=10)

    def script(_question, _draw):
        together.wait()
        return GOOD

    done = go(ask_about(*range(12)), Scripted(script, in_flight=6), store)
    assert statuses(done) == [Status.OK] * 12


def test_an_answer_is_on_the_disk_before_the_next_question_is_asked(store):
    def script(question, _draw):
        number = int(question.name.split()[1])
        assert len(store.of_run(1)) == number
        return GOOD

    assert go(ask_about(*range(5)), Scripted(script), store).ended == Ended.DONE


# Before and while


def test_the_estimate_knows_nothing_of_a_model_that_never_answered(store):
    engine = Scripted([])
    plan = make_plan("levels", ask_about(1, 2, draws=5), engine.facts())
    found = estimate(plan, store)
    assert (found.answers, found.cached, found.calls) == (10, 0, 10)
    # 15 and 6 characters, at 4 a token, ten times; and all the tokens that may be written.
    assert (found.tokens_in, found.tokens_out, found.measured) == (50, 10_240, False)
    assert (found.seconds, found.cost) == (None, None)
    assert engine.asked == []
    assert "time unknown until the first answers" in estimate_in_words(found)


def test_the_estimate_goes_by_what_the_model_took_before(store):
    raw = RawAnswer(GOOD, "stop", 1000, 0, 50, 4.0)
    priced = {"in_flight": 2, "price": Price(3.0, 15.0, "EUR")}
    go(ask_about(1, 2), Scripted([raw, raw], **priced), store)
    plan = make_plan("levels", ask_about(1, 2, 3, 4, 5, 6), Scripted(**priced).facts())
    found = estimate(plan, store)
    assert (found.answers, found.cached, found.calls) == (6, 2, 4)
    assert (found.tokens_in, found.tokens_out, found.measured) == (4000, 200, True)
    assert found.seconds == 8.0
    assert found.cost == pytest.approx(0.015)
    assert estimate_in_words(found) == (
        "6 answers, 2 of them there already; 4 to ask: about 8 s, "
        "roughly 4,000 tokens in and 200 out, about 0.01 EUR. "
        "Answers that break the format are asked once more."
    )


def test_a_plan_with_everything_there_takes_nothing(store):
    go(ask_about(1), Scripted([GOOD]), store)
    found = estimate(make_plan("levels", ask_about(1), Scripted().facts()), store)
    assert (found.calls, found.seconds, found.tokens_in) == (0, 0.0, 0)
    assert estimate_in_words(found) == "Every answer is there already; nothing is asked."


def test_progress_tells_how_much_is_left(store):
    told = []
    engine = Scripted(lambda *_: GOOD, seconds=0.02)
    go(ask_about(*range(4)), engine, store, report=lambda share, doing: told.append((share, doing)))
    shares = [share for share, _ in told]
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert shares == sorted(shares)
    assert told[0][1] == "0 of 4 answered"
    assert any(doing.startswith("2 of 4 answered, about 1 s left") for _, doing in told)


def test_tokens_and_cost_of_a_run_are_added_up(store):
    raw = RawAnswer(GOOD, "stop", 1_000_000, 0, 100_000)
    engine = Scripted([raw, raw], price=Price(1.0, 10.0))
    done = go(ask_about(1, 2), engine, store)
    assert (done.tokens_in, done.tokens_out, done.cost) == (2_000_000, 200_000, 4.0)


def test_a_stop_that_meets_the_very_last_question_is_not_taken_for_the_end(store):
    stop = threading.Event()

    def script(question, _draw):
        if question.name == "clip 2":
            stop.set()
            return Slow(9, GOOD)
        return GOOD

    summary = go(ask_about(1, 2), Scripted(script), store, stop=stop)
    assert (summary.ended, summary.left) == (Ended.STOPPED, 1)
