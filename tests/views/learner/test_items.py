import time

from app.confusion.records import Bands, Confidence, Level, Reading
from app.confusion.review import Learner, LearnerReview
from views.learner.items import items_of, next_uncertain

NONE, HIGH = Level.NONE, Level.HIGH


def bands(reader, levels, sure=Confidence.HIGH):
    readings = tuple(
        Reading(n * 2000, n * 2000 + 2000, level is not None, level, sure if level else None)
        for n, level in enumerate(levels)
    )
    return Bands(reader, readings, run_id=len(reader))


def review(*runs):
    return LearnerReview("v", "Webcam", "", None, False, Learner("r", "Robin"), bands=runs)


def listed(*runs):
    return items_of(review(*runs), shows_readers=True)


def test_doubt_is_weighed_from_difference_sureness_and_the_edge_of_sight():
    one = bands("one", (NONE, HIGH, NONE, None, HIGH, NONE), Confidence.MEDIUM)
    other = bands("other", (NONE, HIGH, NONE, NONE, NONE, NONE))
    items = {(item.reader, item.start_ms): item for item in listed(one, other)}
    # Both found it: nothing differs; medium sureness is half unsure.
    assert items["one", 2000].doubt == 0.3 * 0.5
    assert items["one", 2000].also == ("other",)
    # The other one looked and found nothing, and the window before is not visible.
    assert items["one", 8000].doubt == 0.5 + 0.3 * 0.5 + 0.2
    assert items["other", 2000].doubt == 0


def test_a_reader_that_could_not_see_does_not_differ():
    one, blind = bands("one", (NONE, HIGH, NONE)), bands("blind", (None, None, None))
    (item,) = listed(one, blind)
    assert item.doubt == 0


def test_next_goes_from_the_most_doubtful_down_and_round():
    items = listed(bands("one", (HIGH, NONE, NONE, HIGH, None, NONE, HIGH)))
    first = next_uncertain(items, "")
    assert first.start_ms == 6000
    second = next_uncertain(items, first.event_id)
    third = next_uncertain(items, second.event_id)
    assert {second.start_ms, third.start_ms} == {0, 12_000}
    assert next_uncertain(items, third.event_id) == first


def test_nothing_found_and_nothing_waiting_gives_none():
    assert next_uncertain(listed(bands("one", (NONE, None))), "") is None


def test_hundreds_of_events_in_an_hour_are_listed_at_once():
    runs = [
        bands(f"reader {k}", [HIGH if n % (7 + k) == 0 else NONE for n in range(1800)])
        for k in range(4)
    ]
    started = time.perf_counter()
    items = listed(*runs)
    # 130 ms for 900 events; a walk over all windows for each took 7 s.
    assert time.perf_counter() - started < 2
    assert len(items) > 600
