"""The chat coder over a scripted model: every condition, every failure, draws, resuming."""

import json
import threading
import time
from dataclasses import replace

import pytest
from lesson_material import answer, material, recording

from app.coding.chat_coder import ChatCoder
from app.coding.conditions import CoderChoice, Condition, Input, Prompting, condition_of
from app.coding.confidence import confidence_of
from app.coding.evidence import run_grounding
from app.coding.probes import no_probe
from app.coding.records import Check
from app.errors import Cancelled, MediaRefused, Paused
from app.lesson.clips import Clip
from app.running import handing
from app.running.plan import estimate, estimate_in_words
from app.running.protocols import no_report
from app.running.questions import RawAnswer
from app.scoring.proportions import Proportion
from app.scoring.scored import Code
from app.store.library import Library
from engines.scripted import Fault, Scripted, Slow

CONDITIONS = [Condition(i, p) for i in Input for p in Prompting]
T = Condition(Input.T)
TWO = (Clip("c1", 1, 2, 0, 10_000), Clip("c2", 3, 4, 10_000, 20_000))


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "a.clerestory", "Ann") as opened:
        yield opened


def coder(library, engine, condition=T, draws=1):
    return ChatCoder(CoderChoice("small", condition, draws), engine, library.attempts)


def code(library, script, *lessons, condition=T, draws=1, **engine):
    made = coder(library, Scripted(script, **engine), condition, draws)
    return made.code_all(lessons or [material()], no_report, threading.Event())


def told(prediction):
    return dict(prediction.provenance)


@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
def test_every_condition_gives_a_code_with_checked_evidence(library, condition):
    cot = {"reasoning": "They are pressed."} if condition.prompting is Prompting.COT else {}
    evidence = [
        {"quote": "why do you think the ice melts FASTER", "utterances": [1]},
        {"quote": "Everybody wrote down a claim and a reason.", "utterances": [2]},
    ]
    if condition.input is Input.TV:
        evidence.append({"seen": "two bowls", "from": "0:03", "to": "0:05"})
        evidence.append({"seen": "a poster", "from": "0:30", "to": "0:31"})
    said = answer("D3", 3, evidence=evidence, **cot)
    [[found]] = code(library, [said], material(media=recording()), condition=condition)
    assert (found.practice, found.level, found.margin, found.status) == ("D3", 3, None, "ok")
    assert found.coder == f"small {condition}"
    assert condition_of(found) == ("small", condition)
    checks = [Check.VERIFIED, Check.NOT_FOUND, Check.SEEN, Check.OUTSIDE]
    assert [e.check for e in found.evidence] == checks[: len(evidence)]
    assert not any("pressed" in value for _, value in found.provenance)
    [attempt] = library.attempts.of_keys([told(found)["attempt"]])
    assert attempt.raw.text == said
    assert attempt.prompt_version.endswith(told(found)["sha256 prompt"])


def test_the_provenance_pins_down_model_prompt_sampler_and_frames(library):
    condition = Condition(Input.TV)
    [[found]] = code(
        library, [answer()], material(media=recording()), condition=condition, images=2
    )
    pairs = told(found)
    assert pairs["script"] == "script"
    assert (pairs["prompt"], len(pairs["sha256 prompt"])) == ("cip/2", 64)
    assert (pairs["temperature"], pairs["most new tokens"], pairs["seed"]) == ("0", "1024", "0")
    assert pairs["frames"] == "2 at 0, 10000 ms"
    assert pairs["retry"] == "no"
    assert int(pairs["tokens in"]) > 0
    assert found.note.startswith("2 of 20 frames")


@pytest.mark.parametrize(
    ("script", "status", "note"),
    [
        (["It is D3.", "D3, level 2"], "schema-fail", "also not when it was asked again"),
        ([answer("BI", 4), answer("BI", 4)], "schema-fail", "BI has only the levels 1 to 3"),
        ([answer("D4", 1), answer("none", 1)], "schema-fail", "must be one of"),
        ([answer(evidence=[]), answer(evidence=[])], "schema-fail", "fewer than 1"),
        ([Fault.REFUSAL], "refusal", "refused"),
        ([Fault.REFUSAL_TEXT], "refusal", "refused"),
        ([Fault.TRUNCATION], "truncated", "cut off"),
        ([Fault.SERVER_ERROR], "backend-error", "could not be asked"),
    ],
)
def test_a_failure_is_kept_as_what_it_is_and_gives_no_code(library, script, status, note):
    [[found]] = code(library, script)
    assert (found.code, found.level, found.evidence) == (None, None, ())
    assert (found.status, found.is_failure) == (status, True)
    assert note in found.note
    assert [said.code for said in found.said] == [None]


