"""Scripts that mean harm: a diagnostic or a Machine each, never an exception, never a hang.

The budgets count work, not time, so what is refused here is refused on every computer. The
processor times asserted are far above what is needed.
"""

from __future__ import annotations

import time

import pytest

from worldengine.compiler import Compilation, compile_source
from worldengine.machine.validate import validate
from worldengine.runtime import Runtime
from worldengine.source import Source

HEAD = 'world hostile "Hostile" { goal "Go." turns 20 }\n'
HALL = 'place hall "hall"\nplayer in hall\nwin when turn > 3\n'
SECONDS = 20


def things(count: int, kind: str = "thing") -> str:
    return "".join(f'{kind} o{i} "o{i}" in hall\n' for i in range(count))


def compiled(text: str) -> Compilation:
    began = time.process_time()
    result = compile_source(Source("hostile.world", text))
    assert time.process_time() - began < SECONDS
    errors = [item for item in result.diagnostics if item.severity == "error"]
    assert (result.machine is None) == bool(errors)
    return result


NODES = (
    "kind n is thing { nx : n? = none }\n"
    'action l(a: n, b: n) { form "l {a} {b}" set a.nx = b say "x" }\n'
)
REFUSED = {
    "100000 objects": ("".join(f"thing o{i} \"\" \n" for i in range(100_000)), "syntax-too-big"),
    "30000 objects": ("".join(f'thing o{i} "o{i}"\n' for i in range(30_000)), "budget-objects"),
    "a count of 10^5": ('thing o 100000 "o" in hall\n', "count-range"),
    "many counts": ("".join(f'thing o{i} 2000 "o{i}"\n' for i in range(9)), "budget-objects"),
    "take and give": (
        "use take, give\n" + 'thing o 1900 "o" in hall\nperson p 50 "p" in hall\n',
        "budget-operators",
    ),
    "containers": ("use take, open\n" + things(160, "container"), "budget-work"),
    "kinds in a circle": ("kind a is b\nkind b is c\nkind c is a\n", "kind-circle"),
    "a kind of itself": ("kind a is a\n", "kind-circle"),
    "3000 kinds deep": (
        "".join(f"kind k{i} is k{i + 1}\n" for i in range(3000)) + "kind k3000 is thing\n",
        "kind-depth",
    ),
    "things in a circle": (
        'container a "a" in b\ncontainer b "b" in a\nthing c "c" in a\n',
        "containment-circle",
    ),
    "not itself": ("derive a = not a\nrule r { when a say \"x\" }\n", "derive-negates-itself"),
    "not one another": (
        "derive a = not b\nderive b = not a\nrule r { when a say \"x\" }\n",
        "derive-negates-itself",
    ),
    "three negations": (
        "derive a = not b\nderive b = not c\nderive c = not a\nrule r { when a say \"x\" }\n",
        "derive-negates-itself",
    ),
    "an exit to nowhere": ('place y "y" { exit north to nowhere }\n', "exit-to-nowhere"),
    "names twice": ('thing a "a"\nthing a "b"\nkind k\nkind k\n', "object-twice"),
    "four parameters": (
        things(17)
        + "action m(a: thing, b: thing, c: thing, d: thing) "
        + '{ form "m {a} {b} {c} {d}" say "x" }\n',
        "budget-operators",
    ),
    "a fact of three": (
        things(200)
        + "fact f(a: thing, b: thing, c: thing)\naction m(a: thing) "
        + '{ form "m {a}" each b: thing { each c: thing { set f(a, b, c) = true } } say "x" }\n',
        "budget-work",
    ),
    "each in each": (
        things(60)
        + 'fact f(a: thing)\naction m { form "m" each b: thing { each c: thing '
        + "{ each d: thing { each e: thing { set f(b) = true } } } } }\n",
        "budget-work",
    ),
    "any in any": (
        things(60)
        + 'fact f(a: thing)\naction t(a: thing) { form "t {a}" set f(a) = true }\n'
        + "derive q = any(a: thing where any(b: thing where any(c: thing where "
        + 'f(a) and f(b) and not f(c))))\nrule x { when q say "x" }\n',
        "budget-work",
    ),
    "reach over pairs": (
        things(100)
        + 'fact f(a: thing, b: thing)\naction t(a: thing) { form "t {a}" set f(a, o1) = true }\n'
        + "derive q(a: thing, b: thing) = f(a, b) or any(c: thing where f(a, c) and q(c, b))\n"
        + 'rule x { when any(a: thing where any(b: thing where q(a, b))) say "x" }\n',
        "budget-work",
    ),
    "lists of lists": (
        things(500)
        + 'fact f(a: thing)\naction t(a: thing) { form "t {a}" set f(a) = true '
        + 'say "{list x: thing where f(x)} {list the y: thing where f(y) and y != a}" }\n',
        "budget-work",
    ),
    "brackets": ("rule r { when " + "(" * 5000 + "true" + ")" * 5000 + " }\n", "syntax-too-deep"),
    "negations": ("rule r { when " + "not " * 5000 + 'true say "x" }\n', "syntax-too-deep"),
    "a huge enum of commands": (
        "enum e : "
        + " | ".join(f"v{i}" for i in range(300))
        + '\naction s(v: e, w: e) { form "s {v} {w}" say "x" }\n',
        "budget-operators",
    ),
    "a text in itself": ('derive d : text = "{d}"\nrule r { say "{d}" }\n', "text-circle"),
    "a description in itself": (
        'thing a "a" in hall { describe "{b.describe}" }\n'
        'thing b "b" in hall { describe "{a.describe}" }\n',
        "text-circle",
    ),
    "texts that double": (
        'derive d0 : text = "y"\n'
        + "".join(f'derive d{i} : text = "{{d{i - 1}}}{{d{i - 1}}}"\n' for i in range(1, 40))
        + 'rule r { say "{d39}" }\n',
        "text-circle",
    ),
    "texts with arguments that double": (
        'thing a "a" in hall\nderive d0(x: thing) : text = "y"\n'
        + "".join(
            f'derive d{i}(x: thing) : text = "{{d{i - 1}(x)}}{{d{i - 1}(x)}}"\n'
            for i in range(1, 19)
        )
        + 'rule r { say "{d18(a)}" }\n',
        "text-too-long",
    ),
    "a long chain of texts": (
        'derive d0 : text = "y"\n'
        + "".join(f'derive d{i} : text = "{{d{i - 1}}}x"\n' for i in range(1, 2000))
        + 'rule r { say "{d1999}" }\n',
        "text-circle",
    ),
    "too many starts": (
        things(30) + "".join(f"vary o{i}.in among hall, nowhere\n" for i in range(30)),
        "vary-too-many",
    ),
    "regular expressions": (
        'action c { form "c" regex "(?=x)" }\n'
        'action d { form "d" regex "(?:(?:a{100}){100}){100}" }\n'
        'action e { form "e" regex "(" }\naction f { form "f" regex "^(?:(a)\\1)$" }\n',
        "regex-invalid",
    ),
    "a number that picks facts": (
        'fact f(n: 0..100000)\naction d(n: 0..100000) { form "d {n}" set f(n) = true }\n',
        "budget-cells",
    ),
    "three numbers of a fact": (
        "fact f(n: 0..100, m: 0..100, k: 0..100) : 0..5\nrule r { set f(turn, turn, turn) = 3 }\n",
        "budget-work",
    ),
    "a path of forty": (
        NODES
        + "".join(f'n a{i} "a{i}" in hall\n' for i in range(30))
        + "rule r { when a0" + ".nx" * 40 + ' == a1 say "x" }\n',
        "too-complex",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_it_is_refused_by_name(case: str) -> None:
    text, id = REFUSED[case]
    assert id in {item.id for item in compiled(HEAD + HALL + text).diagnostics}


ACCEPTED = {
    "forty places, five hundred things": "use travel, take, open\n"
    + "".join(f'place p{i} "place {i}" {{ exit east to p{(i + 1) % 40} }}\n' for i in range(40))
    + "".join(f'thing t{i} "gadget {i}" in p{i % 40}\n' for i in range(455))
    + "".join(f'container c{i} "box {i}" in p{i} {{ open = true }}\n' for i in range(5)),
    "two thousand things": "use take\n" + 'thing o 1200 "o" in hall\n',
    "nested containers": 'container c0 "c0" in hall\n'
    + "".join(f'container c{i} "c{i}" in c{i - 1}\n' for i in range(1, 200)),
    "300 devices": "use switch, push\n" + things(300, "device"),
    "a derive 3000 deep": "derive d0 = turn > 2\n"
    + "".join(f"derive d{i} = d{i - 1} or turn == {i}\n" for i in range(1, 3000))
    + 'rule r { when d2999 say "x" }\n',
    "the same backwards": "".join(
        f"derive d{i} = d{i - 1} or turn == {i}\n" for i in range(2999, 0, -1)
    )
    + 'derive d0 = turn > 2\nrule r { when d2999 say "x" }\n',
    "a long disjunction": "rule r { when " + " or ".join(["turn == 1"] * 3000) + ' say "x" }\n',
    "a long ladder": 'rule r { if turn > 1 { say "x" } '
    + " ".join(f'else if turn > {i} {{ say "{i}" }}' for i in range(1000))
    + " }\n",
    "each forty deep": things(1)
    + "rule r { "
    + "".join(f"each x{i}: thing {{ " for i in range(40))
    + 'say "x"'
    + " }" * 40
    + " }\n",
    "a sum that doubles": "rule t { set player.a += 1 }\nderive d0 = player.a + player.a\n"
    + "".join(f"derive d{i} = d{i - 1} + d{i - 1}\n" for i in range(1, 40))
    + 'rule r { when d39 > 3 say "x" }\n',
    "numbers at the limits": "rule r { set player.a += player.a * 1000000 * 1000000 "
    "set player.a = player.a / -3 set player.a = player.a % -7 "
    'if player.a + 99999999 > 2147483647 { say "x" } }\n',
    "forms of many words": 'action a { form "' + " ".join(["(a|b)"] * 29) + '" say "x" }\n',
    "forms of many options": 'action b { form "x ' + " ".join(["[a]"] * 40) + '" say "y" }\n',
    "names of all sorts": 'thing a "clé 🔑" aka "鍵", "مفتاح", "e\u0301" in hall\n'
    'thing b "[a-z]* (x)" in hall\nthing d "a.b|c" in hall\nuse take\n',
    "five hundred lines of description": 'thing a "a" in hall { n : 0..9 '
    + " ".join(f'describe "d{i}" when a.n == {i}' for i in range(500))
    + " }\nrule r { set a.n += 1 }\n",
    "a long proof": "proof " + ", ".join(['"wait"'] * 5000) + "\n",
}
PLAYER = "player in hall { a : -1000000..1000000 = 1000000 }"


@pytest.mark.parametrize("case", ACCEPTED)
def test_it_compiles_and_plays(case: str) -> None:
    result = compiled(HEAD + HALL.replace("player in hall", PLAYER) + ACCEPTED[case])
    machine = result.machine
    assert machine is not None, [item.message for item in result.diagnostics]
    validate(machine)
    runtime = Runtime(machine)
    state = machine.start(0)
    for command in ("wait", "look", "take clé 🔑", "inventory", "wait", "x x", "\0", ""):
        if runtime.status(state) == "running":
            state = runtime.step(state, command).state


@pytest.mark.parametrize("text", ["", "\0", "world", HEAD, HALL, HEAD * 2, '"', "{" * 60, "\ufeff"])
def test_scraps_are_told(text: str) -> None:
    assert compiled(text).diagnostics
