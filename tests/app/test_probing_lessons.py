"""Evidence tested through a real library, by models whose script depends on what they are shown."""

import json
import threading

import pytest
from lesson_material import answer

from app.coding.chat_coder import ChatCoder
from app.coding.conditions import CoderChoice, Condition, Input
from app.coding.material import material_of
from app.coding.probe_records import NOT_ASKED, Flag, ProbeKind
from app.coding.probes import NO_OTHER, NO_SUPPORT, ONE_FRAME
from app.coding.proofs import flags_of, proofs_of
from app.errors import Cancelled, Paused
from app.lesson.clips import Clip
from app.lesson.media.facts import MediaFacts, VideoFacts
from app.lesson.transcript.records import Role, Transcript, Utterance
from app.probing_lessons import EvidenceProbing
from app.running.protocols import no_report
from app.store.library import Library
from engines.scripted import Fault, Scripted

T, TV = Condition(Input.T), Condition(Input.TV)
CITED = "Why do you think the ice melts"
TALK = (
    ("T", "Right. Why do you think the ice melts faster in the metal bowl?"),
    ("L", "Because the metal is warmer."),
    ("T", "And how could we find out whether it is?"),
    ("S", "Put your hand on both."),
)
CLIP = Clip("c1", 1, 4, 0, 20_000)
TEXT = {ProbeKind.SUFFICIENCY, ProbeKind.NECESSITY}


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "a.clerestory", "Ann") as opened:
        yield opened


def recording(folder, name="ice", end_ms=20_000):
    path = folder / f"{name}.mp4"
    path.write_bytes(name.encode())
    seen = VideoFacts(
        0, "h264", 1280, 720, 1280, 720, 0, False, (1, 1), 500, 0, end_ms, False, "yuv420p", False
    )
    mark = (name * 64)[:64]
    return MediaFacts(str(path), len(name), mark, "mov,mp4", 0, end_ms, seen, None)


def add(library, media=None, clips=(CLIP,)):
    lines = tuple(
        Utterance(n, text, (n - 1) * 5_000, n * 5_000, who) for n, (who, text) in enumerate(TALK, 1)
    )
    roles = {"T": Role.TEACHER, "L": Role.STUDENT, "S": Role.STUDENT}
    lesson = library.add_lesson("Ice", media, Transcript(lines, "import:srt"), roles)
    library.propose_clips(lesson, clips)
    return lesson


def code(library, lesson, engine, condition=T, draws=1):
    coder = ChatCoder(CoderChoice("small", condition, draws), engine, library.attempts)
    [found] = coder.code_all([material_of(library.lesson(lesson))], no_report, threading.Event())
    library.add_run(lesson, coder.name, found[0].provenance, found)
    return coder.name


def probe(library, lesson, engine, coder, **how):
    made = EvidenceProbing(library, lambda _name: engine, practices())
    return made.probe([lesson], coder, **how)


def practices():
    from app.coding.practices import read_practices
    from resources import resource

    return read_practices(resource("practices.toml"))


def shown(question):
    """Give what a question shows of the clip: its lines by number, and its frames."""
    parts = question.messages[-1].parts
    lines = {}
    for row in parts[-1].splitlines():
        cells = row.split(" | ")
        if len(cells) == 4:
            lines[int(cells[0])] = json.loads(cells[3])
    return lines, [part for part in parts if not isinstance(part, str)]


def by_sight(rule, evidence=None, **engine):
    """Make a model whose practice follows from the lines and frames it is shown."""

    def script(question, _draw):
        return answer(rule(*shown(question)), evidence=evidence or [quote()])

    return Scripted(script, **engine)


def quote(text=CITED, line=1):
    return {"quote": text, "utterances": [line]}


def kinds(library, lesson):
    return {probe.kind: probe for probe in library.lesson(lesson).probes}


def proof(library, lesson):
    [found] = proofs_of(library.lesson(lesson)).values()
    return found


