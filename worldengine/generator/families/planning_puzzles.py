"""Puzzles with vessels, lamps and tiles. In and out as in `planning_blocks`."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from worldengine.generator.families.frame import Sheet
from worldengine.generator.families.search import COLOURS, State, farthest, goal_near, shortest
from worldengine.generator.words import listed, quoted

# --- jugs -----------------------------------------------------------------------------------


def jugs(random: Random, sheet: Sheet, target: int) -> bool:
    """A tap, a drain, jugs of odd sizes, and an amount to be measured."""
    count = random.choice([2, 3])
    sizes = sorted(random.sample(range(2, 14), count), reverse=True)
    names = [f"{size} litre {random.choice(['jug', 'can', 'pail'])}" for size in sizes]
    start: State = (0,) * count
    layers = farthest(start, lambda s: _pours(names, sizes, s), target)
    goal = goal_near(random, layers, target)
    which = random.randrange(count)
    amount = goal[which]
    plan = shortest(start, lambda s: _pours(names, sizes, s), lambda s: s[which] == amount)
    if not plan or not amount:
        return False
    sheet.plan.extend(plan)
    ids = [f"jug_{size}" for size in sizes]
    most = max(sizes)
    sheet.add(
        f"kind jug is thing {{ portable = false holds : 1..{most} = 1 water : 0..{most} = 0 }}",
        'place well_house "well house" { describe "A tap, a drain, and vessels with their size painted on." }',
    )
    for ident, name, size in zip(ids, names, sizes, strict=True):
        sheet.add(
            f'jug {ident} {quoted(name)} in well_house {{ holds = {size} describe "It holds {{this.holds}} litres; there are {{this.water}} in it." }}'
        )
    sheet.add(
        "player in well_house { @PLAYER@ }",
        """action look_at_jugs { form "look" form "l" each j: jug { say "{The j}: {j.water} of {j.holds}." } }
        action fill(j: jug here) { form "fill {j}" require j.water != j.holds else logic "It is full." set j.water = j.holds @MOVE@ say "{The j} is full." }
        action empty(j: jug here) { form "empty {j}" require j.water > 0 else logic "It is empty." set j.water = 0 @MOVE@ say "{The j} is empty." }
        action pour(a: jug here, b: jug here) { form "pour {a} into {b}" require a != b else logic "Into itself?"
        require a.water > 0 else logic "{The a} is empty." require b.water != b.holds else logic "{The b} is full."
        if a.water <= b.holds - b.water { set b.water += a.water set a.water = 0 } else { set a.water -= b.holds - b.water set b.water = b.holds }
        @MOVE@ say "{The a}: {a.water}. {The b}: {b.water}." }""",
    )
    sheet.goals.append(
        f"Measure exactly {amount} litre{'s' if amount != 1 else ''} of water in the {names[which]}."
    )
    sheet.add(
        f'win when {ids[which]}.water == {amount} say "Exactly."',
        'milestone wet "drew water" when any(j: jug where j.water > 0)',
    )
    return True


def _pours(names: list[str], sizes: list[int], state: State) -> Iterator[tuple[str, State]]:
    water = [int(str(value)) for value in state]
    for i, name in enumerate(names):
        for amount, verb in ((sizes[i], "fill"), (0, "empty")):
            if water[i] != amount:
                yield f"{verb} {name}", (*water[:i], amount, *water[i + 1 :])
        for j, other in enumerate(names):
            moved = min(water[i], sizes[j] - water[j])
            if i != j and moved:
                after = list(water)
                after[i] -= moved
                after[j] += moved
                yield f"pour {name} into {other}", tuple(after)


# --- lamps ----------------------------------------------------------------------------------


def lights(random: Random, sheet: Sheet, target: int) -> bool:
    """Buttons that toggle several lamps each; all shall burn."""
    count = min(7, max(4, target))
    colours = random.sample(COLOURS, count)
    hits = [sorted({i, *random.sample(range(count), random.randint(1, 2))}) for i in range(count)]
    presses = random.sample(range(count), min(count, max(3, target)))
    start = [True] * count
    for button in presses:
        for lamp in hits[button]:
            start[lamp] = not start[lamp]
    plan = shortest(tuple(start), lambda s: _presses(colours, hits, s), lambda s: all(s))
    if not plan:
        return False
    sheet.plan.extend(plan)
    sheet.add(
        "kind bulb is thing { portable = false lit : bool = false }",
        "kind button is thing { portable = false }",
        'place panel_room "control room" { describe "A panel of lamps, and a button under each. Look to see which burn." }',
    )
    for colour, lit in zip(colours, start, strict=True):
        sheet.add(
            f'bulb {colour}_lamp "{colour} lamp" in panel_room {{ lit = {"true" if lit else "false"} describe "{{if this.lit}}It burns.{{else}}It is dark.{{end}}" }}'
        )
    cases = []
    for index, colour in enumerate(colours):
        wired = listed([f"the {colours[i]} lamp" for i in hits[index]])
        sheet.add(
            f'button {colour}_button "{colour} button" in panel_room {{ describe {quoted(f"Wired to {wired}.")} }}'
        )
        body = " ".join(
            f"set {colours[i]}_lamp.lit = not prior({colours[i]}_lamp.lit)" for i in hits[index]
        )
        cases.append(f"{colour}_button {{ {body} }}")
    sheet.add(
        "player in panel_room { @PLAYER@ }",
        f"""action press(b: button here) {{ form "(press|push) {{b}}" match b {{ {" ".join(cases)} }} @MOVE@
        say "Burning: {{list l: bulb where l.lit}}." }}
        action look_at_panel {{ form "look" form "l" say "Burning: {{list l: bulb where l.lit}}. Dark: {{list l: bulb where not l.lit}}." }}""",
    )
    sheet.goals.append("Make every lamp on the panel burn.")
    sheet.add(
        'win when all(l: bulb where l.lit) say "Every lamp burns."',
        f'milestone more "had more burning" when count(l: bulb where l.lit) > {sum(start)}',
    )
    return True


def _presses(
    colours: list[str], hits: list[list[int]], state: State
) -> Iterator[tuple[str, State]]:
    for index, colour in enumerate(colours):
        after = list(state)
        for lamp in hits[index]:
            after[lamp] = not after[lamp]
        yield f"press {colour} button", tuple(after)


# --- tiles ----------------------------------------------------------------------------------


def tiles(random: Random, sheet: Sheet, target: int) -> bool:
    """A frame of two rows by three, five tiles, one gap."""
    letters = random.sample("ABCDEFGHKLMNPRSTUVWXYZ", 5)
    goal: State = (*range(5), None)
    layers = farthest(goal, lambda s: _slides(letters, s), target)
    start = goal_near(random, layers, target)
    plan = shortest(start, lambda s: _slides(letters, s), lambda s: s == goal)
    if not plan:
        return False
    sheet.plan.extend(plan)
    sheet.add(
        "kind tile is thing { portable = false spot : 1..6 = 1 }",
        'place frame_room "reading room" { describe "A frame of two rows with three spots each, five tiles in it, and one gap." }',
    )
    for index, letter in enumerate(letters):
        spot = start.index(index) + 1
        sheet.add(
            f'tile tile_{letter.lower()} "tile {letter}" proper in frame_room {{ spot = {spot} describe "It lies on spot {{this.spot}}." }}'
        )
    near = " or ".join(
        f"t.spot == {a + 1} and player.gap == {b + 1}" for a in range(6) for b in _beside(a)
    )
    sheet.add(
        f"player in frame_room {{ gap : 1..6 = {start.index(None) + 1} @PLAYER@ }}",
        f"""action slide(t: tile here) {{ form "slide {{t}}" form "move {{t}}"
        require {near} else logic "{{The t}} is not beside the gap."
        set player.gap = t.spot set t.spot = prior(player.gap) @MOVE@ say "{{The t}} slides to spot {{t.spot}}." }}
        action look_at_frame {{ form "look" form "l" say "Spots 1 to 3 are the upper row, 4 to 6 the lower. The gap is at {{player.gap}}."
        each t: tile {{ say "{{The t}} lies on spot {{t.spot}}." }} }}""",
    )
    order = ", ".join(f"{letter} on spot {i + 1}" for i, letter in enumerate(letters))
    sheet.goals.append(f"Slide the tiles until they lie in order: {order}; the gap at 6.")
    wins = [f"tile_{letter.lower()}.spot == {i + 1}" for i, letter in enumerate(letters)]
    sheet.add(
        f'win when {" and ".join(wins)} say "In order."',
        f'milestone row "had the upper row in order" when {" and ".join(wins[:3])}',
    )
    return True


def _beside(spot: int) -> list[int]:
    row, column = divmod(spot, 3)
    near = [(row, column - 1), (row, column + 1), (1 - row, column)]
    return [r * 3 + c for r, c in near if 0 <= c < 3]


def _slides(letters: list[str], state: State) -> Iterator[tuple[str, State]]:
    gap = state.index(None)
    for other in _beside(gap):
        after = list(state)
        after[gap], after[other] = after[other], None
        yield f"slide tile {letters[int(str(state[other]))]}", tuple(after)
