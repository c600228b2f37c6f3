"""Random scripts of the language: valid names, right types, everything else by chance."""

from __future__ import annotations

from random import Random

HEADER = 'world random "Random" { goal "Go on." turns 30 }\nuse travel, take, open, push\n'
INTS = ("n", "m")
COMPARE = ("==", "!=", "<", "<=", ">", ">=")


class RandomWorld:
    """`text()` is a script. Parameters and bound variables in sight go along as `sight`:
    names of things, and of numbers."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.things = [f"t{i}" for i in range(random.randint(2, 4))]
        self.places = [f"p{i}" for i in range(random.randint(1, 3))]
        self.derives: list[str] = []
        self.bound = 0

    def one(self, *options: str) -> str:
        return self.random.choice(options)

    def chance(self, of: float) -> bool:
        return self.random.random() < of

    # -- expressions -------------------------------------------------------------------

    def thing(self, sight: tuple[str, ...]) -> str:
        return self.random.choice([*self.things, *sight, *sight])

    def reference(self, sight: tuple[str, ...]) -> str:
        base = self.thing(sight)
        return base + ".friend" * self.random.choice([0, 0, 1, 1, 2])

    def number(self, sight: tuple[str, ...], depth: int = 2) -> str:
        kind = self.random.randrange(8 if depth else 4)
        if kind == 0:
            return str(self.random.randint(-4, 9))
        if kind <= 2:
            return f"{self.reference(sight)}.{self.one(*INTS)}"
        if kind == 3:
            return self.one("player.score", "turn", f"level({self.thing(sight)})")
        if kind == 4:
            left, right = self.number(sight, depth - 1), self.number(sight, depth - 1)
            return f"({left} {self.one('+', '-')} {right})"
        if kind == 5:
            constant = self.random.choice([-3, -1, 2, 3])
            return f"({self.number(sight, depth - 1)} {self.one('*', '/', '%')} {constant})"
        x = self.variable()
        where = self.condition((*sight, x), depth - 1)
        if kind == 6:
            return f"count({x}: thing where {where})"
        amount = self.number((*sight, x), depth - 1)
        return f"{self.one('sum', 'min', 'max')}({x}: blob where {where} of {amount})"

    def variable(self) -> str:
        self.bound += 1
        return f"v{self.bound}"

    def condition(self, sight: tuple[str, ...], depth: int = 2) -> str:
        kind = self.random.randrange(14 if depth else 8)
        if kind == 0:
            return f"{self.reference(sight)}.{self.one('wet', 'open_now')}"
        if kind == 1:
            return (
                f"{self.reference(sight)}.mode {self.one('==', '!=')} {self.one('lo', 'mid', 'hi')}"
            )
        if kind == 2:
            return f"{self.one('held', 'here', 'visible', 'reachable')}({self.thing(sight)})"
        if kind == 3:
            at = self.one(*self.places, *self.things, "nowhere", "player", "player.in")
            return f"{self.thing(sight)}.in {self.one('==', '!=')} {at}"
        if kind == 4:
            return f"likes({self.thing(sight)}, {self.reference(sight)})"
        if kind == 5 and self.derives:
            return f"{self.one(*self.derives)}({self.thing(sight)})"
        if kind == 6:
            return f"{self.reference(sight)}.friend == {self.one('none', self.reference(sight))}"
        if kind <= 8:
            less = max(depth - 1, 0)
            return f"{self.number(sight, less)} {self.one(*COMPARE)} {self.number(sight, less)}"
        if kind == 9:
            return f"not {self.condition(sight, depth - 1)}"
        if kind <= 11:
            parts = [self.condition(sight, depth - 1) for _ in range(self.random.randint(2, 3))]
            return "(" + f" {self.one('and', 'or')} ".join(parts) + ")"
        if kind == 12:
            return f"{self.thing(sight)} in {{{self.one(*self.things)}, {self.one(*self.things)}}}"
        x = self.variable()
        return (
            f"{self.one('any', 'all')}({x}: thing where {self.condition((*sight, x), depth - 1)})"
        )

    # -- statements --------------------------------------------------------------------

    def statements(self, sight: tuple[str, ...], depth: int = 2) -> str:
        return " ".join(self.statement(sight, depth) for _ in range(self.random.randint(1, 3)))

    def statement(self, sight: tuple[str, ...], depth: int) -> str:
        kind = self.random.randrange(12 if depth else 9)
        if kind <= 1:
            op = self.one("=", "+=", "-=")
            value = self.number(sight) if op != "=" else f"({self.number(sight)}) + 0"
            return f"set {self.reference(sight)}.{self.one(*INTS)} {op} {value}"
        if kind == 2:
            return f"set {self.reference(sight)}.wet = {self.condition(sight)}"
        if kind == 3:
            step = f"{self.one('next', 'prev')}({self.reference(sight)}.mode)"
            return f"set {self.reference(sight)}.mode = {self.one('lo', 'hi', step)}"
        if kind == 4:
            return f"set {self.reference(sight)}.friend = {self.one('none', self.reference(sight))}"
        if kind == 5:
            at = self.one(*self.places, self.thing(sight), "nowhere", "player", "player.in")
            return f"set {self.thing(sight)}.in = {at}"
        if kind == 6:
            return (
                f"set likes({self.thing(sight)}, {self.reference(sight)}) = {self.condition(sight)}"
            )
        if kind == 7:
            return f"set level({self.reference(sight)}) += {self.number(sight)}"
        if kind == 8:
            x = self.variable()
            listed = f"{{list a {x}: thing where {self.condition((*sight, x), 1)}}}"
            some = f"{{if {self.condition(sight, 1)}}}A{{else}}b {{the {self.thing(sight)}}}{{end}}"
            mode, number = f"{{{self.reference(sight)}.mode}}", f"{{{self.number(sight, 1)}}}"
            return f'say "{mode} {listed} {some} {number}"'
        if kind == 9:
            other = f" else {{ {self.statements(sight, depth - 1)} }}" if self.chance(0.5) else ""
            return f"if {self.condition(sight)} {{ {self.statements(sight, depth - 1)} }}{other}"
        if kind == 10:
            x = self.variable()
            body = self.statements((*sight, x), depth - 1)
            return f"each {x}: thing where {self.condition((*sight, x))} {{ {body} }}"
        cases = " ".join(
            f"{self.one(*self.things)} {{ {self.statements(sight, depth - 1)} }}" for _ in range(2)
        )
        return f'match {self.reference(sight)} {{ {cases} else {{ say "other" }} }}'

    # -- the whole ---------------------------------------------------------------------

    def text(self) -> str:
        parts = [HEADER, self._kinds(), self._objects()]
        for number in range(self.random.randint(0, 3)):
            name = f"d{number}"
            parts.append(f"derive {name}(x: thing) = {self.condition(('x',))}\n")
            self.derives.append(name)
        parts.append(f"derive total : -20..20 = {self.number(())}\n")
        parts += [self._action(number) for number in range(self.random.randint(2, 4))]
        for number in range(self.random.randint(0, 3)):
            when = f"when {self._past()} " if self.chance(0.7) else ""
            once = "once " if self.chance(0.3) else ""
            parts.append(f"rule r{number} {once}{{ {when}{self.statements(())} }}\n")
        if self.chance(0.5):
            parts.append(
                f"after take(x: {self.one('blob', *self.things)}) {{ {self.statements(('x',))} }}\n"
            )
        if self.chance(0.5):
            need = f'require {self.condition(("x",))} else {self.one("place", "logic")} "No."'
            parts.append(f"before push(x: {self.one('thing', *self.things)}) {{ {need} }}\n")
        if self.chance(0.5):
            parts.append(f"start {{ {self._start()} }}\n")
        if self.chance(0.4):
            thing = self.one(*self.things)
            parts.append(f"vary {thing}.in among {self.one(*self.places)}, nowhere\n")
        parts.append(f'milestone one "one" when {self.condition(())}\n')
        parts.append(f"win when turn > 3 and {self.condition(())}\n")
        parts.append(f"lose when turn > 3 and {self.condition(())} and player.score > 3\n")
        return "".join(parts)

    def _start(self) -> str:
        """Nothing that speaks; nobody hears it."""
        found = (self.statement((), 0) for _ in range(6))
        return " ".join(item for item in found if not item.startswith("say"))

    def _past(self) -> str:
        """A condition that may look back at how the turn began."""
        if self.chance(0.5):
            return self.condition(())
        return self.one(
            f"prior({self.condition(())}) and {self.condition(())}",
            f"changed({self.reference(())}.mode)",
            f"prior({self.reference(())}.n) < {self.reference(())}.n",
        )

    def _kinds(self) -> str:
        low, high = self.random.randint(-5, 0), self.random.randint(1, 9)
        fields = (
            f"n : {low}..{high} = {self.random.randint(low, high)}  m : 0..{high}  wet : bool  "
            f"open_now : bool = {self.one('true', 'false')}  "
            f"mode : lo | mid | hi = {self.one('lo', 'mid')}  "
            "friend : blob? = none"
        )
        return (
            f"kind blob is thing {{ {fields} }}\n"
            "kind tub is blob, container { open = true }\n"
            "fact likes(a: thing, b: blob)\n"
            f"fact level(a: blob) : -3..7 = {self.random.randint(-3, 7)}\n"
        )

    def _objects(self) -> str:
        found = []
        for number, place in enumerate(self.places):
            exits = " ".join(
                f"exit {way} to {self.one(*self.places)}" for way in ("north", "up")[: number + 1]
            )
            found.append(f'place {place} "place {number}" {{ {exits} }}\n')
        for number, thing in enumerate(self.things):
            at = self.one(*self.places, "nowhere", "player", *self.things[:number])
            friend = f"friend = {self.one(*self.things)}" if self.chance(0.6) else ""
            kind = self.one("blob", "tub")
            found.append(f'{kind} {thing} "thing {number}" in {at} {{ {friend} }}\n')
        found.append(f"player in {self.places[0]} {{ score : 0..9 }}\n")
        return "".join(found)

    def _action(self, number: int) -> str:
        x, k = "x", "k"
        shape = self.random.randrange(4)
        scope = self.one("", "here", "held", "reachable", "visible", "anywhere")
        sight: tuple[str, ...] = ()
        parameters, form = "", f"do {number}"
        if shape == 1:
            parameters, form, sight = f"(x: blob {scope})", f"do {number} {{x}}", (x,)
        elif shape == 2:
            parameters, form = "(k: 1..6)", f"do {number} {{k}}"
        elif shape == 3:
            parameters = f"(x: {self.one('thing', 'tub')} {scope}, y: blob)"
            form, sight = f"do {number} {{x}} with {{y}}", (x, "y")
        needs = " ".join(
            f'require {self.condition(sight)} else {self.one("place", "logic", "parameter")} "No."'
            for _ in range(self.random.randint(0, 2))
        )
        extra = (
            f"set player.score += {k} if {k} > 3 {{ set player.score = {k} * 2 }}"
            if shape == 2
            else ""
        )
        body = f'form "{form}" {needs} {extra} {self.statements(sight)}'
        return f"action a{number}{parameters} {{ {body} }}\n"
