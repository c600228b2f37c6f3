"""Training rows: from files to token ids with labels.

In: JSON lines as `export` writes them (`messages`, or `tokens`), a tokenizer, a longest
length. Out: `Row`s. Refused before any training, with file and line: what is no JSON, rows
without a trained token, a chat template that does not mark trained turns or does not heed
the flag `train`, rows longer than the context, tokens outside the vocabulary.

A label stands at the position of its own token; where it is IGNORED the token is context
only. The trained turns of a row are the unbroken stretches of labels: between two turns
there is always something that the world said.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worldengine.tuning.errors import TuningError

IGNORED = -100
MARK = "generation"
CHECKED = 8
"""Rows of messages whose every trained turn is held against what a player would be asked."""
Start = tuple[str, int]
"""A world's hash and one of its starts."""


@dataclass(frozen=True, slots=True)
class Row:
    """One conversation as tokens; `start` is where it was played, if that is known."""

    id: str
    input_ids: tuple[int, ...]
    labels: tuple[int, ...]
    start: Start | None = None

    @property
    def trained(self) -> int:
        """How many tokens are trained. The first token of all has nothing before it."""
        return sum(label != IGNORED for label in self.labels[1:])

    @property
    def turns(self) -> tuple[tuple[int, int], ...]:
        """The trained turns as [begin, end) in positions of `input_ids`."""
        found: list[tuple[int, int]] = []
        begin = -1
        for at in range(1, len(self.labels) + 1):
            on = at < len(self.labels) and self.labels[at] != IGNORED
            if on and begin < 0:
                begin = at
            elif not on and begin >= 0:
                found.append((begin, at))
                begin = -1
        return tuple(found)


