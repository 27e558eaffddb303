"""What is told of a recording, and how what cannot be used is refused."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import pickle
import shutil
import threading
from fractions import Fraction
from pathlib import Path

import av
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from app.errors import Cancelled, MediaRefused
from app.lesson.media import checks
from app.lesson.media.fingerprint import fingerprint
from app.lesson.media.frames import FrameReader, frame_times
from app.lesson.media.probe import forget, probe
from app.lesson.media.sound import read_sound

NO_SOUND = "There is no sound."


def refusal(path: Path | str) -> str:
    with pytest.raises(MediaRefused) as refused:
        probe(path)
    assert refused.value.hint.endswith(".")
    assert refused.value.message.count(". ") == 0, "one sentence"
    return refused.value.message


def test_what_cannot_be_used_is_refused_in_one_sentence(tmp_path, monkeypatch):
    (tmp_path / "empty.mp4").touch()
    (tmp_path / "notes.mp4").write_text("Dear all, the film is not ready.\n" * 50)
    monkeypatch.chdir(tmp_path)
    assert refusal("lost.mp4") == "lost.mp4 is not there."
    assert refusal(tmp_path) == f"{tmp_path.name} is a folder, not a recording."
    assert refusal("empty.mp4") == "empty.mp4 is empty (0 bytes)."
    assert "cannot be opened" in refusal("notes.mp4")
    assert "cannot be read" in refusal("nul\0name.mp4") or "not there" in refusal("nul\0name.mp4")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no pipes in folders")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.mp4")
    assert "is not there" in refusal(tmp_path / "pipe.mp4")


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("list.m3u8", "#EXTM3U\n#EXTINF:9,\nhttp://localhost:9/a.ts\n#EXT-X-ENDLIST\n", "list"),
        ("disguised.mp4", "#EXTM3U\n#EXTINF:9,\nhttp://localhost:9/a.ts\n", "cannot be opened"),
        ("list.ffconcat", "ffconcat version 1.0\nfile other.mp4\n", "list"),
        ("call.sdp", "v=0\no=- 0 0 IN IP4 127.0.0.1\nm=video 49170 RTP/AVP 98\n", ""),
        ("story.txt", "Once upon a time.\n" * 40, "text"),
        ("words.srt", "1\n00:00:01,000 --> 00:00:02,000\nHi\n", "neither picture nor sound"),
    ],
)
def test_lists_and_texts_are_no_recordings_and_nothing_else_is_opened(
    tmp_path, monkeypatch, name, content, told
):
    (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)
    assert told in refusal(name)


def test_a_still_picture_is_no_recording(films, tmp_path):
    import cv2

    cv2.imwrite(str(tmp_path / "photo.png"), films.corners())
    assert refusal(tmp_path / "photo.png") == "photo.png is a still picture, not a recording."


def test_a_simple_recording_is_told_exactly(films, tmp_path):
    film = films.write(tmp_path / "film.mp4", films.count(50), sound=films.tone(2.0))
    facts = probe(film)
    assert (facts.start_ms, facts.duration_ms) == (0, 2000)
    assert facts.span.end_ms == 2000
    assert facts.size_bytes == film.stat().st_size
    assert facts.notes == ()
    assert facts.container.startswith("mov,mp4")
    video, audio = facts.video, facts.audio
    assert (video.codec, video.frames, video.first_ms, video.end_ms) == ("h264", 50, 0, 2000)
    assert (video.variable_frame_rate, video.high_dynamic_range) == (False, False)
    assert (audio.codec, audio.sample_rate, audio.channels) == ("aac", 48_000, 1)
    assert (audio.start_ms, audio.end_ms) == (0, 2000)


def test_a_recording_may_start_late_on_its_own_clock(films, tmp_path):
    film = films.write(tmp_path / "film.mkv", films.count(3), [10_000, 10_040, 10_080])
    facts = probe(film)
    assert (facts.start_ms, facts.duration_ms) == (10_000, 120)
    assert "The file's own clock starts at 0:10.0." in facts.notes


def test_uneven_steps_are_noticed_and_rounding_is_not(films, tmp_path):
    uneven = films.write(tmp_path / "a.mkv", films.count(5), [0, 40, 80, 300, 340])
    rounded = films.write(tmp_path / "b.mkv", films.count(5), [0, 33, 67, 100, 133])
    assert probe(uneven).video.variable_frame_rate
    assert not probe(rounded).video.variable_frame_rate
    assert any("uneven steps" in note for note in probe(uneven).notes)


def test_what_is_missing_is_said(films, tmp_path):
    silent = films.write(tmp_path / "silent.mp4", films.count(3))
    blind = films.write(tmp_path / "blind.mp4", sound=films.tone(1))
    assert probe(silent).notes == (NO_SOUND,)
    assert probe(blind).notes == ("There is no picture; only the sound is used.",)
    assert probe(blind).video is None


def test_the_larger_of_two_pictures_is_shown_and_the_other_told(films, tmp_path):
    small, large = films.count(5), films.count(8, width=128, height=96)
    film = films.write(tmp_path / "film.mkv", small, more_pictures=large)
    facts = probe(film)
    assert (facts.video.stream, facts.video.width, facts.video.frames) == (1, 128, 8)
    assert "A second picture (64 x 48) is in the file and is not shown." in facts.notes
    with FrameReader(film) as reader:
        assert reader.at(0).image.shape == (96, 128, 3)


def test_cover_art_is_no_picture(films, tmp_path):
    song = films.write(tmp_path / "song.mp4", sound=films.tone(1))
    covered = tmp_path / "covered.mp4"
    with av.open(str(song)) as plain, av.open(str(covered), "w") as container:
        audio = container.add_stream_from_template(plain.streams.audio[0])
        cover = container.add_stream("mjpeg", rate=1)
        cover.width, cover.height, cover.pix_fmt = 64, 48, "yuvj420p"
        cover.disposition = av.stream.Disposition.attached_pic
        frame = av.VideoFrame.from_ndarray(films.corners(), format="rgb24").reformat(
            format="yuvj420p"
        )
        frame.pts, frame.time_base = 0, Fraction(1)
        container.mux(cover.encode(frame))
        container.mux(cover.encode(None))
        for packet in plain.demux(audio=0):
            if packet.size:
                packet.stream = audio
                container.mux(packet)
    with av.open(str(covered)) as container:
        assert len(container.streams.video) == 1, "the cover is in the file"
    assert probe(covered).video is None


def test_sound_that_goes_on_after_the_picture_is_told(films, tmp_path):
    film = films.write(tmp_path / "film.mp4", films.count(25), sound=films.tone(3))
    facts = probe(film)
    assert facts.duration_ms == 3000
    assert "The picture ends at 0:01.0, before the sound (0:03.0)." in facts.notes


def test_a_file_cut_short_opens_with_what_it_has(films, tmp_path):
    # Matroska can be read without an index at its end; half the bytes are about half the film.
    # Its last pictures may lack those that are shown before them but stored after.
    film = films.write(tmp_path / "film.mkv", films.count(200), key_every=10)
    film.write_bytes(film.read_bytes()[: film.stat().st_size // 2])
    facts = probe(film)
    assert 50 < facts.video.frames < 150
    assert facts.duration_ms == pytest.approx(40 * facts.video.frames, abs=200)


def test_a_header_that_promises_more_is_contradicted(films, tmp_path):
    film = films.write(
        tmp_path / "film.mp4", films.count(200), key_every=10,
        options={"x264-params": "bframes=0"},
    )  # fmt: skip
    fast = tmp_path / "fast.mp4"
    with (
        av.open(str(film)) as plain,
        av.open(str(fast), "w", options={"movflags": "faststart"}) as container,
    ):
        stream = container.add_stream_from_template(plain.streams.video[0])
        for packet in plain.demux(video=0):
            if packet.size:
                packet.stream = stream
                container.mux(packet)
    fast.write_bytes(fast.read_bytes()[:-3000])
    facts = probe(fast)
    shown = facts.video.frames
    assert 0 < shown < 200
    note = f"The header promises 200 pictures; {shown} of them can be shown. " \
        "The file seems to be cut off."  # fmt: skip
    assert note in facts.notes
    assert len(frame_times(fast)) == shown


def test_a_header_without_anything_behind_it_is_refused(films, tmp_path):
    film = films.write(tmp_path / "film.mp4", films.count(200))
    content = film.read_bytes()
    film.write_bytes(content[: content.index(b"mdat") + 4] + bytes(300) + content[-3000:])
    with pytest.raises(MediaRefused):
        probe(film)


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> dict[str, bytes]:
    """Give the bytes of small real and written recordings."""
    folder = Path(__file__).resolve().parents[3] / "data" / "media"
    names = ["torchcodec_h265_frame_numbers.mp4", "media3_sample_audio_only.mp4",
             "torchcodec_av1_video.mkv", "decord_video_90.mov", "decord_unordered.mov"]  # fmt: skip
    return {name: (folder / name).read_bytes() for name in names}


@settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    pick=st.integers(0, 4), share=st.floats(0, 1), flips=st.lists(st.floats(0, 0.999), max_size=3)
)
@example(pick=0, share=0.0, flips=[])
@example(pick=4, share=0.999, flips=[0.01])
def test_cut_and_damaged_anywhere_it_is_read_or_refused(whole, tmp_path, pick, share, flips):
    name = sorted(whole)[pick]
    content = bytearray(whole[name][: round(len(whole[name]) * share)])
    for place in flips:
        if content:
            content[int(place * len(content))] ^= 0xFF
    path = tmp_path / name
    path.write_bytes(content)
    forget()
    try:
        facts = probe(path)
    except MediaRefused:
        return
    assert facts.duration_ms > 0
    assert len(frame_times(path)) == (facts.video.frames if facts.video else 0)
    if facts.video:
        with FrameReader(path, 32) as reader:
            reader.at(facts.video.end_ms)
    if facts.audio and facts.duration_ms < 60_000:
        read_sound(path)


def test_a_long_recording_is_believed_after_samples(films, tmp_path, monkeypatch):
    film = films.write(tmp_path / "film.mp4", films.count(240), sound=films.tone(9.6))
    exact = probe(film), frame_times(film)
    monkeypatch.setattr(checks, "_SMALL_PX", 0)
    monkeypatch.setattr(checks, "_SMALL_PACKETS", 0)
    monkeypatch.setattr(checks, "_decode_all", None)
    forget()
    assert (probe(film), frame_times(film)) == exact


@pytest.mark.parametrize("name", ["media3_edit_list_positive_shift.mp4",
                                  "media3_bear-vp9-odd-dimensions.webm",
                                  "media3_android_slow_motion.mp4"])  # fmt: skip
def test_samples_and_whole_decoding_agree_on_real_recordings(media, monkeypatch, name):
    forget()
    exact = probe(media / name), frame_times(media / name)
    monkeypatch.setattr(checks, "_SMALL_PX", 0)
    monkeypatch.setattr(checks, "_SMALL_PACKETS", 0)
    forget()
    assert (probe(media / name), frame_times(media / name)) == exact


@pytest.mark.shared
def test_hidden_pictures_of_vp9_are_not_counted(shared, monkeypatch):
    path = shared / "data/4_video_quirks/codec/media3_roadtrip-vp92-10bit.webm"
    monkeypatch.setattr(checks, "_SMALL_PX", 0)
    monkeypatch.setattr(checks, "_decode_all", None)
    forget()
    assert probe(path).video.frames == 72


def test_damage_that_the_samples_meet_leads_to_whole_decoding(media, monkeypatch):
    forget()
    exact = probe(media / "decord_corrupted.mp4")
    monkeypatch.setattr(checks, "_SMALL_PX", 0)
    monkeypatch.setattr(checks, "_PACKETS_A_PLACE", 50)
    forget()
    assert probe(media / "decord_corrupted.mp4") == exact


def test_the_broken_end_of_a_long_recording_is_decoded(films, tmp_path, monkeypatch):
    film = films.write(tmp_path / "film.ts", films.count(200), key_every=10)
    film.write_bytes(film.read_bytes()[: film.stat().st_size // 2])
    exact = frame_times(film)
    monkeypatch.setattr(checks, "_SMALL_PX", 0)
    forget()
    assert frame_times(film) == exact


def test_a_moved_file_keeps_its_fingerprint_and_a_changed_one_does_not(tmp_path):
    content = bytes(range(256)) * 8192
    (tmp_path / "a").write_bytes(content)
    shutil.copy(tmp_path / "a", tmp_path / "b")
    assert fingerprint(tmp_path / "a") == fingerprint(tmp_path / "b")
    for place in (0, len(content) // 2, len(content) - 1):
        changed = bytearray(content)
        changed[place] ^= 1
        (tmp_path / "c").write_bytes(changed)
        assert fingerprint(tmp_path / "c") != fingerprint(tmp_path / "a")
    (tmp_path / "d").write_bytes(content + b"\0")
    assert fingerprint(tmp_path / "d") != fingerprint(tmp_path / "a")


def test_a_small_file_is_fingerprinted_whole(tmp_path):
    (tmp_path / "a").write_bytes(b"lesson")
    assert fingerprint(tmp_path / "a") == hashlib.sha256(b"6:lesson").hexdigest()


def test_a_file_that_changed_is_read_anew(films, tmp_path):
    film = films.write(tmp_path / "film.mp4", films.count(3))
    assert probe(film).video.frames == 3
    films.write(film, films.count(5))
    assert probe(film).video.frames == 5


def test_probing_reports_and_can_be_stopped(films, tmp_path, monkeypatch):
    monkeypatch.setattr("app.lesson.media.probe._REPORT_EVERY", 10)
    film = films.write(tmp_path / "film.mp4", films.count(100))
    stop, shares = threading.Event(), []

    def report(share: float, _doing: str) -> None:
        shares.append(share)
        stop.set()

    with pytest.raises(Cancelled):
        probe(film, report, stop)
    assert len(shares) == 1


def test_facts_come_back_from_a_spawned_process(media):
    path = str(media / "torchcodec_h265_frame_numbers.mp4")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        facts = pool.apply(probe, (path,))
        with pytest.raises(MediaRefused, match="is not there"):
            pool.apply(probe, (path + "x",))
    assert facts == probe(path)
    assert pickle.loads(pickle.dumps(facts)) == facts
    assert json.loads(json.dumps(facts.notes)) == [NO_SOUND]
