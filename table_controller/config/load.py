"""A table's configuration: one TOML file, read strictly, refused in one sentence that names the place.

The file is the truth about the wires: the device boots unconfigured and is told all of it. Must never open a
port or a socket.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ValidationError

from firmware_bridge.errors import RigConfigError
from firmware_bridge.rig import (
    InputSpec,
    OutputKind,
    OutputSpec,
    Pull,
    RigSpec,
    TokenSpec,
)
from table_controller.config import model as sections
from table_controller.config.checks import WINDOW_OUTPUTS, ConfigError, check_config, is_path
from table_controller.config.model import SerialRig, TableConfig
from table_controller.plain.toml_text import NotToml, read_toml
from table_controller.sensing import Waits
from table_controller.service.window_drive import DriveSpec, WindowKind

__all__ = [
    "ConfigError",
    "TableConfig",
    "drive_spec",
    "load_config",
    "parse_config",
    "rig_spec",
    "senses",
    "waits",
]


NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000
ORDER_MARGIN_MS = 5
"""Beyond the longest debounce: the way from the device to the queue."""


def load_config(path: Path) -> TableConfig:
    """Read and check a table's file. Raises ConfigError, one sentence, naming the file and the place."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else "it is not UTF-8 text"
        raise ConfigError(
            f"{path}: cannot be read ({reason}); give the path of a table's TOML file"
        ) from None
    return parse_config(text, path)


def parse_config(text: str, path: Path) -> TableConfig:
    """As `load_config`, for text already read; `path` is for messages and relative paths."""
    try:
        raw = read_toml(text)
    except NotToml as problem:
        raise ConfigError(f"{path}: this is not TOML ({problem}); correct the line") from None
    _no_nul(raw, path)
    try:
        config = TableConfig.model_validate(raw)
    except ValidationError as problem:
        raise ConfigError(f"{path}: {_first(problem)}") from None
    check_config(config, path)
    try:
        rig_spec(config)
    except RigConfigError as problem:
        raise ConfigError(f"{path}: {problem}") from None
    try:
        return _absolute(config, path.resolve().parent)
    except RuntimeError as problem:  # ~somebody, who has no home here
        raise ConfigError(
            f"{path}: {str(problem).rstrip('.')}; write a path that begins with ~ out"
        ) from None


def _no_nul(value: object, path: Path, place: str = "") -> None:
    """Raises ConfigError where a text holds a NUL: no path, name or address may."""
    match value:
        case str() if "\0" in value:
            raise ConfigError(f"{path}: {place}: has a NUL character in it, {value!r}; correct it")
        case dict():
            for name, item in value.items():
                _no_nul(item, path, f"{place}.{name}".lstrip("."))
        case list():
            for number, item in enumerate(value):
                _no_nul(item, path, f"{place}.{number}")
        case _:
            pass


def rig_spec(config: TableConfig) -> RigSpec:
    """The wires, as the rig wants them."""
    return RigSpec(
        inputs=tuple(
            InputSpec(
                signal=name,
                pin=i.pin,
                chain=i.chain,
                pull=Pull(i.pull),
                active_low=i.active_low,
                debounce_ms=i.debounce_ms,
                release_ms=i.debounce_ms if i.release_ms is None else i.release_ms,
            )
            for name, i in config.inputs.items()
        ),
        tokens=tuple(TokenSpec(signal=name, reader=t.reader) for name, t in config.tokens.items()),
        outputs=tuple(
            OutputSpec(
                name=name,
                kind=OutputKind(o.kind),
                pin=o.pin,
                safe_level=o.safe == "high",
                max_on_ms=o.max_on_ms,
                close_pin=o.close_pin,
                limit_open=o.limit_open,
                limit_close=o.limit_close,
                obstructed=o.obstructed,
                overcurrent=o.overcurrent,
                hardware_deadman=o.hardware_deadman,
            )
            for name, o in config.outputs.items()
        ),
    )


