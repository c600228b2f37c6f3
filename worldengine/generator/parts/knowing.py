"""Things that have to be found out: a number on a paper, which of several boxes.

In and out as in `sources`; `note` is what other parts use to hide what must be read.
"""

from __future__ import annotations

from worldengine.generator.draft import Draft, Item, Place, Task
from worldengine.generator.parts.sources import container_in, lying, obtain_named
from worldengine.generator.walker import Walker
from worldengine.generator.words import a, at, capital, quoted


def note(draft: Draft, text: str, limit: int, depth: int) -> tuple[Item, Task]:
    """A paper that says `text` when it is read, come by like any other thing."""
    draft.use("read")
    name = draft.pick("papers")
    paper, getting = obtain_named(
        draft, name, f"{capital(a(name))}, closely written.", limit, min(depth, 1)
    )
    draft.extend(paper, f"read {quoted(text)}")
    reading = draft.task(lambda walker: walker.say(f"read {paper.name}"), None, getting)
    return paper, reading


def code_box(draft: Draft, name: str, text: str, limit: int, depth: int) -> tuple[Item, Task]:
    """In a box that opens to a number; a paper tells the number."""
    draft.mechanics.add("number lock")
    box_name, wheel = draft.pick("codeboxes")
    number = draft.random.randint(100, 999)
    sentence = draft.theme.one("codenotes", draft.random)
    _, reading = note(draft, sentence.format(box=box_name, number=number), limit, depth - 1)
    place = draft.spot(limit)
    strict = draft.spend_mistake()
    box_id = draft.names.ident(box_name)
    draft.names.show(box_name)
    tries = f"{box_id}_tries"
    described = (
        f"A {wheel} of three figures holds it shut."
        if not strict
        else (f"A {wheel} of three figures holds it shut. A third wrong number jams it for good.")
    )
    draft.add(
        "things",
        f"container {box_id} {quoted(box_name)} in {place.id} {{ portable = false locked = true describe "
        + quoted(f"{{if {box_id}.locked}}{described}{{else}}The {wheel} stands at {number}.{{end}}")
        + " }",
    )
    item = draft.thing(name, box_id, text)
    wrong = 'say "Nothing moves."'
    if strict:
        draft.mechanics.add("limited tries")
        draft.player.append(f"{tries} : 0..3 = 0")
        wrong = f'set player.{tries} += 1 say "Something clicks that should not. {{3 - player.{tries}}} tries are left."'
        draft.lose(f"player.{tries} == 3", f"The {wheel} jams for good, and with it your errand.")
    action = draft.names.ident(f"set {box_name}")
    draft.add(
        "actions",
        f"""action {action}(n: 100..999) {{ form "set [the] {box_name} to {{n}}"
        form "turn [the] {wheel} to {{n}}"
        require here({box_id}) else place {quoted(f"There is no {box_name} here.")}
        require {box_id}.locked else logic "It is unlocked already."
        if n == {number} {{ set {box_id}.locked = false set {box_id}.open = true
        say {quoted(f"The {wheel} gives, and the lid springs open. In it: {{list a x: thing where x.in == {box_id}}}.")} }}
        else {{ {wrong} }} }}""",
    )
    draft.milestone(f"opened the {box_name}", f"{box_id}.open")

    def act(walker: Walker) -> None:
        walker.say(f"set {box_name} to {number}")
        walker.take(item)

    return item, draft.task(act, place, reading)


def in_one_of(draft: Draft, name: str, text: str, limit: int, depth: int) -> tuple[Item, Task]:
    """In one of several boxes, another in each variant; a paper tells which. Once a world."""
    boxes: list[tuple[Item, Task, Place]] = []
    for _ in range(12):
        place = draft.spot(limit)
        if len(boxes) < 3 and all(place is not other for _, _, other in boxes):
            boxes.append((*container_in(draft, place), place))
    if "varied" in draft.made or len(boxes) < 2:
        return lying(draft, name, text, limit, depth)
    draft.made["varied"] = True
    hiding = draft.differ(len(boxes))
    draft.mechanics.add("hidden by variant")
    item = draft.thing(name, boxes[0][0].id, text)
    where = f"{item.id}_hid"
    draft.player.append(f"{where} : 1..{len(boxes)} = 1")
    rows = ", ".join(f"({box.id}, {n})" for n, (box, _, _) in enumerate(boxes, start=1))
    draft.add("vary", f"vary ({item.id}.in, player.{where}) among {rows}")
    said = "".join(
        f"{{if player.{where} == {n}}}the {box.name} {at(place.name)}{{end}}"
        for n, (box, _, place) in enumerate(boxes, start=1)
    )
    sentence = draft.theme.one("hidingnotes", draft.random)
    _, reading = note(draft, sentence.format(thing=name, where=said), limit, depth - 1)

    def act(walker: Walker) -> None:
        _, opening, place = boxes[hiding(walker.variant)]
        walker.do(opening)
        walker.go(place)
        walker.take(item)

    return item, draft.task(act, None, reading)
