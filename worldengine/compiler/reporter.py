"""Collects diagnostics while a pass runs; the pass hands them on as a tuple."""

from __future__ import annotations

from collections.abc import Iterable

from worldengine.diagnostics import Diagnostic, Label, did_you_mean
from worldengine.source import Span


class Reporter:
    """Errors and warnings in the order found; the same complaint is kept once."""

    def __init__(self) -> None:
        self._found: list[Diagnostic] = []
        self._seen: set[tuple[str, int, int, str]] = set()

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return tuple(self._found)

    @property
    def failed(self) -> bool:
        return any(item.severity == "error" for item in self._found)

    def error(
        self,
        id: str,
        span: Span,
        message: str,
        hint: str | None = None,
        labels: Iterable[Label] = (),
    ) -> None:
        self._add(Diagnostic(id, "error", message, span, hint, tuple(labels)))

    def warning(
        self,
        id: str,
        span: Span,
        message: str,
        hint: str | None = None,
        labels: Iterable[Label] = (),
    ) -> None:
        self._add(Diagnostic(id, "warning", message, span, hint, tuple(labels)))

    def note(self, id: str, span: Span, message: str, hint: str | None = None) -> None:
        """What may well be meant so."""
        self._add(Diagnostic(id, "note", message, span, hint))

    def unknown(
        self, id: str, span: Span, what: str, name: str, known: Iterable[str], declare: str = ""
    ) -> None:
        """`name` is not a `what`; suggests the nearest known name, or lists the few there are.
        `declare` says how it is declared, for those who seem to mean a new one."""
        names = list(dict.fromkeys(known))
        near = did_you_mean(name, names)
        hint = f"did you mean `{near}`?" if near else None
        if hint is None and 0 < len(names) <= 15:
            hint = "known here: " + ", ".join(f"`{item}`" for item in sorted(names))
        if declare and not near:
            hint = f"{hint}; {declare}" if hint else declare
        self.error(id, span, f"there is no {what} called `{name}`", hint)

    def _add(self, item: Diagnostic) -> None:
        key = (item.id, item.span.start, item.span.end, item.message)
        if key not in self._seen:
            self._seen.add(key)
            self._found.append(item)
