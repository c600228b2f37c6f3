"""Which exceptions are a person's business, and what they are told.

In: an exception. Out: the exit status and one sentence, or None for a fault of ours, which
is shown whole.
"""

from __future__ import annotations

from worldengine.inputs import InputError

EXTRAS = {
    "pyarrow": "tables", "zstandard": "tables", "transformers": "llm", "torch": "torch",
    "httpx": "llm", "openai": "llm", "llguidance": "llm", "tokenizers": "llm",
    "datasets": "train", "peft": "train", "trl": "train", "matplotlib": "report",
    "gymnasium": "gymnasium", "tensorboard": "tensorboard", "accelerate": "train",
    "safetensors": "train",
}  # fmt: skip
"""The extra that brings a library along."""


def explain(error: Exception) -> tuple[int, str] | None:
    """Exit status and sentence."""
    if isinstance(error, InputError):
        return 2, str(error)
    if isinstance(error, OSError):
        named = f"{error.filename}: " if error.filename else ""
        return 2, f"{named}{error.strerror or error}"
    if type(error).__module__.startswith("worldengine.") and isinstance(error, ValueError):
        return 2, str(error)
    if isinstance(error, ModuleNotFoundError):
        extra = _extra(error)
        return (
            3,
            f"{error.name} is not installed; pip install 'worldengine-machine[{extra}]', or in a"
            f" checkout .venv/bin/pip install -c constraints.txt -e '.[{extra}]'",
        )
    return None


def _extra(error: ModuleNotFoundError) -> str:
    return EXTRAS.get((error.name or "").partition(".")[0], "dev")
