"""Whatever is put into a library comes out equal to the field."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.coding.records import (
    Check,
    Citation,
    Decision,
    Evidence,
    Prediction,
    Said,
    Stage,
    Verdict,
)
from app.lesson.clips import Clip
from app.lesson.media.facts import AudioFacts, MediaFacts, VideoFacts
from app.lesson.transcript.records import Flag, Role, Transcript, Utterance, Word
from app.scoring.scored import Code
from app.store.library import Library

TEXT = st.text(max_size=12)
INT = st.integers(-(2**40), 2**40)
REAL = st.floats(allow_nan=False)
SHARE = st.floats(0, 1)
PAIRS = st.lists(st.tuples(TEXT, TEXT), max_size=3).map(tuple)


def field(record, **own):
    """Build a record, every field of it: a field added later is covered without a change here."""
    by_type = {
        "str": TEXT,
        "int": INT,
        "bool": st.booleans(),
        "float": REAL,
        "float | None": st.none() | SHARE,
        "int | None": st.none() | INT,
        "tuple[int, ...]": st.lists(INT, max_size=3).map(tuple),
        "tuple[str, ...]": st.lists(TEXT, max_size=3).map(tuple),
        "tuple[int, int]": st.tuples(INT, INT),
    }
    types = {name: f.type for name, f in record.__dataclass_fields__.items()}
    return st.builds(
        record, **{name: own[name] if name in own else by_type[t] for name, t in types.items()}
    )


@st.composite
def times(draw):
    start = draw(st.integers(0, 10**8))
    return start, start + draw(st.integers(1, 10**6))


@st.composite
def clips(draw):
    start, end = draw(st.just((None, None)) | times())
    first = draw(st.integers(0 if start is not None else 1, 500))
    last = first + draw(st.integers(0, 20)) if first else 0
    return Clip(draw(TEXT), first, last, start, end, draw(TEXT))


WORDS = st.lists(field(Word), max_size=3).map(tuple)
FLAGS = st.lists(st.sampled_from(Flag), max_size=2, unique=True).map(tuple)


@st.composite
def transcripts(draw):
    lines = []
    for number in range(1, draw(st.integers(0, 4)) + 1):
        start, end = draw(st.just((None, None)) | st.tuples(INT, st.none()) | times())
        lines.append(
            draw(
                field(
                    Utterance,
                    number=st.just(number),
                    start_ms=st.just(start),
                    end_ms=st.just(end),
                    words=WORDS,
                    flags=FLAGS,
                )
            )
        )
    return draw(field(Transcript, utterances=st.just(tuple(lines))))


VIDEO = st.none() | field(VideoFacts)
AUDIO = st.none() | field(AudioFacts)
MEDIA = st.none() | field(MediaFacts, path=st.just("/nowhere/lesson.mp4"), video=VIDEO, audio=AUDIO)
EVIDENCE = field(Evidence, citation=field(Citation), check=st.sampled_from(Check))
CODE = field(Code, practice=st.text(min_size=1, max_size=4))
SAID = field(Said, code=st.none() | CODE)
CODES = st.lists(CODE, max_size=2).map(tuple)
PREDICTION = field(
    Prediction,
    clip=clips(),
    evidence=st.lists(EVIDENCE, max_size=2).map(tuple),
    provenance=PAIRS,
    said=st.lists(SAID, max_size=2).map(tuple),
)
DECISION = field(
    Decision,
    clip=clips(),
    verdict=st.sampled_from(Verdict),
    stage=st.sampled_from(Stage),
    also=CODES,
    evidence=st.lists(field(Citation), max_size=2).map(tuple),
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    title=TEXT,
    media=MEDIA,
    transcript=st.none() | transcripts(),
    roles=st.dictionaries(TEXT, st.sampled_from(Role), max_size=2),
    said=st.lists(PREDICTION, max_size=2),
    decided=st.lists(DECISION, max_size=2),
    own=st.lists(clips(), max_size=3),
    note=TEXT,
)
def test_everything_read_back_equals_what_was_put_in(
    library, title, media, transcript, roles, said, decided, own, note
):
    lesson_id = library.add_lesson(title, media, transcript, roles)
    library.add_run(lesson_id, "e/1", (), said)
    for each in decided:
        library.decide(lesson_id, each)
    library.set_clips(lesson_id, own, "Ann", "Draw clips")
    library.set_note(lesson_id, note)
    review = library.lesson(lesson_id)
    assert review.title == title
    assert review.media == media
    assert review.transcript == review.original == transcript
    assert review.roles == (roles if transcript else {})
    assert review.predictions == tuple(said)
    assert all(p.made_at >= review.added_at for p in review.predictions)
    assert review.decisions == tuple(decided)
    assert sorted(review.clips, key=repr) == sorted(own, key=repr)
    assert review.note == note


def test_a_file_name_that_is_not_proper_text_is_kept(library, recording):
    # Linux allows any bytes in a name; Python shows the ones that are no text as lone surrogates.
    odd = replace(recording, path="/nowhere/le\udce7on.mp4")
    lesson_id = library.add_lesson("Ice", odd, None)
    assert library.lesson(lesson_id).media == odd
    assert library.lessons()[0].media_path == odd.path


def test_half_a_character_in_a_note_does_not_lose_the_decision(library, clip):
    lesson_id = library.add_lesson("Ice", None, None)
    made = Decision(clip, Verdict.REJECT, "", None, "Ann", "2026-11-29T10:00:00.000Z", "so\ud83d!")
    library.decide(lesson_id, made)
    assert library.lesson(lesson_id).decisions == (replace(made, note="so\ufffd!"),)


def test_a_run_that_breaks_off_leaves_nothing(library, clip):
    lesson_id = library.add_lesson("Ice", None, None)

    def said():
        yield Prediction(clip, "e/1", "D1", 2, 0.5, ())
        raise RuntimeError("the coder broke off")

    with pytest.raises(RuntimeError):
        library.add_run(lesson_id, "e/1", (), said())
    assert library.lesson(lesson_id).predictions == ()


def test_a_library_is_the_same_after_it_was_closed(path, transcript, clip):
    with Library.open(path) as library:
        lesson_id = library.add_lesson("Ice", None, transcript)
        library.propose_clips(lesson_id, [clip])
        before = library.lesson(lesson_id)
    with Library.open(path) as library:
        assert library.lesson(lesson_id) == before
