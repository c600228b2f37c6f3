"""One world, proven: drawn, formatted, compiled, its proofs replayed.

In: a seed, settings. Out: a `Generated`. A draft that does not hold is a fault of a part; it is
drawn again, a few times, and then said (`Unproven`): nothing unproven leaves this module.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from worldengine.compiler import Compilation, compile_source
from worldengine.diagnostics import Diagnostic, render_terminal
from worldengine.generator.script import Script
from worldengine.generator.settings import Generated, Settings, SettingsError
from worldengine.machine import Machine
from worldengine.proof import check, needed_of, replay, replays, winning_plan, won_within
from worldengine.runtime import runtime_of
from worldengine.source import Source
from worldengine.syntax import format_document, parse

if TYPE_CHECKING:
    from worldengine.generator.families import Family

DRAWS = 8
SOON = 3
"""Turns within which nothing may be won, closely looked at; beyond, briefly."""
CLOSELY = 25_000


class Unproven(RuntimeError):
    """No draw of this seed held; the message says what the last one lacked."""


def generate(seed: int, settings: Settings | None = None) -> Generated:
    """The world of a seed; see the package."""
    return proven(seed, settings)[0]


def family_of(settings: Settings) -> Family:
    """The family asked for. SettingsError if there is none, or it lacks the task or theme."""
    from worldengine.generator.families import FAMILIES

    family = FAMILIES.get(settings.family)
    if family is None:
        known = ", ".join(FAMILIES)
        raise SettingsError(f"there is no family {settings.family!r}; there are: {known}")
    if settings.task is not None and settings.task not in family.tasks:
        known = ", ".join(family.tasks) or "none"
        raise SettingsError(
            f"the family {settings.family} has no task {settings.task!r}; it has: {known}"
        )
    if settings.theme is not None and settings.theme not in family.themes():
        known = ", ".join(family.themes()) or "none, for its words are its own"
        raise SettingsError(
            f"the family {settings.family} has no theme {settings.theme!r}; it has: {known}"
        )
    return family


def proven(seed: int, settings: Settings | None = None) -> tuple[Generated, Machine]:
    """The same with the Machine it compiles to."""
    settings = settings or Settings()
    family = family_of(settings)
    trouble = ""
    for draw in range(DRAWS):
        random = Random(f"{settings.family}/{seed}/{draw}")
        script = family.make(random, settings)
        # Worlds of one title are told apart by their seed wherever names are listed.
        _, _, rest = script.text.removeprefix("world ").partition(" ")
        name = f"{settings.family}_{script.theme or 'world'}_{seed}"
        script = replace(script, text=f"world {name} {rest}")
        text, machine, trouble = held(script)
        if machine is not None and not trouble:
            trouble = _too_soon(machine, settings.plan[0]) or _emptied(machine, settings.plan)
        if machine is not None and not trouble:
            return _generated(seed, settings, script, text, machine), machine
    raise Unproven(f"seed {seed} of {settings.family} gave no proven world: {trouble}")


def held(script: Script) -> tuple[str, Machine | None, str]:
    """The canonical text, its Machine, and what is wrong with it: "" if it compiles without a
    warning and every start is won by a proof, word for word."""
    source = Source("generated.world", script.text)
    tree, found = parse(source)
    if tree is None or any(item.severity == "error" for item in found):
        return script.text, None, render_terminal(found)
    text = format_document(tree)
    compilation = compile_source(Source("generated.world", text))
    return text, compilation.machine, _wanting(compilation)


def _wanting(compilation: Compilation) -> str:
    bad: list[Diagnostic] = [d for d in compilation.diagnostics if d.severity != "note"]
    if compilation.machine is None or bad:
        return render_terminal(bad)
    machine = compilation.machine
    checked = check(machine)
    if checked.won < len(machine.variants):
        first = replay(machine, 0, 0)
        return f"the proof ends {first.status}: {first.first_refusal or first.last}"
    if not _passes_milestones(machine):
        return "a proof passes no milestone"
    if replayed_short(compilation):
        return "a proof has commands that are refused where it should win"
    return ""


def _too_soon(machine: Machine, least: int) -> str:
    """A win in fewer commands than a plan should have, where a short look finds one: "" else."""
    for variant in range(len(machine.variants)):
        found = won_within(machine, variant, min(SOON, least - 1), CLOSELY)
        found = found or won_within(machine, variant, least - 1)
        if found is not None:
            return f"it is won in {len(found)} of {least} commands: {', '.join(found)}"
    return ""


def _emptied(machine: Machine, plan: tuple[int, int]) -> str:
    """What is wrong with the plays that are left of the proofs when all is left out that they do
    not need, reading what one could guess not excepted: "" if they are as long as asked for, and
    none wins from every start."""
    low, high = plan
    starts = range(len(machine.variants))
    needed = [needed_of(machine, start, winning_plan(machine, start) or ()) for start in starts]
    for start, play in enumerate(needed):
        if not low <= len(play) <= high:
            return f"start {start} needs {len(play)} commands, not {low} to {high}"
        if len(starts) > 1 and all(replays(machine, other, play) for other in starts):
            return f"one play wins from all {len(starts)} starts: {', '.join(play)}"
    return ""


def _passes_milestones(machine: Machine) -> bool:
    """Whether every variant's plan passes a milestone, so that progress says something."""
    runtime = runtime_of(machine)
    for variant in range(len(machine.variants) if machine.milestones else 0):
        state = machine.start(variant)
        for command in winning_plan(machine, variant) or ():
            state = runtime.step(state, command).state
        if not any(state[slot] for slot in machine.milestones):
            return False
    return True


def replayed_short(compilation: Compilation) -> bool:
    """Whether a variant is won by no proof word for word, but only with commands dropped."""
    machine = compilation.machine
    assert machine is not None
    return not all(
        any(_word_for_word(machine, proof, variant) for proof in range(len(machine.proofs)))
        for variant in range(len(machine.variants))
    )


def _word_for_word(machine: Machine, proof: int, variant: int) -> bool:
    played = replay(machine, proof, variant)
    return played.won and played.commands == machine.proofs[proof]


def _generated(
    seed: int, settings: Settings, script: Script, text: str, machine: Machine
) -> Generated:
    return Generated(
        text,
        machine.name,
        settings.family,
        script.theme,
        seed,
        script.proofs[0],
        script.mechanics,
        script.places,
        script.mistakes,
        script.distractors,
    )
