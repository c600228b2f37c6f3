"""Token rows: ids, labels, and which turn each stretch of them is.

In: a conversation, a tokenizer. Out: rows of ids and labels, -100 where nothing is learnt.
Every piece is tokenised by itself, as it is when a model is asked: its context first, then
what it writes. So the ids of a row are those of the play itself, and the mask is made as the
ids are, never found afterwards. Where the record of a turn holds the ids that a model wrote
they are taken over, as long as they read as the very text: a text may be cut into tokens in
more ways than one. And where it holds the name of what the model had read by then, the row up
to that reply is held against it. What is trained must read back as the text, else the row is
refused.

A row too long for the model is dropped, cut after the last trained reply that fits, or an
error, as asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from worldengine.players.models.talk import digest
from worldengine.tuning.conversation import Conversation, origin
from worldengine.tuning.rendering import CONTEXT, Piece, TemplateError, last_pieces, pieces
from worldengine.tuning.rows import IGNORED
from worldengine.tuning.tokenizer import ChatTokenizer, TokenizerError

"""The label of a token that is not learnt, as torch's cross entropy has it."""

Rows: TypeAlias = Literal["conversation", "turn"]
TooLong: TypeAlias = Literal["error", "drop", "truncate"]
Source: TypeAlias = Literal["", "same", "kept", "unread"]


class RowTooLong(ValueError):
    """The row does not fit, and nothing was said of what to do; the message is for people."""


@dataclass(frozen=True, slots=True)
class Span:
    """A reply's ids, `start` to before `end`, its end token with them. `turn` is the turn in
    the trajectory, `kind` the error it is ("" for none), `mends` whether it sets a refusal
    right; `weight` is 1.0 where it is trained, else 0.0. `mistake` is which one its player
    meant to make, "" for none. `ids` tells of the tokens that a model wrote there: `same` as
    the text gives, `kept` where the text gives others, `unread` where they are no tokens of
    this text here and the text's are taken, "" where none are on record. `asked` is whether
    the row up to here is what the model had read, None where that is not on record."""

    turn: int
    start: int
    end: int
    weight: float
    kind: str
    mends: bool
    mistake: str = ""
    ids: Source = ""
    asked: bool | None = None

    def told(self) -> dict[str, Any]:
        return {
            "turn": self.turn,
            "start": self.start,
            "end": self.end,
            "weight": self.weight,
            "kind": self.kind,
            "mends": self.mends,
            "mistake": self.mistake,
            "ids": self.ids,
            "asked": self.asked,
        }


@dataclass(frozen=True, slots=True)
class TokenRow:
    """One row. `labels` is as long as `input_ids`; spans stand in order and do not overlap."""

    conversation: Conversation
    input_ids: tuple[int, ...]
    labels: tuple[int, ...]
    spans: tuple[Span, ...]

    @property
    def trained_turns(self) -> int:
        return sum(span.weight > 0 for span in self.spans)

    def told(self) -> dict[str, Any]:
        """The row as it is written."""
        return origin(self.conversation.trajectory) | {
            "input_ids": list(self.input_ids),
            "labels": list(self.labels),
            "tokens": len(self.input_ids),
            "trained_tokens": sum(label != IGNORED for label in self.labels),
            "trained_turns": self.trained_turns,
            "spans": [span.told() for span in self.spans],
        }


@dataclass(frozen=True, slots=True)
class Tokens:
    """How rows are made. `limit` is in ids, 0 for none."""

    tokenizer: ChatTokenizer
    rows: Rows = "conversation"
    limit: int = 0
    too_long: TooLong = "error"

    def of(self, shaped: Conversation) -> Iterator[TokenRow]:
        """The rows of one conversation, none where it is too long and to be dropped."""
        if self.rows == "turn":
            for at, each in enumerate(shaped.exchanges):
                if each.train:
                    yield from self._fitted(shaped, last_pieces(self.tokenizer, shaped, at))
            return
        yield from self._fitted(shaped, pieces(self.tokenizer, shaped))

    def _fitted(self, shaped: Conversation, cut: list[Piece]) -> Iterator[TokenRow]:
        row = self._row(shaped, cut)
        if not self.limit or len(row.input_ids) <= self.limit:
            yield row
        elif self.too_long == "error":
            raise RowTooLong(
                f"the row of {shaped.trajectory.id} has {len(row.input_ids)} tokens, more than "
                f"{self.limit}; say --too-long drop or --too-long truncate"
            )
        elif self.too_long == "truncate":
            ends = [span.end for span in row.spans if span.weight > 0 and span.end <= self.limit]
            if ends:
                yield _shortened(row, ends[-1])

    def _row(self, shaped: Conversation, cut: list[Piece]) -> TokenRow:
        ids: list[int] = []
        labels: list[int] = []
        spans: list[Span] = []
        for piece, encoded in zip(cut, self.tokenizer.encode([p.text for p in cut]), strict=True):
            if piece.exchange == CONTEXT:
                ids += encoded
                labels += [IGNORED] * len(encoded)
                continue
            each = shaped.exchanges[piece.exchange]
            asked = digest(ids) == each.context if each.context else None
            encoded, source = self._written(encoded, piece, each.ids)
            if source != "kept":
                self._reads_back(encoded, piece)
            spans.append(
                Span(
                    turn=each.turn,
                    start=len(ids),
                    end=len(ids) + len(encoded),
                    weight=float(each.train),
                    kind=each.kind,
                    mends=bool(each.mends),
                    mistake=each.mistake,
                    ids=source,
                    asked=asked,
                )
            )
            ids += encoded
            labels += encoded if each.train else [IGNORED] * len(encoded)
        return TokenRow(shaped, tuple(ids), tuple(labels), tuple(spans))

    def _written(
        self, encoded: list[int], piece: Piece, generated: tuple[int, ...]
    ) -> tuple[list[int], Source]:
        """The ids of a reply: those that were written, if they are on record and read so."""
        if not generated:
            return encoded, ""
        end = encoded[-1]
        wrote = [*generated, end] if generated[-1] != end else list(generated)
        if wrote == encoded:
            return encoded, "same"
        try:
            reads = self.tokenizer.decode(wrote) == piece.text
        except (IndexError, OverflowError, TypeError, ValueError):  # no ids of this tokenizer
            reads = False
        return (wrote, "kept") if reads else (encoded, "unread")

    def _reads_back(self, ids: Sequence[int], piece: Piece) -> None:
        text = self.tokenizer.decode(ids)
        if text != piece.text:
            raise TemplateError(
                f"the tokenizer {self.tokenizer.name} does not give a reply back: "
                f"{piece.text[:60]!r} becomes {text[:60]!r}"
            )


def _shortened(row: TokenRow, end: int) -> TokenRow:
    return TokenRow(
        row.conversation,
        row.input_ids[:end],
        row.labels[:end],
        tuple(span for span in row.spans if span.end <= end),
    )


__all__ = ["IGNORED", "RowTooLong", "Span", "TokenRow", "Tokens", "TokenizerError"]
