"""Ways in which a thing can be come by, the plain ones: lying about, shut away, hidden, held.

In: a draft, a limit (only gates below it may have to be passed), a depth (how many needs may
follow on each other). Out: the thing and the task that puts it into the player's hands.
"""

from __future__ import annotations

from collections.abc import Callable

from worldengine.generator.draft import Draft, Item, Place, Task
from worldengine.generator.walker import Walker
from worldengine.generator.words import a, capital, quoted

Source = Callable[[Draft, str, str, int, int], tuple[Item, Task]]


def lying(draft: Draft, name: str, text: str, limit: int, depth: int) -> tuple[Item, Task]:
    place = draft.spot(limit)
    where = place.id
    if draft.random.random() < 0.5:
        surface = surface_in(draft, place)
        where = surface.id if surface else place.id
    item = draft.thing(name, where, text)
    return item, draft.task(lambda walker: walker.take(item), place)


def shut_away(draft: Draft, name: str, text: str, limit: int, depth: int) -> tuple[Item, Task]:
    """In a closed container."""
    place = draft.spot(limit)
    box, opening = container_in(draft, place)
    draft.mechanics.add("container")
    item = draft.thing(name, box.id, text)
    return item, draft.task(lambda walker: walker.take(item), place, opening)


def locked_away(draft: Draft, name: str, text: str, limit: int, depth: int) -> tuple[Item, Task]:
    """In a locked container whose key is somewhere else."""
    draft.use("open", "unlock")
    draft.mechanics.add("locked container")
    key, getting = obtain(draft, "keys", limit, depth - 1)
    place = draft.spot(limit)
    shown, described = draft.pick("containers")
    body = f"portable = false locked = true key = {key.id}"
    box = draft.thing(shown, place.id, described, body, kind="container")
    item = draft.thing(name, box.id, text)
    draft.milestone(f"opened the {box.name}", f"{box.id}.open")

    def act(walker: Walker) -> None:
        walker.say(f"unlock {box.name} with {key.name}")
        walker.say(f"open {box.name}")
        walker.take(item)

    return item, draft.task(act, place, getting)


def hidden(draft: Draft, name: str, text: str, limit: int, depth: int) -> tuple[Item, Task]:
    """Behind or under something that has to be searched."""
    draft.mechanics.add("search")
    place = draft.spot(limit)
    shown, hint = draft.pick("nooks")
    nook = draft.thing(shown, place.id, hint, "searched : bool = false portable = false", "thing")
    item = draft.thing(name, "nowhere", text)
    branch = (
        f"{nook.id} {{ if {nook.id}.searched {{ say \"There is nothing else.\" }} else {{ "
        f"set {nook.id}.searched = true set {item.id}.in = player.in "
        f"say {quoted(f'You search {{the x}}, and find {a(item.name)}.')} }} }}"
    )  # fmt: skip
    draft.gather("searches", branch, _search)

    def act(walker: Walker) -> None:
        walker.say(f"search {nook.name}")
        walker.take(item)

    return item, draft.task(act, place)


def _search(draft: Draft, gathered: list[str]) -> None:
    branches = " ".join(gathered)
    draft.add(
        "actions",
        f"""action search(x: thing here) {{ form "search {{x}}" form "look (behind|under) {{x}}"
        match x {{ {branches} else {{ say "You search {{the x}} and find nothing." }} }} }}""",
    )


def traded(draft: Draft, name: str, text: str, limit: int, depth: int) -> tuple[Item, Task]:
    """Somebody gives it for something else."""
    draft.mechanics.add("trade")
    wanted, getting = obtain(draft, "goods", limit, depth - 1)
    person, place = somebody(draft, limit)
    item = draft.thing(name, person.id, text)
    accept_gift(
        draft,
        person,
        wanted,
        f"set {item.id}.in = player "
        f"say {quoted(f'{person.name} takes the {wanted.name}, nods, and hands you the {item.name}.')}",
    )
    speak(
        draft,
        person,
        f"if {wanted.id}.in != {person.id} {{ say "
        + quoted(f'"Bring me {a(wanted.name)}," says {person.name}, "and the {name} is yours."')
        + " } else { say "
        + quoted(f'"We are quits," says {person.name}.')
        + " }",
    )

    def act(walker: Walker) -> None:
        walker.say(f"give {wanted.name} to {person.name}")
        walker.release(wanted)
        walker.hold(item)

    return item, draft.task(act, place, getting)


