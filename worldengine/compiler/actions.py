"""Actions and hooks: parameters, forms, requirements and what is done."""

from __future__ import annotations

from worldengine.compiler import resolved as r
from worldengine.compiler.forms import read_form, read_regex
from worldengine.compiler.hooks import ARRIVALS, Hooks
from worldengine.compiler.names import Names
from worldengine.compiler.types import ERROR, Type, reference
from worldengine.machine.schema import Form
from worldengine.syntax import ast

MAX_PARAMETERS = 12
"""More than anybody types, but planning domains have actions with seven and more; what
multiplies is bounded by the budget of ground actions."""
NOUNS = {"openable": "THING", "exit": "DIRECTION"}
"""What stands for a built-in kind in templates, where its name would read oddly."""


class Actions(Hooks):
    """Resolves all actions; own ones first, then the library's, each in order."""

    def resolve(self, own: ast.Document, library: list[ast.Document]) -> tuple[r.ActionInfo, ...]:
        nodes = [(item, True) for item in own.items if isinstance(item, ast.Action)]
        for document in library:
            nodes += [(item, False) for item in document.items if isinstance(item, ast.Action)]
        self._twice(own)
        hooks = [item for item in own.items if isinstance(item, ast.Hook)]
        own_names = {node.name.text for node, is_own in nodes if is_own}
        known = {node.name.text for node, _ in nodes}
        for hook in hooks:
            if hook.action.text not in known and not self._is_about_arriving(hook):
                self._unknown_hook(hook, known)
        found = []
        for node, is_own in nodes:
            name = node.name.text
            mine = [
                hook
                for hook in hooks
                if (hook.action.text == name and (is_own or name not in own_names))
                or (not is_own and name in ARRIVALS and self._is_about_arriving(hook))
            ]
            info = self._action(node, is_own, mine)
            if is_own or info.name == "look" or _can_be_used(info):
                found.append(info)
        return tuple(found)

    def _unknown_hook(self, hook: ast.Hook, known: set[str]) -> None:
        from worldengine.compiler.library import verb_file

        name = hook.action.text
        file = verb_file(name)
        if file is not None:
            self.report.error(
                "hook-verb-unused",
                hook.action.span,
                f"the verb `{name}` is not in use here",
                f"add `use {file}`",
            )
            return
        self.report.unknown("hook-unknown", hook.action.span, "action", name, sorted(known))

    def _twice(self, own: ast.Document) -> None:
        seen: set[str] = set()
        for item in own.items:
            if isinstance(item, ast.Action):
                if item.name.text in seen:
                    self.report.error(
                        "action-twice",
                        item.name.span,
                        f"there is already an action called `{item.name.text}`",
                        "one action may have several forms; otherwise choose another name",
                    )
                seen.add(item.name.text)

    # -- one action ------------------------------------------------------------------------

    def _action(self, node: ast.Action, own: bool, hooks: list[ast.Hook]) -> r.ActionInfo:
        parameters = tuple(self._parameter(item) for item in node.parameters)
        names = Names(library=not own)
        seen: set[str] = set()
        for item, info in zip(node.parameters, parameters, strict=True):
            if item.name.text in seen:
                self.report.error(
                    "parameter-twice", item.span, f"there are two parameters `{item.name.text}`"
                )
            seen.add(item.name.text)
            names = names.bind(item.name.text, info.type)
        if len(parameters) > MAX_PARAMETERS:
            self.report.error(
                "parameter-count",
                node.name.span,
                f"an action takes at most {MAX_PARAMETERS} parameters",
            )
        demands: list[r.Demand] = []
        bodies: list[r.Guarded] = []
        for hook in hooks:
            self._hook(hook, node, parameters, demands, bodies)
        own_demands, body = self._parts(node.parts, names, (), False)
        bodies.insert(0, r.Guarded((), body))
        return r.ActionInfo(
            node.name.text,
            own,
            parameters,
            self._forms(node, own),
            (*demands, *own_demands),
            tuple(bodies),
            node.name.span,
        )

    def _parameter(self, node: ast.Parameter) -> r.ParameterInfo:
        name = node.name.text
        declared = self.tables.type_of(node.type)
        noun = name.upper()
        given = node.scope is not None
        scope = node.scope or "anywhere"
        if declared.kind == "int":
            if declared.high - declared.low > 100_000:
                self.report.error(
                    "parameter-range", node.span, "a number parameter spans at most 100000 values"
                )
            if given and scope != "anywhere":
                self._no_scope(node)
            return r.ParameterInfo(name, "number", "anywhere", noun, (), declared, node.span, given)
        if declared.kind == "enum":
            if given and scope != "anywhere":
                self._no_scope(node)
            values = declared.symbols
            noun = self._choice(name, declared)
            return r.ParameterInfo(
                name, "symbol", "anywhere", noun, values, declared, node.span, given
            )
        if declared.kind != "ref":
            if declared.kind != "error":
                self.report.error(
                    "parameter-type",
                    node.span,
                    f"the parameter `{name}` must be an object, a value of an enum or a range",
                    "for yes or no write two actions, or `v: on | off`",
                )
            return r.ParameterInfo(name, "object", "anywhere", noun, (), ERROR, node.span)
        noun = NOUNS.get(declared.of, declared.of.upper().replace("_", " "))
        values = self.tables.of_kind(declared.of)
        if declared.optional:
            declared = reference(declared.of, False)
        if scope == "adjacent" and not self.tables.is_kind(declared.of, "place"):
            self.report.error(
                "scope-adjacent",
                node.span,
                "`adjacent` is for places",
                "for things use here, held, reachable or visible",
            )
            scope = "anywhere"
        return r.ParameterInfo(name, "object", scope, noun, values, declared, node.span, given)

    def _choice(self, name: str, declared: Type) -> str:
        """What stands for a value in templates: the few there are, or a telling name."""
        shown = "|".join(self.tables.displays[symbol] for symbol in declared.symbols)
        if len(declared.symbols) <= 4 and len(shown) <= 40:
            return shown
        return (declared.name or (name if len(name) > 2 else "value")).upper()

    def _no_scope(self, node: ast.Parameter) -> None:
        self.report.error(
            "scope-of-value",
            node.span,
            f"`{node.name.text}` is not an object, so it is nowhere in particular",
            f"leave `{node.scope}` out",
        )

    def _forms(self, node: ast.Action, own: bool) -> tuple[Form, ...]:
        names = tuple(item.name.text for item in node.parameters)
        forms = [item for item in node.parts if isinstance(item, ast.Form)]
        regexes = [item for item in node.parts if isinstance(item, ast.Regex)]
        action = node.name.text
        found: list[Form] = []
        for item in forms:
            form = read_form(item.pattern, names, item.span, self.report, action)
            if form is not None:
                found.append(form)
        canonical = found[0] if found else None
        for regex in regexes:
            form = read_regex(regex.pattern, len(names), canonical, regex.span, self.report, action)
            if form is not None:
                found.append(form)
        if not forms and not regexes:
            slots = "".join(f" {{{name}}}" for name in names)
            self.report.error(
                "form-missing",
                node.name.span,
                f"nobody can type `{action}`: it has no form",
                f'add a line such as form "{action.replace("_", " ")}{slots}"',
            )
        return tuple(found)


def _can_be_used(action: r.ActionInfo) -> bool:
    """A library verb without anything to use it on (no topics, no doors) is left out."""
    return all(item.values or item.kind == "number" for item in action.parameters)