def lines(
    paths: Sequence[str], fields: Sequence[str] = ("messages", "input_ids")
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every row of the files with its place, as in `train.jsonl:3`; each has one of the
    `fields`."""
    for name in paths:
        path = Path(name)
        if not path.is_file():
            raise TuningError(f"there is no training file {name}")
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                where = f"{name}:{number}"
                try:
                    value = json.loads(line)
                except (ValueError, RecursionError):
                    raise TuningError(f"{where}: this is not JSON") from None
                if not isinstance(value, dict) or not (set(fields) & set(value)):
                    raise TuningError(
                        f"{where}: a row has `{'` or `'.join(fields)}`; `worldengine export` "
                        "writes such files"
                    )
                yield where, value


def texts(paths: Sequence[str]) -> Iterator[str]:
    """What is said in the rows, for training a tokenizer."""
    for where, value in lines(paths):
        if "messages" not in value:
            raise TuningError(f"{where}: a tokenizer cannot be trained on rows of token ids")
        for message in _messages(where, value):
            yield message["content"]


def tokenised(
    paths: Sequence[str],
    tokenizer: Any,
    max_length: int,
    vocabulary: int,
    skip_long: bool = False,
) -> tuple[list[Row], int]:
    """All rows of the files, and how many were left out as too long."""
    found: list[Row] = []
    skipped = 0
    for number, (where, value) in enumerate(lines(paths)):
        if "input_ids" in value:
            row = _of_tokens(where, value)
        else:
            row = _of_messages(where, value, tokenizer)
            if number < CHECKED:
                _check_asked(where, value["messages"], row, tokenizer)
                _check_end(where, row, tokenizer)
        if len(row.input_ids) > max_length:
            if not skip_long:
                raise TuningError(
                    f"{where}: the row has {len(row.input_ids)} tokens and the context is "
                    f"{max_length}; raise data.max_length, or leave such rows out with "
                    'data.too_long = "skip"'
                )
            skipped += 1
            continue
        if not row.trained:
            raise TuningError(f"{where}: no token of this row would be trained")
        if max(row.input_ids) >= vocabulary or min(row.input_ids) < 0:
            raise TuningError(
                f"{where}: token {max(row.input_ids)} lies outside the model's vocabulary of "
                f"{vocabulary}; the rows were made with another tokenizer"
            )
        found.append(row)
    if not found:
        raise TuningError(f"there is no row to train on in {', '.join(paths)}")
    return found, skipped


def check_template(tokenizer: Any) -> None:
    """TuningError unless the tokenizer's chat template marks what the model is to say."""
    template = tokenizer.chat_template
    if not template:
        raise TuningError('the tokenizer has no chat template; set tokenizer.template = "shipped"')
    if f"{{% {MARK}" not in template and f"{{%- {MARK}" not in template:
        raise TuningError(
            "the tokenizer's chat template has no generation marks, so nothing says which tokens "
            'are to be trained; set tokenizer.template = "shipped" or name a file with them'
        )


def _of_messages(where: str, value: dict[str, Any], tokenizer: Any) -> Row:
    messages = _messages(where, value)
    encoded = tokenizer.apply_chat_template(
        messages, return_dict=True, return_assistant_tokens_mask=True
    )
    mask = encoded["assistant_masks"]
    ids = tuple(encoded["input_ids"])
    labels = tuple(token if trained else IGNORED for token, trained in zip(ids, mask, strict=True))
    row = Row(str(value.get("id", where)), ids, labels, start_of(value))
    wanted = sum(m["role"] == "assistant" and m.get("train") is not False for m in messages)
    if len(row.turns) != wanted:
        raise TuningError(
            f"{where}: {wanted} turns are to be trained and the chat template marks "
            f"{len(row.turns)}: it does not heed the flag `train`; set "
            'tokenizer.template = "shipped", or export --to tokens'
        )
    return row


def _check_asked(where: str, messages: Sequence[dict[str, Any]], row: Row, tokenizer: Any) -> None:
    """TuningError where the tokens before a trained turn are not those that a player is asked
    with: what is learnt would not be what is asked."""
    trained = [
        at
        for at, message in enumerate(messages)
        if message["role"] == "assistant" and message.get("train") is not False
    ]
    for at, (begin, _) in zip(trained, row.turns, strict=True):
        asked = tokenizer.apply_chat_template(
            list(messages[:at]), add_generation_prompt=True, return_dict=True
        )
        if tuple(asked["input_ids"]) != row.input_ids[:begin]:
            raise TuningError(
                f"{where}: before message {at + 1} stand other tokens than those a player is "
                "asked with, so the chat template changes earlier turns or has another beginning "
                "of replies; use worldengine export --to tokens --rows turn"
            )


def _check_end(where: str, row: Row, tokenizer: Any) -> None:
    """TuningError where no trained reply ends with the token at which a player stops: the model
    would never learn to."""
    last = {row.input_ids[end - 1] for _, end in row.turns}
    if last and last != {tokenizer.eos_token_id}:
        said = " and ".join(repr(tokenizer.decode([token])) for token in sorted(last)[:2])
        raise TuningError(
            f"{where}: trained replies end with {said}, and the tokenizer's end token is "
            f"{tokenizer.eos_token!r}: the model would not learn to stop. Let the chat template "
            "end replies with that token inside its generation marks, or give the tokenizer the "
            "template's end as a token and as its eos_token"
        )


def _of_tokens(where: str, value: dict[str, Any]) -> Row:
    ids, labels = value.get("input_ids"), value.get("labels")
    for name, numbers in (("input_ids", ids), ("labels", labels)):
        if not isinstance(numbers, list) or not all(type(each) is int for each in numbers):
            raise TuningError(f"{where}: `{name}` is not a list of whole numbers")
    assert isinstance(ids, list) and isinstance(labels, list)
    if len(ids) != len(labels) or not ids:
        raise TuningError(f"{where}: {len(ids)} input_ids and {len(labels)} labels")
    for at, (token, label) in enumerate(zip(ids, labels, strict=True)):
        if label not in (token, IGNORED):
            raise TuningError(
                f"{where}: label {label} at {at} is neither its token {token} nor {IGNORED}"
            )
    return Row(str(value.get("id", where)), tuple(ids), tuple(labels), start_of(value))


def _messages(where: str, value: dict[str, Any]) -> list[dict[str, Any]]:
    messages = value["messages"]
    good = isinstance(messages, list) and all(
        isinstance(m, dict) and isinstance(m.get("role"), str) and isinstance(m.get("content"), str)
        for m in messages
    )
    if not good:
        raise TuningError(f"{where}: messages are objects with `role` and `content`, both text")
    return list(messages)


def start_of(value: dict[str, Any]) -> Start | None:
    """Where a row was played, if it says so."""
    world, variant = value.get("machine_hash"), value.get("variant")
    return (world, variant) if isinstance(world, str) and isinstance(variant, int) else None


def starts(rows: Sequence[Row]) -> frozenset[Start]:
    """Where the rows were played."""
    return frozenset(row.start for row in rows if row.start is not None)


def check_held_out(train: Sequence[Row], validation: Sequence[Row]) -> None:
    """TuningError where a start is trained on and validated on."""
    both = starts(train) & starts(validation)
    if both:
        world, variant = min(both)
        raise TuningError(
            f"{len(both)} starts are in the training rows and in the validation rows (the first: "
            f"start {variant} of world {world[:12]}); roll out with --part train and "
            "--part validation"
        )