def test_a_model_that_goes_by_its_evidence_is_clear(library):
    engine = by_sight(lambda lines, _: "D3" if CITED in " ".join(lines.values()) else "D1")
    lesson = add(library)
    assert probe(library, lesson, engine, code(library, lesson, engine)) == ()
    found = proof(library, lesson)
    assert (found.sufficiency.code.practice, found.necessity.code.practice) == ("D3", "D1")
    assert found.flag is Flag.CLEAR
    assert set(kinds(library, lesson)) == TEXT


def test_a_model_that_goes_by_something_else_is_flagged(library):
    engine = by_sight(lambda lines, _: "D3" if "find out" in " ".join(lines.values()) else "BI")
    lesson = add(library)
    probe(library, lesson, engine, code(library, lesson, engine))
    found = proof(library, lesson)
    assert found.flag is Flag.RAISED
    assert list(flags_of(library.lesson(lesson))) == [found.prediction_id]


def test_what_is_shown_and_what_is_hidden(library):
    engine = by_sight(lambda *_: "D3")
    lesson = add(library)
    probe(library, lesson, engine, code(library, lesson, engine))
    whole, alone, masked = (question for question, _ in engine.asked)
    assert shown(alone)[0] == {1: f"[…] {CITED} […]"}
    assert shown(masked)[0] == {
        1: "Right […] faster in the metal bowl?",
        **{n: text for n, (_, text) in enumerate(TALK, 1) if n > 1},
    }
    for again in (alone, masked):
        assert (again.schema, again.sampler, again.draws) == (
            whole.schema, whole.sampler, whole.draws,
        )  # fmt: skip
        assert again.messages[:-1] == whole.messages[:-1]
        assert (
            again.messages[-1].parts[-1].split("=== recording")[-1].split("\n", 1)[1]
            == (whole.messages[-1].parts[-1].split("=== recording")[-1].split("\n", 1)[1])
        )


def test_everything_is_planned_beforehand_and_asked_once(library):
    engine = by_sight(lambda *_: "D3")
    lesson = add(library)
    coder = code(library, lesson, engine, draws=3)
    road = EvidenceProbing(library, lambda _name: engine, practices())
    plan = road.plan([lesson], coder)
    assert (plan.estimate.answers, plan.estimate.calls, plan.predictions) == (6, 6, 1)
    before = len(engine.asked)
    road.probe([lesson], coder)
    assert len(engine.asked) - before == 6
    assert road.plan([lesson], coder).estimate.calls == 0
    road.probe([lesson], coder)
    assert len(engine.asked) - before == 6
    assert len(library.lesson(lesson).probes) == 2


def test_made_up_evidence_can_be_neither_shown_nor_masked(library):
    engine = by_sight(lambda *_: "D3", [quote("Photosynthesis makes the ice melt here")])
    lesson = add(library)
    coder = code(library, lesson, engine)
    road = EvidenceProbing(library, lambda _name: engine, practices())
    plan = road.plan([lesson], coder)
    assert plan.estimate.calls == 0
    assert (NO_SUPPORT, 1) in plan.not_asked
    before = len(engine.asked)
    road.probe([lesson], coder)
    assert len(engine.asked) == before
    assert {p.status for p in library.lesson(lesson).probes} == {NOT_ASKED}
    assert proof(library, lesson).flag is Flag.UNKNOWN


@pytest.mark.parametrize("fault", [Fault.REFUSAL, Fault.TRUNCATION, Fault.BAD_JSON])
def test_a_failure_is_unknown_and_never_a_flag(library, fault):
    engine = Scripted([answer(quote=CITED), fault, fault, answer(quote=CITED)])
    lesson = add(library)
    probe(library, lesson, engine, code(library, lesson, engine))
    found = proof(library, lesson)
    assert found.flag is not Flag.RAISED
    assert not found.sufficiency.is_known
    assert found.sufficiency.code is None


