"""The Dungeon Master's chair: a model in the Machine's place, and how far it agrees with it.

In: a script, a model, commands. Out: what the model answers, and where that is not what the
world does. AgentRefine's trajectories were made by such a model; here it is only measured.
"""

from __future__ import annotations
