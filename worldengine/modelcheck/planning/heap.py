"""A binary heap in two arrays, for compiled searches: the smallest key first."""

from __future__ import annotations

from typing import Any

from worldengine.modelcheck.compiled.steps import compiled


@compiled
def heap_push(keys: Any, items: Any, size: Any, key: Any, item: Any) -> Any:
    """Put an item in; gives back the new size. The caller sees to the room."""
    at = size
    while at > 0:
        above = (at - 1) >> 1
        if keys[above] <= key:
            break
        keys[at] = keys[above]
        items[at] = items[above]
        at = above
    keys[at] = key
    items[at] = item
    return size + 1


@compiled
def heap_pop(keys: Any, items: Any, size: Any) -> Any:
    """The item with the smallest key; the heap then has `size - 1` items."""
    top = items[0]
    last = size - 1
    key, item = keys[last], items[last]
    at = 0
    while True:
        below = 2 * at + 1
        if below >= last:
            break
        if below + 1 < last and keys[below + 1] < keys[below]:
            below += 1
        if keys[below] >= key:
            break
        keys[at] = keys[below]
        items[at] = items[below]
        at = below
    keys[at] = key
    items[at] = item
    return int(top)
