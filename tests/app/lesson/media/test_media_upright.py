"""Pictures are shown the right way up, in the right shape and in the right colours, once."""

from __future__ import annotations

from fractions import Fraction

import av
import numpy as np
import pytest

from app.lesson.media.frames import FrameReader, frame_at
from app.lesson.media.probe import probe
from app.lesson.media.tone import tone_map

RED, GREEN, BLUE, WHITE = "red", "green", "blue", "white"


def corners_of(image: np.ndarray) -> tuple[str, str, str, str]:
    """Name the colours of the corners, clockwise from the top left."""
    high, wide = image.shape[:2]
    names = {(1, 0, 0): RED, (0, 1, 0): GREEN, (0, 0, 1): BLUE, (1, 1, 1): WHITE}
    y, x = high // 4, wide // 4
    places = [(y, x), (y, wide - 1 - x), (high - 1 - y, wide - 1 - x), (high - 1 - y, x)]
    return tuple(names[tuple(int(v > 127) for v in image[place])] for place in places)


@pytest.mark.parametrize(
    ("turn", "rotation", "mirrored", "corners"),
    [
        ((0, False), 0, False, (RED, GREEN, WHITE, BLUE)),
        ((-90, False), 90, False, (BLUE, RED, GREEN, WHITE)),
        ((180, False), 180, False, (WHITE, BLUE, RED, GREEN)),
        ((90, False), 270, False, (GREEN, WHITE, BLUE, RED)),
        ((0, True), 0, True, (GREEN, RED, BLUE, WHITE)),
        ((180, True), 180, True, (BLUE, WHITE, GREEN, RED)),
    ],
)
def test_turned_and_mirrored_pictures_come_upright(
    films, tmp_path, turn, rotation, mirrored, corners
):
    film = films.write(tmp_path / "film.mp4", [films.corners()] * 2, turn=turn)
    video = probe(film).video
    assert (video.rotation, video.mirrored) == (rotation, mirrored)
    image = frame_at(film, 0).image
    assert corners_of(image) == corners
    assert image.shape[:2] == (video.height, video.width)
    assert image.shape[:2] == ((64, 48) if rotation in (90, 270) else (48, 64))


def test_a_quarter_turn_with_a_mirror_is_one_flip_over_the_diagonal(films, tmp_path):
    seen = set()
    for degrees in (90, -90):
        film = films.write(tmp_path / f"{degrees}.mp4", [films.corners()] * 2, turn=(degrees, True))
        assert probe(film).video.mirrored
        seen.add(corners_of(frame_at(film, 0).image))
    assert seen == {(RED, BLUE, WHITE, GREEN), (WHITE, GREEN, RED, BLUE)}


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_phone_recordings_are_turned_as_their_name_says(media, degrees):
    video = probe(media / f"decord_video_{degrees}.mov").video
    assert video.rotation == degrees
    shape = frame_at(media / f"decord_video_{degrees}.mov", 0).image.shape
    assert shape == ((568, 320, 3) if degrees in (90, 270) else (320, 568, 3))


@pytest.mark.shared
def test_a_turned_face_is_the_face_of_the_upright_original(shared):
    upright = frame_at(shared / "data/1_faces/pyfeat_single_face.mp4", 2000)
    turned = frame_at(shared / "data/6_bugs/rotated_phone_face/input_rotated.mp4", 2000)
    assert turned.time_ms == upright.time_ms
    apart = np.abs(turned.image.astype(int) - upright.image.astype(int)).mean()
    upside_down = np.abs(turned.image[::-1, ::-1].astype(int) - upright.image.astype(int)).mean()
    assert apart < 4 < upside_down


@pytest.mark.parametrize(
    ("aspect", "shown"), [(Fraction(2), (128, 48)), (Fraction(1, 2), (32, 48))]
)
def test_pixels_that_are_not_square_are_stretched_in_width(films, tmp_path, aspect, shown):
    film = films.write(tmp_path / "film.mp4", [films.corners()] * 2, aspect=aspect)
    video = probe(film).video
    assert (video.width, video.height) == shown
    assert (video.coded_width, video.coded_height) == (64, 48)
    assert frame_at(film, 0).image.shape == (shown[1], shown[0], 3)


def test_stretch_comes_before_turn(films, tmp_path):
    film = films.write(
        tmp_path / "film.mp4", [films.corners()] * 2, aspect=Fraction(2), turn=(-90, False)
    )
    image = frame_at(film, 0).image
    assert image.shape == (128, 48, 3)
    assert corners_of(image) == (BLUE, RED, GREEN, WHITE)


