"""The oldest goal: treasures to be found and brought home. In and out as in `goals`."""

from __future__ import annotations

from worldengine.generator.draft import ANYWHERE, Draft
from worldengine.generator.parts.sources import obtain_named
from worldengine.generator.walker import Walker
from worldengine.generator.words import at, listed, quoted


def treasures(draft: Draft) -> None:
    """Treasures, brought home one by one or all at once, into a case; a score counts them."""
    draft.mechanics.add("treasures")
    case_name, told = draft.pick("cases")
    count = draft.random.randint(2, 4)
    place = draft.places[0]
    case = draft.thing(case_name, place.id, told, "portable = false open = true", "container")
    found = []
    for _ in range(count):
        name, text = draft.pick("treasures")
        found.append(obtain_named(draft, name, text, ANYWHERE, draft.depth))
    members = ", ".join(item.id for item, _ in found)
    draft.add(
        "derives",
        f"derive treasures_home : 0..{count} = count(x: thing where x.in == {case.id} and x in {{{members}}})",
    )
    draft.add(
        "actions",
        f"""action score {{ form "score" form "[my] points"
        say {quoted(f"You have {{treasures_home}} of {count} treasures in the {case_name}.")} }}""",
    )
    for number in range(1, count):
        draft.milestone(f"brought {number} home", f"treasures_home >= {number}")
    draft.milestone("held a first treasure", " or ".join(f"held({item.id})" for item, _ in found))

    def act(walker: Walker) -> None:
        for item, _ in found:
            if item.id in walker.held:
                walker.say(f"put {item.name} in {case.name}")
                walker.release(item)

    # Now and then all the way home between two of them.
    tasks = []
    for item_task in [getting for _, getting in found[:-1]]:
        if draft.random.random() < 0.4:
            tasks.append(draft.task(act, place, item_task))
        else:
            tasks.append(item_task)
    draft.goal(
        f"Find {listed([f'the {item.name}' for item, _ in found])}, and put them in the {case_name} {at(place.name)}.",
        f"treasures_home == {count}",
        draft.task(act, place, *tasks, found[-1][1]),
    )
