"""What no plan needs: things to carry about, people with nothing to tell, weather."""

from __future__ import annotations

from worldengine.generator.draft import ANYWHERE, Draft
from worldengine.generator.parts.sources import somebody, surface_in
from worldengine.generator.words import a, capital, quoted


def clutter(draft: Draft) -> None:
    """As many distractors as the draft was given, as far as the theme has words."""
    for _ in range(draft.distractors):
        if not draft.has("clutter"):
            break
        _one(draft)
        draft.made_distractors += 1
    if draft.random.random() < 0.5:
        _weather(draft)


def _one(draft: Draft) -> None:
    draw = draft.random.random()
    if draw < 0.15 and draft.has("keys"):
        name = draft.pick("keys")
        draft.thing(
            name, draft.spot(ANYWHERE).id, f"{capital(a(name))}, and no lock for it anywhere."
        )
    elif (
        draw < 0.3
        and draft.has("people")
        and len(draft.made.get("peopled", [])) < len(draft.places)
    ):
        person, _ = somebody(draft, ANYWHERE)
        remark = draft.theme.one("remarks", draft.random)
        draft.add(
            "hooks",
            f"after talk(p: {person.id}) {{ say {quoted(remark.format(name=person.name))} }}",
        )
    else:
        name, text = draft.pick("clutter")
        place = draft.spot(ANYWHERE)
        surface = surface_in(draft, place) if draft.random.random() < 0.3 else None
        draft.thing(name, surface.id if surface else place.id, text)


def _weather(draft: Draft) -> None:
    draft.mechanics.add("weather")
    period = draft.random.randint(5, 9)
    line = draft.theme.one("weather", draft.random)
    draft.add(
        "rules", f"rule weather {{ when turn % {period} == {period - 1} say {quoted(line)} }}"
    )
