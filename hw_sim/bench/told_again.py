"""What the controller's own commands say: its phase diagram, and an evening told again under another profile.

Each is a process that reads and ends. Must never read a journal by another way.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from hw_sim.bench.contract import Diagram, Difference, Move, OtherMoment, Retold
from hw_sim.processes.supervise import program
from hw_sim.refusals import Refusing, Why

WITHIN_S = 60.0
_MOVE = re.compile(r"(\S+) --> (\S+?)(?:: (\w+))?")
_OUTER = re.compile(r"state (\w+) \{")
_INNER = re.compile(r'state "(\w+)" as (\w+)')


class Refused(Refusing, ValueError):
    """The command refused; its own sentence."""


def _run(*arguments: str) -> str:
    command = [*program("table-controller"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=WITHIN_S, check=False)
    if done.returncode != 0:
        words = " ".join((done.stderr or done.stdout).split())
        raise Refused(words or "the controller's command said nothing", Why.RETELLING_FAILED)
    return done.stdout


@lru_cache(maxsize=16)
def diagram(regulations: str) -> Diagram:
    """The phase machine under a profile. Raises Refused."""
    text = _run("diagram", "--regulations", regulations)
    inner: dict[str, list[str]] = {}
    full: dict[str, str] = {}
    outer = ""
    moves: list[tuple[str, str, str]] = []
    for line in (raw.strip() for raw in text.splitlines()):
        if found := _OUTER.fullmatch(line):
            outer = found[1]
            inner[outer] = []
        elif found := _INNER.fullmatch(line):
            full[found[2]] = f"{outer}.{found[1]}"
            inner[outer].append(full[found[2]])
        elif (found := _MOVE.fullmatch(line)) and found[1] != "[*]":
            moves.append((found[1], found[2], found[3] or ""))

    def leaves(name: str) -> list[str]:
        return inner.get(name) or [full.get(name, name)]

    told = [
        Move(trigger=trigger, source=one, dest=leaves(dest)[0])
        for source, dest, trigger in moves
        for one in leaves(source)
    ]
    phases: dict[str, None] = {}
    for source, dest, _ in moves:
        for name in (source, dest):
            phases.update(dict.fromkeys(leaves(name)))
    return Diagram(regulations=regulations, phases=list(phases), moves=told)


def retold(journal: Path, regulations: str, items: Mapping[int, int]) -> Retold:
    """The same evening under another profile; `items`: the inside item of each row. Raises Refused."""
    value: dict[str, Any] = json.loads(
        _run("replay", str(journal), "--regulations", regulations, "--json").splitlines()[-1]
    )
    return Retold(
        regulations=str(value["regulations"]),
        same=bool(value["same"]),
        events=int(value["events"]),
        entries=list(value["entries"]),
        differences=list(_differences(value["differences"], items)),
        other_moments=[
            OtherMoment(order=one["order"], live=one["live"], retold=one["replayed"])
            for one in value["other_moments"]
        ],
    )


def _differences(found: list[dict[str, Any]], items: Mapping[int, int]) -> Iterator[Difference]:
    for one in found:
        seq = int(one["row"])
        yield Difference(seq=seq, item=items.get(seq), live=one["live"], retold=one["replayed"])