def test_a_second_answer_that_keeps_the_form_counts_and_says_so(library):
    good = answer("D2", 4)
    [[found]] = code(library, [answer("BI", 4), good])
    assert (found.practice, found.status, told(found)["retry"]) == ("D2", "retry-ok", "yes")
    [attempt] = library.attempts.of_keys([found.said[0].key])
    assert (attempt.raw.text, attempt.place) == (good, 2)


def test_the_model_is_shown_what_was_wrong_with_its_level(library):
    engine = Scripted([answer("D1", 4), answer("D1", 3)])
    coder(library, engine).code_all([material()], no_report, threading.Event())
    again = engine.asked[1][0].messages[-1].parts[0]
    assert "“level” is 4, but D1 has only the levels 1 to 3." in again


# Several draws


def draws(*codes):
    return [c if isinstance(c, Fault) else answer(*c) for c in codes]


def test_the_practice_of_most_draws_counts_with_its_lead_and_all_draws_are_kept(library):
    script = draws(("BI", 1), ("D1", 2), ("D1", 3), ("D1", 3), ("D3", 1))
    [[found]] = code(library, script, draws=5)
    assert (found.practice, found.level) == ("D1", 3)
    assert found.margin == pytest.approx((3 - 1) / 5)
    assert [s.code for s in found.said] == [
        Code("BI", 1), Code("D1", 2), Code("D1", 3), Code("D1", 3), Code("D3", 1)
    ]  # fmt: skip
    assert found.coder == "small T zero_shot x5"
    assert told(found)["attempt"] == found.said[2].key
    assert told(found)["temperature"] == "0.7"


def test_a_tie_takes_the_earliest_draw_and_says_so(library):
    [[found]] = code(library, draws(("D3", 2), ("BI", 1), ("BI", 2), ("D3", 4)), draws=4)
    assert (found.practice, found.level, found.margin) == ("D3", 2, 0.0)
    assert "tied between D3 and BI" in found.note


def test_failed_draws_are_counted_in_the_lead_and_named(library):
    script = draws(Fault.REFUSAL, ("D2", 1), Fault.REFUSAL, Fault.REFUSAL, Fault.REFUSAL)
    [[found]] = code(library, script, draws=5)
    assert (found.practice, found.margin, found.status) == ("D2", pytest.approx(0.2), "ok")
    assert "4 of 5 draws gave no usable answer." in found.note
    assert [s.status for s in found.said].count("refusal") == 4


# Plans, runs, resuming


def test_the_plan_lists_every_clip_of_every_lesson_and_asks_nothing(library):
    engine = Scripted([])
    made = coder(library, engine, draws=3)
    lessons = [material(*TWO), material(lesson_id="lesson-2")]
    plan = made.plan(lessons)
    assert len(plan.draws) == 9
    assert engine.asked == []
    assert plan.title == "Code “Ice”, “Ice” by small T zero_shot x3"


def test_a_second_run_asks_nothing_and_says_the_same(library):
    first = code(library, [answer(), answer("D1", 1)], material(*TWO))
    assert code(library, [], material(*TWO)) == first


def test_two_lessons_with_the_same_words_are_asked_about_once(library):
    lessons = [material(), material(lesson_id="lesson-2")]
    engine = Scripted([answer()])
    found = coder(library, engine).code_all(lessons, no_report, threading.Event())
    assert [len(each) for each in found] == [1, 1]
    assert len(engine.asked) == 1


def test_what_was_answered_before_a_stop_is_handed_over_and_not_asked_again(library):
    stop, handed = threading.Event(), []

    def script(question, _draw):
        if len(engine.asked) == 2:
            stop.set()
            return Slow(9, answer())
        return answer()

    engine = Scripted(script)
    other = material(TWO[1], lesson_id="lesson-2")
    with pytest.raises(Cancelled):
        coder(library, engine).code_all(
            [material(TWO[0]), other], no_report, stop, lambda m, p: handed.append((m.lesson_id, p))
        )
    assert [lesson_id for lesson_id, _ in handed] == ["lesson-1"]
    later = Scripted([answer("D1", 1)])
    found = coder(library, later).code_all([material(TWO[0]), other], no_report, threading.Event())
    assert found[0] == handed[0][1]
    assert [q.name for q, _ in later.asked] == ["code c2 of lesson-2, small T zero_shot"]


