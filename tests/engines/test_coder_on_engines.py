"""The chat coder on real engines: a server on loopback, a tiny model that sees, a small one."""

from __future__ import annotations

import json
import re
import threading
from dataclasses import replace

import av
import numpy as np
import pytest
from fault_server import FaultServer, completion, send_json
from near_server import images_of, settings_for
from real_models import qwen_chat
from tiny_vision import write_eye, write_language

from app.__main__ import parts
from app.coding.chat_coder import ChatCoder
from app.coding.chat_lines import safe_tokens
from app.coding.conditions import CoderChoice, Condition, Input, Prompting
from app.coding.evidence import check_evidence
from app.coding.material import Material, material_of
from app.coding.practices import read_practices
from app.coding.probe_records import ProbeKind
from app.coding.records import Check, Citation
from app.desk import Desk
from app.lesson.clips import Clip
from app.lesson.media.probe import probe
from app.lesson.transcript.records import Role, Transcript, Utterance
from app.probing_lessons import EvidenceProbing
from app.running.protocols import no_report
from app.running.questions import Sampler
from app.scoring.scored import ANSWERED
from app.store.library import Library
from engines.llama_cpp_chat import LlamaCppChat
from engines.llama_cpp_model import LlamaModel
from resources import resource

TALK = (
    "Why do you think the ice melts faster in the metal bowl?",
    "Because the metal is warmer.",
    "And how could we find out whether it is?",
)


def material(clips=None, media=None):
    lines = tuple(
        Utterance(n, text, (n - 1) * 1_000, n * 1_000, "A" if n % 2 else "B")
        for n, text in enumerate(TALK, 1)
    )
    clips = clips or (Clip("c1", 1, 3, 0, 3_000),)
    return Material("lesson-1", "Ice", clips, lines, {"A": Role.TEACHER}, media)


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "a.clerestory", "Ann") as opened:
        yield opened


def coder(library, chat, condition, draws=1, **more):
    return ChatCoder(CoderChoice("model", condition, draws), chat, library.attempts, **more)


# A server on loopback, through the desk


def says(handler, body):
    """Answer with the first line that was said, and with a time if frames are shown."""
    parts = body["messages"][-1]["content"]
    parts = parts if isinstance(parts, list) else [{"type": "text", "text": parts}]
    words = "".join(part.get("text", "") for part in parts)
    number, quote = re.search(r'^(\d+) \| [^|]* \| [^|]* \| (".*")$', words, re.MULTILINE).groups()
    evidence = [{"quote": json.loads(quote), "utterances": [int(number)]}]
    moments = re.findall(r"Frame at ([\d:]+):", words)
    if moments:
        evidence.append({"seen": "a bowl", "from": moments[0], "to": moments[-2:][0]})
    said = {"category": "D1", "level": 2, "evidence": evidence}
    send_json(handler, completion(json.dumps(said)))


@pytest.mark.usefixtures("warm_children")
def test_a_server_codes_the_sample_lesson_by_words_and_by_frames(library):
    with FaultServer(always=says) as server:
        desk = Desk(library, parts(), settings_for(server))
        [choice] = [c for c in desk.engines() if c.name == "near"]
        assert (choice.images, choice.leaves, choice.trouble) == (4, False, "")
        lesson_id = desk.add_sample()
        for condition in (Condition(Input.T), Condition(Input.TV, Prompting.FEW_SHOT)):
            desk.code(lesson_id, CoderChoice("near", condition))
        desk.files.close()
    review = library.lesson(lesson_id)
    assert len(review.predictions) == 2 * len(review.clips) == len(server.bodies)
    assert {p.status for p in review.predictions} == {"ok"}
    assert all(p.evidence[0].check is Check.VERIFIED for p in review.predictions)
    seen = [p for p in review.predictions if p.coder == "near TV few_shot"]
    assert all(p.evidence[1].check is Check.SEEN for p in seen)
    shown = [
        part["image_url"]["url"]
        for body in server.bodies
        for part in body["messages"][-1]["content"]
        if isinstance(part, dict) and part["type"] == "image_url"
    ]
    assert len(shown) == sum(int(dict(p.provenance)["frames"].split()[0]) for p in seen) > 4
    assert all(url.startswith("data:image/jpeg;base64,") for url in shown)
    told = [dict(p.provenance) for p in review.predictions]
    assert {(t["endpoint"], t["model"]) for t in told} == {(server.url, "tiny-1")}
    assert {(t["answered by"], t["fingerprint of the server"]) for t in told} == {
        ("tiny-1", "fp_1")
    }
    names = {line.speaker for line in review.transcript.utterances if line.speaker}
    asked = json.dumps([body["messages"][-1]["content"] for body in server.bodies])
    assert names
    assert not [name for name in names if f"| {name}" in asked]


