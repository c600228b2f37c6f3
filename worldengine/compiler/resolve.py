"""Second pass: settle every name and type of the world.

In: the script's tree and the library's, with filled `Tables`. Out: `Resolved`, in which
nothing refers to anything by name. All complaints go to the reporter.
"""

from __future__ import annotations

from worldengine.compiler import resolved as r
from worldengine.compiler.actions import Actions
from worldengine.compiler.names import Names
from worldengine.compiler.order import dependencies_first
from worldengine.compiler.statements import Statements
from worldengine.compiler.tables import Tables
from worldengine.compiler.types import reference
from worldengine.compiler.varies import resolve_varies
from worldengine.source import Span
from worldengine.syntax import ast

AFTER = Names(where="after")


def resolve(tables: Tables, own: ast.Document, library: list[ast.Document]) -> r.Resolved:
    """Resolve all items; the result is only meaningful if nothing was reported."""
    words = Statements(tables)
    header = own.header
    tables.turns = _turns(tables, own)
    for derive in dependencies_first(tables.derives):
        words.body_of(derive)
    actions = Actions(words).resolve(own, library)
    for derive in list(tables.derives.values()):
        if isinstance(derive.node.body, ast.Text):
            derive.body = words.text_body(derive)
    rules = _rules(words, own)
    look = next(action for action in actions if action.name == "look" and not action.own)
    descriptions = _descriptions(words)
    refusals, passable = _refusals(words), _passable(words)
    _wearables(tables)
    return r.Resolved(
        name=header.name.text if header else "",
        title=header.title if header else "",
        persona=_plain(tables, header.persona if header else None, "persona"),
        intro=_plain(tables, header.intro if header else None, "intro"),
        goal=_plain(tables, header.goal if header else None, "goal"),
        timeout=_plain(tables, header.timeout if header else None, "timeout"),
        turns=tables.turns,
        objects=tuple(tables.objects),
        kinds=dict(tables.kinds),
        symbols=tuple(zip(tables.symbols, tables.displays, strict=True)),
        strings=(),
        facts=tuple(tables.facts.values()),
        actions=actions,
        rules=rules,
        varies=resolve_varies(words, own),
        starts=_starts(words, own),
        look=_looking(look),
        proofs=tuple(item.commands for item in own.items if isinstance(item, ast.Proof)),
        player=tables.player,
        uses_turn=tables.uses_turn,
        descriptions=descriptions,
        refusals=refusals,
        passable=passable,
    )


def _looking(look: r.ActionInfo) -> tuple[r.Statement, ...]:
    """What `look` prints: the library's statements, and hooks that only say something. The
    opening and `{look}` show it, and neither may change anything."""
    hooks = [item.body for item in look.body[1:] if not item.guard and _only_says(item.body)]
    return look.body[0].body + tuple(statement for body in hooks for statement in body)


def _only_says(nodes: tuple[r.Statement, ...]) -> bool:
    for node in nodes:
        if isinstance(node, r.SetTo):
            return False
        if isinstance(node, r.IfDo):
            bodies = [*(body for _, body in node.branches), node.otherwise]
            if not all(_only_says(body) for body in bodies):
                return False
        if isinstance(node, r.EachDo) and not _only_says(node.body):
            return False
    return True


def _wearables(tables: Tables) -> None:
    """What the script asks `worn` of can be worn, unless it says otherwise."""
    for index in sorted(tables.worn_mentioned):
        item = tables.objects[index]
        declared = item.attributes.get("wearable")
        if declared is not None and declared.span.source.name.startswith("library/"):
            item.values["wearable"] = 1


def _turns(tables: Tables, own: ast.Document) -> int:
    header = own.header
    if header is None:
        return 1
    for name in ("goal",):
        if getattr(header, name) is None:
            tables.reporter.error(
                "header-goal-missing",
                header.name.span,
                "the header does not say what the goal is",
                'add a line such as goal "Find the key and leave."',
            )
    if header.turns is None:
        return 50
    if not 1 <= header.turns <= 10_000:
        tables.reporter.error(
            "turns-range", header.span, "`turns` lies between 1 and 10000", "try turns 50"
        )
        return 50
    return header.turns


