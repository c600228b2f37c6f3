"""Random small worlds as scripts: hands, boxes, hooks, rules, counts and references.

Random Machines alone miss what the compiler makes of `count(…)`, `prior(…)` and what is read
through a reference; these have all of them, and are small enough for a brute-force search.
"""

from __future__ import annotations

from random import Random

TURNS = 12


class Draw:
    """One world being drawn; `things` can be carried, `altar` holds the numbers."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.things = [f"t{number}" for number in range(self.random.randint(2, 3))]
        self.two = self.random.random() < 0.5
        self.verbs = [
            "take",
            *self.random.sample(["open", "wear", "give"], self.random.randint(0, 2)),
        ]
        self.holders = ["hall", "shelf", *(["yard"] if self.two else [])]
        if "open" in self.verbs:
            self.holders.append("box")

    def one(self, *choices: str) -> str:
        return self.random.choice(choices)

    def thing(self) -> str:
        return self.random.choice(self.things)

    def goal(self) -> str:
        return f"{self.condition()} and {self.condition()}"

    # -- parts ---------------------------------------------------------------------------

    def script(self) -> str:
        parts = [
            f'world small "Small" {{ goal "Do it." turns {TURNS} }}',
            f"use {', '.join([*self.verbs, *(['travel'] if self.two else [])])}",
            *self.places(),
            *(self.declared(thing) for thing in self.things),
            f"player in hall {{ carries = {self.random.choice((1, 1, 2, 3))} }}",
            *(self.action(number) for number in range(self.random.randint(1, 3))),
            *self.hooks(),
            *(self.rule(number) for number in range(self.random.randint(0, 2))),
        ]
        if self.random.random() < 0.4:
            parts.append(f"vary {self.thing()}.in among hall, shelf")
        parts.append(f'win when {self.goal()} say "Won."')
        if self.random.random() < 0.5:
            parts.append(f'lose when {self.condition()} and {self.condition(1)} say "Lost."')
        return "\n".join(parts) + "\n"

    def places(self) -> list[str]:
        barred = self.one("", "when not held(t0)", 'when altar.n > 0 else "No."')
        way = f"exit north to yard {barred}" if self.two else ""
        found = [f'place hall "hall" {{ {way} }}', 'surface shelf "shelf" in hall']
        if self.two:
            dark = self.one("true", "false", "false")
            found.append(f'place yard "yard" {{ dark = {dark} exit south to hall }}')
        if "open" in self.verbs:
            found.append(f'container box "box" in hall {{ open = {self.one("true", "false")} }}')
        number, flag = self.random.randint(0, 1), self.one("true", "false")
        found.append(
            'thing altar "altar" in hall { portable = false '
            f"n : 0..3 = {number} f : bool = {flag} g : bool = false }}"
        )
        return found

    def declared(self, thing: str) -> str:
        more = "wearable = true " if "wear" in self.verbs and self.random.random() < 0.6 else ""
        more += "light = true " if self.random.random() < 0.3 else ""
        more += f"k : 0..2 = {self.random.randint(0, 2)}"
        return f'thing {thing} "{thing}x" in {self.one(*self.holders, "player")} {{ {more} }}'

    def action(self, number: int) -> str:
        about = self.random.random() < 0.4
        scope = self.one("held", "here", "reachable", "anywhere", "visible")
        lines = [
            f"action zap{number}" + (f"(x: thing {scope})" if about else ""),
            f'{{ form "zap{number}' + (' {x}"' if about else '"'),
        ]
        for _ in range(self.random.randint(0, 2)):
            lines.append(f'require {self.condition()} else {self.one("logic", "place")} "No."')
        if about and self.random.random() < 0.7:
            lines.append("set x." + self.one("k += 1", "k = 0", "in = player.in", "in = player"))
        lines += [self.statement() for _ in range(self.random.randint(1, 2))]
        return "\n  ".join(lines) + "\n}"

    def hooks(self) -> list[str]:
        found = []
        kind = self.one("thing", *self.things)
        if self.random.random() < 0.5:
            found.append(
                f"before {self.one('take', 'drop')}(x: {kind}) "
                f'{{ require {self.condition()} else logic "Hm." }}'
            )
        if self.random.random() < 0.5:
            found.append(f"after {self.one('take', 'drop')}(x: {kind}) {{ {self.statement()} }}")
        return found

    def rule(self, number: int) -> str:
        once = self.one("", "once ")
        return f"rule r{number} {once}{{ when {self.condition()} {self.statement()} }}"

    # -- conditions and statements -------------------------------------------------------

    def condition(self, depth: int = 0) -> str:
        if depth < 2 and self.random.random() < 0.25:
            word = self.one("and", "or")
            return f"({self.condition(depth + 1)} {word} {self.condition(depth + 1)})"
        one, other = self.thing(), self.thing()
        sign, number = self.one("==", ">=", "<=", "<"), self.random.randint(0, 3)
        return self.one(
            f"held({one})",
            f"not held({one})",
            f"here({one})",
            f"reachable({one})",
            f"visible({one})",
            f"count(v: thing where held(v)) {sign} {number % 3}",
            f"sum(v: thing where held(v) of v.k) {sign} {number}",
            "any(v: thing where held(v) and v.k > 0)",
            f"altar.n {sign} {number}",
            "altar.f",
            "not altar.g",
            f"{one}.in == {self.one(*self.holders)}",
            f"{one}.in == {other}.in",
            f"prior({one}.in) == {self.one(*self.holders)}",
            f"changed({one}.in)",
            "changed(altar.n)",
            f"{one}.k {sign} {other}.k",
            f"turn {sign} {number + 1}",
        )

    def statement(self, depth: int = 0) -> str:
        one, number = self.thing(), self.random.randint(0, 3)
        where = self.one(*self.holders, "player")
        if depth < 2 and self.random.random() < 0.2:
            then, otherwise = self.statement(depth + 1), self.statement(depth + 1)
            return f"if {self.condition(1)} {{ {then} }} else {{ {otherwise} }}"
        return self.one(
            f"set altar.n {self.one('+=', '-=', '=')} {number}",
            f"set altar.f = {self.one('true', 'false', 'not altar.f', self.condition(1))}",
            f"set altar.g = {self.one('true', 'not altar.g')}",
            f"set {one}.in = {where}",
            f"set {one}.in = {self.thing()}.in",
            f"remove {one}",
            f"set {one}.k {self.one('+=', '-=', '=')} {number % 3}",
            f"each o: thing where held(o) {{ set o.k {self.one('+=', '-=')} 1 }}",
            f"each o: thing where held(o) {{ set o.in = {self.one(*self.holders)} }}",
        )


class Timely(Draw):
    """Worlds with clocks beside the turn: a light that wanes, a bell, a thing that goes on only
    while another rests, so that it is no clock. Few hours count, and all else is small."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.things = self.things[:1]
        self.holders = ["hall", "shelf"]
        self.verbs = ["take"]
        self.two = False
        self.hour, self.dusk = self.random.randint(5, 8), self.random.randint(0, 3)

    def places(self) -> list[str]:
        return [
            *super().places(),
            'thing tower "tower" in hall { portable = false '
            "c : 0..9 = 9 d : 0..5 = 0 bell : bool = false }",
        ]

    def rule(self, number: int) -> str:
        if number:
            return super().rule(number)
        ring = self.one(f"turn == {self.hour}", f"turn >= {self.hour}", f"tower.c <= {self.dusk}")
        slow = self.one("altar.f", "not altar.g", "held(t0)", "tower.bell", f"turn >= {self.hour}")
        return "\n".join(
            (
                f"rule wanes {{ when tower.c > {self.random.randint(0, 1)} set tower.c -= 1 }}",
                f"rule rings once {{ when {ring} set tower.bell = true }}",
                f"rule grows {{ when {slow} set tower.d += 1 }}",
            )
        )

    def goal(self) -> str:
        """Often something that is had only by keeping from what goes on by itself."""
        if self.random.random() < 0.5:
            return super().goal()
        slow = self.one("tower.d == 2", "tower.d <= 1", "not altar.f", "altar.n == 2")
        return f"turn >= {self.hour} and {slow} and {self.condition()}"

    def condition(self, depth: int = 0) -> str:
        if self.random.random() < 0.4:
            return self.one(
                f"tower.c <= {self.dusk}",
                f"tower.c > {self.dusk}",
                f"tower.d >= {self.random.randint(1, 3)}",
                "tower.bell",
                "not tower.bell",
                "changed(tower.bell)",
                "prior(tower.bell)",
                f"turn == {self.hour}",
                f"turn < {self.hour}",
            )
        found = super().condition(depth)
        return found if "turn" not in found else f"turn >= {self.hour}"


