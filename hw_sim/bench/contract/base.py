"""What all shapes of the contract share.

Must never let an unknown key pass.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

SeatName = Literal["N", "E", "S", "W"]
FaceName = Literal["NE", "SW"]
TableName = Literal["watch", "guard", "full", "header"]
RigName = Literal["wire", "gpio"]
PlugName = Literal["cable", "controller", "broker", "console"]


class Shape(BaseModel):
    """Frozen and strict; a key that is not known is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Reason(Shape):
    """Why not: `code` a key of the pages' words, section `refusal`; `params` what fills its slots.

    Seats, faces, calls and names are as a scenario writes them: a page words them in its own language.
    """

    code: str
    params: dict[str, JsonValue] = Field(default_factory=dict)
