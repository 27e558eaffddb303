import subprocess
from datetime import date

import pytest

from app.lesson.media.dated import day_of, recorded_at
from app.lesson.media.probe import probe


@pytest.mark.parametrize(
    ("metadata", "moment"),
    [
        ({}, ""),
        ({"creation_time": "2026-09-03T08:15:30.000000Z"}, "2026-09-03T08:15:30+00:00"),
        ({"creation_time": "1970-01-01T00:00:00Z"}, ""),
        ({"creation_time": "1904-01-01T00:00:00.000000Z"}, ""),
        ({"creation_time": "last Tuesday"}, ""),
        (
            {
                "creation_time": "2026-09-03T22:30:00Z",
                "com.apple.quicktime.creationdate": "2026-09-04T00:30:00+02:00",
            },
            "2026-09-04T00:30:00+02:00",
        ),
        (
            {"com.apple.quicktime.creationdate": "2026-09-04T00:30:00+0200"},
            "2026-09-04T00:30:00+02:00",
        ),
    ],
)
def test_a_recording_is_dated_by_what_its_file_says(metadata, moment):
    assert recorded_at(metadata) == moment


def test_the_day_is_that_of_the_clock_that_was_read():
    assert day_of("2026-09-04T00:30:00+02:00") == date(2026, 9, 4)
    assert day_of("2026-09-04") == date(2026, 9, 4)


def test_a_moment_in_utc_falls_on_the_day_here(monkeypatch):
    import time

    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    assert day_of("2026-09-03T20:00:00.000Z") == date(2026, 9, 4)
    monkeypatch.undo()
    time.tzset()


def test_a_probe_tells_when_a_file_was_recorded(tmp_path):
    path = tmp_path / "a.mp4"
    subprocess.run(
        [
            "ffmpeg",
            "-v",
            "error",
            *"-f lavfi -i testsrc=size=64x64:rate=5:duration=1".split(),
            *("-metadata", "creation_time=2026-09-03T08:15:30Z", str(path)),
        ],
        check=True,
    )
    assert probe(path).recorded_at == "2026-09-03T08:15:30+00:00"
