"""How fast the engines are on the machine at hand, beside the reference and beside peers."""

from worldengine.bench.figure import Figure
from worldengine.bench.figures import figures, masks, reference, state_steps, text_turns
from worldengine.bench.peers import peer_files, peers
from worldengine.bench.shape import trial_shape
from worldengine.bench.walks import single_turns, walks

__all__ = [
    "Figure",
    "figures",
    "masks",
    "peer_files",
    "peers",
    "reference",
    "single_turns",
    "state_steps",
    "text_turns",
    "trial_shape",
    "walks",
]
