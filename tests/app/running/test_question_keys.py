"""A question is asked again exactly when something that could change its answer has changed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_runs import SCHEMA, SYSTEM

from app.running.questions import FrameRef, Message, Question, Sampler

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


@given(ASKED, st.lists(st.integers(0, 9), max_size=4))
def test_keys_of_several_draws_are_those_of_each(asked, draws):
    messages, schema, sampler, _, identity = asked
    question = Question("q", messages, schema, sampler)
    assert question.keys(identity, draws) == [question.key(identity, n) for n in draws]


def test_moving_a_recording_or_renaming_a_question_asks_nothing_again():
    moved = FrameRef("/elsewhere/a.mp4", FRAME.fingerprint, 1000, 448)
    keys = {
        Question(name, (Message("user", (frame,)),), "", prompt_version=name).key((("w", "1"),), 0)
        for name, frame in (("a", FRAME), ("b", moved))
    }
    assert len(keys) == 1
