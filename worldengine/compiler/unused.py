"""Lints about what is declared and then never used: mostly a name forgotten or mistaken."""

from __future__ import annotations

from dataclasses import dataclass, field

from worldengine.compiler import resolved as r
from worldengine.compiler.order import walk
from worldengine.compiler.reporter import Reporter
from worldengine.machine.schema import NONE
from worldengine.syntax import ast


@dataclass(slots=True)
class Mentions:
    """Names by how a script uses them."""

    read: set[str] = field(default_factory=set)
    """References and calls anywhere but on the left of a `set`."""
    written: set[str] = field(default_factory=set)
    attributes_read: set[str] = field(default_factory=set)
    attributes_written: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    steps: bool = False
    """Whether `next` or `prev` stands anywhere."""

    def collect(self, document: ast.Document) -> None:
        targets: set[int] = set()
        for node in walk(document.items):
            if isinstance(node, ast.Set):
                self._target(node.target, targets)
            elif isinstance(node, ast.Vary):
                for target in node.targets:
                    self._target(target, targets)
            elif id(node) in targets:
                continue
            else:
                self._reading(node)

    def _target(self, node: ast.Expr, targets: set[int]) -> None:
        targets.add(id(node))
        if isinstance(node, ast.Attr):
            self.attributes_written.add(node.name.text)
        elif isinstance(node, ast.Call):
            self.written.add(node.name.text)
        elif isinstance(node, ast.Ref):
            self.written.add(node.name)

    def _reading(self, node: ast.Node) -> None:
        if isinstance(node, ast.Ref):
            self.read.add(node.name)
        elif isinstance(node, ast.Call):
            self.read.add(node.name.text)
            self.steps = self.steps or node.name.text in ("next", "prev")
        elif isinstance(node, ast.Attr):
            self.attributes_read.add(node.name.text)
        elif isinstance(node, ast.String):
            self.texts.add(node.value)
        elif isinstance(node, ast.NamedType | ast.IsKind):
            self.kinds.add((node.name if isinstance(node, ast.NamedType) else node.kind).text)
        elif isinstance(node, ast.Each | ast.Quantifier | ast.Fold | ast.TextList):
            self.kinds.add(node.kind.text)
        elif isinstance(node, ast.Kind):
            self.kinds.update(parent.text for parent in node.parents)
        elif isinstance(node, ast.Object):
            self.kinds.add(node.kind.text)


def lint_unused(world: r.Resolved, own: ast.Document, reporter: Reporter) -> None:
    """Warn about facts, derived values, kinds, attributes and enum values nobody uses."""
    found = Mentions()
    found.collect(own)
    for item in own.items:
        if isinstance(item, ast.Fact):
            _fact(item, found, reporter)
        elif isinstance(item, ast.Derive) and item.name.text not in found.read:
            reporter.warning(
                "derive-unused",
                item.name.span,
                f"nothing uses the derived value `{item.name.text}`",
                "remove it, or read it in a condition or a text",
            )
        elif isinstance(item, ast.Kind) and item.name.text not in found.kinds:
            reporter.warning(
                "kind-unused",
                item.name.span,
                f"there is nothing of the kind `{item.name.text}`",
                "declare an object of it, or remove the kind",
            )
    _attributes(world, own, found, reporter)
    _enum_values(world, own, found, reporter)


def _fact(item: ast.Fact, found: Mentions, reporter: Reporter) -> None:
    name = item.name.text
    if name not in found.read:
        what = "is set, but nothing ever asks for it" if name in found.written else "is never used"
        reporter.warning(
            "fact-unread", item.name.span, f"the fact `{name}` {what}", "use it in a condition"
        )
    elif name not in found.written and item.value is None:
        reporter.warning(
            "fact-never-set",
            item.name.span,
            f"the fact `{name}` never changes: nothing sets it",
            f"set it in an action, a rule or `start`, or declare it with a value: fact {name} = …",
        )


def _attributes(world: r.Resolved, own: ast.Document, found: Mentions, reporter: Reporter) -> None:
    library = {name for info in world.kinds.values() if info.library for name in info.attributes}
    seen: set[str] = set()
    for node in walk(own.items):
        if not isinstance(node, ast.Attribute) or node.type is None:
            continue
        name = node.name.text
        if name in library or name in found.attributes_read or name in seen:
            continue
        seen.add(name)
        reporter.warning(
            "attribute-unread",
            node.name.span,
            f"the attribute `{name}` is set, but nothing ever asks for it"
            if name in found.attributes_written
            else f"nothing ever asks for the attribute `{name}`",
            "use it in a condition or a text, or remove it",
        )


def _enum_values(world: r.Resolved, own: ast.Document, found: Mentions, reporter: Reporter) -> None:
    """A value that is no default, is never named, never stepped to and never typed."""
    typed = {
        symbol
        for action in world.actions
        for item in action.parameters
        if item.kind == "symbol"
        for symbol in item.values
    }
    numbers = {name: number for number, (name, _) in enumerate(world.symbols)}
    started = {
        item.values[name]
        for item in world.objects
        for name, declared in item.attributes.items()
        if declared.type.kind == "enum" and item.values.get(name, NONE) != NONE
    }
    for node in walk(own.items):
        if not isinstance(node, ast.EnumType | ast.Enum) or found.steps:
            continue
        for value in node.values:
            number = numbers.get(value.name.text, NONE)
            named = value.name.text in found.read or value.display in found.texts
            if named or number in typed or number in started:
                continue
            reporter.warning(
                "enum-value-unused",
                value.span,
                f"nothing ever uses or reaches the value `{value.name.text}`",
                "set it somewhere, ask for it, or leave it out",
            )