class Twins(Draw):
    """Worlds with beads that can stand for one another, unless something calls one by name."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.things = self.things[: self.random.randint(1, 2)]
        self.beads = [f"b{number}" for number in range(self.random.randint(2, 3))]
        self.named = self.random.random() < 0.3

    def places(self) -> list[str]:
        return [*super().places(), "kind bead is thing { m : 0..2 = 0 }"]

    def declared(self, thing: str) -> str:
        if thing != self.things[0]:
            return super().declared(thing)
        found = [super().declared(thing)]
        found += [
            f'bead {bead} "{bead}x" in {self.one("hall", "shelf", "player")} '
            f"{{ m = {self.random.randint(0, 1)} }}"
            for bead in self.beads
        ]
        return "\n".join(found)

    def action(self, number: int) -> str:
        if number:
            return super().action(number)
        scope = self.one("held", "here", "reachable")
        made = self.one("m += 1", "m = 2", "in = player.in", "in = shelf")
        asked = self.one("", 'require x.m < 2 else logic "No."')
        more = self.one(
            "", self.statement(), f"each o: bead where o.in == x.in {{ set o.m = {number + 1} }}"
        )
        return f'action rub(x: bead {scope}) {{ form "rub {{x}}" {asked} set x.{made} {more} }}'

    def bead(self) -> str:
        """A condition on beads."""
        sign, number = self.one("==", ">=", "<="), self.random.randint(0, 3)
        if self.named and self.random.random() < 0.4:
            return self.one("held(b0)", "b0.m == 2", "b0.in == b1.in", "b1.in == shelf")
        return self.one(
            f"count(b: bead where held(b)) {sign} {number}",
            f"sum(b: bead of b.m) {sign} {number + 1}",
            f"sum(b: bead where b.in == hall of b.m) {sign} {number}",
            "any(b: bead where held(b) and b.m > 0)",
            "all(b: bead where b.in == shelf or b.m == 2)",
            f"max(b: bead where held(b) of b.m) {sign} {number}",
        )

    def condition(self, depth: int = 0) -> str:
        return self.bead() if self.random.random() < 0.45 else super().condition(depth)

    def statement(self, depth: int = 0) -> str:
        if self.random.random() < 0.3:
            if self.named and self.random.random() < 0.4:
                return "set b0.m += 1"
            return self.one(
                "each o: bead where held(o) { set o.m += 1 }",
                "each o: bead where o.m > 0 { set o.in = shelf }",
                "set altar.n = count(b: bead where held(b))",
            )
        return super().statement(depth)


def script(seed: int, draw: type[Draw] = Draw) -> str:
    """The world that belongs to a seed."""
    return draw(seed).script()
