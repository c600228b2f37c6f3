"""Things that are made: put together, fired in an oven, grown, bought.

In and out as in `sources`.
"""

from __future__ import annotations

from worldengine.generator.draft import CannotFit, Draft, Item, Place, Task
from worldengine.generator.parts.sources import obtain_named, somebody, speak
from worldengine.generator.walker import Walker
from worldengine.generator.words import a, capital, plural, quoted
from worldengine.matching.names import article_for


def crafted(draft: Draft, name: str, text: str, limit: int, depth: int) -> tuple[Item, Task]:
    """Two things and a station give a third. The recipe's own product takes the place of `name`."""
    product, verb, first_name, second_name, station_name, told = draft.pick("recipes")
    draft.mechanics.add("craft")
    first, getting_first = obtain_named(draft, first_name, "", limit, depth - 1)
    second, getting_second = obtain_named(draft, second_name, "", limit, depth - 1)
    station, place = _station(draft, station_name, limit)
    item = draft.thing(product, "nowhere", capital(f"{a(product)}, made with your own hands."))
    action = draft.names.ident(f"{verb} {product}")
    draft.add(
        "actions",
        f"""action {action} {{ form "{verb} [the|{article_for(product)}] {product}"
        form "{verb} [the] {first.name} (and|with) [the] {second.name}"
        require here({station.id}) else place {quoted(f"There is no {station.name} here.")}
        require held({first.id}) else place {quoted(f"You are not holding {a(first.name)}.")}
        require held({second.id}) else place {quoted(f"You are not holding {a(second.name)}.")}
        remove {first.id} remove {second.id} set {item.id}.in = player say {quoted(told)} }}""",
    )
    _hint(
        draft,
        station,
        f"Here one can {verb} {a(product)} out of {a(first.name)} and {a(second.name)}.",
    )
    draft.milestone(f"had the {product}", f"{item.id}.in != nowhere")

    def act(walker: Walker) -> None:
        walker.say(f"{verb} {product}")
        walker.release(first)
        walker.release(second)
        walker.hold(item)

    return item, draft.task(act, place, getting_first, getting_second)


def _station(draft: Draft, name: str, limit: int) -> tuple[Item, Place]:
    """The workplace called `name`; recipes that share one share it if it is within reach."""
    known: dict[str, tuple[Item, Place]] = draft.made.setdefault("stations", {})
    if name not in known:
        place = draft.spot(limit)
        known[name] = (draft.thing(name, place.id, "", "portable = false"), place)
    station, place = known[name]
    if any(gate >= limit for gate in place.gates):
        raise CannotFit("the station is behind the gate")
    return station, place


def _hint(draft: Draft, station: Item, text: str) -> None:
    """What can be made at a station is said by looking at it."""
    draft.gather("hints", (station, text), _describe_stations)


def _describe_stations(draft: Draft, gathered: list[tuple[Item, str]]) -> None:
    hints: dict[Item, list[str]] = {}
    for station, text in gathered:
        hints.setdefault(station, []).append(text)
    for station, texts in hints.items():
        draft.extend(station, f"describe {quoted(' '.join(texts))}")


def fired(draft: Draft, name: str, text: str, limit: int, depth: int) -> tuple[Item, Task]:
    """Something raw becomes something else in a device that takes its time."""
    oven_name, raw_name, product, told, spoilt = draft.pick("ovens")
    draft.mechanics.add("timed process")
    draft.use("switch", "take")
    raw, getting = obtain_named(draft, raw_name, "", limit, depth - 1)
    place = draft.spot(limit)
    turns = draft.random.randint(2, 4)
    strict = draft.spend_mistake()
    oven_id = draft.names.ident(oven_name)
    item = draft.thing(product, "nowhere", capital(f"{a(product)}, just as it should be."))
    draft.names.show(oven_name)
    draft.once("oven", "kinds", "kind oven is device, container { open = true heat : 0..20 = 0 }")
    spoils = ", and too long spoils it" if strict else ""
    draft.add(
        "things",
        f"oven {oven_id} {quoted(oven_name)} in {place.id} {{ describe "
        + quoted(
            f"It {{if {oven_id}.on}}is at work{{else}}stands idle{{end}}. "
            f"{capital(a(raw_name))} in it becomes {a(product)} in {turns} turns{spoils}."
        )
        + " }",
    )
    spoil = ""
    if strict:
        draft.mechanics.add("spoiling")
        lost = draft.names.ident(f"spoilt {product}")
        draft.player.append(f"{lost} : bool = false")
        spoil = f"if {oven_id}.heat >= {turns + 3} and {item.id}.in == {oven_id} {{ set player.{lost} = true }}"
        draft.lose(f"player.{lost}", spoilt)
    rule = draft.names.ident(f"{oven_name} at work")
    draft.add(
        "rules",
        f"""rule {rule} {{ when {oven_id}.on and {raw.id}.in == {oven_id} or {oven_id}.on and {item.id}.in == {oven_id}
        set {oven_id}.heat += 1
        if {oven_id}.heat == {turns} and {raw.id}.in == {oven_id} {{ remove {raw.id} set {item.id}.in = {oven_id} say {quoted(told)} }}
        {spoil} }}""",
    )
    draft.milestone(f"made the {product}", f"{item.id}.in != nowhere")

    def act(walker: Walker) -> None:
        walker.say(f"put {raw.name} in {oven_name}")
        walker.release(raw)
        walker.say(f"switch on {oven_name}")
        for _ in range(turns - 1):
            walker.say("wait")
        walker.say(f"take {item.name}")
        walker.hold(item)
        walker.say(f"switch off {oven_name}")

    return item, draft.task(act, place, getting)


