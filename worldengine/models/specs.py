"""Models by name: `hf:PATH` and `openai:MODEL@URL`, with options after commas.

In: the text. Out: a model, its libraries loaded. Refused, with a sentence: names nobody
knows, options that are none, values that are no numbers.

    hf:models/small,dtype=float32,device=cpu,width=8
    openai:qwen3-8b@http://127.0.0.1:8000/v1,width=16,price_in=0.1,price_out=0.4
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from worldengine.models.protocol import Model, ModelSpecError

_OPTION = re.compile(r"[a-z_]+=[^,]*")
OPTIONS: Mapping[str, Mapping[str, type]] = {
    "hf": {"device": str, "dtype": str, "width": int, "price_in": float, "price_out": float},
    "openai": {
        "key_env": str,
        "width": int,
        "timeout": float,
        "retries": int,
        "structured": str,
        "price_in": float,
        "price_out": float,
    },
}
"""What may be set of each kind of model."""


def make(text: str) -> Model:
    """The model that `text` names; see the module."""
    kind, argument, given = _read(text)
    price = _price(text, given.pop("price_in", None), given.pop("price_out", None))
    if kind == "hf":
        from worldengine.models.local import load

        return load(argument, price=price, **given)  # type: ignore[arg-type]
    from worldengine.models.server import connect

    return connect(argument, price=price, **given)  # type: ignore[arg-type]


def _price(text: str, asked: object, said: object) -> tuple[float, float] | None:
    if isinstance(asked, float) and isinstance(said, float):
        return asked, said
    if asked is not None or said is not None:
        raise ModelSpecError(f"{text!r} gives one price: price_in and price_out go together")
    return None


def _read(text: str) -> tuple[str, str, dict[str, object]]:
    parts = text.strip().split(",")
    given: dict[str, str] = {}
    while len(parts) > 1 and _OPTION.fullmatch(parts[-1].strip()):
        name, _, value = parts.pop().strip().partition("=")
        given[name] = value
    kind, colon, argument = ",".join(parts).partition(":")
    if kind not in OPTIONS or not colon or not argument:
        raise ModelSpecError(
            f"{text!r} names no model: write hf:PATH (a folder with a transformers model) or "
            "openai:MODEL@URL (a compatible server)"
        )
    return kind, argument, {name: _value(kind, name, given[name]) for name in sorted(given)}


def _value(kind: str, name: str, text: str) -> object:
    options = OPTIONS[kind]
    if name not in options:
        known = ", ".join(options)
        raise ModelSpecError(f"{kind} models have no option {name!r}; there are: {known}")
    try:
        return options[name](text)
    except ValueError:
        raise ModelSpecError(f"{name}={text} of the {kind} model: it is a number") from None
