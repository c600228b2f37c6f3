"""What old adventure games are afraid of: beasts in the way, whatever lives in the dark.

In and out as in `gates`.
"""

from __future__ import annotations

from worldengine.generator.draft import Draft, Gate
from worldengine.generator.layout import gate_ends, way_back_is_free
from worldengine.generator.parts.sources import obtain_named
from worldengine.generator.words import a, capital, quoted


def creature(draft: Draft, gate: Gate) -> None:
    """A beast that lets nobody by, and has one weakness."""
    name, weapon_name, weakness, told, death = draft.pick("creatures")
    draft.mechanics.add("beast")
    before, _, direction = gate_ends(draft, gate)
    weapon, getting = obtain_named(draft, weapon_name, "", gate.number, draft.depth)
    draft.once("beast", "kinds", "kind beast is thing { portable = false }")
    ident = draft.names.ident(name)
    draft.names.show(name)
    draft.add(
        "things", f"beast {ident} {quoted(name)} in {before.id} {{ describe {quoted(weakness)} }}"
    )
    before.more.append(
        f"{{if {ident}.in != nowhere}}{capital(a(name))} bars the way {direction}.{{end}}"
    )
    gate.condition = f"{ident}.in == nowhere"
    gate.refusal = f"The {name} is in the way."
    way_back_is_free(draft, gate)
    wrong = 'say "That makes no difference to {the b}."'
    if draft.spend_mistake():
        draft.mechanics.add("deadly fight")
        flag = draft.names.ident(f"beaten by {name}")
        draft.player.append(f"{flag} : bool = false")
        draft.lose(f"player.{flag}", death)
        wrong = f"set player.{flag} = true"
    draft.gather(
        "fights",
        f"{ident} {{ if w == {weapon.id} {{ remove {ident} say {quoted(told)} }} else {{ {wrong} }} }}",
        _fights,
    )
    draft.milestone(f"overcame the {name}", f"{ident}.in == nowhere")
    gate.task = draft.task(
        lambda walker: walker.say(f"fight {name} with {weapon.name}"), before, getting
    )


def _fights(draft: Draft, gathered: list[str]) -> None:
    branches = " ".join(gathered)
    draft.add(
        "actions",
        f"""action fight(b: beast here, w: thing held) {{ form "(fight|attack|face) {{b}} with {{w}}"
        match b {{ {branches} }} }}""",
    )


def lurking(draft: Draft, lamp: str) -> None:
    """Whoever stays in the dark without a light is not alone there."""
    draft.mechanics.add("danger in the dark")
    lurker = draft.theme.one("lurkers", draft.random)
    draft.player.append("dread : 0..3 = 0")
    draft.add(
        "rules",
        f"""rule dread {{ when player.in.dark and not {lamp}.lit set player.dread += 1
        if player.dread < 3 {{ say "Something moves in the dark, nearer than before." }} }}
        rule relief {{ when player.dread > 0 and not player.in.dark set player.dread = 0 }}""",
    )
    draft.lose("player.dread == 3", f"In the dark {lurker} finds you.")