def test_frames_are_taken_away_shuffled_and_replaced(library, tmp_path):
    engine = by_sight(lambda *_: "D3", [quote(), {"seen": "bowls", "from": "0:03", "to": "0:05"}])
    lesson = add(library, recording(tmp_path))
    other = add(library, recording(tmp_path, "snow", 60_000))
    probe(library, lesson, engine, code(library, lesson, engine, TV))
    whole, alone, masked, none, shuffled, replaced = (q for q, _ in engine.asked)
    frames = whole.frames
    cited = (3_000, 4_000, 5_000)
    assert [f.time_ms for f in alone.frames] == [*cited]
    assert [f.time_ms for f in masked.frames] == [
        f.time_ms for f in frames if f.time_ms not in cited
    ]
    assert none.frames == ()
    assert shown(none)[0] == shown(whole)[0]
    assert set(shuffled.frames) == set(frames)
    assert shuffled.frames != frames
    told = [p for p in shuffled.messages[-1].parts[:-1] if isinstance(p, str)]
    assert told == [p for p in whole.messages[-1].parts[:-1] if isinstance(p, str)]
    assert len(replaced.frames) == len(frames)
    assert {f.media_path for f in replaced.frames} == {library.media(other)[1].path}
    assert [f.time_ms for f in replaced.frames][:3] == [0, 3_000, 6_000]
    assert len(proof(library, lesson).visual) == 3


def test_a_frame_told_as_the_last_second_named_is_hidden_wherever_in_that_second_it_lies(
    library, tmp_path
):
    engine = by_sight(lambda *_: "D3", [quote(), {"seen": "bowls", "from": "0:03", "to": "0:05"}])
    clip = Clip("c1", 1, 4, 400, 20_000)
    lesson = add(library, recording(tmp_path), clips=(clip,))
    probe(library, lesson, engine, code(library, lesson, engine, TV))
    whole, alone, masked = (q for q, _ in engine.asked[:3])
    assert [f.time_ms for f in whole.frames][:7] == [400 + 1000 * n for n in range(7)]
    assert [f.time_ms for f in alone.frames] == [3_400, 4_400, 5_400]
    assert len(masked.frames) == len(whole.frames) - 3


def test_the_recordings_of_other_lessons_are_not_looked_up_for_every_lesson(
    library, tmp_path, monkeypatch
):
    engine = by_sight(lambda *_: "D3", images=8)
    lessons = [add(library, recording(tmp_path, f"ice{n}")) for n in range(5)]
    [coder] = {code(library, lesson, engine, TV) for lesson in lessons}
    looked, media = [], library.media
    monkeypatch.setattr(library, "media", lambda lesson: looked.append(lesson) or media(lesson))
    plan = EvidenceProbing(library, lambda _name: engine, practices()).plan(lessons, coder)
    assert (plan.predictions, sorted(looked)) == (5, sorted(lessons))


def test_the_same_shuffle_every_time(library, tmp_path):
    engine = by_sight(lambda *_: "D3")
    lesson = add(library, recording(tmp_path))
    coder = code(library, lesson, engine, TV)
    probe(library, lesson, engine, coder)
    road = EvidenceProbing(library, lambda _name: engine, practices())
    assert road.plan([lesson], coder).estimate.calls == 0


def test_without_another_picture_it_says_so(library, tmp_path):
    engine = by_sight(lambda *_: "D3", images=1)
    lesson = add(library, recording(tmp_path))
    add(library)
    probe(library, lesson, engine, code(library, lesson, engine, TV))
    found = kinds(library, lesson)
    assert (found[ProbeKind.OTHER_LESSON].status, found[ProbeKind.OTHER_LESSON].note) == (
        NOT_ASKED, NO_OTHER,
    )  # fmt: skip
    assert found[ProbeKind.SHUFFLED].note == ONE_FRAME


def test_an_edited_line_stands_in_the_way(library):
    engine = by_sight(lambda *_: "D3")
    lesson = add(library)
    coder = code(library, lesson, engine)
    library.edit_utterance(lesson, 2, "Because I say so.", "Ann")
    [left] = probe(library, lesson, engine, coder)
    assert "no longer those it was coded with" in left.why
    assert library.lesson(lesson).probes == ()


def test_another_model_under_the_same_name_stands_in_the_way(library):
    engine = by_sight(lambda *_: "D3")
    lesson = add(library)
    coder = code(library, lesson, engine)
    [left] = probe(library, lesson, by_sight(lambda *_: "D3", model="other"), coder)
    assert "no longer those" in left.why


