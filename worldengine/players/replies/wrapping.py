"""What models put around a command: JSON, quotation marks, brackets, a prompt sign.

In: what stands where a command should be. Out: the command itself, and the names of what was
taken off.
"""

from __future__ import annotations

import json
from typing import Any

LABELS = {
    "action": "action", "act": "action", "command": "action", "next action": "action",
    "final action": "action", "my action": "action", "next command": "action",
    "thought": "thought", "thoughts": "thought", "think": "thought", "thinking": "thought",
    "reasoning": "thought", "reason": "thought", "analysis": "thought", "plan": "thought",
    "observation": "observation", "obs": "observation", "result": "observation",
}  # fmt: skip
"""Words that models write before a colon, and in JSON as keys, by what they label."""
ARGUMENTS = ("action input", "args", "arguments", "parameters", "input")
WRAPS = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "«": "»", "[": "]", "<": ">",
         "(": ")", "*": "*", "_": "_"}  # fmt: skip
QUOTES = "\"'`"
DEEPEST = 4
"""Layers of quotation marks and brackets that are taken off."""


def unwrapped(said: str) -> tuple[str, tuple[str, ...]]:
    """A command without what was put around it; names of `tolerant.REPAIRS`."""
    repairs: list[str] = []
    command = said.strip()
    if command.startswith("{"):
        value = _value(command, 0)[0]
        if isinstance(value, dict) and value:
            fields = _fields(value)
            command = fields[1] if fields else _words(value)
            repairs.append("json")
    before = command
    if command.startswith(("> ", ">>")):
        command = command.lstrip("> ")
    for _ in range(DEEPEST):
        if len(command) < 2 or WRAPS.get(command[0]) != command[-1]:
            break
        if command[0] in QUOTES and command[0] in command[1:-1]:
            break  # two quotations, as in `"a" and "b"`
        command = command[1:-1].strip()
    if command != before:
        repairs.append("wrapped")
    return command, tuple(repairs)


def said_in_json(body: str, at: int) -> tuple[tuple[str, str] | None, int]:
    """Thought and command of the object that begins at `at`, and where it ends."""
    value, end = _value(body, at)
    return (_fields(value) if isinstance(value, dict) else None), end


def _value(body: str, at: int) -> tuple[Any, int]:
    try:
        value, end = json.JSONDecoder().raw_decode(body, at)
    except (ValueError, RecursionError):
        return None, at
    return value, end


def _fields(value: dict[Any, Any]) -> tuple[str, str] | None:
    """Thought and command of an object; None where it names no command."""
    parts = {str(key).lower().replace("_", " "): part for key, part in value.items()}
    command = next((_words(parts[key]) for key in parts if LABELS.get(key) == "action"), "")
    if not command:
        return None
    thought = next((_words(parts[key]) for key in parts if LABELS.get(key) == "thought"), "")
    arguments = next((_words(parts[key]) for key in ARGUMENTS if key in parts), "")
    return thought, f"{command} {arguments}".strip()


def _words(value: Any) -> str:
    """A value of JSON as words; what is nested deeper is left out."""
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, bool | int | float):
        return str(value)
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        flat = (_words(item) for item in value if not isinstance(item, list | dict))
        return " ".join(filter(None, flat))
    return ""
