"""AgentRefine's turns by Player and DM, with the keys that its Algorithm 1 asks for.

In: a value of JSON. Out: a turn. Refused: other keys, keys that are missing, other types.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from worldengine.rollout.trajectory import Outcome


class _Turn(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True, strict=True)

    turn: int | None = None
    thought: str = Field(alias="Thought")


class PlayerTurn(_Turn):
    role: Literal["Player"]
    action: str = Field(alias="Action")


class DMTurn(_Turn):
    role: Literal["DM"]
    observation: str = Field(alias="Observation")
    parameter_error: bool
    place_error: bool
    logic_error: bool
    finished: bool | None = None

    @property
    def outcome(self) -> Outcome:
        """The first flag that is set, as Algorithm 1's error is any of them."""
        if self.parameter_error:
            return "parameter"
        return "place" if self.place_error else "logic" if self.logic_error else "ok"


def turn_of(item: Any) -> PlayerTurn | DMTurn:
    is_player = isinstance(item, dict) and item.get("role") == "Player"
    return PlayerTurn.model_validate(item) if is_player else DMTurn.model_validate(item)