def told_of(draft: Draft, name: str, text: str, limit: int, depth: int) -> tuple[Item, Task]:
    """Somebody hands it over to whoever asks about the right thing."""
    draft.mechanics.add("ask")
    draft.use("talk")
    person, place = somebody(draft, limit)
    topic_name, remark = draft.pick("topics")
    topic = draft.names.ident(f"about {topic_name}")
    draft.names.show(topic_name)
    draft.add("people", f'topic {topic} "{topic_name}"')
    item = draft.thing(name, "nowhere", text)
    speak(
        draft,
        person,
        "say "
        + quoted(f'"Ask me about {topic_name}," says {person.name}, "and I will talk all day."'),
    )
    draft.gather(
        "answers",
        f"{person.id}, {topic} {{ if {item.id}.in == nowhere {{ set {item.id}.in = player say "
        + quoted(f"{remark} says {person.name}, and presses {a(item.name)} into your hand.")
        + " } else { say "
        + quoted(f"{person.name} tells it once more, and longer.")
        + " } }",
        _answers,
    )

    def act(walker: Walker) -> None:
        walker.say(f"ask {person.name} about {topic_name}")
        walker.hold(item)

    return item, draft.task(act, place)


def _answers(draft: Draft, gathered: list[str]) -> None:
    branches = " ".join(gathered)
    draft.add(
        "hooks",
        f'after ask(p: person, t: topic) {{ match p, t {{ {branches} else {{ say "{{The p}} '
        'shakes a head, and knows nothing about that." } } }',
    )


# --- what sources share ---------------------------------------------------------------------


def surface_in(draft: Draft, place: Place) -> Item | None:
    """A surface of the place, made if the theme still has one."""
    known: dict[str, Item] = draft.made.setdefault("surfaces", {})
    if place.id not in known and draft.has("surfaces"):
        shown, text = draft.pick("surfaces")
        known[place.id] = draft.thing(shown, place.id, text, kind="surface")
    return known.get(place.id)


def container_in(draft: Draft, place: Place) -> tuple[Item, Task]:
    """A container of the place, and the task that opens it."""
    draft.use("open")
    known: dict[str, tuple[Item, Task]] = draft.made.setdefault("containers", {})
    if place.id not in known:
        shown, text = draft.pick("containers")
        box = draft.thing(shown, place.id, text, "portable = false", kind="container")
        opening = draft.task(lambda walker: walker.say(f"open {box.name}"), place)
        known[place.id] = (box, opening)
    return known[place.id]


def somebody(draft: Draft, limit: int, more: str = "") -> tuple[Item, Place]:
    """A person of the theme, in a place of their own; `more` can be seen of them."""
    draft.use("talk")
    taken: list[Place] = draft.made.setdefault("peopled", [])
    place = draft.spot(limit, taken)
    taken.append(place)
    shown, text = draft.pick("people")
    person = draft.thing(
        shown, place.id, f"{text} {more}".strip(), kind="person", flags="proper", section="people"
    )
    return person, place


def speak(draft: Draft, person: Item, statements: str) -> None:
    """What a person says when talked to."""
    draft.add("hooks", f"after talk(p: {person.id}) {{ {statements} }}")


def accept_gift(draft: Draft, person: Item, gift: Item, statements: str) -> None:
    """Lets `gift` be given to `person`, and nothing else be given away for nothing."""
    draft.use("give")
    draft.gather("gifts", (person, gift), _gifts)
    draft.add("hooks", f"after give(x: {gift.id}, p: {person.id}) {{ {statements} }}")


def _gifts(draft: Draft, gathered: list[tuple[Item, Item]]) -> None:
    pairs = " or ".join(f"x == {gift.id} and p == {who.id}" for who, gift in gathered)
    draft.add(
        "hooks",
        f"before give(x: thing, p: person) {{ require {pairs} else logic "
        '"{The p} has no use for {the x}." }',
    )


def obtain(draft: Draft, pool: str, limit: int, depth: int) -> tuple[Item, Task]:
    """A thing out of a pool of the theme, come by in one of the ways that depth allows."""
    entry = draft.pick(pool)
    name, text = (entry, "") if isinstance(entry, str) else (entry[0], entry[1])
    return obtain_named(draft, name, text, limit, depth)


def obtain_named(draft: Draft, name: str, text: str, limit: int, depth: int) -> tuple[Item, Task]:
    from worldengine.generator.parts.choosing import choose_source

    return choose_source(draft, name, depth)(
        draft, name, text or capital(f"{a(name)}."), limit, depth
    )