def test_a_change_of_size_on_the_way_keeps_the_shape_of_the_first(films, tmp_path):
    film = tmp_path / "film.mkv"
    small = films.write(tmp_path / "a.mkv", [films.corners()] * 4, codec="libvpx")
    large = films.write(tmp_path / "b.mkv", [films.corners(96, 96)] * 4, codec="libvpx")
    with av.open(str(film), "w") as joined, av.open(str(small)) as a, av.open(str(large)) as b:
        stream = joined.add_stream_from_template(a.streams.video[0])
        for container, late in ((a, 0), (b, 160)):
            for packet in container.demux(video=0):
                if packet.size:
                    packet.pts, packet.dts = packet.pts + late, packet.dts + late
                    packet.stream = stream
                    joined.mux(packet)
    facts = probe(film)
    assert facts.video.frames == 8
    assert "The picture changes its size on the way; all are shown in the size of the first." in (
        facts.notes
    )
    with FrameReader(film) as reader:
        for ms in (280, 0, 160):
            image = reader.at(ms).image
            assert image.shape == (48, 64, 3)
            assert corners_of(image) == (RED, GREEN, WHITE, BLUE)


@pytest.mark.parametrize("pixels", ["yuv420p", "yuv420p10le", "yuv422p", "yuv444p", "yuvj420p"])
def test_colours_survive_every_way_of_storing_them(films, tmp_path, pixels):
    film = films.write(tmp_path / "film.mkv", [films.corners()] * 2, pixels=pixels)
    assert corners_of(frame_at(film, 0).image) == (RED, GREEN, WHITE, BLUE)
    middle = frame_at(film, 0).image[6, 6]
    assert np.abs(middle.astype(int) - (255, 0, 0)).max() < 25


def plain_film(path, luma: int, matrix: int, is_full: bool, trc: int = 1):
    """Write one grey-red picture whose stored numbers are known."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("ffv1", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv444p"
        context = stream.codec_context
        context.colorspace, context.color_range = matrix, 2 if is_full else 1
        context.color_trc = trc
        for number in range(2):
            frame = av.VideoFrame(64, 48, "yuv444p")
            for plane, value in zip(frame.planes, (luma, 128, 200), strict=True):
                plane.update(bytes([value]) * plane.buffer_size)
            frame.pts, frame.time_base = number, Fraction(1, 25)
            frame.colorspace, frame.color_range = matrix, 2 if is_full else 1
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


@pytest.mark.parametrize(
    ("matrix", "is_full", "red", "green"),
    [
        # ITU-R BT.709 and BT.601: red = y + 1.5748 or 1.402 cr, green = y - 0.4681 or 0.7141 cr
        (1, True, 100 + 1.5748 * 72, 100 - 0.4681 * 72),
        (5, True, 100 + 1.402 * 72, 100 - 0.7141 * 72),
        # Limited range: luma 100 is (100 - 16) 255 / 219 = 97.8, chroma 72 is 72 255 / 224 = 81.96.
        (1, False, 97.8 + 1.5748 * 81.96, 97.8 - 0.4681 * 81.96),
        (5, False, 97.8 + 1.402 * 81.96, 97.8 - 0.7141 * 81.96),
    ],
)  # fmt: skip
def test_matrix_and_range_are_those_of_the_recording(tmp_path, matrix, is_full, red, green):
    film = plain_film(tmp_path / "film.mkv", 100, matrix, is_full)
    shown = frame_at(film, 0).image[20, 20]
    assert abs(shown[0] - min(red, 255)) <= 2
    assert abs(shown[1] - green) <= 2


def test_white_of_high_dynamic_range_is_bright_and_order_is_kept():
    # 75% is diffuse white of HLG (ITU-R BT.2408); PQ codes 203 cd/m2 as 58%.
    for is_hlg, white in ((True, 0.75), (False, 0.58)):
        steps = np.linspace(0, 1, 256)
        grey = np.repeat((steps * 65535).astype(np.uint16)[None, :, None], 3, axis=2)
        shown = tone_map(grey, is_hlg=is_hlg)[0, :, 0].astype(int)
        assert (np.diff(shown) >= 0).all()
        assert shown[0] == 0
        assert shown[-1] == 255
        assert 200 < shown[int(white * 255)] < 245
        assert 90 < shown[int(white * 255 / 2)] < 140 or not is_hlg


def test_orange_stays_orange_when_it_is_dimmed():
    bright = np.array([[[60_000, 48_000, 20_000]]], np.uint16)
    red, green, blue = (int(v) for v in tone_map(bright, is_hlg=True)[0, 0])
    assert red > 230
    assert 100 < green < 215
    assert blue < 60


@pytest.mark.shared
def test_a_colour_chart_in_hlg_looks_like_one(shared):
    image = frame_at(shared / "data/4_video_quirks/codec/media3_hlg10-color-test.mp4", 0, 480).image
    chart = {"red": (155, 200), "blue": (155, 70), "green": (155, 135), "yellow": (155, 260)}
    red, blue, green, yellow = (image[place].astype(int) for place in chart.values())
    assert red[0] > 200
    assert red[1:].max() < 80
    assert blue[2] > 200
    assert blue[:2].max() < 90
    assert green[1] > 200
    assert green[1] > green[0] + 80
    assert yellow[:2].min() > 190
    assert yellow[2] < 60
