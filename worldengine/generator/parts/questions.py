"""Goals of the mind: to sort by what one sees, to find out who, to fill in a register.

In and out as in `goals`.
"""

from __future__ import annotations

from worldengine.generator.draft import ANYWHERE, Draft, Item
from worldengine.generator.parts.knowing import note
from worldengine.generator.parts.sources import somebody, speak
from worldengine.generator.walker import Walker
from worldengine.generator.words import at, capital, listed, quoted, the


def sort(draft: Draft) -> None:
    """Specimens whose class shows when they are looked at, into the right tray each."""
    kind, verb, classes, names = draft.pick("sortings")
    draft.mechanics.add("classify")
    place = draft.spot(ANYWHERE)
    count = draft.random.randint(3, min(5, len(names)))
    chosen = draft.random.sample(names, count)
    trays = {}
    for label, tray_name, _ in classes:
        trays[label] = draft.thing(tray_name, place.id, f"For what is {label}.", kind="surface")
    right, takes, puts = [], [], []
    for name in chosen:
        label, _, sign = draft.random.choice(classes)
        spot = draft.spot(ANYWHERE)
        item = draft.thing(name, spot.id, sign)
        right.append(f"{item.id}.in == {trays[label].id}")
        puts.append((item, trays[label]))
        takes.append(draft.task(lambda walker, item=item: _look_and_take(walker, item), spot))  # type: ignore[misc]
    draft.milestone(f"put a first {kind} where it belongs", " or ".join(right))
    sure = ""
    condition = " and ".join(right)
    if draft.spend_mistake():
        draft.mechanics.add("final answer")
        draft.player.append("certain : bool = false")
        draft.add(
            "actions",
            f"""action {draft.names.ident(f"{verb} register")} {{ form "{verb}"
            require player.in == {place.id} else place {quoted(f"That is done {at(place.name)}.")}
            set player.certain = true say "It is entered, and cannot be taken back." }}""",
        )
        draft.lose(
            f"player.certain and not ({condition})",
            f"Some {kind} was in the wrong place, and it is in the books now.",
        )
        sure = f", then {verb}; what is wrong then stays wrong"
        condition = f"player.certain and {condition}"

    def act(walker: Walker) -> None:
        for item, tray in puts:
            walker.say(f"put {item.name} on {tray.name}")
            walker.release(item)
        if sure:
            walker.say(verb)

    boards = listed([f"what is {label} goes on the {trays[label].name}" for label, _, _ in classes])
    draft.goal(
        f"Sort {listed([the(n) for n in chosen])} {at(place.name)}: {boards}{sure}.",
        condition,
        draft.task(act, place, *takes),
    )


def _look_and_take(walker: Walker, item: Item) -> None:
    walker.say(f"examine {item.name}")
    walker.take(item)


