"""`format_document`: a tree in, the one canonical way to write it out.

Two blanks of indentation, one item a block, short blocks on one line, values of a block side
by side, at most 100 columns where strings allow it. Comments stay before or behind what they
stood at; of empty lines between two things at most one is kept. Laws: reading the result
gives an equal tree, and formatting it again changes nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final, cast

from worldengine.source import NOWHERE, Span
from worldengine.syntax import ast
from worldengine.syntax.flat import BLOCKS, When, flat, members_of
from worldengine.syntax.leaves import Block, Leaf, case_head, field_ends, head, leaf
from worldengine.syntax.spelling import SOFT, expr, quote, text

WIDTH: Final = 100
_INDENT: Final = "  "
_HANGING: Final = "    "
_NEVER_FLAT: Final = (ast.Action, ast.Match, ast.Start)
_SPACED: Final = (ast.Action, ast.Hook, ast.Rule, ast.Header)


def format_document(document: ast.Document) -> str:
    """The canonical text of a script, with its comments."""
    return _Printer(document).run()


class _Printer:
    """Walks the tree in order and lets each comment out where its place has come."""

    def __init__(self, document: ast.Document) -> None:
        self.document = document
        self.comments = sorted(document.comments, key=lambda comment: comment.span.start)
        self.starts = [comment.span.start for comment in self.comments]
        self.next_comment = 0
        self.lines: list[str] = []
        self.last_line: int | None = None
        """The line of the source where the last thing printed ended; None after a `{`."""

    def run(self) -> str:
        units: list[ast.Node] = [] if self.document.header is None else [self.document.header]
        units += self.document.items
        for index, unit in enumerate(units):
            if index and unit.span is NOWHERE and _apart(units[index - 1], unit):
                self.lines.append("")
            following = units[index + 1].span.start if index + 1 < len(units) else None
            self._unit(unit, "", following=following)
        self._comments_before(None, "")
        return "\n".join(self.lines) + "\n" if self.lines else ""

    # --- comments and empty lines ---

    def _comments_before(self, offset: int | None, indent: str, spaced: bool = True) -> None:
        """Comments that begin before `offset`, each on its line; all of them for None."""
        while self.next_comment < len(self.comments):
            comment = self.comments[self.next_comment]
            if offset is not None and comment.span.start >= offset:
                return
            if spaced:
                self._empty_line(comment.span)
            self.lines.append(indent + _comment(comment))
            self.last_line = _last_line(comment.span)
            self.next_comment += 1

    def _comment_behind(self, span: Span, following: int | None) -> None:
        """A comment on the line where `span` ends goes behind what was printed."""
        if span is NOWHERE or self.next_comment >= len(self.comments):
            return
        comment = self.comments[self.next_comment]
        if following is not None and comment.span.start > following:
            return
        if comment.span.source.position(comment.span.start)[0] == _last_line(span):
            self.lines[-1] += "  " + _comment(comment)
            self.next_comment += 1

    def _has_comment(self, span: Span) -> bool:
        if span is NOWHERE or self.next_comment >= len(self.comments):
            return False
        first = bisect_left(self.starts, span.start, lo=self.next_comment)
        return first < len(self.starts) and self.starts[first] < span.end

    def _empty_line(self, span: Span) -> None:
        if span is NOWHERE or self.last_line is None:
            return
        line = span.source.position(span.start)[0]
        if line - self.last_line > 1 and self.lines and self.lines[-1]:
            self.lines.append("")

    # --- units ---

    def _unit(
        self, node: ast.Node, indent: str, end: str = "", following: int | None = None
    ) -> None:
        """One item, field or statement with the comments that belong to it."""
        span = node.span
        if span is not NOWHERE:
            self._comments_before(span.start, indent)
            self._empty_line(span)
        if isinstance(node, ast.Header):
            self._header(node)
        elif self._flat(node, indent, end):
            pass
        elif isinstance(node, ast.If):
            self._if(node, indent)
        elif isinstance(node, ast.Case):
            self._block(case_head(node), node.body, indent, span.end)
        elif isinstance(node, BLOCKS):
            self._open_block(node, indent)
        else:
            self._leaf(cast(Leaf | When, node), indent, end)
        if span is not NOWHERE:
            self.last_line = _last_line(span)
            self._comment_behind(span, following)

    def _leaf(self, node: Leaf | When, indent: str, end: str) -> None:
        if node.span is not NOWHERE:
            self._comments_before(node.span.end, indent, spaced=False)
        written = f"when {expr(node.condition)}" if isinstance(node, When) else leaf(node)
        self._wrapped(written + end, indent)

    def _wrapped(self, written: str, indent: str) -> None:
        """Breaks at the last soft blank that still fits, further lines hanging."""
        line = indent
        for index, piece in enumerate(written.split(SOFT)):
            if index and len(line) + 1 + len(piece) > WIDTH:
                self.lines.append(line)
                line = indent + _HANGING + piece
            else:
                line += (" " if index else "") + piece
        self.lines.append(line)

    def _flat(self, node: ast.Node, indent: str, end: str) -> bool:
        """Prints a block on one line if it is short and holds no comment."""
        if (isinstance(node, _NEVER_FLAT) and members_of(node)) or self._has_comment(node.span):
            return False
        written = flat(node)
        if written is None or len(indent) + len(written) + len(end) > WIDTH:
            return False
        self.lines.append(indent + written + end)
        return True

    def _header(self, node: ast.Header) -> None:
        start = f"world {node.name.text} {quote(node.title)}"
        fields = [(word, getattr(node, word)) for word in ("persona", "intro", "goal")]
        fields += [("turns", node.turns), ("timeout", node.timeout)]
        given = [(word, value) for word, value in fields if value is not None]
        if not given and not self._has_comment(node.span):
            self.lines.append(start)
            return
        self.lines.append(start + " {")
        for word, value in given:
            if isinstance(value, ast.Text):
                if value.span is not NOWHERE:
                    self._comments_before(value.span.start, _INDENT, spaced=False)
                self.lines.append(f"{_INDENT}{word} {text(value)}")
                self._comment_behind(value.span, None)
            else:
                self.lines.append(f"{_INDENT}{word} {value}")
        if node.span is not NOWHERE:
            self._comments_before(node.span.end, _INDENT, spaced=False)
        self.lines.append("}")

    def _open_block(self, node: Block, indent: str) -> None:
        members = members_of(node)
        otherwise = node.otherwise if isinstance(node, ast.Match) else None
        last = members[-1].span.end if otherwise is not None and members else node.span.end
        self._block(head(node), members, indent, last, closed=otherwise is None)
        if otherwise is not None:
            inner = indent + _INDENT
            self._block("else", otherwise, inner, node.span.end)
            self.lines.append(indent + "}")

    def _if(self, node: ast.If, indent: str) -> None:
        for index, branch in enumerate(node.branches):
            start = ("} else if " if index else "if ") + expr(branch.condition)
            last = index == len(node.branches) - 1 and node.otherwise is None
            self._block(start, branch.body, indent, branch.span.end, closed=last)
        if node.otherwise is not None:
            self._block("} else", node.otherwise, indent, node.span.end)

    def _block(
        self,
        start: str,
        members: Sequence[ast.Node],
        indent: str,
        end: int,
        closed: bool = True,
    ) -> None:
        self._wrapped(start + " {", indent)
        self.last_line = None
        open_line = -1
        for index, member in enumerate(members):
            following = members[index + 1] if index + 1 < len(members) else None
            comma = ""
            if isinstance(member, ast.Attribute | ast.Describe | ast.Exit) and following:
                comma = field_ends(member, cast(ast.Field, following))
            begins = end if following is None else following.span.start
            line, comment = len(self.lines), self.next_comment
            self._unit(member, indent + _INDENT, comma, begins)
            open_line = self._packed(member, line, open_line)
            if self.next_comment != comment:
                open_line = -1
        if end:
            self._comments_before(end, indent + _INDENT)
        if closed:
            self.lines.append(indent + "}")

    def _packed(self, member: ast.Node, line: int, open_line: int) -> int:
        """Values side by side, as far as a line goes; the line that may take one more."""
        if not isinstance(member, ast.Attribute) or member.type is not None:
            return -1
        if len(self.lines) != line + 1:
            return len(self.lines) - 1
        joined = self.lines[open_line] + "  " + self.lines[-1].strip()
        if open_line != line - 1 or open_line < 0 or len(joined) > WIDTH:
            return line
        self.lines[open_line:] = [joined]
        return open_line


def _comment(comment: ast.Comment) -> str:
    if not comment.text:
        return "//"
    return "//" + comment.text if comment.text.startswith("/") else "// " + comment.text


def _last_line(span: Span) -> int:
    return span.source.position(max(span.start, span.end - 1))[0]


def _apart(before: ast.Node, node: ast.Node) -> bool:
    """Trees that nobody wrote get an empty line between groups and around long items."""
    return type(before) is not type(node) or isinstance(node, _SPACED)