def drive_spec(config: TableConfig) -> DriveSpec:
    """How this table's window is moved."""
    for name in WINDOW_OUTPUTS:
        if name in config.outputs:
            output = config.outputs[name]
            return DriveSpec(
                kind=WindowKind(output.kind),
                output=name,
                close_lamp="window.lamp.close" if "window.lamp.close" in config.outputs else None,
                open_limit=round(output.open_limit_s * NS_PER_S),
                close_limit=round(output.close_limit_s * NS_PER_S),
                lease_ms=output.lease_ms,
            )
    return DriveSpec(kind=WindowKind.NONE)


def waits(config: TableConfig) -> Waits:
    """The waits of this table's sensing."""
    t = config.timings
    slowest = max((max(i.debounce_ms, i.release_ms or 0) for i in config.inputs.values()), default=0)
    return Waits(
        settle=t.settle_ms * NS_PER_MS,
        lead_settle=t.lead_settle_ms * NS_PER_MS,
        tag_settle=t.tag_settle_ms * NS_PER_MS,
        conflict=t.conflict_ms * NS_PER_MS,
        clearing=round(t.clearing_s * NS_PER_S),
        stuck_button=round(t.stuck_button_s * NS_PER_S),
        order=(slowest + ORDER_MARGIN_MS) * NS_PER_MS,
    )


def senses(config: TableConfig) -> frozenset[str]:
    """What this table can sense and move, by the core's names."""
    outputs = {name for name in WINDOW_OUTPUTS if name in config.outputs}
    if any(name.startswith("hold.") for name in config.outputs):
        outputs.add("hold")
    return frozenset({*config.table.senses, *outputs})


def _first(problem: ValidationError) -> str:
    error = problem.errors()[0]
    place = ".".join(str(part) for part in error["loc"] if part not in ("serial", "gpio"))
    given = error.get("input")
    match error["type"]:
        case "extra_forbidden":
            return f"{place}: unknown key; remove it or correct its spelling"
        case "missing":
            return f"{place}: missing; add this key"
        case "union_tag_invalid" | "union_tag_not_found":
            return f"{place}.kind: expected serial or gpio; say which rig this table has"
        case "value_error":
            return f"{place}: {error['msg'].removeprefix('Value error, ')}"
        case "string_pattern_mismatch":
            return f"{place}: expected 1 to 40 letters, digits, _ or -, not {given!r}; correct it"
        case "tuple_type":
            return f'{place}: expected a list of names, such as ["one", "two"], not {given!r}; correct it'
        case "model_type":
            keys = _keys(str(error["ctx"]["class_name"]))
            return f"{place}: expected a table with its keys ({keys}), not {given!r}; correct it"
        case "model_attributes_type" | "dict_type":
            return f"{place}: expected a table with its keys, not {given!r}; correct it"
        case _:
            return f"{place}: {error['msg'][0].lower()}{error['msg'][1:]}, not {given!r}; correct it"


def _keys(section: str) -> str:
    """The keys of a section, by the name of its model."""
    model: type[BaseModel] = getattr(sections, section)
    return ", ".join(model.model_fields)


def _absolute(config: TableConfig, base: Path) -> TableConfig:
    def at(name: str | None) -> str | None:
        return None if name is None else str(base / Path(name).expanduser())

    changes: dict[str, object] = {"data_dir": at(config.data_dir)}
    if config.broker is not None:
        b = config.broker
        changes["broker"] = b.model_copy(
            update={"ca": at(b.ca), "cert": at(b.cert), "key": at(b.key), "mac_keys": at(b.mac_keys)}
        )
    regulations = config.regulations
    identity = regulations.id if not is_path(regulations.id) else at(regulations.id)
    changes["regulations"] = regulations.model_copy(
        update={"id": identity, "supplements": tuple(at(s) for s in regulations.supplements)}
    )
    rig = config.rig
    if isinstance(rig, SerialRig):
        changes["rig"] = rig.model_copy(update={"port": at(rig.port)})
    elif rig.socket is not None:
        changes["rig"] = rig.model_copy(update={"socket": at(rig.socket)})
    return config.model_copy(update=changes)
