import numpy as np

from app.lesson.spans import Span
from views.timeline.axis import Axis
from views.timeline.waveform import Waveform

PEAKS = np.array([[-0.1, 0.1], [-0.9, 0.2], [-0.3, 0.8], [0.0, 0.0]], np.float32)


def test_each_pixel_holds_the_lowest_and_highest_of_what_lies_under_it():
    wave = Waveform(PEAKS, 0, 400)
    pixels = wave.pixels(Axis.over(Span(0, 400), 2))
    assert np.allclose(pixels, [[-0.9, 0.2], [-0.3, 0.8]])


def test_closer_than_one_peak_a_pixel_the_peak_is_repeated():
    pixels = Waveform(PEAKS, 0, 400).pixels(Axis.over(Span(0, 400), 8))
    assert np.allclose(pixels[2:4], [[-0.9, 0.2], [-0.9, 0.2]])


def test_where_there_is_no_sound_there_is_no_wave():
    pixels = Waveform(PEAKS, 100, 300).pixels(Axis.over(Span(0, 400), 4))
    assert np.isnan(pixels[[0, 3]]).all()
    assert np.allclose(pixels[1:3], [[-0.9, 0.2], [-0.3, 0.8]])


def test_the_same_view_is_not_computed_twice():
    wave = Waveform(PEAKS, 0, 400)
    axis = Axis.over(Span(0, 400), 8)
    assert wave.pixels(axis) is wave.pixels(Axis.over(Span(0, 400), 8))


def test_no_peaks_at_all_are_an_empty_wave():
    wave = Waveform(np.empty((0, 2), np.float32), 0, 400)
    assert np.isnan(wave.pixels(Axis.over(Span(0, 400), 3))).all()
