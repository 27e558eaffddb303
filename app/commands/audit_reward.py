"""`audit reward`: pairs of a better and a worse response, and the model that is taught by them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from app.audit.reward_json import figures_json
from app.audit.reward_records import KeptModel
from app.audit.reward_words import (
    figure_rows,
    flaw_words,
    group_rows,
    made_words,
    taught_by,
    verdict_words,
    who_words,
    win_words,
)
from app.commands.out import Out
from app.desk import Desk
from app.errors import Refused, WrongUse
from app.reward_desk import RewardDesk
from app.scoring.figures import figure_json


def reward_arguments(parser: argparse.ArgumentParser) -> None:
    """Add to a command's parser what `audit reward` takes."""
    parser.add_argument(
        "action",
        choices=tuple(_ACTIONS),
        help="pairs: list them; import, export: as JSON Lines; withdraw: take one back; train: "
        "teach a model; show: what is known of it; score: hold an audit's tutor against the "
        "better responses",
    )
    parser.add_argument(
        "name",
        metavar="WHAT",
        nargs="?",
        default="",
        help="the file, the number of the pair, or the number of the audit",
    )
    parser.add_argument(
        "--starter",
        action="store_true",
        help="take our own starter pairs too, which no expert edited",
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", default=0, help="deals items into parts for training"
    )


def reward(desk: Desk, chosen: argparse.Namespace, out: Out) -> int:
    """Do one of them.

    Raises:
        WrongUse: What it is to be done to was not named.
        Refused: It cannot be done.
    """
    with_rewards = RewardDesk(desk.library, desk.files, desk.items, desk.settings)
    return _ACTIONS[chosen.action](with_rewards, chosen, out)


def _pairs(desk: RewardDesk, chosen: argparse.Namespace, out: Out) -> int:
    listed = (*desk.pairs(), *(desk.starter() if chosen.starter else ()))
    for pair in listed:
        number = f"{pair.pair_id:>5}" if pair.pair_id else "    –"
        flaw = flaw_words(pair.flaw)
        out.say(f"{number}  {pair.item_id:<28}  {flaw}  ({who_words(pair)})")
    out.say(f"{len(listed)} pairs")
    out.give(
        {
            "pairs": [
                {
                    "pair": pair.pair_id or None,
                    "item": pair.item_id,
                    "strategy": pair.strategy,
                    "flaw": pair.flaw,
                    "origin": pair.origin,
                    "author": pair.author,
                    "made_at": pair.made_at or None,
                }
                for pair in listed
            ]
        }
    )
    return 0


def _import(desk: RewardDesk, chosen: argparse.Namespace, out: Out) -> int:
    new = desk.bring_in(Path(_named(chosen, "a file of pairs")))
    out.say(f"{new} new pairs were brought in; {len(desk.pairs())} stand now.")
    out.give({"new": new, "pairs": len(desk.pairs())})
    return 0


def _export(desk: RewardDesk, chosen: argparse.Namespace, out: Out) -> int:
    path = Path(_named(chosen, "the file to write"))
    written = desk.write_out(path, with_starter=chosen.starter)
    out.say(f"{written} pairs were written: {path}")
    out.give({"pairs": written, "file": str(path)})
    return 0


def _withdraw(desk: RewardDesk, chosen: argparse.Namespace, out: Out) -> int:
    number = _number(chosen, "the pair")
    desk.withdraw(number)
    out.say(f"Pair {number} is withdrawn; {len(desk.pairs())} stand now.")
    out.give({"withdrawn": number, "pairs": len(desk.pairs())})
    return 0


def _train(desk: RewardDesk, chosen: argparse.Namespace, out: Out) -> int:
    kept = desk.train(with_starter=chosen.starter, seed=chosen.seed, report=out.report)
    out.done()
    return _tell(desk, kept, out)


def _show(desk: RewardDesk, _chosen: argparse.Namespace, out: Out) -> int:
    kept = desk.model()
    if kept is None:
        raise Refused("No reward model has been trained here.", "Run: audit reward train")
    return _tell(desk, kept, out)


def _score(desk: RewardDesk, chosen: argparse.Namespace, out: Out) -> int:
    number = _number(chosen, "the audit")
    held = desk.hold(number)
    names = desk.titles()
    out.say(f"Audit {number}: put above the better response {win_words(held.rates.overall)}")
    for strategy, figure in held.rates.by_strategy:
        out.say(f"  {names.get(strategy, strategy):<24}  {win_words(figure)}")
    out.say(f"  {held.against_edits} held against experts' edits, the others against ours.")
    if held.beside:
        out.say(f"  {held.beside} beside: they failed, or there is nothing to hold them against.")
    out.give(
        {
            "audit": number,
            "win_rate": figure_json(held.rates.overall),
            "by_strategy": {name: figure_json(one) for name, one in held.rates.by_strategy},
            "against_edits": held.against_edits,
            "beside": held.beside,
        }
    )
    return 0


def _tell(desk: RewardDesk, kept: KeptModel, out: Out) -> int:
    model = kept.model
    out.say(f"{made_words(kept)} {taught_by(model)}")
    for what, figure, against in figure_rows(model.figures):
        out.say(f"  {what:<30}  {figure}  ({against})")
    for what, figure in group_rows(model.figures, desk.titles()):
        out.say(f"    {what:<34}  {figure}")
    for sentence in verdict_words(model):
        out.say(sentence)
    told: dict[str, Any] = {
        "model": kept.model_id,
        "made_at": kept.made_at,
        "may_rank": model.may_rank,
        "refused_for": list(model.figures.trips),
        "figures": figures_json(model.figures),
        "provenance": [list(pair) for pair in model.provenance],
    }
    out.give(told)
    return 0


def _named(chosen: argparse.Namespace, what: str) -> str:
    if not chosen.name:
        raise WrongUse(f"“audit reward {chosen.action}” needs {what}.")
    return str(chosen.name)


def _number(chosen: argparse.Namespace, what: str) -> int:
    name = _named(chosen, f"the number of {what}")
    if not name.isdecimal():
        raise WrongUse(f"“{name}” is not the number of {what}.")
    return int(name)


_ACTIONS: Mapping[str, Callable[[RewardDesk, argparse.Namespace, Out], int]] = {
    "pairs": _pairs,
    "import": _import,
    "export": _export,
    "withdraw": _withdraw,
    "train": _train,
    "show": _show,
    "score": _score,
}
