"""Texts, statements and requirements: syntax tree in, resolved tree out."""

from __future__ import annotations

from worldengine.compiler import resolved as r
from worldengine.compiler.expressions import Expressions
from worldengine.compiler.names import Names
from worldengine.compiler.phrases import default_refusal, is_about_place
from worldengine.compiler.types import BOOL, TEXT, DeriveInfo, Type
from worldengine.machine.schema import CLASS_NAMES, LOGIC, PLACE
from worldengine.syntax import ast

AGREEMENT = ("is", "has", "it", "s")


class Statements(Expressions):
    """Adds to `Expressions` what is done and said."""

    # -- texts ---------------------------------------------------------------------------

    def text(self, node: ast.Text, names: Names) -> r.TextTree:
        return self.parts(node.parts, names)

    def parts(self, parts: tuple[ast.Part, ...], names: Names) -> r.TextTree:
        found: list[r.TextPart] = []
        for part in parts:
            if isinstance(part, ast.Literal):
                found.append(part.value)
            elif isinstance(part, ast.Insert):
                item = self._insert(part, names)
                if item is not None:
                    found.append(item)
            elif isinstance(part, ast.TextIf):
                condition = self.condition(part.condition, names)
                then = self.parts(part.then, names)
                at = part.condition.span
                found.append(r.IfText(condition, then, self.parts(part.otherwise, names), at))
            else:
                inner, values, index = self.quantified(part.variable, part.kind, names)
                where = self.condition(part.where, inner) if part.where else None
                found.append(r.ListText(part.style, index, values, where))
        return tuple(found)

    def _insert(self, part: ast.Insert, names: Names) -> r.TextPart | None:
        node = part.value
        if isinstance(node, ast.Attr) and self._is_description(node.name.text, names):
            base = self.value(node.base, names, None)
            if base.type.kind == "error":
                return None
            if base.type.kind != "ref":
                self.report.error("object-expected", node.span, "only objects have a description")
                return None
            return r.DescriptionOf(node.name.text, base, node.span)
        named = self._text_derive(node, names)
        if named is not None:
            return named
        if isinstance(node, ast.Ref) and node.name == "look" and self._free("look", names):
            return r.LookHere()
        value = self.value(node, names, None)
        if value.type.kind == "error":
            return None
        style = part.style
        if style and value.type.kind not in ("ref", "none"):
            if style in AGREEMENT or value.type.kind not in ("text", "enum"):
                self.report.error(
                    "article-of-value",
                    part.span,
                    f"`{{{style} …}}` goes with an object; this is {self._words(value.type)}",
                    "leave the article out of the braces",
                )
                return None
            style = ""
        return r.InsertOf(style, value)

    def _is_description(self, name: str, names: Names) -> bool:
        """`describe`, `refusal`, and `read` unless the script has an attribute called so."""
        if name == "read":
            return names.library or not self.tables.owners("read")
        return name in ("describe", "refusal")

    def _free(self, name: str, names: Names) -> bool:
        tables = self.tables
        taken = name in names.locals or name in tables.by_id or name in tables.facts
        return not (taken or name in tables.derives)

    def _text_derive(self, node: ast.Expr, names: Names) -> r.TextOf | None:
        """`{view}` or `{view(x)}` where `view` is a derived text."""
        arguments: tuple[ast.Expr, ...] = ()
        if isinstance(node, ast.Ref) and node.name not in names.locals:
            name = node.name
        elif isinstance(node, ast.Call):
            name, arguments = node.name.text, node.arguments
        else:
            return None
        derive = self.tables.derives.get(name)
        if derive is None or derive.type != TEXT:
            return None
        found = self._arguments(name, arguments, list(derive.parameters), node.span, names)
        return r.TextOf(derive, found or ()) if found is not None else None

    def text_body(self, derive: DeriveInfo) -> r.TextTree:
        """The resolved text of `derive view : text = "…"`."""
        body = derive.node.body
        if derive.type != TEXT or not isinstance(body, ast.Text):
            self.report.error(
                "derive-type",
                derive.node.span,
                f"`{derive.name}` has a text as its body, so its type must be `text`",
                f'write: derive {derive.name} : text = "…"',
            )
            return ()
        names = Names(where="after")
        for name, declared in derive.parameters:
            names = names.bind(name, declared)
        return self.text(body, names)

    # -- statements ----------------------------------------------------------------------

    def statements(self, nodes: tuple[ast.Statement, ...], names: Names) -> tuple[r.Statement, ...]:
        found = (self.statement(node, names) for node in nodes)
        return tuple(item for item in found if item is not None)

    def statement(self, node: ast.Statement, names: Names) -> r.Statement | None:
        if isinstance(node, ast.Say):
            return r.SayText(self.text(node.text, names), node.span)
        if isinstance(node, ast.Set):
            return self._set(node, names)
        if isinstance(node, ast.Remove):
            base = self._object(node.target, names)
            if base.type.kind == "error":
                return None
            target = self.attribute(base, "in", node.target.span)
            if not isinstance(target, r.AttrOf):
                return None
            if not target.type.optional:
                self.report.error(
                    "remove-player",
                    node.span,
                    "the player is always in a place",
                    "move it with `set player.in = …`, or end the world with `lose`",
                )
                return None
            return r.SetTo(target, "=", r.Const(-1, target.type), node.span)
        if isinstance(node, ast.If):
            branches = tuple(
                (self.condition(branch.condition, names), self.statements(branch.body, names))
                for branch in node.branches
            )
            spans = tuple(branch.condition.span for branch in node.branches)
            return r.IfDo(branches, self.statements(node.otherwise or (), names), spans)
        if isinstance(node, ast.Each):
            inner, values, index = self.quantified(node.variable, node.kind, names)
            where = self.condition(node.where, inner) if node.where else None
            at = node.where.span if node.where else node.span
            return r.EachDo(index, values, where, self.statements(node.body, inner), at)
        return self._match(node, names)

    def _match(self, node: ast.Match, names: Names) -> r.Statement | None:
        subjects = [self.value(item, names, None) for item in node.subjects]
        branches, spans = [], []
        for case in node.cases:
            if len(case.patterns) != len(subjects):
                self.report.error(
                    "match-arity",
                    case.span,
                    f"this match has {len(subjects)} subject"
                    f"{'s' if len(subjects) != 1 else ''}, the case {len(case.patterns)}",
                    "write as many values as there are subjects, with commas between them",
                )
                continue
            tests: list[r.Expr] = []
            for subject, pattern in zip(subjects, case.patterns, strict=True):
                value = self.value(pattern, names, subject.type)
                if "error" in (value.type.kind, subject.type.kind):
                    continue
                if not (value.type.fits(subject.type) or subject.type.fits(value.type)):
                    self.report.error(
                        "compare-types",
                        pattern.span,
                        f"{self._words(subject.type)} is compared with {self._words(value.type)}",
                    )
                    continue
                tests.append(r.Cmp("==", subject, value, BOOL))
            branches.append((r.AllOf(tuple(tests), BOOL), self.statements(case.body, names)))
            spans.append(case.patterns[0].span if case.patterns else case.span)
        if any(item.type.kind == "error" for item in subjects):
            return None
        otherwise = self.statements(node.otherwise or (), names)
        return r.IfDo(tuple(branches), otherwise, tuple(spans))

    def _set(self, node: ast.Set, names: Names) -> r.Statement | None:
        target = self.target(node.target, names)
        if target is None:
            return None
        declared = target.type
        if declared.kind == "text":
            self.report.error(
                "text-set",
                node.span,
                "a text never changes during play",
                "use an enum with display texts, or {if …} in the description",
            )
            return None
        value = self.value(node.value, names, declared)
        if value.type.kind == "error":
            return None
        if node.op != "=" and (declared.kind != "int" or value.type.kind != "int"):
            self.report.error(
                "number-expected",
                node.span,
                f"`{node.op}` adds numbers; this is {self._words(declared)}",
            )
            return None
        if not self._storable(value, declared):
            self.report.error(
                "set-type",
                node.value.span,
                f"`{node.target.span.text}` is {self._words(declared)}; "
                f"this is {self._words(value.type)}",
                self._hint_for(value, declared),
            )
            return None
        self._check_set_value(node, declared, value)
        return r.SetTo(target, node.op, value, node.span)

    def _check_set_value(self, node: ast.Set, declared: Type, value: r.Expr) -> None:
        if declared.kind == "enum" and value.type.kind == "enum":
            outside = set(value.type.symbols) - set(declared.symbols)
            if outside:
                self.report.error(
                    "set-value",
                    node.value.span,
                    f"`{node.target.span.text}` has no value "
                    f"`{self._symbol_name(min(outside))}`: it is {self._words(declared)}",
                )
        if isinstance(value, r.Const) and declared.kind == "int" and node.op == "=":
            self._check_range(node, declared, value.value)
        is_none = isinstance(value, r.Const) and value.type.kind == "none"
        if is_none and declared.kind == "ref" and not declared.optional:
            self.report.error(
                "set-none",
                node.value.span,
                f"`{node.target.span.text}` must always name something",
                "declare it with a question mark after the kind to allow `none`",
            )

    def _check_range(self, node: ast.Set, declared: Type, value: int) -> None:
        if not declared.low <= value <= declared.high:
            self.report.error(
                "value-out-of-range",
                node.value.span,
                f"`{node.target.span.text}` is {self._words(declared)}; {value} lies outside",
            )

    def _symbol_name(self, symbol: int) -> str:
        return next(name for name, number in self.tables.symbols.items() if number == symbol)

    def target(self, node: ast.Expr, names: Names) -> r.AttrOf | r.FactOf | None:
        """What may stand on the left of `set`: an attribute or a fact."""
        if isinstance(node, ast.Ref) and node.name == "turn":
            self.report.error("set-turn", node.span, "`turn` counts by itself")
            return None
        found = self.value(node, names, None)
        if found.type.kind == "error":
            return None
        if isinstance(found, r.AttrOf):
            return found
        if isinstance(found, r.FactOf):
            return found
        what = "a derived value" if isinstance(found, r.DeriveOf) else "this"
        self.report.error(
            "set-target",
            node.span,
            f"{what} cannot be set",
            "set an attribute (`set x.open = true`) or a fact (`set likes(a, b) = true`)",
        )
        return None

    # -- requirements ----------------------------------------------------------------------

    def demand(
        self,
        node: ast.Require,
        names: Names,
        guard: tuple[tuple[int, frozenset[int]], ...] = (),
    ) -> r.Demand:
        condition = self.condition(node.condition, names)
        if node.refusal is not None:
            refusal = CLASS_NAMES.index(node.refusal)
        else:
            refusal = PLACE if is_about_place(self.tables, node.condition) else LOGIC
        if node.text is not None:
            text = self.text(node.text, names)
        else:
            text = default_refusal(condition)
        return r.Demand(condition, refusal, text, guard, node.span)
