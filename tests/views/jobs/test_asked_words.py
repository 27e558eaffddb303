import pytest

from app.running.questions import Status
from app.store.tally import Tally
from views.jobs.asked import asked_words, money_words


def test_calls_tokens_and_failures_are_told_and_none_is_hidden():
    tally = Tally(
        ("small-4b",),
        1203,
        ((Status.OK, 1190), (Status.RETRY_OK, 5), (Status.REFUSAL, 6), (Status.BACKEND_ERROR, 2)),
        340_000,
        9_000,
    )
    assert asked_words(tally) == (
        "1,203 calls to small-4b; 340,000 tokens read, 9,000 written. "
        "Of these 6 refused, 2 failed outside the model."
    )


def test_calls_of_which_nothing_is_told_are_said_beside_the_sums():
    counts = ((Status.OK, 3),)
    some = Tally(("served",), 3, counts, 200, 20, 1, (("USD", 0.002),), 2)
    assert asked_words(some) == (
        "3 calls to served; 200 tokens read, 20 written (not told for 1); "
        "cost under 0.01 USD, without 1 call. None failed."
    )
    none = Tally(("served",), 3, counts, 0, 0, 3)
    assert asked_words(none) == "3 calls to served; tokens not told. None failed."


@pytest.mark.parametrize("tally", [None, Tally()])
def test_work_that_asked_no_model_says_nothing_of_calls(tally):
    assert asked_words(tally) == ""


@pytest.mark.parametrize(
    ("amount", "words"),
    [(0.0, "0.00 USD"), (0.004, "under 0.01 USD"), (0.01, "0.01 USD"), (1234.5, "1,234.50 USD")],
)
def test_money_is_written_so_that_little_is_not_nothing(amount, words):
    assert money_words(amount, "USD") == words
