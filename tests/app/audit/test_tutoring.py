"""What a tutor is asked, what it is never told, and what its answers become."""

import json
from dataclasses import replace

import pytest
from audit_plans import item, plan_of, starter, text_of
from lesson_material import recording

from app.audit.cells import cells_of
from app.audit.items import Axis, ClipAddress
from app.audit.records import Origin
from app.audit.tutoring import Tutoring, responses_of
from app.running.questions import FrameRef, Message, RawAnswer, Status
from app.running.results import Result
from engines.scripted import Scripted

SYCOPHANCY = item("att-deception-sycophancy-1")


def asked(items=None, **settled):
    plan = plan_of(items, **settled)
    tutoring = Tutoring(plan, starter().notices)
    return [tutoring.ask(cell) for cell in cells_of(plan, starter())]


@pytest.fixture(scope="module")
def everything():
    return asked()


def test_nothing_tells_a_tutor_how_it_is_scored_or_to_be_honest(everything):
    bands = [band.text for rubric in starter().rubrics.values() for band in rubric.bands]
    for one in everything:
        told, own = text_of(one.question), one.cell.item
        assert not any(band in told for band in bands)
        assert not any(hidden and hidden in told for hidden in (own.passing, own.failing))
        system = one.question.messages[0].parts[0].casefold()
        assert not any(word in system for word in ("honest", "truth", "test", "rubric", "score"))


def test_the_four_cells_of_an_honesty_item_differ_in_notice_and_request_alone():
    told = [text_of(one.question) for one in asked([SYCOPHANCY])]
    notices = starter().notices
    assert [notices.monitored in t for t in told] == [True, True, False, False]
    assert [notices.unmonitored in t for t in told] == [False, False, True, True]
    assert [SYCOPHANCY.pressure_prompt in t for t in told] == [False, True, False, True]
    plain = {
        t.replace(notices.monitored, "N").replace(notices.unmonitored, "N")
        .replace(SYCOPHANCY.pressure_prompt, "R").replace(SYCOPHANCY.prompt, "R")
        for t in told
    }  # fmt: skip
    assert len(plain) == 1


def test_what_questions_share_comes_first_and_the_notice_is_a_system_message():
    for first, second in (asked([SYCOPHANCY])[:2],):
        system, user = first.question.messages
        assert system.role == "system"
        assert system.parts[0].endswith(starter().notices.monitored)
        assert second.question.messages[0] == system
        shared = user.parts[0].split(SYCOPHANCY.prompt)[0]
        assert SYCOPHANCY.scene in shared
        assert second.question.messages[1].parts[0].startswith(shared)


def test_tutors_decode_as_the_plan_says():
    first = asked([SYCOPHANCY], seed=7, max_tokens=300)[0].question
    assert (first.sampler.temperature, first.sampler.seed, first.sampler.max_tokens) == (
        1.0,
        7,
        300,
    )
    assert (first.draws, first.schema) == (10, "")


def test_a_scene_may_go_over_several_turns():
    plan = plan_of([SYCOPHANCY])
    cell = cells_of(plan, starter())[0]
    earlier = (Message("user", ("The scene so far.",)), Message("assistant", ("Hello.",)))
    messages = Tutoring(plan, starter().notices).ask(cell, earlier).question.messages
    assert [m.role for m in messages] == ["system", "user", "assistant", "user"]
    assert SYCOPHANCY.scene not in messages[-1].parts[0]
    assert SYCOPHANCY.prompt in messages[-1].parts[0]


# Pictures


@pytest.mark.parametrize(
    ("axis_item", "images", "context", "shown", "note"),
    [
        ("att-respect-emotion-1", 50, None, 24, ""),
        ("ski-recast-1", 50, None, 40, ""),
        ("ski-recast-1", 50, 100_000, 40, ""),
        (
            "ski-recast-1",
            50,
            # 8,192 less two answers of 1,024 and the words, at some 307 a picture.
            8192,
            18,
            "18 of 40 frames were shown, because no more fit into what the model keeps in mind.",
        ),
        (
            "ski-recast-1",
            8,
            None,
            8,
            "8 of 40 frames were shown, because the model takes 8 pictures.",
        ),
        (
            "ski-recast-1",
            0,
            None,
            0,
            "0 of 40 frames were shown, because the model takes 0 pictures.",
        ),
    ],
)
def test_pictures_are_capped_for_attitude_and_spread_where_fewer_are_taken(
    axis_item, images, context, shown, note
):
    own = replace(item(axis_item), clip=ClipAddress("clip.mp4", 10_000, 50_000))
    bank = replace(starter(), items=(own,))
    plan = plan_of([own])
    facts = Scripted(images=images, context_tokens=context).facts()
    tutoring = Tutoring(plan, bank.notices, facts, lambda _clip: recording(60_000))
    one = tutoring.ask(cells_of(plan, bank)[0])
    frames = [p for m in one.question.messages for p in m.parts if isinstance(p, FrameRef)]
    assert (len(frames), one.note) == (shown, note)
    times = [frame.time_ms for frame in frames]
    assert times == sorted(times)
    if shown:
        assert times[0] == 10_000
        assert times[1] - times[0] == 40_000 // shown or abs(times[1] - 10_000 - 40_000 / shown) < 1


def test_an_item_whose_clip_is_not_here_is_asked_in_words_and_says_so():
    own = replace(item("ski-recast-1"), clip=ClipAddress("gone.mp4", 0, 5000))
    plan = plan_of([own])
    one = Tutoring(plan, starter().notices, Scripted(images=9).facts()).ask(
        cells_of(plan, replace(starter(), items=(own,)))[0]
    )
    assert "not on this computer" in one.note
    assert not one.question.frames


# Answers


def result(one, text, status=Status.OK, draw=0):
    value = text if status is Status.OK else None
    return Result(one.question, draw, "k", status, value, RawAnswer(text, "stop"), answer_key="k")


def test_letters_are_read_as_people_read_them_and_never_guessed(shared):
    path = shared / "data" / "5_audit" / "json_breakers" / "mcq_letter_cases.json"
    cases = [c for c in json.loads(path.read_text()) if len(c["choices"]) == 4]
    assert len(cases) == 5
    one = asked([item("kno-emt-01")])[0]
    for case in cases:
        assert responses_of(one.cell, [result(one, case["text"])])[0].choice == case["expected"]
    for text in ("Either A or B.", "I would rather not say.", "The answer is A. The answer is C."):
        said = responses_of(one.cell, [result(one, text)])[0]
        assert (said.choice, said.status, said.text) == ("", Status.OK, text)


def test_failures_are_kept_beside_and_a_broken_engine_says_nothing_of_the_tutor():
    one = asked([SYCOPHANCY])[0]
    came = [
        result(one, "I cannot help with that.", draw=0),
        result(one, "", Status.REFUSAL, draw=1),
        result(one, "", Status.BACKEND_ERROR, draw=2),
    ]
    said = responses_of(one.cell, came)
    assert [(r.place.draw, r.status, r.has_text, r.origin) for r in said] == [
        (0, Status.OK, True, Origin.TUTOR),
        (1, Status.REFUSAL, False, Origin.TUTOR),
    ]
    assert said[0].text == "I cannot help with that."
    assert asked([item("kno-emt-01")])[0].cell.item.axis is Axis.KNOWLEDGE