@pytest.mark.usefixtures("warm_children")
def test_a_server_is_asked_again_with_less_and_with_other_evidence(library, tmp_path):
    with FaultServer(always=says) as server:
        desk = Desk(library, parts(), settings_for(server))
        lesson_id = desk.add_sample()
        library.add_lesson("Another", probe(film(tmp_path / "other.mp4")), None)
        choice = CoderChoice("near", Condition(Input.TV))
        desk.code(lesson_id, choice)
        clip = library.lesson(lesson_id).clips[0].clip_id
        before = len(server.bodies)
        plan = desk.probing.plan([lesson_id], choice, [clip])
        assert (plan.estimate.calls, plan.not_asked) == (5, ())
        assert desk.probing.probe([lesson_id], choice, [clip]) == ()
        desk.files.close()
    found = {each.kind: each for each in library.lesson(lesson_id).probes}
    assert {each.status for each in found.values()} == {"ok"}
    assert list(found) == list(ProbeKind)
    shown = sorted((images_of(body) for body in server.bodies[before:]), key=len)
    # Seen is cited from the first frame to the third: three are evidence and one is not.
    assert [len(images) for images in shown] == [0, 1, 3, 4, 4]
    own = shown[1] + shown[2]
    same = [sorted(images) == sorted(own) for images in shown[3:]]
    strange = [not set(images) & set(own) for images in shown[3:]]
    assert sorted(same) == sorted(strange) == [False, True]


