"""What a world is about: to bring, to mend, to sort, to perform.

In: a draft with its map and gates. Out: a task, a sentence for the goal, a condition for `win`.
The sentence asks for exactly what the condition does.
"""

from __future__ import annotations

from itertools import permutations

from worldengine.generator.draft import ANYWHERE, Draft, Item, Place
from worldengine.generator.layout import way_to
from worldengine.generator.parts.choosing import some_good
from worldengine.generator.parts.sources import accept_gift, obtain_named, somebody, speak
from worldengine.generator.walker import Walker
from worldengine.generator.words import a, at, capital, listed, plural, quoted

COUNTED = {3: "three", 4: "four", 5: "five"}


def deliver(draft: Draft) -> None:
    """Things to be laid on a surface of one place."""
    draft.mechanics.add("deliver")
    count = draft.random.randint(1, 3)
    wanted = [some_good(draft, ANYWHERE, draft.depth) for _ in range(count)]
    place = draft.spot(ANYWHERE)
    shown, text = draft.pick("altars")
    table = draft.thing(shown, place.id, text, kind="surface")
    names = [item.name for item, _ in wanted]
    for item, _ in wanted[:-1]:
        draft.milestone(f"laid down the {item.name}", f"{item.id}.in == {table.id}")
    draft.milestone(f"held the {names[-1]}", f"held({wanted[-1][0].id})")

    def act(walker: Walker) -> None:
        for item, _ in wanted:
            walker.say(f"put {item.name} on {table.name}")
            walker.release(item)

    task = draft.task(act, place, *(getting for _, getting in wanted))
    draft.goal(
        f"Put {listed([f'the {name}' for name in names])} on the {table.name} {at(place.name)}.",
        " and ".join(f"{item.id}.in == {table.id}" for item, _ in wanted),
        task,
    )


def present(draft: Draft) -> None:
    """One thing to be given to one person, who says why."""
    draft.mechanics.add("present")
    item, getting = some_good(draft, ANYWHERE, draft.depth + 1)
    person, place = somebody(draft, ANYWHERE)
    draft.milestone(f"held the {item.name}", f"held({item.id})")
    accept_gift(
        draft,
        person,
        item,
        "say " + quoted(f'{person.name} turns the {item.name} over and over. "At last."'),
    )
    speak(
        draft, person,
        "say " + quoted(f'"Only the {item.name} will do," says {person.name}. "You know how long I have waited."'),
    )  # fmt: skip

    def act(walker: Walker) -> None:
        walker.say(f"give {item.name} to {person.name}")
        walker.release(item)

    draft.goal(
        f"Give {person.name} the {item.name}.",
        f"{item.id}.in == {person.id}",
        draft.task(act, place, getting),
    )


def repair(draft: Draft) -> None:
    """A machine that lacks parts, and is started at the end."""
    name, verb, part_names, told = draft.pick("machines")
    draft.mechanics.add("repair")
    count = draft.random.randint(2, len(part_names))
    chosen = draft.random.sample(part_names, count)
    parts = [obtain_named(draft, part, "", ANYWHERE, draft.depth) for part in chosen]
    place = draft.spot(ANYWHERE)
    draft.once("machine", "kinds", "kind machine is thing { portable = false runs : bool = false }")
    ident = draft.names.ident(name)
    draft.names.show(name)
    fitted = " or ".join(f"x == {part.id}" for part, _ in parts)
    count_in = f"count(x: thing where x.in == {ident})"
    draft.add(
        "things",
        f"machine {ident} {quoted(name)} in {place.id} {{ describe "
        + quoted(
            f"{{if {ident}.runs}}It runs.{{else}}It stands still. It needs {listed([a(p.name) for p, _ in parts])}; "
            f"{{{count_in}}} of {count} are fitted.{{end}}"
        )
        + " }",
    )
    draft.add(
        "actions",
        f"""action fit(x: thing held) {{ form "(fit|install) {{x}}"
        form "(fit|install) {{x}} (in|into) {name}"
        require here({ident}) else place {quoted(f"The {name} is not here.")}
        require {fitted} else logic {quoted(f"{{The x}} {{is x}} no part of the {name}.")}
        set x.in = {ident} say {quoted("{The x} {is x} in its place.")} }}
        action {draft.names.ident(f"{verb} machine")} {{ form "{verb} [the] {name}"
        require here({ident}) else place {quoted(f"The {name} is not here.")}
        require {count_in} == {count} else logic {quoted(f"Something is missing: {{{count_in}}} of {count} parts are fitted.")}
        require not {ident}.runs else logic "It runs already."
        set {ident}.runs = true say {quoted(told)} }}""",
    )
    for part, _ in parts:
        draft.milestone(f"fitted the {part.name}", f"{part.id}.in == {ident}")

    def act(walker: Walker) -> None:
        for part, _ in parts:
            walker.say(f"fit {part.name}")
            walker.release(part)
        walker.say(f"{verb} {name}")

    task = draft.task(act, place, *(getting for _, getting in parts))
    draft.goal(
        f"Fit {listed([f'the {p.name}' for p, _ in parts])} into the {name}, and {verb} it.",
        f"{ident}.runs",
        task,
    )


