"""Which coder a command uses: chosen by name or in parts; `coders` lists what can code here."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from app.coding.conditions import (
    EVIDENCE_FINDER,
    CoderChoice,
    Condition,
    Input,
    Prompting,
    parse_choice,
)
from app.coding.evidence import run_grounding
from app.coding.probe_records import NOT_ASKED
from app.coding.records import Prediction
from app.commands.out import Out
from app.desk import Desk
from app.errors import WrongUse
from app.running.plan import estimate_in_words

MOST_DRAWS = 99


def coder_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose a coder."""
    parser.add_argument(
        "--coder",
        metavar="NAME",
        help="evidence-finder (if nothing is said), or a model and its condition in one, such as "
        "“my-model T zero_shot”; `clerestory coders` lists what is there",
    )
    parser.add_argument("--engine", metavar="NAME", help="a model on this computer or an endpoint")
    parser.add_argument("--input", choices=[str(i) for i in Input], help="T: words, TV: frames too")
    parser.add_argument("--prompting", choices=[str(p) for p in Prompting])
    parser.add_argument("--draws", metavar="N", type=int, help="ask each clip N times; usually 1")
    parser.add_argument(
        "--plan", action="store_true", help="say what coding would take, ask nothing, and stop"
    )


def chosen_coder(chosen: argparse.Namespace) -> CoderChoice:
    """Give the coder that was chosen, by `--coder` or by its parts.

    Raises:
        WrongUse: Both were used, a part stands without `--engine`, or the name is none.
    """
    parts = (chosen.input, chosen.prompting, chosen.draws)
    if chosen.engine is None:
        if any(part is not None for part in parts):
            raise WrongUse("--input, --prompting and --draws go with --engine.", "Name the model.")
        return parse_choice(chosen.coder or EVIDENCE_FINDER)
    if chosen.coder is not None:
        raise WrongUse("--coder and --engine both choose a coder.", "Use one of them.")
    draws = 1 if chosen.draws is None else chosen.draws
    if not 1 <= draws <= MOST_DRAWS:
        raise WrongUse(f"A clip cannot be asked about {draws} times.", "Choose 1 to 99.")
    condition = Condition(
        Input(chosen.input or Input.T), Prompting(chosen.prompting or Prompting.ZERO_SHOT)
    )
    return CoderChoice(chosen.engine, condition, draws)


def coders(desk: Desk, out: Out) -> int:
    """List the coders that can code here, and where each does its work."""
    engines = desk.engines()
    out.give({"coders": list(desk.coders()), "engines": [asdict(engine) for engine in engines]})
    for name in desk.coders():
        out.say(f"{name}: looks for similar wording; asks no model. Stays on this computer.")
    for engine in engines:
        sees = f"up to {engine.images} frames" if engine.images else "words only"
        out.say(f"{engine.name}: {engine.title}; {sees}. {_where(engine.goes_to)}")
        if engine.trouble:
            out.say(f"  cannot be asked now: {engine.trouble}")
    if not engines:
        out.say("No model is installed and no endpoint is on; see `clerestory models`.")
    else:
        out.say("Use one: clerestory review FILE --engine NAME --input T --prompting zero_shot")
    return 0


def tell_where(desk: Desk, choice: CoderChoice, out: Out) -> None:
    """Say, before anything is asked, where words and frames go if they leave this computer."""
    goes_to = desk.answering.goes_to(choice.engine) if choice.condition else ""
    if goes_to and choice.condition:
        what = "Words and frames" if choice.condition.input is Input.TV else "The words"
        out.aside(f"{what} of this lesson leave this computer: they go to {goes_to}.")


def tell_plan(desk: Desk, lesson_id: str, choice: CoderChoice, out: Out) -> int:
    """Say what coding a lesson would take; asks nothing.

    Raises:
        Refused: The coder cannot code this lesson.
    """
    for left_out in desk.coding.left_out([lesson_id], choice):
        raise left_out.why
    expected = desk.plan_coding([lesson_id], choice)
    out.done()
    tell_where(desk, choice, out)
    if expected is None:
        out.say(f"{choice.name} asks no model; nothing is to be planned.")
    else:
        out.say(f"{choice.name}: {estimate_in_words(expected)}")
    told = None if expected is None else {**asdict(expected), "calls": expected.calls}
    out.give({"coder": choice.name, "lesson_id": lesson_id, "plan": told})
    return 0


def run_in_words(choice: CoderChoice, predictions: list[Prediction]) -> list[str]:
    """Say what kind of coder spoke, how much of its evidence was found, and what failed."""
    if choice.condition is None:
        return ["The evidence finder looks for similar wording; it does not judge the lesson."]
    said = [f"{choice.name} is a language model: what it says is a claim, and may be wrong."]
    found = run_grounding(predictions)
    if found is not None:
        said.append(f"Of {found.of} pieces of evidence it cites, {found.count} were found.")
    silent = sum(p.status == NOT_ASKED for p in predictions)
    if silent:
        said.append(f"Not asked about {silent} of {len(predictions)} clips: nothing is said there.")
    failed = [p for p in predictions if p.is_failure and p.status != NOT_ASKED]
    if failed:
        kinds = ", ".join(dict.fromkeys(p.status for p in failed))
        said.append(f"No usable answer for {len(failed)} of {len(predictions)} clips: {kinds}.")
    return said


def _where(goes_to: str) -> str:
    return f"Leaves this computer for {goes_to}." if goes_to else "Stays on this computer."
