"""What a player types for an action: a natural form and the planner's own order of words.

`(stack ?b ?under)` is `stack {b} on {under}` and `stack {b} {under}`. Prepositions come from
the names of parameters, from well-known verbs, and from what a parameter is; where nothing
tells, it is `with` and `and`.
"""

from __future__ import annotations

import re

from worldengine.importers.naming import words

OWN = {"from", "to", "in", "on", "at", "into", "onto", "via", "using", "through", "by", "for"}
VERBS = {
    "stack": "on", "unstack": "from", "load": "into", "unload": "from", "put": "on",
    "put down": "on", "drive": "to", "fly": "to", "go": "to", "give": "to", "drop": "at",
    "putdown": "on", "take": "from", "open": "with", "unlock": "with", "serve": "at",
}  # fmt: skip
HINTS = {
    "from": r"from|source|src|start|origin|loc-?from|old|prev.*",
    "to": r"to|dest.*|target|goal|end|loc-?to|new|next",
    "at": r".*loc(ation)?|place|room|area|depot|city|airport|floor|site|pos(ition)?|cell|hoist",
    "with": r"gripper|hand|arm|robot|truck|tool|agent|h\d?|g\d?|rover|machine|key|.*with",
}
TAKEN = {"look", "l", "examine", "x", "inventory", "i", "inv", "wait", "z", "inspect"}


def verb(name: str, hyphens: bool) -> str:
    said = name if hyphens else words(name)
    said = re.sub(r"[^\w\s'-]", " ", said).strip() or "do"
    return f"do {said}" if said in TAKEN or said.split()[0] in TAKEN else said


def forms(
    name: str, parameters: list[tuple[str, str, str]], hyphens: bool = False
) -> tuple[str, ...]:
    """Parameters as (name in the script, name in PDDL, kind). With `hyphens` the verb stays
    one word, which keeps `move up` and `move {x}` apart where an object is called `up`."""
    said = verb(name, hyphens)
    slots = ["{" + made + "}" for made, _, _ in parameters]
    bare = " ".join([said, *slots])
    natural = said
    used: set[str] = set()
    for index, (_, own, kind) in enumerate(parameters):
        joint = _joint(said, index, own.lstrip("?"), kind, used)
        used.add(joint)
        natural += f" {joint} {slots[index]}" if joint else f" {slots[index]}"
    return tuple(dict.fromkeys((natural, bare)))


def _joint(said: str, index: int, own: str, kind: str, used: set[str]) -> str:
    if own in OWN and own not in used:
        return own
    if index == 0:
        return ""
    if index == 1 and said in VERBS:
        return VERBS[said]
    for word, pattern in HINTS.items():
        if word not in used and (re.fullmatch(pattern, own) or re.fullmatch(pattern, kind)):
            return word
    return "and" if "with" in used else "with"
