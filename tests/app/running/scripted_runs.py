"""Questions about levels, and runs of them with a scripted model."""

from __future__ import annotations

import json

from app.errors import BadAnswer
from app.running.plan import make_plan
from app.running.protocols import no_report
from app.running.questions import Message, Question, Sampler
from app.running.run import run

SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {"level": {"type": "integer", "minimum": 1, "maximum": 4}},
        "required": ["level"],
        "additionalProperties": False,
    }
)
GOOD = '{"level": 2}'
SYSTEM = Message("system", ("Give the level.",))


def ask_about(*clips, draws=1, schema=SCHEMA, seed=0):
    return [
        Question(
            f"clip {clip}",
            (SYSTEM, Message("user", (f"Clip {clip}",))),
            schema,
            Sampler(seed=seed),
            draws,
        )
        for clip in clips
    ]


def read_level(text):
    level = json.loads(text)["level"]
    if level == 4:
        raise BadAnswer("Level 4 needs evidence.")
    return level


def go(questions, engine, store, read=read_level, report=no_report, stop=None):
    plan = make_plan("levels", questions, engine.facts())
    return run(plan, engine, store, read, report, stop)


def statuses(summary):
    return [result.status for result in summary.results]


def asked_clips(engine):
    return [question.name for question, _ in engine.asked]
