"""Who there is at a venue: one file with names, certificates by number, and codes by their hash.

Nothing in it lets anybody in. Pure: time is an argument.
"""

from __future__ import annotations

import hashlib
import hmac
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from director_console.broker_admin.layout import AccessError
from table_controller.enrolment.protocol import Name

REPEAT = timedelta(minutes=10)
"""An answer that got lost on its way may be fetched again for so long, by the holder of the same key."""


class Role(StrEnum):
    """What somebody is at the broker."""

    TABLE = "table"
    CONSOLE = "console"
    WALL = "wall"
    BROKER = "broker"
    PAGES = "pages"
    """The console towards browsers and enrolling tables; no client of the broker."""


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Code(_Kept):
    """A one-time code. `secret` and `key` are hashes; `used`: when, and by the holder of which key."""

    secret: str
    expires: datetime
    used: datetime | None = None
    key: str = ""


class Holder(_Kept):
    """Somebody with a name. No `serial`: a table that has not enrolled yet, or not again."""

    role: Role
    serial: int | None = None
    until: datetime | None = None
    code: Code | None = None
    revoked: datetime | None = None


class Revoked(_Kept):
    """A certificate that is no longer good."""

    serial: int
    name: str
    at: datetime
    why: Literal["revoked", "renewed"]


HOST = r"^([A-Za-z0-9._-]{1,253}|[0-9A-Fa-f:]{2,45})$"
Host = Annotated[str, StringConstraints(pattern=HOST)]


class Register(_Kept):
    """The whole. `hosts`: the names and addresses this machine is found under, the first one in codes."""

    v: Literal[1] = 1
    venue: Name
    event: Name
    hosts: tuple[Host, ...] = Field(min_length=1)
    broker_port: Annotated[int, Field(gt=0, lt=65536)]
    door_port: Annotated[int, Field(gt=0, lt=65536)]
    broker_user: str = ""
    listen: str = ""
    """The one address the broker listens on; empty: all."""
    edition: int = 1
    """Of the list of revoked certificates."""
    holders: dict[str, Holder] = Field(default_factory=dict)
    revoked: tuple[Revoked, ...] = ()

    def with_holder(self, name: str, holder: Holder) -> Register:
        return self.model_copy(update={"holders": {**self.holders, name: holder}})

    def without(self, serial: int, name: str, at: datetime, why: Literal["revoked", "renewed"]) -> Register:
        """The certificate of this number is no longer good."""
        gone = Revoked(serial=serial, name=name, at=at, why=why)
        return self.model_copy(update={"revoked": (*self.revoked, gone), "edition": self.edition + 1})

    def tables(self) -> dict[str, Holder]:
        return {name: holder for name, holder in self.holders.items() if holder.role is Role.TABLE}

    def holder(self, name: str) -> Holder:
        """Raises AccessError."""
        found = self.holders.get(name)
        if found is None:
            raise AccessError(
                f"there is no {name!r} at this venue; `director-console broker status` shows all"
            )
        return found

    def of_code(self, secret: bytes) -> tuple[str, Code] | None:
        """Whose code this secret belongs to, whether or not it still lets in."""
        asked = digest(secret)
        found = None
        for name, holder in self.holders.items():
            if holder.code is not None and hmac.compare_digest(holder.code.secret, asked):
                found = name, holder.code
        return found

    def waiting(self, now: datetime) -> list[str]:
        """Tables whose code is open."""
        return [
            name
            for name, holder in self.holders.items()
            if holder.code is not None and holder.code.used is None and holder.code.expires > now
        ]


def digest(secret: bytes) -> str:
    return hashlib.sha256(secret).hexdigest()


def read_register(raw: bytes, name: str) -> Register:
    """Raises AccessError; `name` of the file is for the message."""
    try:
        return Register.model_validate_json(raw)
    except ValidationError as problem:
        error = problem.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in error["loc"]) or "the whole"
        raise AccessError(
            f"{name}: {place}: {error['msg'].lower()}; put a copy back, or make the venue anew with "
            "`director-console broker init`"
        ) from None