def test_a_clip_that_was_moved_is_probed_as_it_was(library):
    engine = by_sight(lambda *_: "D3")
    lesson = add(library)
    coder = code(library, lesson, engine)
    library.set_clips(lesson, [Clip("c1", 1, 3, 0, 15_000, "Ann")], "Ann", "Move a clip")
    assert probe(library, lesson, engine, coder) == ()
    assert 4 in shown(engine.asked[-1][0])[0]


def test_failures_and_coders_without_a_model_are_left_out_with_the_reason(library):
    engine = Scripted([Fault.REFUSAL])
    lesson = add(library)
    coder = code(library, lesson, engine)
    [left] = probe(library, lesson, engine, coder)
    assert "no usable answer" in left.why
    made = EvidenceProbing(library, lambda _name: engine, practices())
    assert made.coders([lesson]) == ()
    assert made.plan([lesson], "evidence-finder").estimate is None


def test_only_the_chosen_clip_is_probed(library):
    engine = by_sight(lambda *_: "D3")
    lesson = add(library, clips=(Clip("c1", 1, 2, 0, 10_000), Clip("c2", 3, 4, 10_000, 20_000)))
    coder = code(library, lesson, engine)
    probe(library, lesson, engine, coder, clip_ids={"c1"})
    [found] = {p.prediction_id for p in library.lesson(lesson).probes}
    [own] = [p for p in library.lesson(lesson).predictions if p.prediction_id == found]
    assert own.clip.clip_id == "c1"


def test_stopped_and_run_again_only_the_missing_is_asked(library):
    stop = threading.Event()

    def script(question, _draw):
        if len(engine.asked) == 2:
            stop.set()
        return answer("D3", quote=CITED)

    engine = Scripted(script)
    lesson = add(library)
    coder = code(library, lesson, engine)
    with pytest.raises(Cancelled):
        probe(library, lesson, engine, coder, stop=stop)
    assert len(engine.asked) == 2
    assert library.lesson(lesson).probes == ()
    probe(library, lesson, engine, coder)
    assert len(engine.asked) == 3
    assert len(library.lesson(lesson).probes) == 2


def test_killed_before_anything_is_kept_nothing_is_asked_again_and_all_is_kept_at_once(
    library, monkeypatch
):
    class Killed(BaseException):
        pass

    def killed(found):
        raise Killed

    engine = by_sight(lambda *_: "D3", [quote(), quote("how could we find out", 3)])
    lesson = add(library, clips=(CLIP, Clip("c2", 1, 3, 0, 15_000)))
    coder = code(library, lesson, engine)
    with monkeypatch.context() as dying:
        dying.setattr(library, "add_probes", killed)
        with pytest.raises(Killed):
            probe(library, lesson, engine, coder)
    asked, kept, add_probes = len(engine.asked), [], library.add_probes
    assert library.lesson(lesson).probes == ()
    monkeypatch.setattr(library, "add_probes", lambda found: kept.append(add_probes(found)))
    probe(library, lesson, engine, coder)
    assert len(engine.asked) == asked
    assert kept == [4]
    assert len(library.lesson(lesson).probes) == 4


def test_an_engine_that_fails_again_and_again_pauses_and_is_asked_again_later(library):
    clips = tuple(Clip(f"c{n}", n, n, (n - 1) * 5000, n * 5000) for n in range(1, 5))
    lines = {n: text for n, (_, text) in enumerate(TALK, 1)}
    broken = threading.Event()

    def script(question, _draw):
        if broken.is_set():
            return Fault.SERVER_ERROR
        [number] = shown(question)[0]
        return answer("D3", evidence=[quote(lines[number].rstrip("?."), number)])

    engine = Scripted(script)
    lesson = add(library, clips=clips)
    coder = code(library, lesson, engine)
    broken.set()
    with pytest.raises(Paused):
        probe(library, lesson, engine, coder)
    assert library.lesson(lesson).probes == ()
    broken.clear()
    probe(library, lesson, engine, coder)
    assert len(library.lesson(lesson).probes) == 8