def accuse(draft: Draft) -> None:
    """Which of several persons it was, another in each start; a paper and their looks together
    tell. A name is only heard once all three are there: the witness has told what was done, the
    paper was read, and whoever is named was looked at."""
    deed, signs = draft.pick("mysteries")
    draft.mechanics.add("find out who")
    count = draft.random.randint(2, 3)
    marks = draft.random.sample(signs, count)
    people = []
    for mark in marks:
        people.append(somebody(draft, ANYWHERE, mark[1]))
    draft.made["varied"] = True  # the starts differ in who it was: enough of them
    guilty = draft.differ(count)
    clues = "".join(
        f"{{if player.guilty == {n}}}{clue}{{end}}" for n, (clue, _) in enumerate(marks, start=1)
    )
    sentence = draft.theme.one("cluenotes", draft.random)
    paper, reading = note(draft, sentence.format(clue=clues), ANYWHERE, draft.depth)
    witness, where = somebody(draft, ANYWHERE)
    asked = f"heard_{witness.id}"
    draft.player.append(
        f"guilty : 1..{count} = 1  {asked} : bool = false  proof : bool = false"
        "  named : bool = false  wrong : bool = false"
    )
    draft.add("vary", f"vary player.guilty among {', '.join(map(str, range(1, count + 1)))}")
    draft.add("facts", "fact looked_at(p: person)")
    draft.add("hooks", "after examine(p: person) { set looked_at(p) = true }")
    draft.add("hooks", f"after read(x: {paper.id}) {{ set player.proof = true }}")
    speak(
        draft, witness,
        f"set player.{asked} = true say "
        + quoted(f'"It was {listed([p.name for p, _ in people], "or")}," says {witness.name}. "Bring me proof, then name whoever {deed}."'),
    )  # fmt: skip
    culprits = " or ".join(
        f"player.guilty == {n} and p == {person.id}" for n, (person, _) in enumerate(people, 1)
    )
    draft.add(
        "actions",
        f"""action name_one(p: person anywhere) {{ form "(name|accuse) {{p}}"
        require here({witness.id}) else place {quoted(f"{witness.name} should hear this.")}
        require p != {witness.id} else logic {quoted(f"{witness.name} raises an eyebrow.")}
        require player.{asked} else logic {quoted(f"{witness.name} has not told you yet what was done. Talk first.")}
        require player.proof else logic {quoted(f'"And the proof?" asks {witness.name}. You have read none yet.')}
        require looked_at(p) else logic "You have not looked at {{the p}} closely enough to say that."
        if {culprits} {{ set player.named = true }} else {{ set player.wrong = true }}
        say {quoted("You say the name: {p}.")} }}""",
    )
    draft.lose("player.wrong", "It was somebody else, and now nobody will ever say so.")
    draft.made_mistakes += 1
    draft.milestone(f"spoke to {witness.name}", f"player.{asked}")
    draft.milestone("read the proof", "player.proof")
    hearing = draft.task(lambda walker: walker.say(f"talk to {witness.name}"), where)

    def look(walker: Walker) -> None:
        for person, place in people[: guilty(walker.variant) + 1]:
            walker.go(place)
            walker.say(f"examine {person.name}")

    seeing = draft.task(look, None)
    draft.goal(
        f"Find out who {deed}, and name that person to {witness.name}. A wrong name ends it.",
        "player.named",
        draft.task(
            lambda walker: walker.say(f"name {people[guilty(walker.variant)][0].name}"),
            where, hearing, reading, seeing,
        ),
    )  # fmt: skip


def register(draft: Draft) -> None:
    """Numbers to be read off instruments and written into a book; none is written unread."""
    book_name, gauges, told = draft.pick("registers")
    draft.mechanics.add("measure and record")
    count = draft.random.randint(2, min(4, len(gauges)))
    chosen = draft.random.sample(gauges, count)
    place = draft.spot(ANYWHERE)
    book = draft.thing(book_name, place.id, told, "portable = false")
    draft.once("entry", "kinds", "kind entry { written : 0..99 = 0 known : bool = false }")
    entries, readings, rights, lines = [], [], [], []
    for gauge_name, unit in chosen:
        spot = draft.spot(ANYWHERE)
        number = draft.random.randint(11, 98)
        gauge = draft.thing(gauge_name, spot.id, f"It shows {number} {unit}.", "portable = false")
        entry = draft.names.ident(f"entry {gauge_name}")
        draft.add(
            "people",
            f"entry {entry} {quoted(f'{gauge_name} column')} aka {quoted(f'{gauge_name} line')}",
        )
        draft.add("hooks", f"after examine(x: {gauge.id}) {{ set {entry}.known = true }}")
        entries.append((f"{gauge_name} column", number))
        rights.append(f"{entry}.written == {number}")
        lines.append(
            f"{capital(gauge_name)}: {{if {entry}.written == 0}}blank{{else}}{{{entry}.written}}{{end}}."
        )
        readings.append(draft.task(lambda walker, g=gauge: walker.say(f"examine {g.name}"), spot))  # type: ignore[misc]
    draft.use("read")
    draft.extend(book, f"read {quoted(' '.join(lines))}")
    draft.add(
        "actions",
        f"""action record(e: entry anywhere, n: 1..99) {{ form "write {{n}} in [the] {{e}}"
        require here({book.id}) else place {quoted(f"The {book_name} is not here.")}
        require e.known else logic "You have not read that instrument yet."
        require e.written != n else logic "That is what it says."
        set e.written = n say {quoted(f"You write {{n}} in the {{e}} of the {book_name}.")} }}""",
    )
    draft.milestone(f"made a right entry in the {book_name}", " or ".join(rights))

    def act(walker: Walker) -> None:
        for shown, number in entries:
            walker.say(f"write {number} in {shown}")

    draft.goal(
        f"Read {listed([f'the {g}' for g, _ in chosen])}, and write each figure into its column of the {book_name} {at(place.name)}.",
        " and ".join(rights),
        draft.task(act, place, *readings),
    )


