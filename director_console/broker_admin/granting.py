"""A table shows its code and is let in: once, in time, and only the table the code is for.

Must never give a table's keys to anybody who does not show its code.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey

from director_console.broker_admin.authority import RequestWrong, Use, requested_key
from director_console.broker_admin.deeds import CLIENT_DAYS
from director_console.broker_admin.layout import AccessError
from director_console.broker_admin.register import REPEAT, Code, Register, digest
from director_console.broker_admin.venue import Opened, in_address
from table_controller.enrolment.protocol import Granted, Redeem
from table_controller.messages.mac import load_keys


class NotGranted(ValueError):
    """An enrolment that is refused. One sentence for the person at the table; `status` for the program."""

    def __init__(self, sentence: str, status: int = 403) -> None:
        super().__init__(sentence)
        self.status = status


def redeem(root: Path, question: Redeem, now: datetime) -> Granted:
    """Answer a table that shows its code. Raises NotGranted, AccessError."""
    try:
        key = requested_key(question.request)
    except RequestWrong as problem:
        raise NotGranted(str(problem), 422) from None
    holder_of = digest(
        key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    )
    with Opened(root, now) as venue:
        register = venue.register
        found = register.of_code(bytes.fromhex(question.secret))
        if found is None:
            raise NotGranted("this code is not known here, or another has been made since; ask for a new one")
        name, code = found
        _check_code(code, name, holder_of, now)
        _check_self(question, register, name)
        return _grant(venue, name, code, key, holder_of, now)


def _check_self(question: Redeem, register: Register, name: str) -> None:
    """Whether the table takes itself for the one the code is for; if not, every line that says otherwise."""
    lines = (
        ("id", question.table, name),
        ("venue", question.venue, register.venue),
        ("event", question.event, register.event),
    )
    wrong = [(key, theirs, ours) for key, theirs, ours in lines if theirs not in (None, ours)]
    if wrong:
        mend = " and ".join(
            f'{key} = "{theirs}", change it to {key} = "{ours}"' for key, theirs, ours in wrong
        )
        raise NotGranted(
            f"this code is for table {name} of {register.venue}/{register.event}, and [table] in the table's "
            f"file says {mend} (or take this table's own code); the code is still good",
            409,
        )


def _check_code(code: Code, name: str, key: str, now: datetime) -> None:
    if code.used is None:
        if now >= code.expires:
            raise NotGranted(
                f"this code expired on {code.expires:%Y-%m-%d %H:%M} UTC; `director-console broker renew` or "
                "`add` makes a new one"
            )
    elif code.key != key or now - code.used > REPEAT:
        raise NotGranted(
            f"this code was used on {code.used:%Y-%m-%d %H:%M} UTC; if that was not table {name} itself, "
            f"`director-console broker revoke` it at once"
        )


def _grant(
    venue: Opened, name: str, code: Code, key: EllipticCurvePublicKey, holder_of: str, now: datetime
) -> Granted:
    register = venue.register
    keys = load_keys(venue.layout.keys)
    table_key = keys.of(name)
    if table_key is None:
        raise AccessError(
            f"{venue.layout.keys}: no key for table {name}; `director-console broker add` it again"
        )
    issued = venue.authority.issue(name, key, Use.CLIENT, now + timedelta(days=CLIENT_DAYS))
    before = register.holder(name)
    if before.serial is not None:
        register = register.without(before.serial, name, now, "renewed")
    used = code.model_copy(update={"used": code.used or now, "key": holder_of})
    holder = before.model_copy(
        update={"serial": issued.serial, "until": issued.until, "code": used, "revoked": None}
    )
    venue.register = register.with_holder(name, holder)
    return Granted(
        venue=register.venue,
        event=register.event,
        table=name,
        broker=f"mqtts://{in_address(register.hosts[0])}:{register.broker_port}",
        authority=venue.authority.pem,
        certificate=issued.pem,
        table_key=table_key.hex(),
        venue_key=keys.venue.hex(),
    )
