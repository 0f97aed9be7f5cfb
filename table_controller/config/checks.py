"""What one key cannot tell: checks over a whole configuration, each refusing in one sentence.

A sense must have its signals, a signal its sense, an output a place at a table. Must never mend anything: a
table that guesses what its owner meant would move the wrong wire.
"""

from __future__ import annotations

from collections.abc import Iterator

from table_controller.config.model import GpioRig, OutputSection, TableConfig
from table_controller.regulations.load import available
from table_controller.sensing.signals import LEVELS, NEEDS, TOKENS, WITHOUT_SENSE, sense_of

WINDOW_OUTPUTS = ("window.motor", "window.latch", "window.lamp")
LAST_HEADER_PIN = 27
MOTOR_KEYS = frozenset(
    {"close_pin", "limit_open", "limit_close", "obstructed", "overcurrent", "hardware_deadman", "lease_ms"}
    | {"open_limit_s", "close_limit_s"}
)
SEE = "docs/generated/wiring-full.md has the list of signals"
LAST_PIN = 127
"""A simulated table has more lines than a header, so that every sense can be tried through direct GPIO."""
OUTPUT_NAMES = (
    *WINDOW_OUTPUTS,
    "window.lamp.close",
    *(f"hold.{side}" for side in ("ne", "sw")),
    *(f"summons.{seat}" for seat in "nesw"),
)


class ConfigError(ValueError):
    """A configuration that cannot be used; the message is one sentence with file, place and what to do."""


def check_config(config: TableConfig, path: object) -> None:
    """Raise ConfigError for the first thing that cannot be right; `path` is for the message."""
    for check in (_check_regulations, _check_names, _check_wires, _check_senses, _check_outputs, _check_rig):
        try:
            check(config)
        except ConfigError as problem:
            raise ConfigError(f"{path}: {problem}") from None


def _check_regulations(config: TableConfig) -> None:
    identity, known = config.regulations.id, available()
    if identity not in known and not is_path(identity):
        raise ConfigError(
            f"regulations.id: there is no profile {identity!r}; write one of {', '.join(known)}, or the path "
            "of a .toml file"
        )


def is_path(identity: str) -> bool:
    """Whether regulations are named by a file, not by an id."""
    return "/" in identity or identity.endswith(".toml")


def _check_names(config: TableConfig) -> None:
    for name in config.inputs:
        if name not in LEVELS:
            hint = "move it to [tokens]" if name in TOKENS else SEE
            raise ConfigError(f"inputs.{name!r}: no such input signal; {hint}")
    for name in config.tokens:
        if name not in TOKENS:
            hint = "move it to [inputs]" if name in LEVELS else SEE
            raise ConfigError(f"tokens.{name!r}: no such token signal; {hint}")
    for name in config.outputs:
        if name not in OUTPUT_NAMES:
            raise ConfigError(f"outputs.{name!r}: no such output; name one of {', '.join(OUTPUT_NAMES)}")


def _check_senses(config: TableConfig) -> None:
    declared = config.table.senses
    for sense in declared:
        if sense not in NEEDS:
            raise ConfigError(f"table.senses: {sense!r} is no sense; name some of {', '.join(NEEDS)}")
        if declared.count(sense) > 1:
            raise ConfigError(f"table.senses: {sense!r} is named twice; name it once")
        _check_sense(config, sense)
    for signal in (*config.inputs, *config.tokens):
        owner = sense_of(signal)
        if signal not in WITHOUT_SENSE and owner not in declared:
            raise ConfigError(
                f"{_section(signal)}.{signal!r} belongs to the sense {owner!r}, which table.senses does not "
                f"name; add it there or remove the wire"
            )


def _check_sense(config: TableConfig, sense: str) -> None:
    needs = NEEDS[sense]
    wired = {*config.inputs, *config.tokens}
    for other in needs.senses:
        if other not in config.table.senses:
            raise ConfigError(
                f"table.senses: {sense!r} needs the sense {other!r}; add it or remove {sense!r}"
            )
    for signal in needs.signals:
        if signal not in wired:
            raise ConfigError(
                f"table.senses: {sense!r} needs the signal {signal!r}; wire it in [{_section(signal)}] or "
                f"remove the sense"
            )
    if needs.some and not wired.intersection(needs.some):
        choice = ", ".join(needs.some)
        raise ConfigError(f"table.senses: {sense!r} needs one of {choice}; wire one or remove the sense")


