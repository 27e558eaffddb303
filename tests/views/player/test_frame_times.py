from views.player.frame_times import FrameTimes

TIMES = FrameTimes([100, 140, 500])


def test_the_picture_at_a_moment_is_the_last_that_started():
    assert [TIMES.at(t) for t in (100, 139, 140, 499, 9_000)] == [100, 100, 140, 140, 500]


def test_before_the_first_picture_the_first_is_shown():
    assert TIMES.at(0) == 100


def test_steps_stay_between_the_first_and_the_last():
    assert [TIMES.beside(150, n) for n in (-9, -1, 0, 1, 9)] == [100, 100, 140, 500, 500]


def test_while_nothing_is_known_there_is_no_step_and_the_moment_stands_for_itself():
    assert (FrameTimes().at(77), FrameTimes().beside(77, 1), FrameTimes().first_ms) == (
        77,
        None,
        None,
    )
