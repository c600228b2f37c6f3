"""Hooks: requirements tried before an action's own, and what is done after it.

A hook on `travel` whose parameter is a place is about arriving there, whichever verb brings
the player: it is laid on `go`, `go_to` and `leave`, and its parameter stands for the place
to which each of them leads.
"""

from __future__ import annotations

from worldengine.compiler import resolved as r
from worldengine.compiler.names import Names
from worldengine.compiler.statements import Statements
from worldengine.compiler.types import BOOL, ERROR, Type, reference
from worldengine.syntax import ast

Guard = tuple[tuple[int, frozenset[int]], ...]
ARRIVALS = ("go", "go_to", "leave")
_PUTTING = "`put` is into containers, `put_on` onto surfaces"
ARRIVAL_WORDS = frozenset({"travel", "enter", *ARRIVALS})


class Hooks:
    """The part of resolving actions that lays hooks on them."""

    def __init__(self, words: Statements) -> None:
        self.words = words
        self.tables = words.tables
        self.report = words.report

    def _hook(
        self,
        hook: ast.Hook,
        action: ast.Action,
        parameters: tuple[r.ParameterInfo, ...],
        demands: list[r.Demand],
        bodies: list[r.Guarded],
    ) -> None:
        library = action.span.source.name.startswith("library/")
        if library and action.name.text in ARRIVALS and self._is_about_arriving(hook):
            names, guard, only = self._arrival(hook, action.name.text, parameters)
        else:
            found = self._bound(hook, parameters)
            if found is None:
                return
            names, guard = found
            only = None
        requirements, body = self._parts(hook.parts, names, guard, hook.when == "before")
        if only is not None:
            requirements = [_limited(demand, only) for demand in requirements]
            body = (r.IfDo(((only, body),), (), (hook.action.span,)),)
        demands.extend(requirements)
        if hook.when == "after":
            if requirements:
                self.report.error(
                    "after-require",
                    hook.span,
                    "an `after` hook cannot refuse: the action has been done",
                    "put the requirement into a `before` hook",
                )
            bodies.append(r.Guarded(guard, body))

    def _parts(
        self, parts: tuple[ast.ActionPart, ...], names: Names, guard: Guard, before: bool
    ) -> tuple[list[r.Demand], tuple[r.Statement, ...]]:
        demands: list[r.Demand] = []
        statements: list[r.Statement] = []
        for part in parts:
            if isinstance(part, ast.Require):
                demands.append(self.words.demand(part, names, guard))
            elif isinstance(part, ast.Form | ast.Regex):
                continue
            elif before:
                self.report.error(
                    "before-statement",
                    part.span,
                    "a `before` hook holds requirements only",
                    "put what is done into an `after` hook or a rule",
                )
            else:
                statement = self.words.statement(part, names)
                if statement is not None:
                    statements.append(statement)
        return demands, tuple(statements)

    def _bound(
        self, hook: ast.Hook, parameters: tuple[r.ParameterInfo, ...]
    ) -> tuple[Names, Guard] | None:
        """The hook's names for the action's parameters, and the arguments it is for."""
        if len(hook.parameters) > len(parameters):
            self.report.error(
                "hook-parameters",
                hook.span,
                f"`{hook.action.text}` has {len(parameters)} "
                f"parameter{'s' * (len(parameters) != 1)}, "
                f"this hook names {len(hook.parameters)}",
                "parameters of a hook go by position; the last may be left out",
            )
            return None
        guard: list[tuple[int, frozenset[int]]] = []
        names = Names(where="after" if hook.when == "after" else "play")
        for index, info in enumerate(parameters):
            if index >= len(hook.parameters):
                names = names.bind(f"\0{index}", info.type)
                continue
            node = hook.parameters[index]
            declared, values = self._hook_type(node, info)
            if values is not None:
                guard.append((index, values))
            empty = info.kind in ("object", "symbol") and not info.values
            if declared.kind != "error" and (empty or (values and values.isdisjoint(info.values))):
                self._never(hook, node)
            names = names.bind(node.name.text, declared)
        return names, tuple(guard)

    def _never(self, hook: ast.Hook, node: ast.Parameter) -> None:
        """A hook on `put` for surfaces compiles, and is never met."""
        action = hook.action.text
        self.report.warning(
            "hook-never",
            node.span,
            f"this hook is never met: nothing that `{action}` is done to fits `{node.name.text}`",
            _PUTTING if action in ("put", "put_on") else "name another kind, or another action",
        )

    def _hook_type(
        self, node: ast.Parameter, info: r.ParameterInfo
    ) -> tuple[Type, frozenset[int] | None]:
        """The type of a hook's parameter and the arguments it is for (None: all)."""
        named = node.type.name.text if isinstance(node.type, ast.NamedType) else ""
        if named in self.tables.by_id:
            index = self.tables.by_id[named]
            return reference(self.tables.objects[index].kind, False), frozenset({index})
        if named in self.tables.families:
            family = self.tables.families[named]
            return reference(self.tables.objects[family[0]].kind, False), frozenset(family)
        if named and named in self.tables.symbols and info.kind == "symbol":
            return info.type, frozenset({self.tables.symbols[named]})
        declared = self.tables.type_of(node.type)
        if declared.kind == "ref" and info.kind == "object":
            values = frozenset(self.tables.of_kind(declared.of))
            return declared, None if values >= frozenset(info.values) else values
        if declared.kind == "enum" and info.kind == "symbol":
            return info.type, frozenset(declared.symbols)
        if declared.kind == "int" and info.kind == "number":
            return info.type, None
        if declared.kind != "error":
            self.report.error(
                "hook-type", node.span, f"`{node.name.text}` does not fit the action's parameter"
            )
        return ERROR, None

    # -- arriving ----------------------------------------------------------------------------

    def _is_about_arriving(self, hook: ast.Hook) -> bool:
        """Whether the hook is on travel and its one parameter is a place."""
        if hook.action.text not in ARRIVAL_WORDS or len(hook.parameters) != 1:
            return hook.action.text == "travel" and not hook.parameters
        named = hook.parameters[0].type
        return isinstance(named, ast.NamedType) and bool(self._places(named.name.text))

    def _places(self, name: str) -> frozenset[int]:
        """The places a name stands for: one place, or all of a kind."""
        if name in self.tables.by_id:
            index = self.tables.by_id[name]
            is_place = self.tables.objects[index].role == "place"
            return frozenset({index}) if is_place else frozenset()
        if self.tables.is_kind(name, "place") and name in self.tables.kinds:
            return frozenset(self.tables.of_kind(name))
        return frozenset()

    def _arrival(
        self, hook: ast.Hook, verb: str, parameters: tuple[r.ParameterInfo, ...]
    ) -> tuple[Names, Guard, r.Expr | None]:
        """The hook's parameter as the place to which `verb` leads, and when it is meant."""
        place = reference("place", False)
        names = Names(where="after" if hook.when == "after" else "play")
        for index, info in enumerate(parameters):
            names = names.bind(f"\0{index}", info.type)
        exits = self.tables.of_kind("exit")
        target: r.Expr
        if verb == "go":
            target = r.AttrOf(r.Local(0, parameters[0].type), "to", place, True)
        elif verb == "go_to":
            target = r.Local(0, place)
        elif hook.when == "after":
            player = r.Const(self.tables.player, reference("player", False))
            target = r.AttrOf(player, "in", place, True)
        else:  # the one exit there is, or `leave` refuses
            leads = r.AttrOf(r.Local(0, reference("exit", False)), "to", place, True)
            here = r.Builtin("here", (r.Local(0, reference("exit", False)),), BOOL)
            target = r.Quant("max", 0, exits, here, leads, place)
        if not hook.parameters:
            return names, (), None
        wanted = self._places(hook.parameters[0].type.name.text)  # type: ignore[union-attr]
        names = names.say(hook.parameters[0].name.text, target)
        if verb == "go":
            values = frozenset(
                item for item in exits if self.tables.objects[item].values.get("to") in wanted
            )
            return names, ((0, values),), None
        if verb == "go_to":
            return names, ((0, wanted),), None
        return names, (), r.OneOf(target, wanted, BOOL)


def _limited(demand: r.Demand, only: r.Expr) -> r.Demand:
    """The requirement, where `only` holds."""
    condition = r.AnyOf((r.NotOf(only, BOOL), demand.condition), BOOL)
    return r.Demand(condition, demand.refusal, demand.text, demand.guard, demand.span)
