"""Bad input on the command line: one sentence on standard error, exit code 2.

Which exceptions are a person's to mend is listed here once; anything else is an Error of ours and shows its
traceback. Must never print a secret.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import BinaryIO, NoReturn

import typer

from firmware_bridge.errors import RigError
from table_controller.config.load import ConfigError
from table_controller.journal import JournalInUse
from table_controller.messages.mac import KeysUnusable
from table_controller.mqtt_client import BrokerAddressWrong
from table_controller.plain.given_paths import PathUnusable
from table_controller.plain.shortened import shortened
from table_controller.regulations.errors import RegulationsError
from table_controller.service.resume import JournalUnreadable

BAD_INPUT = 2


class Unusable(ValueError):
    """Anything else a person gave that cannot be used. One sentence."""


MENDABLE = (
    ConfigError,
    RigError,
    JournalInUse,
    JournalUnreadable,
    KeysUnusable,
    BrokerAddressWrong,
    RegulationsError,
    PathUnusable,
    Unusable,
)


@contextlib.contextmanager
def one_sentence() -> Iterator[None]:
    """What is a person's to mend ends the program here, in one sentence."""
    try:
        yield
    except MENDABLE as problem:
        refuse(str(problem))


def standard_input() -> BinaryIO:
    """What is read for `-`. Raises Unusable where it is closed: Python then has none."""
    if sys.stdin is None:
        raise Unusable("-: standard input is closed; give it something to read")
    return sys.stdin.buffer


def refuse(sentence: str) -> NoReturn:
    """Say what is wrong and end with the code for bad input."""
    print(f"table-controller: {shortened(sentence)}", file=sys.stderr)
    raise typer.Exit(BAD_INPUT)