def _plain(tables: Tables, text: ast.Text | None, what: str) -> str:
    """The header's texts are shown before anything has happened: no insertions in them."""
    if text is None:
        return ""
    if text.plain is None:
        tables.reporter.error(
            "header-text",
            text.span,
            f"the {what} is shown before the world begins, so nothing can be inserted in it",
            "write \\{ for a brace, or say it in a place's description",
        )
        return ""
    return text.plain


def _rules(words: Statements, own: ast.Document) -> tuple[r.RuleInfo, ...]:
    """Rules, then milestones, then lose, then win: the order in which a turn tests them."""
    found: dict[str, list[r.RuleInfo]] = {"rule": [], "milestone": [], "lose": [], "win": []}
    seen: dict[tuple[str, str], Span] = {}
    for item in own.items:
        if isinstance(item, ast.Rule | ast.Milestone):
            kind = "rule" if isinstance(item, ast.Rule) else "milestone"
            if (kind, item.name.text) in seen:
                words.report.error(
                    f"{kind}-twice", item.name.span, f"there is a {kind} `{item.name.text}` already"
                )
            seen[kind, item.name.text] = item.span
        if isinstance(item, ast.Rule):
            when = words.condition(item.when, AFTER) if item.when else None
            body = words.statements(item.body, AFTER)
            found["rule"].append(
                r.RuleInfo(item.name.text, "rule", "", item.once, when, body, item.span)
            )
        elif isinstance(item, ast.Milestone):
            when = words.condition(item.when, AFTER)
            found["milestone"].append(
                r.RuleInfo(item.name.text, "milestone", item.display, True, when, (), item.span)
            )
        elif isinstance(item, ast.Ending):
            when = words.condition(item.when, AFTER)
            text = item.text
            body = (r.SayText(words.text(text, AFTER), text.span),) if text else ()
            name = f"{item.which}{len(found[item.which]) + 1}"
            found[item.which].append(r.RuleInfo(name, item.which, "", True, when, body, item.span))
    if not found["win"]:
        span = own.header.name.span if own.header else own.span
        words.report.error(
            "win-missing",
            span,
            "this world cannot be won: it has no `win`",
            'add a line such as: win when held(treasure) say "Well done."',
        )
    return tuple(item for kind in found.values() for item in kind)


def _starts(words: Statements, own: ast.Document) -> tuple[r.Statement, ...]:
    found: list[r.Statement] = []
    for item in own.items:
        if isinstance(item, ast.Start):
            for node in item.body:
                if isinstance(node, ast.Say):
                    words.report.error(
                        "say-in-start", node.span, "nobody hears what is said in `start`",
                        "put the words into `intro`",
                    )  # fmt: skip
            found.extend(words.statements(item.body, Names(where="start")))
    return tuple(found)


def _descriptions(words: Statements) -> dict[tuple[int, str], r.Lines]:
    """What `describe` and `read` of each object print; `this` is the object itself."""
    found: dict[tuple[int, str], r.Lines] = {}
    cache: dict[tuple[int, str, str], r.Lines] = {}
    for item in words.tables.objects:
        names = AFTER.bind("this", reference(item.kind, False))
        for what in dict.fromkeys(line.what for line in item.describes):
            key = (id(item.describes), item.kind, what)
            if key not in cache:
                given = [line for line in item.describes if line.what == what]
                cache[key] = _lines(words, given, names)
            found[item.index, what] = cache[key]
    return found


def _lines(words: Statements, given: list[ast.Describe], names: Names) -> r.Lines:
    """The first line whose condition holds is shown; the plain one is the default."""
    lines = [
        (
            words.text(line.text, names),
            words.condition(line.when, names) if line.when else None,
            line.span,
        )
        for line in given
    ]
    for line in [line for line in given if line.when is None][1:]:
        words.report.warning(
            "describe-twice",
            line.span,
            f"there is a `{line.what}` without a condition already: this one is never shown",
            "add `when …`, or join the two texts",
        )
    plain = [line for line in lines if line[1] is None]
    return tuple([line for line in lines if line[1] is not None] + plain[:1])


def _refusals(words: Statements) -> dict[int, tuple[r.TextTree, Span]]:
    return {
        item.index: (words.text(item.exit.refusal, AFTER), item.exit.refusal.span)
        for item in words.tables.objects
        if item.exit is not None and item.exit.refusal is not None
    }


def _passable(words: Statements) -> dict[int, r.Expr]:
    return {
        item.index: words.condition(item.exit.when, AFTER)
        for item in words.tables.objects
        if item.exit is not None and item.exit.when is not None
    }
