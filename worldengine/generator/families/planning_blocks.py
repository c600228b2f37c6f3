"""Puzzles on a table: blocks, towers of discs, a river to be crossed.

Each takes a seeded generator, a sheet, the plan length wished for; it writes its rules and plan
onto the sheet, and says whether it could.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from worldengine.generator.families.frame import Sheet
from worldengine.generator.families.search import COLOURS, State, farthest, goal_near, shortest
from worldengine.generator.words import listed, quoted

# --- blocks ---------------------------------------------------------------------------------


def blocks(random: Random, sheet: Sheet, target: int) -> bool:
    """Four commands, one hand: pick up, put down, stack, unstack."""
    count = 3 if target < 6 else random.choice([3, 4, 4, 5])
    names = [f"{c} block" for c in random.sample(COLOURS, count)]
    state: State = (None,) * (count + 1)
    for _ in range(30):
        moves = list(_block_moves(names, state))
        state = random.choice(moves)[1]
    if state[-1] is not None:
        state = next(
            after for command, after in _block_moves(names, state) if "put down" in command
        )
    layers = farthest(state, lambda s: _block_moves(names, s), target + 1)
    goals = [
        (d, s)
        for d in layers
        for s in layers[d]
        if s[-1] is None and any(x is not None for x in s[:-1]) and d
    ]
    if not goals:
        return False
    _, goal = min(random.sample(goals, min(40, len(goals))), key=lambda row: abs(row[0] - target))
    wanted = [(i, under) for i, under in enumerate(goal[:-1]) if isinstance(under, int)]
    plan = shortest(
        state,
        lambda s: _block_moves(names, s),
        lambda s: all(s[i] == u for i, u in wanted) and s[-1] is None,
    )
    if not plan:
        return False
    sheet.plan.extend(plan)
    ids = [name.replace(" ", "_") for name in names]
    sheet.add(
        "kind block is thing { portable = false  on : block? = none  taken : bool = false }",
        'place table_room "workroom" { describe "A table, and blocks that are all of one size. Look to see how they stand." }',
    )
    for index, under in enumerate(state[:-1]):
        body = f"on = {ids[under]}" if isinstance(under, int) else ""
        text = quoted(
            "{if this.taken}It is in your hand.{else if this.on == none}It stands on the table.{else}It stands on {the this.on}.{end}"
        )
        sheet.add(
            f"block {ids[index]} {quoted(names[index])} in table_room {{ {body} describe {text} }}"
        )
    sheet.add(
        "player in table_room { @PLAYER@ }",
        "derive clear(b: block) = not b.taken and not any(c: block where c.on == b)",
        "derive empty = not any(b: block where b.taken)",
        """action look_at_blocks { form "look" form "l" each b: block {
        if b.taken { say "You hold {the b}." } else if b.on == none { say "{The b} stands on the table." }
        else { say "{The b} stands on {the b.on}." } } }
        action pick_up(b: block here) { form "pick up {b}"
        require empty else logic "Your hand is not empty." require clear(b) else logic "Something is on top of {the b}."
        require b.on == none else logic "{The b} is not on the table: unstack it."
        set b.taken = true @MOVE@ say "You pick up {the b}." }
        action put_down(b: block here) { form "put down {b}" require b.taken else place "You do not hold {the b}."
        set b.taken = false @MOVE@ say "You put {the b} on the table." }
        action stack(b: block here, c: block here) { form "stack {b} on {c}" require b.taken else place "You do not hold {the b}."
        require b != c and clear(c) else logic "There is no room on {the c}."
        set b.taken = false set b.on = c @MOVE@ say "You stack {the b} on {the c}." }
        action unstack(b: block here, c: block here) { form "unstack {b} from {c}"
        require empty else logic "Your hand is not empty." require b.on == c else logic "{The b} is not on {the c}."
        require clear(b) else logic "Something is on top of {the b}."
        set b.on = none set b.taken = true @MOVE@ say "You lift {the b} off {the c}." }""",
    )
    parts = [f"{ids[i]}.on == {ids[u]}" for i, u in wanted]
    sheet.goals.append(
        f"Stack {listed([f'the {names[i]} on the {names[u]}' for i, u in wanted])}; your hand must be empty in the end."
    )
    sheet.add(
        f'win when {" and ".join(parts)} and empty say "So it should stand."',
        f'milestone first "set a first block right" when {" or ".join(parts) if len(parts) > 1 else "not empty"}',
    )
    return True


def _block_moves(names: list[str], state: State) -> Iterator[tuple[str, State]]:
    """A state: what each block stands on, None for the table; last the block in hand. A block
    in hand stands on itself, so that it never counts as on the table."""
    held = state[-1]
    on = list(state[:-1])
    clear = [
        i
        for i in range(len(on))
        if i not in [u for j, u in enumerate(on) if j != held] and i != held
    ]
    if held is None:
        for i in clear:
            under = on[i]
            after = [*on, i]
            after[i] = i
            yield (
                (
                    f"pick up {names[i]}"
                    if under is None
                    else f"unstack {names[i]} from {names[int(str(under))]}"
                ),
                tuple(after),
            )
        return
    assert isinstance(held, int)
    down = [*on, None]
    down[held] = None
    yield f"put down {names[held]}", tuple(down)
    for i in clear:
        after = [*on, None]
        after[held] = i
        yield f"stack {names[held]} on {names[i]}", tuple(after)


# --- towers ---------------------------------------------------------------------------------


def towers(random: Random, sheet: Sheet, target: int) -> bool:
    """Discs on pegs, never a larger one on a smaller."""
    count = 3 if target <= 7 else 4 if target <= 15 else 5
    what = random.choice(["disc", "ring", "plate", "wheel"])
    sizes = ["tiny", "small", "middle", "large", "huge"][:count]
    names = [f"{size} {what}" for size in sizes]
    pegs = random.choice(
        [
            ("left peg", "middle peg", "right peg"),
            ("oak rod", "ash rod", "pine rod"),
            ("red pole", "green pole", "blue pole"),
        ]
    )
    start: State = (
        tuple(random.randrange(3) for _ in names) if random.random() < 0.6 else (0,) * count
    )
    layers = farthest(start, lambda s: _disc_moves(names, pegs, s), target)
    goal = goal_near(random, layers, target)
    if random.random() < 0.5:
        goal = (random.randrange(3),) * count
    plan = shortest(start, lambda s: _disc_moves(names, pegs, s), lambda s: s == goal)
    if not plan:
        return False
    sheet.plan.extend(plan)
    ids = [name.replace(" ", "_") for name in names]
    peg_ids = [peg.replace(" ", "_") for peg in pegs]
    sheet.add(
        f"kind disc is thing {{ portable = false size : 1..{count} = 1 at : peg? = none }}",
        "kind peg is thing { portable = false }",
        'place tower_room "tower room" { describe "Three uprights on a board, and something threaded on them." }',
    )
    for peg, ident in zip(pegs, peg_ids, strict=True):
        sheet.add(
            f"peg {ident} {quoted(peg)} in tower_room {{ describe {quoted(f'On it: {{list d: disc where d.at == {ident}}}.')} }}"
        )
    for index, name in enumerate(names):
        at = start[index]
        assert isinstance(at, int)
        sheet.add(
            f'disc {ids[index]} {quoted(name)} in tower_room {{ size = {index + 1} at = {peg_ids[at]} describe "It is on {{the this.at}}." }}'
        )
    sheet.add(
        "player in tower_room { @PLAYER@ }",
        """action look_at_pegs { form "look" form "l" each p: peg { say "On {the p}: {list d: disc where d.at == p}." } }
        action move(d: disc here, p: peg here) { form "move {d} to {p}" form "put {d} on {p}"
        require d.at != p else logic "It is there already."
        require not any(e: disc where e.at == d.at and e.size < d.size) else logic "Something lies on {the d}."
        require not any(e: disc where e.at == p and e.size < d.size) else logic "What is on {the p} is smaller."
        set d.at = p @MOVE@ say "You move {the d} to {the p}." }""",
    )
    wins = [f"{ident}.at == {peg_ids[int(str(at))]}" for ident, at in zip(ids, goal, strict=True)]
    if len(set(goal)) == 1:
        sheet.goals.append(
            f"Bring every {what} to the {pegs[int(str(goal[0]))]}, one at a time, never a larger one onto a smaller."
        )
    else:
        sheet.goals.append(
            f"Move {listed([f'the {n} to the {pegs[int(str(at))]}' for n, at in zip(names, goal, strict=True)])}, one at a time, never a larger one onto a smaller."
        )
    sheet.add(f'win when {" and ".join(wins)} say "There they are."')
    biggest = max((i for i in range(count) if start[i] != goal[i]), default=0)
    sheet.add(f'milestone biggest "moved the {names[biggest]} home" when {wins[biggest]}')
    return True


def _disc_moves(
    names: list[str], pegs: tuple[str, ...], state: State
) -> Iterator[tuple[str, State]]:
    for i, at in enumerate(state):
        if at in state[:i]:
            continue
        for peg in range(3):
            if peg != at and peg not in state[:i]:
                yield f"move {names[i]} to {pegs[peg]}", (*state[:i], peg, *state[i + 1 :])


# --- a river ---------------------------------------------------------------------------------

PARTIES = (
    ("ferryman", "rowing boat", ("wolf", "goat", "cabbage"), ((0, 1), (1, 2))),
    ("keeper", "flat punt", ("fox", "hen", "sack of corn", "beetle"), ((0, 1), (1, 2), (1, 3))),
    ("courier", "cable car", ("cat", "mouse", "cheese", "dog"), ((0, 1), (1, 2), (3, 0))),
    ("chemist", "hand cart", ("acid", "copper", "salt", "lye"), ((0, 1), (0, 3))),
    ("grandfather", "lift", ("parrot", "walnut", "terrier"), ((0, 1), (0, 2))),
    ("guard", "raft", ("thief", "jewel", "magpie"), ((0, 1), (1, 2))),
)


def crossing(random: Random, sheet: Sheet, target: int) -> bool:
    """Some must not be left alone together; the boat takes one, or two."""
    who, boat, party, conflicts = random.choice(PARTIES)
    order = list(range(len(party)))
    random.shuffle(order)
    names = [party[i] for i in order]
    pairs = [(order.index(a), order.index(b)) for a, b in conflicts]
    start: State = (0,) * (len(names) + 1)
    plan = shortest(start, lambda s: _crossings(names, pairs, s), lambda s: all(s))
    if not plan:
        return False
    sheet.plan.extend(plan)
    ids = [f"the_{name.replace(' ', '_')}" for name in names]
    sheet.add(
        "kind passenger is thing { portable = false over : bool = false }",
        f'place bank "landing" {{ describe "A {boat}, and room in it for you and one more. Look to see who is where." }}',
    )
    for ident, name in zip(ids, names, strict=True):
        text = "{if this.over}It is on the far side.{else}It is on the near side.{end}"
        sheet.add(f"passenger {ident} {quoted(name)} in bank {{ describe {quoted(text)} }}")
    eaten = " or ".join(
        f"{ids[a]}.over == {ids[b]}.over and {ids[a]}.over != player.over" for a, b in pairs
    )
    rules = "; ".join(f"the {names[a]} and the {names[b]}" for a, b in pairs)
    sheet.add(
        "player in bank { over : bool = false @PLAYER@ }",
        f"""action look_across {{ form "look" form "l"
        say "You are on the {{if player.over}}far{{else}}near{{end}} side, and so is the {boat}."
        say "Near: {{list p: passenger where not p.over}}. Far: {{list p: passenger where p.over}}." }}
        action ferry(p: passenger here) {{ form "take {{p}} across" form "ferry {{p}}"
        require p.over == player.over else place "{{The p}} is on the other side."
        set player.over = not prior(player.over) set p.over = player.over @MOVE@ say "You take {{the p}} across." }}
        action cross {{ form "cross alone" form "cross" set player.over = not prior(player.over) @MOVE@ say "You cross with an empty {boat}." }}""",
        f'lose when {eaten} say "You left two together that one does not leave together."',
    )
    sheet.mistakes += 1
    sheet.mechanics.add("unsafe pairs")
    sheet.goals.append(
        f"Bring {listed([f'the {n}' for n in sorted(names)])} to the far side; you are the {who}. You must never be away from both of a pair: {rules}."
    )
    sheet.add(f'win when {" and ".join(f"{ident}.over" for ident in ids)} say "All are over."')
    sheet.add('milestone first "brought a first one over" when any(p: passenger where p.over)')
    return True


def _crossings(
    names: list[str], pairs: list[tuple[int, int]], state: State
) -> Iterator[tuple[str, State]]:
    side = state[-1]
    for who in (*[i for i in range(len(names)) if state[i] == side], None):
        after = list(state)
        after[-1] = 1 - int(str(side))
        if who is not None:
            after[who] = after[-1]
        if all(not (after[a] == after[b] != after[-1]) for a, b in pairs):
            yield (f"take {names[who]} across" if who is not None else "cross alone"), tuple(after)
