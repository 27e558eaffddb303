r"""Turn the JSON Schema of an answer into the grammar that llama.cpp holds a model to.

Written here rather than taken from llama-cpp-python, whose converter passes over what it does not
know, and a rule that is passed over is worse than none. This one knows what
`app.running.schemas` checks and refuses the rest. What a grammar cannot say (`pattern`, bounds of
numbers that span more than `_LISTED` values, `oneOf` meaning exactly one) is left to that check,
which every answer passes through anyway. So is `maxLength`, on purpose: a grammar would end a text
in the midst of a sentence and make it look whole.

Fields come in the order of the schema and never twice. Texts have no control characters and no
`\u` signs, so that what is written is what is read.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from app.errors import EngineMissing

_LISTED = 200
"""Whole numbers between two bounds are listed one by one up to this many."""

_LONGEST = 1000
"""Lengths beyond this are left to the check: each step of a count is a rule of the grammar."""

_BASE = {
    # White space as models write it between the parts, and not without end.
    "ws": r'( " " | "\n" " "{0,12} )?',
    "char": r'[^"\\\x00-\x1F\x7F] | "\\" ["\\/bfnrt]',
    "string": r'"\"" char* "\""',
    "whole": r'"0" | [1-9] [0-9]{0,14}',
    "integer": '"-"? whole',
    "number": r'integer ( "." [0-9]{1,12} )?',
    "boolean": '"true" | "false"',
    "null": '"null"',
    "value": "object | array | string | number | boolean | null",
    "object": r'"{" ws ( string ws ":" ws value ( ws "," ws string ws ":" ws value )* ws )? "}"',
    "array": r'"[" ws ( value ( ws "," ws value )* ws )? "]"',
}
_KINDS = ("string", "integer", "number", "boolean", "null", "object", "array")
_SILENT = {"title", "description", "default", "examples", "$defs", "$schema", "$id", "format"}
_KNOWN = {
    *_SILENT,
    *("type", "properties", "required", "additionalProperties", "items", "minItems", "maxItems"),
    *("enum", "const", "anyOf", "oneOf", "$ref", "minLength", "maxLength", "pattern"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
}


def grammar_of(schema: str) -> str:
    """Give the grammar for a JSON Schema, in llama.cpp's GBNF, with the rule `root`.

    Raises:
        EngineMissing: The schema says something that has no grammar here.
    """
    try:
        return _Rules(json.loads(schema)).text()
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise EngineMissing(
            f"A local model cannot be held to the form of this answer: {error}.",
            "Report it; the question was not asked.",
        ) from error


class _Rules:
    def __init__(self, root: Any) -> None:
        self._root = root
        self._rules = dict(_BASE)
        self._parts: dict[str, str] = {}
        self._rules["root"] = self._visit(root)

    def text(self) -> str:
        return "\n".join(f"{name} ::= {rule}" for name, rule in self._rules.items()) + "\n"

    def _add(self, rule: str) -> str:
        """Give a rule a name, the same for the same rule."""
        if rule in self._parts:
            return self._parts[rule]
        name = self._parts[rule] = f"r{len(self._parts)}"
        self._rules[name] = rule
        return name

    def _visit(self, schema: Any) -> str:
        """Give the name of the rule for a part of the schema."""
        if schema is True or schema == {}:
            return "value"
        if not isinstance(schema, dict):
            raise ValueError(f"{schema!r} is not a schema")
        unknown = sorted(set(schema) - _KNOWN)
        if unknown:
            raise ValueError(f"“{unknown[0]}” is not known here")
        if "$ref" in schema:
            _alone(schema, "$ref", {"$ref"})
            return self._reference(schema["$ref"])
        if "enum" in schema or "const" in schema:
            _alone(schema, "enum", {"enum", "const", "type"})
            return self._one_of(schema.get("enum", [schema.get("const")]))
        for word in ("anyOf", "oneOf"):
            if word in schema:
                _alone(schema, word, {word})
                return self._add(" | ".join(self._visit(each) for each in schema[word]))
        return self._by_type(schema)

    def _by_type(self, schema: dict[str, Any]) -> str:
        said = schema.get("type")
        if said is None:
            shaped = {"properties": "object", "items": "array"}
            said = [kind for word, kind in shaped.items() if word in schema]
            if len(said) != 1:
                raise ValueError("a part says no type")
        names = [said] if isinstance(said, str) else said
        wrong = [name for name in names if name not in _KINDS]
        if wrong or not names:
            raise ValueError(f"there is no type {wrong[:1]}")
        rules = [getattr(self, f"_{name}")(schema) for name in names]
        return str(rules[0]) if len(rules) == 1 else self._add(" | ".join(rules))

    def _string(self, schema: dict[str, Any]) -> str:
        fewest = schema.get("minLength", 0)
        return self._add(rf'"\"" char{_times(fewest, None)} "\""') if fewest else "string"

    def _integer(self, schema: dict[str, Any]) -> str:
        lowest, highest = _bounds(schema)
        if lowest is None or highest is None or highest - lowest >= _LISTED:
            return "whole" if lowest is not None and lowest >= 0 else "integer"
        if lowest > highest:
            raise ValueError("no number lies between its bounds")
        return self._one_of(list(range(lowest, highest + 1)))

    def _number(self, schema: dict[str, Any]) -> str:
        lowest = schema.get("minimum", schema.get("exclusiveMinimum"))
        if lowest is not None and lowest >= 0:
            return self._add(r'whole ( "." [0-9]{1,12} )?')
        return "number"

    def _boolean(self, _schema: dict[str, Any]) -> str:
        return "boolean"

    def _null(self, _schema: dict[str, Any]) -> str:
        return "null"

    def _array(self, schema: dict[str, Any]) -> str:
        item = self._visit(schema.get("items", True))
        fewest, most = schema.get("minItems", 0), schema.get("maxItems")
        if most is not None and (most < fewest or most < 0):
            raise ValueError("a list cannot have as many entries as it says")
        if most == 0:
            return self._add('"[" ws "]"')
        more = _times(max(fewest - 1, 0), None if most is None else most - 1)
        entries = f'{item} ( ws "," ws {item} ){more} ws'
        return self._add(f'"[" ws {entries} "]"' if fewest else f'"[" ws ( {entries} )? "]"')

    def _object(self, schema: dict[str, Any]) -> str:
        fields = schema.get("properties", {})
        required = schema.get("required", [])
        missing = [name for name in required if name not in fields]
        if missing:
            raise ValueError(f"“{missing[0]}” is required and not described")
        if not fields:
            return self._free_object(schema.get("additionalProperties", True))
        pairs = [
            (f'{_literal(json.dumps(name, ensure_ascii=False))} ws ":" ws {self._visit(part)}',
             name in required)
            for name, part in fields.items()
        ]  # fmt: skip
        return self._add(f'"{{" ws {self._fields(pairs)} ws "}}"')

    def _free_object(self, more: Any) -> str:
        if more is False:
            return self._add('"{" ws "}"')
        pair = f'string ws ":" ws {self._visit(more)}'
        return self._add(f'"{{" ws ( {pair} ( ws "," ws {pair} )* ws )? "}}"')

    def _fields(self, pairs: Sequence[tuple[str, bool]]) -> str:
        """Give the rule for fields in their order, of which some may be left out."""
        rest, first = '""', '""'
        for pair, must in reversed(pairs):
            start = f"{pair} {rest}" if must else f"( {pair} {rest} | {first} )"
            following = f'ws "," ws {pair}' if must else f'( ws "," ws {pair} )?'
            rest, first = self._add(f"{following} {rest}"), self._add(start)
        return first

    def _one_of(self, values: list[Any]) -> str:
        if not values:
            raise ValueError("a part allows no value")
        texts = [json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in values]
        return self._add(" | ".join(map(_literal, texts)))

    def _reference(self, name: str) -> str:
        start = "#/$defs/"
        parts = self._root.get("$defs", {})
        if not name.startswith(start) or name.removeprefix(start) not in parts:
            raise ValueError(f"{name} is not a part of the schema")
        key = f"$ref {name}"
        if key not in self._parts:
            # Named before it is visited, since a part may hold itself.
            rule = self._parts[key] = f"r{len(self._parts)}"
            self._rules[rule] = self._visit(parts[name.removeprefix(start)])
        return self._parts[key]


def _alone(schema: dict[str, Any], word: str, known: set[str]) -> None:
    beside = sorted(set(schema) - known - _SILENT)
    if beside:
        raise ValueError(f"“{beside[0]}” beside “{word}” has no grammar")


def _bounds(schema: dict[str, Any]) -> tuple[int | None, int | None]:
    lowest, highest = schema.get("minimum"), schema.get("maximum")
    if "exclusiveMinimum" in schema:
        lowest = schema["exclusiveMinimum"] + 1
    if "exclusiveMaximum" in schema:
        highest = schema["exclusiveMaximum"] - 1
    if any(bound is not None and type(bound) is not int for bound in (lowest, highest)):
        return None, None
    return lowest, highest


def _times(fewest: int, most: int | None) -> str:
    """Say how often something may come, in the grammar's signs."""
    if type(fewest) is not int or fewest < 0 or fewest > _LONGEST:
        raise ValueError("a length is out of bounds")
    if most is None or most > _LONGEST:
        return "*" if fewest == 0 else f"{{{fewest},}}"
    if most < fewest:
        raise ValueError("a length has no room between its bounds")
    return f"{{{fewest},{most}}}"


def _literal(text: str) -> str:
    """Quote a text of the answer for the grammar."""
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'
