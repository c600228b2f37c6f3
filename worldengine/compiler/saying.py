"""Texts to steps: what is fixed becomes a text with gaps, what depends becomes jumps.

Every piece is emitted on its own (`say` begins a saying, `more` goes on with it, lists open,
add items and close), so an observation is a sequence of (text, argument values).
"""

from __future__ import annotations

from worldengine.compiler import resolved as r
from worldengine.compiler.budget import MAX_PIECES, OverBudget
from worldengine.compiler.code import Code
from worldengine.compiler.ground import Ground
from worldengine.compiler.trees import Tree
from worldengine.machine.schema import NONE, UNDEFINED, Argument, Insert, Text
from worldengine.source import Span

INSERT_TYPES = {
    "ref": "object", "none": "object", "enum": "symbol", "int": "number", "bool": "bool",
    "text": "text",
}  # fmt: skip
ITEM_TEXTS = {
    style: Text("item", (Insert(0, "object", style),)) for style in ("", "the", "a", "The", "A")
}


MAX_TEXTS = 20
"""How deep texts may insert one another."""


class Saying:
    """Lowers one saying into `code`."""

    def __init__(self, ground: Ground, code: Code, blocks: dict[str, int], opens: bool) -> None:
        self.ground = ground
        self.code = code
        self.blocks = blocks
        self._kind = "say" if opens else "more"
        self._parts: list[str | Insert] = []
        self._arguments: list[Argument] = []
        self._path: tuple[object, ...] = ()
        self._from: Span | None = None
        self._walked = 0

    def say(self, text: r.TextTree, env: list[Tree], prior: bool = False) -> None:
        mark = self.code.used
        self._walk(text, env, prior)
        self._flush()
        self.code.used = mark

    def _flush(self) -> None:
        if not self._parts and self._kind != "say":
            return
        merged: list[str | Insert] = []
        for part in self._parts:
            if isinstance(part, str) and merged and isinstance(merged[-1], str):
                merged[-1] += part
            else:
                merged.append(part)
        number = self.ground.text(Text(self._kind, tuple(merged)))
        with self.code.writing(self._from or self.code.at):
            self.code.say(number, tuple(self._arguments))
        self._from = None
        self._parts, self._arguments, self._kind = [], [], "more"

    def _walk(self, text: r.TextTree, env: list[Tree], prior: bool) -> None:
        self.ground.meter.spend(1)
        self._walked += 1
        if self._walked > MAX_PIECES:
            raise OverBudget(
                "text-too-long",
                self.ground.meter.at,
                f"this text inserts more than {MAX_PIECES} pieces of text",
                "say it in fewer pieces",
            )
        for part in text:
            if isinstance(part, str):
                if part:
                    self._begin()
                    self._parts.append(part)
            elif isinstance(part, r.InsertOf):
                self._insert(part, env, prior)
            elif isinstance(part, r.IfText):
                self._if(part, env, prior)
            elif isinstance(part, r.ListText):
                self._list(part, env, prior)
            elif isinstance(part, r.DescriptionOf):
                self._description(part, env, prior)
            elif isinstance(part, r.TextOf):
                self._derived_text(part, env, prior)
            else:
                self._call("look")

    def _insert(self, part: r.InsertOf, env: list[Tree], prior: bool) -> None:
        tree = self.ground.evaluator.tree(part.value, env, prior)
        kind = INSERT_TYPES[part.value.type.kind]
        if type(tree) is int:
            argument = Argument(-1, tree)
        else:
            argument = Argument(self.code.slot(tree), 0)
        self._begin()
        self._parts.append(Insert(len(self._arguments), kind, part.style))
        self._arguments.append(argument)

    def _begin(self) -> None:
        """What is said next was written where the code is written now."""
        if not self._parts:
            self._from = self.code.at

    def _if(self, part: r.IfText, env: list[Tree], prior: bool) -> None:
        tree = self.ground.evaluator.tree(part.condition, env, prior)
        if type(tree) is int:
            self._walk(part.then if tree == 1 else part.otherwise, env, prior)
            return
        self._flush()
        yes, no, end = self.code.label(), self.code.label(), self.code.label()
        self.code.decide(tree, yes, no, part.span)
        self.code.place(yes)
        self._walk(part.then, env, prior)
        self._flush()
        self.code.jump(end)
        self.code.place(no)
        self._walk(part.otherwise, env, prior)
        self._flush()
        self.code.place(end)

    def _list(self, part: r.ListText, env: list[Tree], prior: bool) -> None:
        self._flush()
        item = self.ground.text(ITEM_TEXTS[part.style])
        self.code.say(self.ground.text(Text("list", ())), ())
        self.ground.meter.spend(2 * len(part.values))
        for value in part.values:
            inner = [*env[: part.index], value]
            where = (
                1 if part.where is None else self.ground.evaluator.tree(part.where, inner, prior)
            )
            if type(where) is int:
                if where == 1:
                    self.code.say(item, (Argument(-1, value),))
                continue
            with self.code.where(where):
                self.code.say(item, (Argument(-1, value),))
        self.code.say(self.ground.text(Text("end", ())), ())

    # -- texts within texts ---------------------------------------------------------------------

    def _enter(self, what: object, span: Span | None) -> tuple[object, ...]:
        if what in self._path:
            raise OverBudget(
                "text-circle",
                span,
                "this text inserts itself, however far around",
                "a description cannot hold its own description",
            )
        if len(self._path) >= MAX_TEXTS:
            raise OverBudget(
                "text-too-deep",
                span,
                f"texts insert one another more than {MAX_TEXTS} deep here",
                "say it in fewer pieces",
            )
        before = self._path
        self._path = (*before, what)
        return before

    def _description(self, part: r.DescriptionOf, env: list[Tree], prior: bool) -> None:
        tree = self.ground.evaluator.tree(part.base, env, prior)
        if type(tree) is int:
            self._described(part, tree, prior)
            return
        self._flush()
        at = self.code.slot(tree)
        end = self.code.label()
        for value in sorted(self.ground.evaluator.possible(tree) or ()):
            if value in (NONE, UNDEFINED):
                continue
            with self.code.case(at, value, end):
                self._described(part, value, prior)
                self._flush()
        self._parts.append("nothing")
        self._flush()
        self.code.place(end)

    def _described(self, part: r.DescriptionOf, index: int, prior: bool) -> None:
        if index in (NONE, UNDEFINED):
            self._parts.append("nothing")
            return
        before = self._enter((part.what, index), part.span)
        if part.what == "refusal":
            given = self.ground.world.refusals.get(index)
            text, span = given or (("You cannot go that way now.",), self.code.at)
            with self.code.writing(span):
                self._walk(text, [], prior)
        else:
            self._lines(index, part.what, prior)
        self._path = before

    def _lines(self, index: int, what: str, prior: bool) -> None:
        lines = self.ground.world.descriptions.get((index, what))
        if lines is None and what == "read" and self._content(index, prior):
            return
        if lines is None:
            lines = self.ground.world.descriptions.get((index, "describe"))
        if lines is None:
            if self.ground.objects[index].role != "place":
                self._parts += ["You notice nothing special about "]
                self._parts.append(Insert(len(self._arguments), "object", "the"))
                self._arguments.append(Argument(-1, index))
                self._parts.append(".")
            return
        end = None
        for text, when, span in lines:
            tree = 1 if when is None else self.ground.evaluator.tree(when, [index], prior)
            if type(tree) is int:
                if tree == 1:
                    with self.code.writing(span):
                        self._walk(text, [index], prior)
                    break
                continue
            self._flush()
            end = end or self.code.label()
            with self.code.writing(span), self.code.where(tree, span):
                self._walk(text, [index], prior)
                self._flush()
                self.code.jump(end)
        if end is not None:
            self._flush()
            self.code.place(end)

    def _content(self, index: int, prior: bool) -> bool:
        """Print the `content` of a thing that has one; whether it did."""
        declared = self.ground.objects[index].attributes.get("content")
        if declared is None or declared.type.kind != "text":
            return False
        tree = self.ground.evaluator.attribute(index, "content", prior)
        if type(tree) is int and tree == 0:
            return False
        argument = Argument(-1, tree) if type(tree) is int else Argument(self.code.slot(tree), 0)
        self._parts.append(Insert(len(self._arguments), "text", ""))
        self._arguments.append(argument)
        return True

    def _derived_text(self, part: r.TextOf, env: list[Tree], prior: bool) -> None:
        if not part.arguments and not prior:
            self._call(part.derive.name)
            return
        trees = [self.ground.evaluator.tree(item, env, prior) for item in part.arguments]
        before = self._enter(part.derive.name, part.derive.node.span)
        with self.code.writing(part.derive.node.span):
            if all(type(tree) is int for tree in trees):
                self._walk(part.derive.body, list(trees), prior)  # type: ignore[arg-type]
            else:
                self._spread(part, trees, [], prior)
        self._path = before

    def _spread(self, part: r.TextOf, trees: list[Tree], done: list[int], prior: bool) -> None:
        """A text whose arguments are not fixed: one branch for each value they may have."""
        if not trees:
            self._walk(part.derive.body, list(done), prior)  # type: ignore[arg-type]
            self._flush()
            return
        tree, rest = trees[0], trees[1:]
        if type(tree) is int:
            self._spread(part, rest, [*done, tree], prior)
            return
        self._flush()
        at = self.code.slot(tree)
        end = self.code.label()
        values = self.ground.evaluator.possible(tree) or ()
        for value in sorted(values):
            if value == UNDEFINED:
                continue
            with self.code.case(at, value, end):
                self._spread(part, rest, [*done, value], prior)
        if UNDEFINED in values:
            self._spread(part, rest, [*done, NONE], prior)
        self.code.place(end)

    def _call(self, name: str) -> None:
        self._flush()
        number = self.blocks.setdefault(name, len(self.blocks))
        self.code.call(number)
