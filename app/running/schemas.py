"""Check an answer against the JSON Schema it was asked for.

The part of JSON Schema that our questions use (draft 2020-12). A schema with anything else in it
is refused, since a rule that is not checked is worse than none. One point is stricter than the
standard: `3.0` is no integer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

_Rule = Callable[[Any, str], str]
"""Looks at a value, named by its path; gives what is wrong with it, or an empty text."""

_TYPES: dict[str, tuple[str, tuple[type, ...]]] = {
    "object": ("an object", (dict,)),
    "array": ("a list", (list,)),
    "string": ("a text", (str,)),
    "integer": ("a whole number", (int,)),
    "number": ("a number", (int, float)),
    "boolean": ("true or false", (bool,)),
    "null": ("null", (type(None),)),
}
_SILENT = {"title", "description", "default", "examples", "$defs", "$schema", "$id", "format"}
_LIMITS: dict[str, tuple[str, Callable[[Any, Any], bool], tuple[type, ...]]] = {
    "minimum": ("is below {}", lambda v, n: v < n, (int, float)),
    "maximum": ("is above {}", lambda v, n: v > n, (int, float)),
    "exclusiveMinimum": ("is not above {}", lambda v, n: v <= n, (int, float)),
    "exclusiveMaximum": ("is not below {}", lambda v, n: v >= n, (int, float)),
    "minLength": ("needs {} or more characters", lambda v, n: len(v) < n, (str,)),
    "maxLength": ("has more than {} characters", lambda v, n: len(v) > n, (str,)),
    "minItems": ("has fewer than {} entries", lambda v, n: len(v) < n, (list,)),
    "maxItems": ("has more than {} entries", lambda v, n: len(v) > n, (list,)),
    "pattern": ("does not match {}", lambda v, n: re.search(n, v) is None, (str,)),
}


def schema_error(value: Any, schema: str) -> str:
    """Say what is wrong with a value, naming the field; empty when it keeps the schema.

    Raises:
        ValueError: The schema itself says something that is not checked here.
    """
    return _compiled(schema)(value, "")


@lru_cache(maxsize=32)
def _compiled(schema: str) -> _Rule:
    table = json.loads(schema)
    return _rule(table, table, {})


def _rule(schema: Any, root: Any, seen: dict[str, _Rule]) -> _Rule:
    if schema is True:
        return lambda _value, _path: ""
    if not isinstance(schema, dict):
        raise ValueError(f"{schema!r} is not a schema that can be checked")
    rules = list(_rules(schema, root, seen))
    if len(rules) == 1:
        return rules[0]

    def check(value: Any, path: str) -> str:
        for rule in rules:
            if wrong := rule(value, path):
                return wrong
        return ""

    return check


def _rules(schema: dict[str, Any], root: Any, seen: dict[str, _Rule]) -> Iterator[_Rule]:
    if "type" in schema:
        yield _type_rule(schema["type"])
    if "properties" in schema or "required" in schema or "additionalProperties" in schema:
        yield _object_rule(schema, root, seen)
    for word, said in schema.items():
        if word == "$ref":
            yield _reference(said, root, seen)
        elif word in ("enum", "const"):
            yield _one_of(said if word == "enum" else [said])
        elif word == "items":
            yield _items_rule(_rule(said, root, seen))
        elif word in ("anyOf", "oneOf"):
            yield _any_rule([_rule(each, root, seen) for each in said], word == "oneOf")
        elif word in _LIMITS:
            yield _limit_rule(word, said)
        elif word not in {*_SILENT, "type", "properties", "required", "additionalProperties"}:
            raise ValueError(f"{word} is not checked here; leave it out of the schema")


def _type_rule(said: str | list[str]) -> _Rule:
    names = [said] if isinstance(said, str) else said
    unknown = [name for name in names if name not in _TYPES]
    if unknown:
        raise ValueError(f"there is no type {unknown[0]}")
    # The very type: in Python, though not in JSON, true is a whole number.
    kinds = {kind for name in names for kind in _TYPES[name][1]}
    wanted = " or ".join(_TYPES[name][0] for name in names)
    return lambda value, path: "" if type(value) in kinds else f"{_at(path)} is not {wanted}"


def _object_rule(schema: dict[str, Any], root: Any, seen: dict[str, _Rule]) -> _Rule:
    known = {k: _rule(v, root, seen) for k, v in schema.get("properties", {}).items()}
    required = schema.get("required", [])
    more = schema.get("additionalProperties", True)
    others = _rule(more, root, seen) if more is not False else None

    def check(value: Any, path: str) -> str:
        if not isinstance(value, dict):
            return ""
        for name in required:
            if name not in value:
                return f"{_at(_join(path, name))} is missing"
        for name, part in value.items():
            rule = known.get(name, others)
            if rule is None:
                return f"{_at(_join(path, name))} was not asked for"
            if wrong := rule(part, _join(path, name)):
                return wrong
        return ""

    return check


def _items_rule(rule: _Rule) -> _Rule:
    def check(value: Any, path: str) -> str:
        if isinstance(value, list):
            for place, entry in enumerate(value):
                if wrong := rule(entry, f"{path}[{place}]"):
                    return wrong
        return ""

    return check


def _any_rule(rules: list[_Rule], exactly_one: bool) -> _Rule:
    def check(value: Any, path: str) -> str:
        wrong = [rule(value, path) for rule in rules]
        kept = wrong.count("")
        if kept == 0:
            return " and ".join(dict.fromkeys(wrong))
        return f"{_at(path)} can be read in two ways" if exactly_one and kept > 1 else ""

    return check


def _one_of(allowed: list[Any]) -> _Rule:
    known = {json.dumps(each, sort_keys=True) for each in allowed}
    texts = {each for each in allowed if isinstance(each, str)}
    told = ", ".join(json.dumps(each, ensure_ascii=False) for each in allowed)

    def check(value: Any, path: str) -> str:
        if type(value) is str and value in texts:
            return ""
        # As JSON, since true equals 1 in Python.
        if json.dumps(value, sort_keys=True) in known:
            return ""
        return f"{_at(path)} is {_short(value)}, but must be one of {told}"

    return check


def _limit_rule(word: str, limit: Any) -> _Rule:
    told, breaks, kinds = _LIMITS[word]

    def check(value: Any, path: str) -> str:
        if not isinstance(value, kinds) or isinstance(value, bool) or not breaks(value, limit):
            return ""
        return f"{_at(path)}: {_short(value)} {told.format(limit)}"

    return check


def _reference(name: str, root: Any, seen: dict[str, _Rule]) -> _Rule:
    """Follow `#/$defs/...`; a part may name itself."""
    start = "#/$defs/"
    if not name.startswith(start) or name.removeprefix(start) not in root.get("$defs", {}):
        raise ValueError(f"{name} is not a part of the schema")
    if name not in seen:
        seen[name] = lambda value, path: seen[name](value, path)
        seen[name] = _rule(root["$defs"][name.removeprefix(start)], root, seen)
    return lambda value, path: seen[name](value, path)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _at(path: str) -> str:
    return f"“{path}”" if path else "The answer"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:59]}…"
