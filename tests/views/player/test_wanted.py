from views.player.wanted import WantedFrame


def test_a_late_answer_to_an_old_question_frees_the_next_one(qtbot):
    wanted = WantedFrame()
    asked = []
    wanted.asked.connect(asked.append)
    wanted.want(1)
    wanted.want(2)
    wanted.want(3)
    assert asked == [1]
    assert not wanted.came(1)
    assert asked == [1, 3]
    assert wanted.came(3)
    assert wanted.wanted_ms is None


def test_an_answer_nobody_asked_for_changes_nothing(qtbot):
    wanted = WantedFrame()
    asked = []
    wanted.asked.connect(asked.append)
    wanted.want(1)
    assert not wanted.came(7)
    assert wanted.wanted_ms == 1
    assert asked == [1]


def test_a_person_is_told_when_the_picture_is_late(qtbot):
    wanted = WantedFrame()
    with qtbot.waitSignal(wanted.late, timeout=5_000):
        wanted.want(1)


def test_a_lost_answer_does_not_stop_the_next_question(qtbot):
    wanted = WantedFrame()
    asked = []
    wanted.asked.connect(asked.append)
    wanted.want(1)
    wanted.want(2)
    wanted._give_up()
    assert asked == [1, 2]
