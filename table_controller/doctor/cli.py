"""`table-controller doctor`: looks a table over and says plainly what to do.

The service must not be running on the same wires; if it is, that is the finding. Must never switch an output
without a yes.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from pathlib import Path

from rich.console import Console
from rich.live import Live

from firmware_bridge.errors import RigError
from firmware_bridge.rig import RigSpec
from table_controller.cli_errors import one_sentence
from table_controller.config.load import TableConfig, load_config, rig_spec
from table_controller.config.model import GpioRig, SerialRig
from table_controller.doctor.broker import look_at_broker
from table_controller.doctor.findings import Finding, Verdict, fine, unknown, worst, wrong
from table_controller.doctor.machine import (
    Places,
    look_at_chip,
    look_at_clock,
    look_at_disk,
    look_at_watchdog,
)
from table_controller.doctor.ports import look_at_port
from table_controller.doctor.show import findings_table, live
from table_controller.doctor.wires import Look
from table_controller.plain.console import plain_console
from table_controller.service.assembly import JOURNAL
from table_controller.service.rigs import make_rig

FRAME_S = 0.1


def run_doctor(config: Path, seconds: float, *, try_outputs: bool, as_json: bool) -> int:
    """Look a table over and print what was found; the exit code."""
    with one_sentence():
        table = load_config(config)
    console = plain_console(stderr=as_json)
    findings = [fine("configuration", f"{config} is valid"), *_machine(table)]
    findings += _wires(table, console, seconds, try_outputs=try_outputs, quiet=as_json)
    findings += look_at_broker(table.broker, table.table.id)
    if as_json:
        print(json.dumps({"findings": [finding.value() for finding in findings]}, ensure_ascii=False))
    else:
        console.print(findings_table(findings))
    return 1 if worst(findings) is Verdict.WRONG else 0


def _machine(table: TableConfig) -> list[Finding]:
    places = Places()
    data = Path(table.data_dir)
    found = [
        *look_at_disk(data, data / JOURNAL),
        *look_at_clock(time.time_ns(), places),
        *look_at_watchdog(places, dict(os.environ)),
    ]
    match table.rig:
        case SerialRig():
            found.append(look_at_port(table.rig))
        case GpioRig(factory="lgpio"):
            found += look_at_chip(table.rig.chip, places)
        case GpioRig():
            found.append(
                unknown("gpio chip", "the pins are simulated: there is no chip, and no strict_gpiod")
            )
    return found


def _wires(
    table: TableConfig, console: Console, seconds: float, *, try_outputs: bool, quiet: bool
) -> list[Finding]:
    spec = rig_spec(table)
    try:
        with Look(make_rig(table.rig, spec)(), spec) as look:
            found = look.greet()
            if look.seen.device is None:
                return found
            if seconds > 0:
                _watch(look, console, seconds, quiet=quiet)
                found += look.inputs()
            if try_outputs:
                found += [_try(look, name, console) for name in _chosen(spec, console)]
            return found
    except RigError as problem:
        return [wrong("wires", str(problem), "stop what uses them (systemctl stop table-controller@...)")]


def _watch(look: Look, console: Console, seconds: float, *, quiet: bool) -> None:
    end = time.monotonic() + seconds
    if quiet or not console.is_terminal:
        look.watch(seconds)
        return
    with contextlib.suppress(KeyboardInterrupt), Live(console=console, auto_refresh=False) as screen:
        while (left := end - time.monotonic()) > 0:
            look.watch(min(FRAME_S, left))
            screen.update(live(look.seen, left), refresh=True)


def _chosen(spec: RigSpec, console: Console) -> list[str]:
    return [
        output.name
        for output in spec.outputs
        if _ask(console, f"Switch {output.name} ({output.kind}) on for a moment? Keep hands away.")
    ]


def _try(look: Look, name: str, console: Console) -> Finding:
    return look.try_output(name, lambda: _ask(console, f"Did {name} do what it should?"))


def _ask(console: Console, question: str) -> bool:
    """Only a yes is one; where nobody can answer (EOFError, or RuntimeError for a closed input) it is no."""
    try:
        answer = console.input(f"{question} [y/N] ", markup=False, emoji=False)
    except (EOFError, RuntimeError):
        return False
    return answer.strip().lower() in ("y", "yes", "是")
