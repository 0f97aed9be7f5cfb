"""What a table can see, which checks that leaves on and off, and why: `table-controller check`.

Opens no port and no journal. Must never guess at hardware: it reads the configuration and the regulations,
and `doctor` looks at the wires.
"""

from __future__ import annotations

from dataclasses import dataclass

from table_controller.config.load import TableConfig, drive_spec, senses
from table_controller.config.model import GpioRig
from table_controller.regulations.model import Regulations
from table_controller.screen.entry import Kind
from table_controller.screen.senses import NEEDS, Sense, checks_off
from table_controller.service.window_drive import WindowKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The whole answer. `off`: checks and stand-ins with why; `on`: kinds that are watched for."""

    table: str
    regulations: str
    rig: str
    window: str
    senses: tuple[str, ...]
    lacks: tuple[str, ...]
    on: tuple[str, ...]
    off: tuple[tuple[str, str], ...]
    reports_to: str

    def value(self) -> dict[str, object]:
        """For `--json`."""
        return {
            "table": self.table,
            "regulations": self.regulations,
            "rig": self.rig,
            "window": self.window,
            "senses": list(self.senses),
            "lacks": list(self.lacks),
            "on": list(self.on),
            "off": [{"check": check, "why": why} for check, why in self.off],
            "reports_to": self.reports_to,
        }


def check_table(config: TableConfig, regulations: Regulations) -> Checked:
    """Look at a table's configuration under its regulations."""
    has = senses(config)
    off = checks_off(regulations, has)
    names_off = {check for check, _ in off}
    return Checked(
        table=f"{config.table.venue}/{config.table.event}/{config.table.id}",
        regulations=f"{regulations.id} ({' < '.join(regulations.layers)})",
        rig=_rig(config),
        window=_WINDOW[drive_spec(config).kind],
        senses=tuple(sense for sense in Sense if sense in has),
        lacks=tuple(sense for sense in Sense if sense not in has and not sense.is_output),
        on=tuple(kind.value for kind in Kind if kind in NEEDS and kind not in names_off),
        off=off,
        reports_to="nobody: no broker is configured"
        if config.broker is None
        else _without_password(config.broker.url),
    )


_WINDOW = {
    WindowKind.MOTOR: "moved by a motor",
    WindowKind.LATCH: "held by a latch",
    WindowKind.LAMP: "worked by hand, a lamp says when",
    WindowKind.NONE: "worked by hand",
}


def _rig(config: TableConfig) -> str:
    rig = config.rig
    if isinstance(rig, GpioRig):
        return f"GPIO of this computer ({rig.factory}, {rig.socket or rig.chip})"
    return f"microcontroller at {rig.port or 'USB serial number ' + str(rig.device_uid)}"


def _without_password(url: str) -> str:
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"