def grown(draft: Draft, name: str, text: str, limit: int, depth: int) -> tuple[Item, Task]:
    """A seed, a bed, water and patience."""
    seed_name, bed_name, product, can_name, stages = draft.pick("plants")
    draft.mechanics.add("growth")
    seed, getting_seed = obtain_named(draft, seed_name, "", limit, depth - 1)
    can, getting_can = obtain_named(draft, can_name, "", limit, 0)
    place = draft.spot(limit)
    bed_id = draft.names.ident(bed_name)
    draft.names.show(bed_name)
    item = draft.thing(product, "nowhere", capital(f"{a(product)}, fresh and whole."))
    draft.once(
        "bed", "kinds",
        "kind bed is thing { portable = false stage : bare | sown | sprouting | ripe | picked = bare wet : 0..3 = 0 }",
    )  # fmt: skip
    draft.add(
        "things",
        f"bed {bed_id} {quoted(bed_name)} in {place.id} {{ describe "
        + quoted(f"It is {{{bed_id}.stage}}, and {{if {bed_id}.wet > 0}}damp{{else}}dry{{end}}.")
        + " }",
    )
    plant, water, pick = (draft.names.ident(f"{v} {bed_name}") for v in ("plant", "water", "pick"))
    draft.add(
        "actions",
        f"""action {plant} {{ form "plant {seed.name}" form "plant {seed.name} in {bed_name}"
        require here({bed_id}) else place "There is nothing here to plant it in."
        require held({seed.id}) else place {quoted(f"You are not holding the {seed.name}.")}
        require {bed_id}.stage == bare else logic "Something is growing there already."
        remove {seed.id} set {bed_id}.stage = sown say "You press it into the soil and smooth the place over." }}
        action {water} {{ form "water [the] {bed_name}"
        require here({bed_id}) else place {quoted(f"The {bed_name} is not here.")}
        require held({can.id}) else place {quoted(f"You are not holding the {can.name}.")}
        require {bed_id}.stage in {{sown, sprouting}} else logic "There is nothing in it that wants water."
        require {bed_id}.wet == 0 else logic "It is wet enough."
        set {bed_id}.wet = 3 say "The soil drinks it up." }}
        action {pick} {{ form "(pick|harvest) [the] {product}"
        require here({bed_id}) else place "Nothing of the kind grows here."
        require {bed_id}.stage == ripe else logic "It is not ripe."
        set {bed_id}.stage = picked set {item.id}.in = player say {quoted(f"You pick the {product}.")} }}""",
    )
    rule = draft.names.ident(f"{bed_name} grows")
    draft.add(
        "rules",
        f"""rule {rule} {{ when {bed_id}.wet > 0 set {bed_id}.wet -= 1
        if {bed_id}.wet == 1 and {bed_id}.stage == sown {{ set {bed_id}.stage = sprouting say {quoted(stages[0])} }}
        else if {bed_id}.wet == 0 and {bed_id}.stage == sprouting {{ set {bed_id}.stage = ripe say {quoted(stages[1])} }} }}""",
    )
    draft.milestone(f"planted the {seed_name}", f"{bed_id}.stage != bare")

    def act(walker: Walker) -> None:
        walker.say(f"plant {seed.name}")
        walker.release(seed)
        walker.say(f"water {bed_name}")
        walker.say("wait")
        walker.say("wait")
        walker.say(f"pick {product}")
        walker.hold(item)

    return item, draft.task(act, place, getting_seed, getting_can)


def bought(draft: Draft, name: str, text: str, limit: int, depth: int) -> tuple[Item, Task]:
    """From somebody who also buys: goods become coins, coins become the thing."""
    draft.mechanics.add("shop")
    coin = draft.theme.one("coin", draft.random)
    count = draft.random.randint(1, 2)
    ware_texts = [draft.pick("goods") for _ in range(count)]
    wares = [obtain_named(draft, n, t, limit, depth - 1) for n, t in ware_texts]
    price = draft.random.randint(2, 5)
    person, place = somebody(draft, limit)
    item = draft.thing(name, person.id, text)
    draft.player.append("coins : 0..9 = 0")
    accepted = ", ".join(ware.id for ware, _ in wares)
    each = -(-price // count)
    draft.add(
        "actions",
        f"""action sell(x: thing held, p: person here) {{ form "sell {{x}} to {{p}}"
        require p == {person.id} else logic "{{The p}} {{is p}} no dealer."
        require x in {{{accepted}}} else logic {quoted(f"{person.name} does not deal in that.")}
        set player.coins += {each} remove x
        say {quoted(f"{person.name} counts out {each} {plural(coin) if each > 1 else coin}. You have {{player.coins}} now.")} }}
        action buy(p: person here) {{ form "buy {item.name} from {{p}}"
        require p == {person.id} else logic "{{The p}} {{is p}} no dealer."
        require {item.id}.in == {person.id} else logic "It has been sold to you already."
        require player.coins >= {price} else logic {quoted(f"It costs {price} {plural(coin)}, and you have {{player.coins}}.")}
        set player.coins -= {price} set {item.id}.in = player
        say {quoted(f"{person.name} bites on the last {coin}, and hands you the {item.name}.")} }}""",
    )
    names = " or ".join(a(ware.name) for ware, _ in wares)
    speak(
        draft, person,
        "say " + quoted(f'"I buy: {names}. I sell: the {name}, for {price} {plural(coin)}," says {person.name}.'),
    )  # fmt: skip

    def act(walker: Walker) -> None:
        for ware, _ in wares:
            walker.say(f"sell {ware.name} to {person.name}")
            walker.release(ware)
        walker.say(f"buy {item.name} from {person.name}")
        walker.hold(item)

    return item, draft.task(act, place, *(getting for _, getting in wares))
