"""The torch engine's turn as one kernel, written in Triton, for devices that have it.

The kernel in plain torch launches some hundred kernels of the device for every small step that all
rows take together. This one is launched once a turn. It is loaded only where it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import Tensor

from worldengine.batch.tensors.tables import TorchTables

if TYPE_CHECKING:
    from worldengine.batch.tensors.fused.launch import Fused


def kernel_of(kernel: str, made: TorchTables, trouble: Tensor) -> Fused | None:
    """The kernel in Triton, if that is what is asked for. ValueError where there is no such kernel
    or not for this device, ImportError with one sentence without triton."""
    if kernel == "plain":
        return None
    if kernel != "triton":
        raise ValueError(f"kernels of the torch engine are plain and triton, not {kernel!r}")
    try:
        from worldengine.batch.tensors.fused.launch import Fused
    except ModuleNotFoundError as missing:
        if missing.name != "triton":
            raise
        sentence = "this kernel needs triton, which torch built for CUDA brings along"
        raise ImportError(f"{sentence}: pip install triton") from None
    return Fused(made, trouble)
