"""The questions a judge is asked: a rubric, an item, and the response it is to score.

What many responses share comes first, the response last, fenced so that no word of it can pass for
an instruction. A judge is told neither who wrote a response nor what notice its writer was given.
"""

from __future__ import annotations

import json
from functools import lru_cache
from string import Template

from app.audit.items import Item, Rubric
from app.audit.records import Reading
from app.coding.fence import fenced, spoken
from app.coding.prompts import Prompt, read_prompt
from app.running.questions import Message, Question, Sampler
from resources import resource

BAND_LETTERS = ("A", "B", "C", "D", "E")
"""Of the five bands, from the lowest. Letters: a model that is to write 10 begins with a 1."""

TABLES = ("band", "item", "request")
"""Tables of words that the prompt file must have."""

JUDGE_SAMPLER = Sampler(temperature=0.0, max_tokens=1024)
"""A judge decodes at temperature 0 (SpecialEduBench, section 3.5)."""


def _schema() -> str:
    point = {
        "type": "object",
        "properties": {
            "about": {"type": "string"},
            "met": {"type": "boolean"},
            "quote": {"type": "string"},
        },
        "required": ["about", "met", "quote"],
        "additionalProperties": False,
    }
    fields = {
        "points": {"type": "array", "items": point, "minItems": 1, "maxItems": 8},
        "band": {"type": "string", "enum": list(BAND_LETTERS)},
        "upper": {"type": "boolean"},
        "reason": {"type": "string"},
    }
    answer = {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }
    return json.dumps(answer, separators=(",", ":"))


SCHEMA = _schema()


class Judging:
    """Makes the questions for judges; the same for all of them.

    Args:
        prompt: The words; `None` takes what is shipped.
    """

    def __init__(self, prompt: Prompt | None = None) -> None:
        self.prompt = prompt or judge_prompt()
        self._shared = lru_cache(maxsize=64)(self._instruction)
        self._before = lru_cache(maxsize=512)(self._scene)

    def ask(
        self,
        item: Item,
        request: str,
        text: str,
        rubric: Rubric,
        reading: Reading = Reading.UPWARD,
        scorings: int = 1,
    ) -> Question:
        """Ask for the score of a response, so many times.

        Args:
            item: What the response answers.
            request: The words of the request, as the tutor was given them.
            text: The response.
            rubric: Of the item's group.
            reading: In which order the bands are shown.
            scorings: How often it is scored.
        """
        return self._question(
            item, request, text, rubric, reading, "score", SCHEMA, JUDGE_SAMPLER, scorings
        )

    def ask_band(self, item: Item, request: str, text: str, rubric: Rubric) -> Question:
        """Ask for nothing but the band, for engines that can be read without writing."""
        sampler = Sampler(max_tokens=1)
        return self._question(
            item, request, text, rubric, Reading.UPWARD, "band", "", sampler, scorings=1
        )

    def _question(
        self,
        item: Item,
        request: str,
        text: str,
        rubric: Rubric,
        reading: Reading,
        wanted: str,
        schema: str,
        sampler: Sampler,
        scorings: int,
    ) -> Question:
        words = "\n".join(
            [
                self._before(item.scene, request),
                self.prompt.say("item", "response"),
                self._fenced(text),
                "",
                self.prompt.say("request", wanted).strip(),
            ]
        )
        return Question(
            f"score {item.item_id}",
            (self._shared(rubric, reading), Message("user", (words,))),
            schema,
            sampler,
            scorings,
            self.prompt.full_name,
        )

    def _instruction(self, rubric: Rubric, reading: Reading) -> Message:
        lines = [
            self.prompt.say("band", "one", letter=letter, text=band.text)
            for letter, band in zip(BAND_LETTERS, rubric.bands, strict=True)
        ]
        if reading is Reading.DOWNWARD:
            lines.reverse()
        told = Template(self.prompt.system).substitute(
            title=rubric.title, about=rubric.about, bands="\n\n".join(lines)
        )
        return Message("system", (told,))

    def _scene(self, scene: str, request: str) -> str:
        told = [self.prompt.say("item", "scene", scene=scene).strip()] if scene else []
        told.append(self.prompt.say("item", "request", request=request).strip())
        return "".join(f"{part}\n\n" for part in told).removesuffix("\n")

    def _fenced(self, text: str) -> str:
        lines = [spoken(line) for line in text.splitlines() if line.strip()]
        if not lines:
            return self.prompt.say("item", "nothing")
        return fenced(lines, self.prompt.words["item"]["mark"])


def judge_prompt() -> Prompt:
    """Give the words that judges are asked with."""
    return read_prompt(resource("prompts/judge.toml"), TABLES)
