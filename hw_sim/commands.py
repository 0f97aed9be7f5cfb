"""The commands of `hw-sim`: records through simulated tables, the demonstration, and what other rooms add.

Bad input is one clear sentence and exit code 2. Must never hold work of its own.
"""

from __future__ import annotations

import importlib
import importlib.util

import typer

from hw_sim.demo.cli import demo
from hw_sim.records.cli import records
from hw_sim.records.pbn_cli import pbn

app = typer.Typer(
    name="hw-sim",
    help="Simulated bridge tables with screens: the other end of the controller's wires.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)
app.command("records")(records)
app.command("demo")(demo)
app.command("pbn")(pbn)

_OTHERS = {"scenario": "hw_sim.scenario.cli", "bench": "hw_sim.bench.cli"}
"""Commands whose rooms come with later parts of the simulator; each has a function of the command's name."""


def _mount(name: str, module: str) -> None:
    room = module.rpartition(".")[0]
    if importlib.util.find_spec(room) is not None and importlib.util.find_spec(module) is not None:
        app.command(name)(getattr(importlib.import_module(module), name))


for _name, _module in _OTHERS.items():
    _mount(_name, _module)
