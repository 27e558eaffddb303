"""What models were asked for a job, in words: calls, tokens, cost, and what failed beside."""

from __future__ import annotations

from app.running.questions import Status
from app.store.tally import Tally

FAILED_WORDS = {
    Status.SCHEMA_FAIL: "broke the format",
    Status.REFUSAL: "refused",
    Status.TRUNCATED: "cut off",
    Status.BACKEND_ERROR: "failed outside the model",
    Status.JUDGE_FAIL: "could not be judged",
}


def asked_words(tally: Tally | None) -> str:
    """Write what was asked, e.g. `12 calls to small-4b; 3,400 tokens read, 900 written.`

    Empty when no model was asked. Failures are counted beside, never left out.
    """
    if tally is None or not tally.calls:
        return ""
    whom = " and ".join(tally.engines)
    parts = [
        f"{_calls(tally.calls)} to {whom}",
        _token_words(tally),
        _cost_words(tally),
    ]
    said = "; ".join(part for part in parts if part)
    failed = [(status, count) for status, count in tally.counts if status in FAILED_WORDS]
    if not failed:
        return f"{said}. None failed."
    beside = ", ".join(f"{count:,} {FAILED_WORDS[status]}" for status, count in failed)
    return f"{said}. Of these {beside}."


def money_words(amount: float, currency: str) -> str:
    """Write an amount, e.g. `1.20 USD`; a small one is never written as nothing."""
    if 0 < amount < 0.01:
        return f"under 0.01 {currency}".strip()
    return f"{amount:,.2f} {currency}".strip()


def _calls(count: int) -> str:
    return f"{count:,} {'call' if count == 1 else 'calls'}"


def _token_words(tally: Tally) -> str:
    answered = tally.calls - dict(tally.counts).get(Status.BACKEND_ERROR, 0)
    if not answered:
        return ""
    if tally.untold >= answered and not (tally.tokens_in or tally.tokens_out):
        return "tokens not told"
    words = f"{tally.tokens_in:,} tokens read, {tally.tokens_out:,} written"
    return f"{words} (not told for {tally.untold:,})" if tally.untold else words


def _cost_words(tally: Tally) -> str:
    if not tally.costs:
        return ""
    words = " and ".join(money_words(amount, currency) for currency, amount in tally.costs)
    left_out = tally.calls - tally.priced
    return f"cost {words}" + (f", without {_calls(left_out)}" if left_out else "")