def test_after_three_crashes_the_work_pauses_and_a_resumed_run_ends_whole(library):
    lessons = [
        material(Clip(f"c{n}", n, n, n * 5_000 - 5_000, n * 5_000), lesson_id=f"lesson-{n}")
        for n in range(1, 5)
    ]
    handed = []
    crashing = Scripted([answer(), Fault.CRASH, Fault.CRASH, Fault.CRASH])
    with pytest.raises(Paused, match="3 times in a row"):
        coder(library, crashing).code_all(
            lessons, no_report, threading.Event(), lambda m, _: handed.append(m.lesson_id)
        )
    assert handed == ["lesson-1"]
    found = coder(library, Scripted([answer()] * 3)).code_all(lessons, no_report, threading.Event())
    assert [p.status for each in found for p in each] == ["ok"] * 4


def test_a_lesson_is_handed_over_while_the_next_is_under_way(library, monkeypatch):
    monkeypatch.setattr(handing, "LOOK_S", 0.0)
    moments = {}

    def script(question, _draw):
        time.sleep(0.1)
        moments[question.name.split()[1]] = time.monotonic()
        return answer()

    coder(library, Scripted(script)).code_all(
        [material(TWO[0]), material(TWO[1], lesson_id="lesson-2")],
        no_report,
        threading.Event(),
        lambda m, _: moments.setdefault(m.lesson_id, time.monotonic()),
    )
    assert moments["c1"] < moments["lesson-1"] < moments["c2"] < moments["lesson-2"]


def test_one_lesson_that_cannot_be_shown_stops_the_rest_before_anything_is_asked(library):
    engine = Scripted([answer()])
    made = coder(library, engine, Condition(Input.TV))
    with pytest.raises(MediaRefused):
        made.code_all([material(media=recording()), material()], no_report, threading.Event())
    assert engine.asked == []


def test_clips_without_speech_stand_among_the_others(library):
    clips = (Clip("c0", 0, 0, 0, 4_000), TWO[1])
    [found] = code(library, [answer(quote="how could we find out", lines=[3])], material(*clips))
    assert [p.clip.clip_id for p in found] == ["c0", "c2"]
    assert (found[0].code, found[0].status) == (None, "not-asked")
    assert "nothing was asked" in found[0].note
    # Neither a wrong answer nor a failure of the model: it stands beside every share.
    assert found[0].is_failure
    assert confidence_of(found[0]).reason == "The model was not asked about this clip."
    assert "was not asked" in no_probe(found[0])
    assert found[1].evidence[0].check is Check.VERIFIED


def test_the_grounding_of_a_run_pools_all_evidence_that_was_cited(library):
    made_up = answer(evidence=[{"quote": "Nobody ever said this here", "utterances": [3]}])
    script = [answer(), made_up, Fault.REFUSAL]
    clips = (*TWO, Clip("c3", 1, 4, 0, 20_000))
    [found] = code(library, script, material(*clips))
    assert run_grounding(found) == Proportion(1, 2)
    assert run_grounding(found[2:]) is None


def test_another_wording_of_the_prompt_is_asked_anew(library):
    code(library, [answer()])
    made = coder(library, Scripted([answer("D1", 1)]))
    prompt = made._asking.prompt
    changed = replace(prompt, system=prompt.system + "\nBe brief.")
    again = ChatCoder(CoderChoice("small", T), Scripted([answer("D1", 1)]), library.attempts,
                      prompt=changed)  # fmt: skip
    [[found]] = again.code_all([material()], no_report, threading.Event())
    assert found.practice == "D1"


def test_tokens_nobody_told_are_not_made_up(library):
    [[found]] = code(library, [RawAnswer(answer(), "stop", None, None, None, 0.5)])
    assert told(found)["tokens in"] == "not told"
    assert told(found)["seconds"] == "0.500"
    assert json.loads(answer())["category"] == found.practice


def test_a_plan_says_that_tokens_are_rough_until_the_model_has_answered(library):
    made = coder(library, Scripted([answer()]), T)
    told = estimate_in_words(estimate(made.plan([material()]), library.attempts))
    assert told.endswith(
        "a rough figure, 4 letters for one, until this model has answered something here."
    )
    made.code_all([material()], no_report, threading.Event())
    other = material(Clip("c9", 1, 2, 0, 2_000))
    told = estimate_in_words(estimate(made.plan([other]), library.attempts))
    assert "rough figure" not in told