def _section(signal: str) -> str:
    return "tokens" if signal in TOKENS else "inputs"


def _check_wires(config: TableConfig) -> None:
    header = isinstance(config.rig, GpioRig)
    last = LAST_HEADER_PIN if isinstance(config.rig, GpioRig) and config.rig.factory == "lgpio" else LAST_PIN
    taken: dict[tuple[bool, int], str] = {}
    for place, chain, pin in _wires(config):
        if (chain, pin) in taken:
            what = f"position {pin} of the chain" if chain else f"pin {pin}"
            raise ConfigError(f"{place}: {what} is already used by {taken[chain, pin]}; give each its own")
        taken[chain, pin] = place
        if header and (chain or pin > last):
            raise ConfigError(f"{place}: the Raspberry Pi's header has GPIO 0 to {last}; choose one")
    readers: dict[int, str] = {}
    for name, token in config.tokens.items():
        if token.reader in readers:
            other = readers[token.reader]
            raise ConfigError(
                f"tokens.{name!r}.reader: reader {token.reader} already reads {other!r}; give each its own"
            )
        readers[token.reader] = name


def _wires(config: TableConfig) -> Iterator[tuple[str, bool, int]]:
    for name, wire in config.inputs.items():
        yield f"inputs.{name!r}.pin", wire.chain, wire.pin
    for name, output in config.outputs.items():
        yield f"outputs.{name!r}.pin", False, output.pin
        if output.close_pin is not None:
            yield f"outputs.{name!r}.close_pin", False, output.close_pin


def _check_outputs(config: TableConfig) -> None:
    windows = [name for name in WINDOW_OUTPUTS if name in config.outputs]
    if len(windows) > 1:
        raise ConfigError(f"outputs.{windows[1]!r}: the window already has {windows[0]!r}; keep one of them")
    for name, output in config.outputs.items():
        wanted = {"window.motor": ("motor",), "window.latch": ("latch",)}.get(
            name, ("lamp", "latch") if name.startswith("hold.") else ("lamp",)
        )
        if output.kind not in wanted:
            raise ConfigError(
                f"outputs.{name!r}.kind is {output.kind}, expected {' or '.join(wanted)}; correct it or "
                f"rename the output"
            )
        if output.kind == "motor":
            _check_motor(config, output, f"outputs.{name!r}")
        elif given := sorted(MOTOR_KEYS & output.model_fields_set):
            raise ConfigError(
                f"outputs.{name!r}.{given[0]} is for a motor, this is a {output.kind}; remove it"
            )
    if "window.lamp.close" in config.outputs and "window.lamp" not in config.outputs:
        raise ConfigError(
            "outputs.'window.lamp.close' needs 'window.lamp' beside it; add it or remove this one"
        )


def _check_motor(config: TableConfig, output: OutputSection, place: str) -> None:
    if "window" not in config.table.senses:
        raise ConfigError(
            f"{place} needs the sense 'window', since a motor without limit switches is lost; wire them"
        )
    for key, given, wanted in (
        ("limit_open", output.limit_open, "window.open"),
        ("limit_close", output.limit_close, "window.closed"),
    ):
        if given != wanted:
            raise ConfigError(
                f"{place}.{key} must be {wanted!r}, so that the device itself stops the motor there; set it"
            )
    if config.rig.kind == "gpio" and not output.hardware_deadman:
        raise ConfigError(
            f"{place}.hardware_deadman: a motor on direct GPIO runs on when this program dies; fit a circuit "
            f"that stops it and say true, or use a microcontroller"
        )


def _check_rig(config: TableConfig) -> None:
    rig = config.rig
    if not isinstance(rig, GpioRig):
        return
    if rig.factory == "hw-sim" and not config.table.simulated:
        raise ConfigError(
            "rig.factory: hw-sim is for simulated tables; say table.simulated = true, or factory lgpio"
        )
    if (rig.factory == "hw-sim") != (rig.socket is not None):
        raise ConfigError("rig.socket: given exactly with the factory hw-sim; add or remove it")
    if config.tokens and rig.factory == "lgpio":
        name = next(iter(config.tokens))
        raise ConfigError(
            f"tokens.{name!r}: readers of texts need the microcontroller; remove it or use the serial rig"
        )
