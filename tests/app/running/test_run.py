from __future__ import annotations

import json
import threading

import pytest
from scripted_runs import GOOD, SCHEMA, ask_about, asked_clips, go, read_level, statuses

from app.running.attempts import read_text
from app.running.plan import make_plan
from app.running.questions import RawAnswer, Status
from app.running.results import read_results
from app.running.run import Ended, run
from engines.scripted import Fault, Scripted

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


def test_free_text_that_came_empty_is_asked_for_again_without_a_word_of_json(store):
    engine = Scripted(["", "Hello."])
    done = go(ask_about(1, schema=""), engine, store, read=read_text)
    assert (statuses(done), done.results[0].value) == ([Status.RETRY_OK], "Hello.")
    assert engine.asked[1][0].messages[-1].parts == (
        "Your answer could not be used. The answer is empty.\nAnswer again.",
    )