def escort(draft: Draft) -> None:
    """Somebody lost, who follows once spoken to the right way, to be brought home."""
    name, text, plea, verb, them = draft.pick("strays")
    draft.mechanics.add("escort")
    spot = draft.spot(ANYWHERE)
    home = draft.spot(ANYWHERE, [spot])
    stray = draft.thing(
        name, spot.id, text, "follows : bool = false", "person", "proper", section="people"
    )
    draft.use("talk")
    speak(draft, stray, f"say {quoted(plea)}")
    draft.add(
        "actions",
        f"""action {draft.names.ident(f"{verb} along")} (s: person here) {{ form "{verb} {{s}}"
        require s == {stray.id} else logic "{{The s}} {{is s}} not lost."
        require not {stray.id}.follows else logic {quoted(f"{name} is with you already.")}
        require {stray.id}.in != {home.id} else logic {quoted(f"{name} is home.")}
        set {stray.id}.follows = true say {quoted(f"{name} gets up and comes along.")} }}""",
    )
    draft.add(
        "rules",
        f"rule {draft.names.ident(f'{name} follows')} {{ when {stray.id}.follows and changed(player.in) "
        f"set {stray.id}.in = player.in if player.in == {home.id} {{ set {stray.id}.follows = false say "
        f"{quoted(f'{name} looks about, and stays where home is.')} }} else {{ say {quoted(f'{name} comes after you.')} }} }}",
    )
    draft.milestone(f"found {name}", f"player.in == {stray.id}.in")
    call = draft.task(lambda walker: walker.say(f"{verb} {name}"), spot)
    draft.goal(
        f"Find {name} and bring {them} to the {home.name}.",
        f"{stray.id}.in == {home.id}",
        draft.task(lambda walker: None, home, call),
    )


def network(draft: Draft) -> None:
    """Joints that have come apart between a source and a sink, in several places."""
    line, verb, joint, source, sink, told = draft.pick("networks")
    draft.mechanics.add("network")
    count = draft.random.randint(2, 4)
    spots = [draft.spot(ANYWHERE) for _ in range(count)]
    draft.once(
        "joint",
        "kinds",
        "kind joint is thing { portable = false closed : bool = false near : thing? = none far : thing? = none }",
    )
    nodes = [source, *[f"{line} {n}" for n in range(1, count)], sink]
    idents = []
    for number, shown in enumerate(nodes):
        where = spots[min(number, count - 1)]
        end = number in (0, count)
        idents.append(
            draft.thing(
                shown,
                where.id,
                "{if live(this)}It is live.{else}It is dead.{end}" if not end else "",
                "portable = false",
                flags="proper" if not end else "",
            )
        )
    joints = []
    for number, spot in enumerate(spots):
        shown = f"{joint} {number + 1}"
        draft.names.show(shown)
        ident = draft.names.ident(shown)
        draft.add(
            "things",
            f"joint {ident} {quoted(shown)} proper in {spot.id} {{ near = {idents[number].id} far = {idents[number + 1].id} describe "
            + quoted(
                f"From the {nodes[number]} to the {nodes[number + 1]}: {{if {ident}.closed}}joined{{else}}apart{{end}}."
            )
            + " }",
        )
        joints.append((Item(ident, shown), spot))
    draft.add(
        "derives",
        f"derive live(x: thing) = x == {idents[0].id} or any(j: joint where j.closed and j.far == x and live(j.near))",
    )
    draft.add(
        "actions",
        f"""action {draft.names.ident(f"{verb} joint")}(j: joint here) {{ form "{verb} {{j}}"
        require not j.closed else logic "It holds already."
        set j.closed = true
        if live({idents[-1].id}) {{ say {quoted(told)} }} else {{ say "It holds." }} }}""",
    )
    draft.milestone(f"joined the first {joint}", "any(j: joint where j.closed)")
    task = draft.task(lambda walker: None, None)
    for item, spot in joints:
        task = draft.task(lambda walker, item=item: walker.say(f"{verb} {item.name}"), spot, task)  # type: ignore[misc]
    draft.goal(
        f"{capital(verb)} every {joint} between the {source} and the {sink}; there are {count}.",
        f"live({idents[-1].id})",
        task,
    )
