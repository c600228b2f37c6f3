"""Checkpoints: everything that a run needs to go on as if it had never stopped.

```
OUT/checkpoints/000100/       a model folder of transformers (safetensors), its tokenizer
OUT/checkpoints/000100/optimizer.safetensors    moments, and the state of chance
OUT/checkpoints/000100/state.json               update, tokens, what was judged so far
```

In: a model, an optimizer, a state. Out: folders; each is written beside its place and renamed,
so one that is there is whole. No pickle: tensors are safetensors, the rest is JSON.
"""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch

from worldengine.tuning.errors import TuningError

_NAME = re.compile(r"^[0-9]{6,}$")


@dataclass(slots=True)
class State:
    """How far a run is. `judged` are the validation figures of its checkpoints, by update."""

    updates: int = 0
    trained_tokens: int = 0
    tokens: int = 0
    judged: dict[int, dict[str, float]] = field(default_factory=dict)


def folders(out: Path) -> list[Path]:
    """The checkpoints that are there, oldest first."""
    home = out / "checkpoints"
    if not home.is_dir():
        return []
    return sorted(path for path in home.iterdir() if _NAME.fullmatch(path.name) and path.is_dir())


def save(out: Path, model: Any, tokenizer: Any, optimizer: Any, state: State) -> Path:
    """Writes the checkpoint of `state.updates`."""
    from safetensors.torch import save_file

    place = out / "checkpoints" / f"{state.updates:06d}"
    beside = place.with_name(place.name + ".part")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    save_model(beside, model, tokenizer)
    save_file(_chance(_moments(model, optimizer)), beside / "optimizer.safetensors")
    told = asdict(state) | {"judged": {str(key): value for key, value in state.judged.items()}}
    (beside / "state.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    shutil.rmtree(place, ignore_errors=True)
    beside.rename(place)
    return place


def save_model(folder: Path, model: Any, tokenizer: Any) -> None:
    """A folder that transformers (or peft, for adapters) loads."""
    model.save_pretrained(folder, safe_serialization=True)
    tokenizer.save_pretrained(folder)


def load(place: Path, model: Any, optimizer: Any) -> State:
    """Brings model, optimizer and chance back to where the checkpoint was written."""
    from safetensors.torch import load_file

    try:
        told = json.loads((place / "state.json").read_text(encoding="utf-8"))
        state = State(
            updates=told["updates"],
            trained_tokens=told["trained_tokens"],
            tokens=told["tokens"],
            judged={int(key): value for key, value in told["judged"].items()},
        )
        tensors = load_file(place / "optimizer.safetensors")
    except (OSError, ValueError, KeyError) as error:
        raise TuningError(f"the checkpoint {place} cannot be read: {error}") from None
    _load_model(place, model)
    _restore(model, optimizer, tensors)
    return state


def _load_model(place: Path, model: Any) -> None:
    from safetensors.torch import load_file

    if hasattr(model, "peft_config"):
        from peft import set_peft_model_state_dict

        set_peft_model_state_dict(model, load_file(place / "adapter_model.safetensors"))
        return
    tensors: dict[str, torch.Tensor] = {}
    for path in sorted(place.glob("model*.safetensors")):
        tensors |= load_file(path)
    missing, surplus = model.load_state_dict(tensors, strict=False)
    tied = set(getattr(model, "all_tied_weights_keys", None) or ())
    if surplus or set(missing) - tied:
        raise TuningError(f"the checkpoint {place} is of another model")


def _moments(model: Any, optimizer: Any) -> dict[str, torch.Tensor]:
    """AdamW's state by the parameter's name."""
    found: dict[str, torch.Tensor] = {}
    for name, parameter in model.named_parameters():
        for key, value in optimizer.state.get(parameter, {}).items():
            found[f"{key}|{name}"] = value.detach().to("cpu", copy=True).contiguous()
    return found


def _chance(tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Adds the state of torch's generators, for dropout."""
    tensors["chance|cpu"] = torch.get_rng_state()
    if torch.cuda.is_available():
        tensors["chance|cuda"] = torch.cuda.get_rng_state()
    return tensors


def _restore(model: Any, optimizer: Any, tensors: dict[str, torch.Tensor]) -> None:
    named = dict(model.named_parameters())
    for key, value in tensors.items():
        kind, _, name = key.partition("|")
        if kind == "chance":
            continue
        if name not in named:
            raise TuningError(f"the checkpoint has a state for {name}, which is not trained")
        device = "cpu" if kind == "step" else named[name].device
        optimizer.state[named[name]][kind] = value.to(device)
    torch.set_rng_state(tensors["chance|cpu"])
    if "chance|cuda" in tensors and torch.cuda.is_available():
        torch.cuda.set_rng_state(tensors["chance|cuda"])


def better(by: str, one: dict[str, float], other: dict[str, float]) -> bool:
    """Whether `one` is judged better: more success, or less loss where that is equal."""
    if by == "success" and one["success"] != other["success"]:
        return one["success"] > other["success"]
    return one["loss"] < other["loss"]


def best(by: str, state: State) -> int:
    """The update whose checkpoint is to be used; the earliest of equals."""
    if by == "last" or not state.judged:
        return state.updates
    chosen = min(state.judged)
    for update in sorted(state.judged):
        if better(by, state.judged[update], state.judged[chosen]):
            chosen = update
    return chosen


def prune(out: Path, keep: int, chosen: int) -> None:
    """Removes all but the newest `keep` checkpoints and the chosen one."""
    for place in folders(out)[:-keep]:
        if int(place.name) != chosen:
            shutil.rmtree(place)
