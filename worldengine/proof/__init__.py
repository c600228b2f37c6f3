"""Proofs: the winning plays that a script brings along, replayed and repaired.

In: a Machine. Out: for each variant the commands that win it, or how far they got. A proof that
stops fitting in a variant is repaired there (see `repair`); nothing is given out that was not
played in the interpreter, command by command, none of them refused.
"""

from worldengine.proof.complaints import complaint
from worldengine.proof.needed import needed_of
from worldengine.proof.plans import Checked, check, winning_plan
from worldengine.proof.played import Replay, replay
from worldengine.proof.repair import ProofOutcome, proof_outcome, replays
from worldengine.proof.soon import won_within

__all__ = [
    "Checked",
    "ProofOutcome",
    "Replay",
    "check",
    "complaint",
    "needed_of",
    "proof_outcome",
    "replay",
    "replays",
    "winning_plan",
    "won_within",
]