def reach(draft: Draft) -> None:
    """To get somewhere behind all that bars the way, and look about."""
    draft.mechanics.add("reach")
    place = max(draft.places, key=lambda p: (len(p.gates), draft.places.index(p)))
    way = way_to(draft, place)
    if len(way) > 1:
        middle = way[len(way) // 2 - 1]
        draft.milestone(f"got as far as the {middle.name}", f"player.in == {middle.id}")
    draft.goal(
        f"Get to the {place.name}.",
        f"player.in == {place.id}",
        draft.task(lambda walker: None, place),
    )


def collect(draft: Draft) -> None:
    """A number of equal things, scattered, into one chest."""
    kind_name, chest_name, told = draft.pick("collections")
    draft.mechanics.add("collect")
    total = draft.random.randint(3, 5)
    needed = total - draft.random.randint(0, 1)
    place = draft.spot(ANYWHERE)
    chest = draft.thing(chest_name, place.id, told, "portable = false open = true", "container")
    spots = [draft.spot(ANYWHERE) for _ in range(total)]
    base = draft.names.ident(kind_name)
    draft.names.show(kind_name)
    draft.once("token", "kinds", "kind token is thing")
    pieces = []
    for number, spot in enumerate(spots, start=1):
        shown = f"{kind_name} {number}"
        draft.names.show(shown)
        ident = draft.names.ident(f"{base}_{number}")
        draft.add(
            "things",
            f"token {ident} {quoted(shown)} proper in {spot.id} {{ describe {quoted(f'One of {COUNTED[total]} {plural(kind_name)}.')} }}",
        )
        pieces.append((Item(ident, shown), spot))
    condition = f"count(t: token where t.in == {chest.id}) >= {needed}"
    draft.milestone(
        f"put a first {kind_name} into the {chest_name}", f"any(t: token where t.in == {chest.id})"
    )
    takes = [
        draft.task(lambda walker, item=item: walker.take(item), spot)  # type: ignore[misc]
        for item, spot in pieces[:needed]
    ]

    def act(walker: Walker) -> None:
        for item, _ in pieces[:needed]:
            walker.say(f"put {item.name} in {chest.name}")
            walker.release(item)

    asked = f"all {COUNTED[total]}" if needed == total else f"{needed} of the {total}"
    draft.goal(
        f"Put {asked} {plural(kind_name)} into the {chest_name} {at(place.name)}.",
        condition,
        draft.task(act, place, *takes),
    )


def rite(draft: Draft) -> None:
    """Several objects in several places, worked in one order that a paper tells: another in each
    start, and never the one in which the goal names them. Nothing is begun with the paper unread,
    so that the order cannot be hit upon."""
    from worldengine.generator.parts.knowing import note

    verb, names, told, reset = draft.pick("rites")
    draft.mechanics.add("ordered steps")
    count = draft.random.randint(3, min(4, len(names)))
    chosen = sorted(draft.random.sample(names, count))
    orders = draft.random.sample([*permutations(chosen)][1:], 3 if draft.variants == 1 else 2)
    draft.made["varied"] = True  # the starts differ in the order: enough of them
    which = draft.differ(len(orders))
    strict = draft.spend_mistake()
    stations = {}
    for name in chosen:
        place = draft.spot(ANYWHERE)
        text = "It waits to be used, as it always does."
        stations[name] = draft.thing(name, place.id, text, "portable = false"), place
    said = "".join(
        f"{{if player.order == {n}}}{listed([f'the {name}' for name in order], 'then')}{{end}}"
        for n, order in enumerate(orders, start=1)
    )
    sentence = draft.theme.one("ritenotes", draft.random)
    paper, reading = note(draft, sentence.format(verb=verb, order=said), ANYWHERE, draft.depth)
    draft.player.append(
        f"steps : 0..{count} = 0  order : 1..{len(orders)} = 1  order_read : bool = false"
    )
    draft.add("vary", f"vary player.order among {', '.join(map(str, range(1, len(orders) + 1)))}")
    draft.add("hooks", f"after read(x: {paper.id}) {{ set player.order_read = true }}")
    ladder = " else ".join(
        f"if player.steps == {step} and ({_turn_of(step, orders, stations)}) "
        f"{{ set player.steps = {step + 1} say {quoted(told)} }}"
        for step in range(count)
    )
    wrong = f"set player.steps = 0 say {quoted(reset)}"
    if strict:
        draft.mechanics.add("fatal order")
        draft.player.append("spoilt : bool = false")
        wrong = f"set player.spoilt = true say {quoted(reset)}"
        draft.lose("player.spoilt", "It was the wrong order, and there is no second time.")
    known = ", ".join(station.id for station, _ in stations.values())
    draft.add(
        "actions",
        f"""action {draft.names.ident(f"{verb} in order")}(x: thing here) {{ form "{verb} {{x}}"
        require x in {{{known}}} else logic {quoted("{The x} {is x} not for that.")}
        require player.order_read else logic "There is an order to this. It is written down somewhere: read it first."
        {ladder} else {{ {wrong} }} }}""",
    )
    draft.milestone("knew the first step", "player.steps == 1")

    def act(walker: Walker) -> None:
        for name in orders[which(walker.variant)]:
            walker.go(stations[name][1])
            walker.say(f"{verb} {name}")

    last = " It must be right the first time." if strict else ""
    draft.goal(
        f"{capital(verb)} {listed([f'the {name}' for name in chosen])} in the right order.{last}",
        f"player.steps == {count}",
        draft.task(act, None, reading),
    )


def _turn_of(
    step: int, orders: list[tuple[str, ...]], stations: dict[str, tuple[Item, Place]]
) -> str:
    """When `x` is what comes at this step, in the order of the start."""
    return " or ".join(
        f"player.order == {n} and x == {stations[order[step]][0].id}"
        for n, order in enumerate(orders, start=1)
    )