def film(path):
    """Write three seconds of grey that grows lighter."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt = 160, 120, "yuv420p"
        for n in range(30):
            picture = np.full((120, 160, 3), 8 * n, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
    return path


# Models on this computer


def probed(library, chat, condition, media=None, **how):
    """Have a clip coded and its evidence tested; gives the probes by kind, with their attempts.

    What the model cites is put in its mouth: a model this small may cite nothing, and what is
    tried here is whether every question about evidence can be put to it.
    """
    lesson = material(media=media)
    words = Transcript(lesson.utterances, "import:vtt")
    lesson_id = library.add_lesson(lesson.title, media, words, lesson.roles)
    library.propose_clips(lesson_id, lesson.clips)
    made = coder(library, chat, condition, **how)
    material_here = material_of(library.lesson(lesson_id))
    [[found]] = made.code_all([material_here], no_report, threading.Event())
    cited = [Citation(quote="Why do you think the ice melts", utterances=(1,))]
    if media is not None:
        cited.append(Citation(start_ms=0, end_ms=1_000, seen="a bowl"))
    evidence = tuple(check_evidence(cited, lesson.utterances, lesson.clips[0]))
    claim = replace(found, practice="D3", level=2, status="ok", evidence=evidence)
    library.add_run(lesson_id, made.name, claim.provenance, [claim])
    practices = read_practices(resource("practices.toml"))
    probing = EvidenceProbing(library, lambda _name: chat, practices, **how)
    assert probing.probe([lesson_id], made.name) == ()
    probes = {each.kind: each for each in library.lesson(lesson_id).probes}
    asked = {kind: library.attempts.of_keys([each.key])[0] for kind, each in probes.items()}
    return probes, asked


class Noted:
    """A model whose questions are noted; `most_tokens` ends answers whose words do not matter."""

    def __init__(self, chat, most_tokens=1_024):
        self._chat, self.facts, self._most = chat, chat.facts, most_tokens
        self.asked = {}

    def ask(self, question, draws, report, stop):
        identity = self.facts().identity
        self.asked.update({question.key(identity, draw): question for draw in draws})
        few = replace(question.sampler, max_tokens=self._most)
        return self._chat.ask(replace(question, sampler=few), draws, report, stop)

    def shown(self, probes):
        """Give how many frames each probe showed, and the words of the clip."""
        frames, words = {}, {}
        for kind, each in probes.items():
            asked = next(m for m in self.asked[each.key].messages if m.role == "user")
            frames[kind] = sum(not isinstance(part, str) for part in asked.parts)
            words[kind] = asked.parts[-1]
        return frames, words


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    pytest.importorskip("llama_cpp", reason="llama-cpp-python is not installed (the extra vlm)")
    folder = tmp_path_factory.mktemp("tiny")
    # Its vocabulary has one token for each letter, so the definitions alone take 6,000.
    weights = write_language(folder / "tiny.gguf", context=24_576)
    chat = LlamaCppChat(
        LlamaModel(weights, write_eye(folder / "mmproj.gguf"), context_tokens=24_576)
    )
    yield chat
    chat.close()


@pytest.mark.slow
@pytest.mark.parametrize("wanted", [Input.T, Input.TV])
def test_a_tiny_model_that_sees_goes_through_the_same_code(library, tiny, wanted):
    media = probe(resource("sample") / "lesson.mp4")
    made = coder(library, tiny, Condition(wanted), frame_px=112)
    [[found]] = made.code_all([material(media=media)], no_report, threading.Event())
    # Its weights are chance: what it writes is held to the form, and rarely ends in time.
    assert found.status in (*ANSWERED, "truncated", "schema-fail")
    assert found.is_failure or found.evidence
    [run] = library.attempts.runs()
    # The first attempt: a second one, where there is one, finds the frames encoded.
    attempt = library.attempts.of_run(run.run_id)[0]
    assert attempt.raw.tokens_out > 0
    if wanted is Input.TV:
        assert dict(found.provenance)["frames"] == "3 at 0, 1000, 2000 ms"
        assert dict(attempt.raw.details)["frames encoded"] == "3"


@pytest.mark.slow
def test_a_tiny_model_that_sees_is_probed_by_words_and_by_frames(library, tiny, tmp_path):
    library.add_lesson("Another", probe(film(tmp_path / "other.mp4")), None)
    media = probe(resource("sample") / "lesson.mp4")
    chat = Noted(tiny, most_tokens=24)
    probes, asked = probed(library, chat, Condition(Input.TV), media, frame_px=112)
    assert list(probes) == list(ProbeKind)
    assert {each.status for each in probes.values()} <= {*ANSWERED, "truncated", "schema-fail"}
    assert all(attempt.raw.tokens_out > 0 for attempt in asked.values())
    frames, words = chat.shown(probes)
    # Seen is cited from 0:00 to 0:01, which takes in the frames told as both.
    assert frames == {
        ProbeKind.SUFFICIENCY: 2,
        ProbeKind.NECESSITY: 1,
        ProbeKind.NO_FRAMES: 0,
        ProbeKind.SHUFFLED: 3,
        ProbeKind.OTHER_LESSON: 3,
    }
    assert TALK[1] not in words[ProbeKind.SUFFICIENCY]
    assert "Why do you think" not in words[ProbeKind.NECESSITY]
    # The frames of the clip were encoded when it was coded; only those of another lesson are new.
    new = {k: dict(a.raw.details)["frames encoded"] for k, a in asked.items()}
    assert (new[ProbeKind.SHUFFLED], new[ProbeKind.OTHER_LESSON]) == ("0", "3")


@pytest.fixture(scope="module")
def qwen(tmp_path_factory):
    chat = qwen_chat(tmp_path_factory.mktemp("qwen"), 8_192)
    yield chat
    chat.close()


@pytest.mark.slow
@pytest.mark.parametrize("prompting", Prompting)
def test_a_real_small_model_codes_and_its_quotes_are_checked(library, qwen, prompting):
    made = coder(library, qwen, Condition(Input.T, prompting))
    [[found]] = made.code_all([material()], no_report, threading.Event())
    assert found.status in (*ANSWERED, "truncated", "schema-fail")
    for evidence in found.evidence:
        known = any(evidence.citation.quote in text for text in TALK)
        assert evidence.check is Check.VERIFIED or not known
    question = made.plan([material()]).draws[0].question
    words = "".join(p for m in question.messages for p in m.parts)
    really = int(dict(found.provenance)["tokens in"])
    if dict(found.provenance)["retry"] == "no":
        # The figure that decides what fits must never lie below what it takes.
        assert really < safe_tokens(words) < 2 * really


@pytest.mark.slow
def test_a_real_small_model_is_asked_again_with_and_without_its_evidence(library, qwen):
    chat = Noted(qwen)
    probes, asked = probed(library, chat, Condition(Input.T))
    assert list(probes) == [ProbeKind.SUFFICIENCY, ProbeKind.NECESSITY]
    for each in probes.values():
        assert each.status in (*ANSWERED, "truncated", "schema-fail")
        assert each.is_known is (each.code is not None)
    _, words = chat.shown(probes)
    assert "Why do you think" in words[ProbeKind.SUFFICIENCY]
    assert TALK[1] not in words[ProbeKind.SUFFICIENCY]
    assert "Why do you think" not in words[ProbeKind.NECESSITY]
    # Only what differs is read anew: the definitions stand before it.
    assert all(a.raw.tokens_cached > 0.5 * a.raw.tokens_in for a in asked.values() if a.place == 1)


@pytest.mark.slow
def test_draws_of_a_real_model_share_what_they_read(library, qwen):
    made = coder(library, qwen, Condition(Input.T), draws=3)
    [[found]] = made.code_all([material()], no_report, threading.Event())
    assert len(found.said) == 3
    attempts = library.attempts.of_keys([said.key for said in found.said])
    assert sum(a.raw.tokens_cached > 0.9 * a.raw.tokens_in for a in attempts if a.place == 1) >= 2


@pytest.mark.slow
def test_what_does_not_fit_the_real_model_is_cut_and_still_fits(library, qwen):
    long = [f"Line {n}: why would the bowl number {n} melt it faster, and how?" for n in range(400)]
    lines = tuple(Utterance(n, t, n * 1_000, n * 1_000 + 900) for n, t in enumerate(long, 1))
    lesson = replace(material((Clip("c1", 1, 400, 1_000, 401_000),)), utterances=lines)
    short = LlamaCppChat(replace(qwen.model, context_tokens=4_608))
    plan = coder(library, short, Condition(Input.T)).plan([lesson])
    # Only whether it fits is looked at, so a few words of the answer will do.
    question = replace(plan.draws[0].question, sampler=Sampler(max_tokens=8))
    [raw] = short.ask(question, [0], no_report, threading.Event())
    short.close()
    assert raw.finish != "error"
    assert raw.tokens_in + 2 * 1_024 < 4_608
    assert "Left out because the clip is too long: utterances" in question.messages[-1].parts[0]
