"""The parts of a Machine that are lists for people: objects, exits, variants."""

from __future__ import annotations

from collections.abc import Callable

from worldengine.compiler import resolved as r
from worldengine.compiler.ground import Ground
from worldengine.compiler.types import ObjectInfo
from worldengine.machine.schema import NONE, Exit, Object, Variant
from worldengine.source import Span


class Catalogue:
    """`number` gives the index of a span among the Machine's."""

    def __init__(self, ground: Ground, number: Callable[[Span], int]) -> None:
        self.ground = ground
        self.world = ground.world
        self.span = number

    def objects(self) -> tuple[Object, ...]:
        return tuple(self._object(item) for item in self.ground.objects)

    def _object(self, item: ObjectInfo) -> Object:
        ground = self.ground
        key = (item.index, "in")
        location = ground.index.get(key, NONE)
        fixed = item.values.get("in", NONE)
        if location == NONE and "in" in item.values:
            fixed = ground.initial.value(key)
        return Object(
            item.id, item.name, item.aka, item.kind, self.world.kinds[item.kind].ancestors,
            item.role, item.plural, item.proper, item.numbered, location, fixed,
            self.span(item.span),
        )  # fmt: skip

    def exits(self) -> tuple[Exit, ...]:
        return tuple(
            Exit(
                item.index,
                item.values["in"],
                item.name,
                item.values["to"],
                item.values["door"],
                item.index in self.world.passable,
            )
            for item in self.ground.objects
            if item.role == "exit"
        )

    def variants(self) -> tuple[Variant, ...]:
        ground = self.ground
        found = []
        for row, start in zip(ground.initial.rows, ground.initial.starts, strict=True):
            labels = tuple(
                (self._target_name(target), ground.value_name(target.type, value.value))
                for target, value in ground.initial.labels(row)
            )
            assignments = tuple(
                (ground.index[key], value)
                for key, value in sorted(
                    start.items(), key=lambda pair: ground.index.get(pair[0], -1)
                )
                if key in ground.index and value != ground.initial.value(key)
            )
            restored = tuple(
                (ground.index[key], ground.initial.first(key))
                for key in sorted(ground.initial.varied, key=lambda key: ground.index[key])
                if key not in start and ground.initial.first(key) != ground.initial.value(key)
            )
            found.append(Variant(labels, assignments + restored))
        return tuple(found)

    def _target_name(self, target: r.AttrOf | r.FactOf) -> str:
        if isinstance(target, r.AttrOf):
            return self.ground.key_name((target.base.value, target.name))  # type: ignore[union-attr]
        arguments = tuple(item.value for item in target.arguments)  # type: ignore[union-attr]
        return self.ground.key_name((target.fact.name, arguments))
