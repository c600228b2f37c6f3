"""A reader's sheet: what a world says of itself, and what is to be asked of it.

In: a Machine and its tree. Out: a page for a person or a model who writes expectations, made
from what a player is shown and from the names of the state: no requirement, no effect, no
condition, no refusal. How much is asked for grows with the world: every part of the goal, every
action, every text that depends on the state, every milestone, every ending has its questions.

Base of most entries is the world's own winning play: just before its command N everything that
command N needs is true, so one changed value shows one requirement. (Twenty expectations with
situations of the reader's own found 46 of 100 mutants: half of what should have been refused
was refused for some other reason.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from worldengine.judging.prints import BY_STATE, answers, descriptions
from worldengine.judging.situations import called
from worldengine.machine.schema import Machine, Variable
from worldengine.proof import replay
from worldengine.runtime import runtime_of
from worldengine.runtime.prompt import command_lines, prompt
from worldengine.syntax import ast

ROLES: Final = ("attribute", "location", "fact", "milestone")
"""The variables that a reader may name."""
_LISTED: Final = 24
"""Values of a name that are listed; places and things stand above on the sheet."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """`number` is about how many entries a thorough reader writes."""

    text: str
    number: int


def sheet(machine: Machine, document: ast.Document) -> Sheet:
    """See the module."""
    asked, number = _questions(machine, document)
    parts = [
        f"# {machine.title}: a reader's sheet",
        _HEAD,
        "## What the player is told",
        prompt(machine, reply="action").rsplit("\n\n", 1)[0],
        "## Things, people, places: id, printed name, where at the start",
        "\n".join(_objects(machine)),
        "## What is told of them",
        _ALTERNATIVES,
        "\n".join(f"- {name}: {said}" for name, said in descriptions(document) if said),
        "## What else the world may say",
        "\n".join(_answers(document)),
        "## Plays that win",
        *_plays(machine),
        "## Names of the state, their values, and their value at the start",
        "\n".join(_names(machine)),
        "## How an entry is written",
        _FORM,
        f"## What is asked: about {number} entries",
        "\n".join(asked),
    ]
    return Sheet("\n\n".join(part for part in parts if part) + "\n", number)


_HEAD: Final = """\
You read what a text game says and write down what it must do if that is true. You do not see \
its rules. Each entry you write sets the game up in a situation, gives one command, and says what \
must come of it. Many short entries that each test one thing are wanted, not few long ones."""

_ALTERNATIVES: Final = """\
⟨one / another⟩: which of these is said depends on the state of the game; ⟨ … / ⟩ is said or \
not. `…` is a name, a number or a list that is put in."""

_FORM: Final = """\
One JSON list, an entry a line, nothing else in the file. Two kinds of base:

{"about": "B3d", "because": "words of the texts, or common sense", "before": 7, \
"given": {"lamp.lit": false}, "expect": "refused"}

- `before: 7` is the winning play up to its command 7, which is not yet given. There everything \
that command 7 needs is true. `given` changes values there, best a single one. Without `command` \
command 7 itself is given; or write `"command"` for another one. The first play is meant; for \
another add `"play": 2` and the `"variant"` printed with it. `"without": [3, 5]` leaves commands \
of the play out on the way.
- Without `before` the game stands at its start: `given` sets what you need, and `command` must \
be there.

A value in `given` is set and nothing else is: what goes with it (a person you lead, a thing in a \
thing) has to be set, too. Things in hand are in `player`. Names of things in commands are the \
printed names. `because` may be short.

`expect` is one word, "ok", "refused", "won", "lost", "not_won" (the game is not won by this \
command, be it accepted or refused), or holds any of:
{"outcome": "ok", "status": "running", "values": {"lamp.lit": true}, \
"changes": {"purse.coins": "less"}, "says": ["words"], "omits": ["words"]}
- `values` after the command; `changes` against before it: more, less (numbers), same, other.
- `says` and `omits` are words that the answer has or has not: copy them letter by letter from \
the texts above, a piece without `…`, ⟨ or /. Never use `says` for a refusal.
- `"then": [{"command": "…", "expect": …}]` goes on with more commands.

