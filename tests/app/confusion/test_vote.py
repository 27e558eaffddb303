import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.confusion.records import Confidence, Level, ReadingDraw
from app.confusion.vote import Came, outcome, vote

LEVELS = {"n": Level.NONE, "l": Level.LOW, "m": Level.MEDIUM, "h": Level.HIGH}
SURE = {"1": Confidence.LOW, "2": Confidence.MEDIUM, "3": Confidence.HIGH}


def draws(told):
    """Read `h3` as high with high confidence, `--` as nobody seen, `xx` as a failure."""
    found = []
    for one in told.split():
        if one == "xx":
            found.append(ReadingDraw(None, None, "schema-fail"))
        elif one == "--":
            found.append(ReadingDraw(None, None))
        else:
            found.append(ReadingDraw(LEVELS[one[0]], SURE[one[1]]))
    return found


# Worked out by hand: the sums of the weights, then the winner's sum over all that vote.
BY_HAND = [
    ("h3 h3 h3 h3 h3", "high", "high"),  # 15 of 5
    ("m1 m1 m1 h3 n1", "medium", "low"),  # m 3, h 3, n 1: the tie goes to the lower; 3/5
    ("h3 h3 m2 m2 m2", "medium", "low"),  # h 6, m 6: the lower; 6/5 = 1.2
    ("h3 h3 m2 m2 m1", "high", "low"),  # h 6, m 5; 6/5 = 1.2
    ("n3 n3 n2 h3 h3", "none", "medium"),  # n 8, h 6; 8/5 = 1.6
    ("l3 l3 l3 l3 n1", "low", "medium"),  # l 12; 12/5 = 2.4
    ("l3 l3 l3 l3 l1", "low", "high"),  # l 13; 2.6
    ("n1 h1", "none", "low"),  # a tie of two
    ("m3 xx xx m2 n3", "medium", "medium"),  # m 5, n 3; 5/3 = 1.7
    ("h2", "high", "medium"),
    ("h3 h3 -- -- h1", "high", "medium"),  # 7/3 = 2.3: those who saw nobody do not vote
]


@pytest.mark.parametrize(("told", "level", "confidence"), BY_HAND)
def test_votes_worked_out_by_hand(told, level, confidence):
    assert vote(draws(told)) == (level, confidence)


@pytest.mark.parametrize(
    ("told", "came"),
    [
        ("xx xx xx h3 h3", Came.FAILURE),
        ("xx xx h3 h3", Came.FAILURE),  # half is no majority
        ("xx", Came.FAILURE),
        ("", Came.FAILURE),
        ("-- -- -- h3 h3", Came.NOT_VISIBLE),
        ("-- h3", Came.NOT_VISIBLE),  # as many saw nobody: nobody knows
        ("-- xx xx -- --", Came.NOT_VISIBLE),
        ("--", Came.NOT_VISIBLE),
    ],
)
def test_without_a_majority_that_can_be_used_there_is_no_level(told, came):
    found = outcome(draws(told))
    assert found.came is came
    assert vote(draws(told)) == (None, None)


ONE = st.one_of(
    st.builds(ReadingDraw, st.sampled_from(Level), st.sampled_from(Confidence)),
    st.just(ReadingDraw(None, None)),
    st.just(ReadingDraw(None, None, "refusal")),
)


@given(st.lists(ONE, max_size=9), st.randoms())
def test_the_order_of_draws_changes_nothing(given_draws, chance):
    shuffled = list(given_draws)
    chance.shuffle(shuffled)
    assert outcome(shuffled) == outcome(given_draws)


@given(st.lists(ONE, max_size=9))
def test_the_winner_was_named_and_no_other_weighs_more(given_draws):
    found = outcome(given_draws)
    if found.came is not Came.LEVEL:
        assert (found.level, found.confidence) == (None, None)
        return
    sums = {
        level: sum(d.confidence.weight for d in given_draws if d.level is level) for level in Level
    }
    assert sums[found.level] == max(sums.values()) > 0
    assert all(sums[level] < sums[found.level] for level in Level if level.rank < found.level.rank)


@given(st.lists(ONE, min_size=1, max_size=9))
def test_failures_never_vote(given_draws):
    found = outcome(given_draws)
    without = [d for d in given_draws if d.status == "ok"]
    if found.came is not Came.FAILURE:
        assert outcome(without) == found


@given(st.lists(ONE, max_size=6), st.sampled_from(Level))
def test_one_more_draw_for_the_winner_keeps_it(given_draws, level):
    found = outcome([*given_draws, ReadingDraw(level, Confidence.HIGH)])
    if found.came is Came.LEVEL and found.level is level:
        more = outcome([*given_draws, *[ReadingDraw(level, Confidence.HIGH)] * 2])
        assert more.level is level