Leave out what the texts leave open and common sense does not settle. A wrong entry costs more \
than a missing one, but a requirement nobody asks about is never tested."""


# -- what is shown ---------------------------------------------------------------------


def _objects(machine: Machine) -> list[str]:
    start = machine.start(0)
    lines = []
    for each in machine.objects:
        if each.role in ("exit", "player"):
            continue
        at = start[each.location] if each.location >= 0 else each.fixed
        where = f", in {machine.objects[at].id}" if at >= 0 else ""
        also = f" (also: {', '.join(each.aka)})" if each.aka else ""
        lines.append(f"- {each.id}: {each.name}{also}; {each.role}, {each.kind}{where}")
    return lines


def _answers(document: ast.Document) -> list[str]:
    lines: dict[str, None] = {}
    for name, said in answers(document):
        for words in said:
            lines[f"- {name}: {words}"] = None
    return list(lines)


def _plays(machine: Machine) -> list[str]:
    """Every proof in the first start that it wins: one as a player sees it, of others what
    is typed."""
    shown: list[str] = []
    for number, proof in enumerate(machine.proofs, start=1):
        for variant in range(len(machine.variants)):
            if replay(machine, number - 1, variant).won:
                if not shown:
                    shown.append(_play(machine, number, variant, proof))
                else:
                    typed = "; ".join(f"{at}. {command}" for at, command in enumerate(proof, 1))
                    shown.append(f"{_start(machine, number, variant)} {typed}")
                break
    return shown


def _start(machine: Machine, number: int, variant: int) -> str:
    values = ", ".join(f"{name}={value}" for name, value in machine.variants[variant].values)
    return f"Play {number}, variant {variant}{f' ({values})' if values else ''}:"


def _play(machine: Machine, number: int, variant: int, proof: tuple[str, ...]) -> str:
    runtime = runtime_of(machine)
    state, status = machine.start(variant), "running"
    lines = [_start(machine, number, variant), " ".join(runtime.opening(state).split())]
    for at, command in enumerate(proof, start=1):
        if status != "running":
            break
        turn = runtime.step(state, command)
        lines.append(f"{at}. {command}: {' '.join(turn.observation.split())}")
        state, status = turn.state, turn.status
    return "\n".join([*lines, f"(The game is {status}.)"])


def _names(machine: Machine) -> list[str]:
    """Names with the same values share a line."""
    places = tuple(o.id for o in machine.objects if o.role == "place")
    start = machine.start(0)
    groups: dict[str, list[str]] = {}
    for index, variable in enumerate(machine.variables):
        if variable.role in ROLES:
            at = called(machine, variable, start[index])
            values = _values(machine, variable, places)
            groups.setdefault(values, []).append(f"{variable.name}={str(at).lower()}")
    lines = [f"- {values}: {', '.join(names)}" for values, names in groups.items()]
    if machine.turn >= 0:  # it is kept only where a rule asks for it
        lines.append(f"- 0..{machine.turns}: turn=0 (how many turns have passed)")
    return lines


def _values(machine: Machine, variable: Variable, places: tuple[str, ...]) -> str:
    if variable.kind == "bool":
        return "true, false"
    if variable.kind == "int":
        return f"{variable.low}..{variable.high}"
    values = [str(called(machine, variable, number)) for number in variable.domain]
    rest = [value for value in values if value not in places]
    if len(values) - len(rest) == len(places) and len(places) > 3:
        values = ["any place", *rest]
    return ", ".join(values[:_LISTED]) + (", …" if len(values) > _LISTED else "")


# -- what is asked ---------------------------------------------------------------------

_CONDITIONS: Final = """\
a) the player is somewhere else; b) what is acted on, or somebody needed, is not there; c) the \
tool or material is not in hand; d) it is done already, the command given once more; e) what \
must be done before is not done (each step before it on its own); f) the way is shut, off, \
dark, asleep, occupied, in use: every state that matters set to each other value; g) too much, \
too little, too early, too late: a number just beyond what is allowed, and, accepted, just \
within; h) something else is going on or in the way; i) the wrong sort of thing, person, \
direction or value in the command, one of each wrong sort"""


def _questions(machine: Machine, document: ast.Document) -> tuple[list[str], int]:
    """Lines, and about how many entries they ask for."""
    lines = [
        "A. **Goal.** For every single thing that goal and intro ask for: the winning play just "
        "before its last command with this one thing not so (`given`), and the last command: "
        "not_won. For limits: just kept, won; just broken, not_won. With all as it should be: won. "
        "And: the last command itself given much too early.",
        "B. **Actions.** For every action below, at a command of the play that uses it or where "
        "you set everything up: what must be true before? One entry for each condition, with that "
        f"one condition broken: refused. Go through them all: {_CONDITIONS}. Then one entry where "
        "it works, with `values` and `changes` of everything that is different after it, and of a "
        "number that must not change. Where its effect depends on something, one for each case.",
    ]
    actions = [line.removeprefix("- ") for line in command_lines(machine)]
    own = sum(schema.own for schema in machine.schemas)
    lines += [f"   B{n}. {line}" for n, line in enumerate(actions[:own], start=1)]
    lines.append(
        "   Of the other commands only those that this world makes special: ways that are shut at "
        "times, things that may not be taken, people who do not talk, what is said on top of them."
    )
    states = [f"{name}: {said}" for name, said in descriptions(document) if BY_STATE in said]
    said_by = [f"{n}: {words}" for n, several in answers(document) for words in several]
    states += [line for line in said_by if BY_STATE in line]
    lines.append(
        "C. **Texts that depend on the state.** For every alternative in ⟨ ⟩ one situation where "
        "it is said (`says`) and the others are not (`omits`), by `look`, `examine …`, `read …` or "
        f"the action, at some command of the play or with `given`: {len(states)} texts have them."
    )
    events = [line for line in said_by if line.startswith(("by itself", "before ", "after "))]
    lines.append(
        "D. **What happens by itself** (`wait`), and on top of other actions: for every such text "
        f"({len(events)} above) a situation where it is said and one where it is not; every number "
        "that time changes: more or less than before, and same when it should stand still."
    )
    milestones = [rule for rule in machine.rules if rule.kind == "milestone"]
    lines.append(
        "E. **Milestones**, each a value of the state that stays true once it was reached "
        "by the play: true in `values` at the command that reaches it, false at the command before "
        "that; and, set to false in `given` at a later command, with one thing short of it: false "
        "still, an entry for each thing that it takes:"
    )
    lines += [f"   {rule.name}: {rule.title}" for rule in milestones]
    lost = [words for name, words in answers(document) if name == "the end, lost"]
    lines.append(
        f"F. **Losing** ({len(lost)} endings above, and running out of what is counted): the "
        "situation just before it and the command that loses: lost; the same with one thing "
        "better: running."
    )
    lines.append(
        "G. **Order.** The winning play without one of its commands (`before` a later one, "
        "`without` it): for every pair where the later one needs the earlier: refused. For every "
        "command without which the game cannot be won: the last one, not_won."
    )
    branches = sum(line.count(" / ") + 1 for line in states)
    length = len(machine.proofs[0]) if machine.proofs else 0
    number = 8 + 6 * own + 2 * branches + 2 * len(events) + 2 * len(milestones) + 3 * len(lost)
    return lines, number + length // 2
