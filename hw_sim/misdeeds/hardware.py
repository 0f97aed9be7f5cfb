"""What hardware does that it should not, by name: injected below the drivers, seeded, at a time.

A scenario, the demo and the bench all say `commit(bench, name, ...)`. It must never reach into the
controller: a wire, a byte, a cable, a process signal is all it has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from firmware_bridge.readings import ResetCause
from firmware_bridge.rig import OutputKind, RigSpec
from hw_sim.hardware.faulty_wires import FaultyWires
from hw_sim.hardware.line import Line
from hw_sim.misdeeds.timeline import After
from hw_sim.refusals import Refusing, Why


class Cable(Protocol):
    """A device's side of a serial link. Only the microcontroller's way has one."""

    line: Line

    def unplug(self) -> None: ...

    def replug(self) -> None: ...

    def reset(self, cause: ResetCause, *, boot_ms: int = 0) -> None: ...

    def mute(self, on: bool) -> None: ...

    def drift(self, ppm: float) -> None: ...


class Host(Protocol):
    """What may be done to the controller's process from outside."""

    def stall(self, on: bool) -> None:
        """Stop it, or let it go on (SIGSTOP, SIGCONT)."""

    def second_opener(self) -> str:
        """Let another process open the same port or lines; the sentence it was refused with."""

    def step_wall(self, seconds: float) -> None:
        """Move its wall clock."""


@dataclass(slots=True, kw_only=True)
class HardwareBench:
    """What misdeeds may touch. `cable` and `host` are None where this way or this run has none."""

    spec: RigSpec
    wires: FaultyWires
    after: After
    cable: Cable | None = None
    host: Host | None = None
    notes: list[str] = field(default_factory=list)


Options = Mapping[str, str]
_Do = Callable[[HardwareBench, Random, Options], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class HardwareMisdeed:
    """`needs`: input, motor, cable or host. `options`: each with what it is by itself."""

    name: str
    what: str
    needs: str
    options: Mapping[str, str]
    do: _Do


class UnknownHardwareMisdeed(Refusing, ValueError):
    """No hardware misdeed has this name, option or value; the message says which there are."""


class NotHere(Refusing, ValueError):
    """This table or this way in has not what the misdeed needs."""


def commit(bench: HardwareBench, name: str, seed: int, **options: str) -> None:
    """Begin it now; what lasts goes on by `bench.after`. Raises `UnknownHardwareMisdeed` or `NotHere`."""
    misdeed = check(bench, name, options)
    misdeed.do(bench, Random(f"{seed}/{name}"), {**misdeed.options, **options})


def check(bench: HardwareBench, name: str, options: Options) -> HardwareMisdeed:
    """The misdeed, if it can be done here with these options. Raises as `commit`."""
    misdeed = misdeed_called(name)
    for key in options:
        must_have(misdeed, key)
    if not possible(bench, misdeed):
        raise NotHere(
            f"{name} needs {misdeed.needs}, which this table has not",
            Why.MISDEED_NEEDS,
            misdeed=name,
            needs=misdeed.needs,
        )
    if options.get("signal"):
        _signal(bench, Random(0), options)
    return misdeed


def misdeed_called(name: str) -> HardwareMisdeed:
    """Raises UnknownHardwareMisdeed."""
    misdeed = HARDWARE_MISDEEDS.get(name)
    if misdeed is None:
        raise UnknownHardwareMisdeed(
            f"no hardware misdeed is called {name!r}; choose one of {', '.join(HARDWARE_MISDEEDS)}",
            Why.NO_SUCH,
            thing="misdeed",
            name=name,
            known=list(HARDWARE_MISDEEDS),
        )
    return misdeed


def must_have(misdeed: HardwareMisdeed, option: str, beside: tuple[str, ...] = ()) -> None:
    """Raises UnknownHardwareMisdeed unless it is an option of the misdeed, or one of those `beside`."""
    known = [*misdeed.options, *beside]
    if option not in known:
        raise UnknownHardwareMisdeed(
            f"{misdeed.name} has no option {option!r}; it has {', '.join(known) or 'none'}",
            Why.NO_SUCH_OPTION,
            misdeed=misdeed.name,
            name=option,
            known=known,
        )


def possible(bench: HardwareBench, misdeed: HardwareMisdeed) -> bool:
    """Whether this bench has what the misdeed needs."""
    return {
        "input": bool(bench.spec.inputs),
        "motor": any(o.kind is OutputKind.MOTOR for o in bench.spec.outputs),
        "cable": bench.cable is not None,
        "host": bench.host is not None,
    }[misdeed.needs]


# -- inputs


def _signal(bench: HardwareBench, random: Random, options: Options) -> str:
    named = options["signal"]
    names = [wire.signal for wire in bench.spec.inputs]
    if named and named not in names:
        raise UnknownHardwareMisdeed(
            f"there is no input {named!r}; choose one of {', '.join(names)}",
            Why.NO_SUCH,
            thing="input",
            name=named,
            known=names,
        )
    return named or random.choice(names)


def _number(options: Options, key: str) -> float:
    try:
        return float(options[key])
    except ValueError:
        raise UnknownHardwareMisdeed(
            f"{key} is {options[key]!r}, expected a number",
            Why.OPTION_NOT_A_NUMBER,
            option=key,
            given=options[key],
        ) from None


def _bounce(bench: HardwareBench, random: Random, options: Options) -> None:
    bench.wires.bounce_next(_signal(bench, random, options), _number(options, "ms"))


def _glitch(bench: HardwareBench, random: Random, options: Options) -> None:
    bench.wires.spike(_signal(bench, random, options), _number(options, "ms"))


def _emi(bench: HardwareBench, random: Random, options: Options) -> None:
    names = [wire.signal for wire in bench.spec.inputs]
    for signal in random.sample(names, min(len(names), int(_number(options, "inputs")))):
        bench.wires.spike(signal, _number(options, "ms"))


def _double_trip(bench: HardwareBench, random: Random, options: Options) -> None:
    bench.wires.double_trip_next(_signal(bench, random, options), _number(options, "ms"))


def _float(bench: HardwareBench, random: Random, options: Options) -> None:
    signal = _signal(bench, random, options)
    bench.wires.chatter(signal, _number(options, "hz"), _number(options, "ms"), even=False)


def _storm(bench: HardwareBench, random: Random, options: Options) -> None:
    signal = _signal(bench, random, options)
    bench.wires.chatter(signal, _number(options, "hz"), _number(options, "ms"))


def _stuck(bench: HardwareBench, random: Random, options: Options) -> None:
    level = options["level"]
    if level not in ("active", "inactive"):
        raise UnknownHardwareMisdeed(
            f"level is {level!r}, expected active or inactive",
            Why.OPTION_NOT_ONE_OF,
            option="level",
            given=level,
            known=["active", "inactive"],
        )
    bench.wires.hold(_signal(bench, random, options), level == "active", _number(options, "ms") or None)


def _lost_edge(bench: HardwareBench, random: Random, options: Options) -> None:
    bench.wires.lose_next(_signal(bench, random, options))


# -- the motor and its limits


def _motor_signals(bench: HardwareBench) -> tuple[str | None, str | None, str | None]:
    motor = next(o for o in bench.spec.outputs if o.kind is OutputKind.MOTOR)
    return motor.limit_open, motor.limit_close, motor.obstructed


def _jam(bench: HardwareBench, random: Random, options: Options) -> None:
    for signal in _motor_signals(bench)[:2]:
        if signal is not None:
            bench.wires.hold(signal, False, _number(options, "ms"))


def _obstruct(bench: HardwareBench, random: Random, options: Options) -> None:
    signal = _motor_signals(bench)[2]
    if signal is None:
        raise NotHere(
            "obstruct needs an obstruction sensor, which this table has not",
            Why.MISDEED_NEEDS,
            misdeed="obstruct",
            needs="obstruction-sensor",
        )
    bench.wires.hold(signal, True, _number(options, "ms"))


def _both_limits(bench: HardwareBench, random: Random, options: Options) -> None:
    for signal in _motor_signals(bench)[:2]:
        if signal is not None:
            bench.wires.hold(signal, True, _number(options, "ms"))


def _moved_by_hand(bench: HardwareBench, random: Random, options: Options) -> None:
    opens, closes, _ = _motor_signals(bench)
    if opens is None or closes is None:
        raise NotHere(
            "moved-by-hand needs both limit switches, which this table has not",
            Why.MISDEED_NEEDS,
            misdeed="moved-by-hand",
            needs="limit-switches",
        )
    wires = bench.wires
    here, there = (opens, closes) if wires.truth.get(opens) else (closes, opens)
    handle = next((i.signal for i in bench.spec.inputs if i.signal.startswith("window.handle")), None)
    if handle is not None:
        wires.set_input(handle, True)
        bench.after(2 * _number(options, "ms"), lambda: wires.set_input(handle, False))
    wires.set_input(here, False)
    bench.after(_number(options, "ms"), lambda: wires.set_input(there, True))


# -- the cable and the device


def _cable(bench: HardwareBench) -> Cable:
    if bench.cable is None:
        raise NotHere("this needs a serial link, which this table has not", Why.NO_DEVICE_HERE)
    return bench.cable


def _reset(bench: HardwareBench, random: Random, options: Options) -> None:
    try:
        cause = ResetCause(options["cause"])
    except ValueError:
        causes = ", ".join(ResetCause)
        raise UnknownHardwareMisdeed(
            f"cause is {options['cause']!r}, choose one of {causes}",
            Why.OPTION_NOT_ONE_OF,
            option="cause",
            given=options["cause"],
            known=list(ResetCause),
        ) from None
    _cable(bench).reset(cause, boot_ms=int(_number(options, "boot_ms")))


def _unplug(bench: HardwareBench, random: Random, options: Options) -> None:
    cable = _cable(bench)
    cable.unplug()
    bench.after(_number(options, "ms"), cable.replug)


def _mute(bench: HardwareBench, random: Random, options: Options) -> None:
    cable = _cable(bench)
    cable.mute(True)
    bench.after(_number(options, "ms"), lambda: cable.mute(False))


def _drift(bench: HardwareBench, random: Random, options: Options) -> None:
    _cable(bench).drift(_number(options, "ppm"))


def _garbage(bench: HardwareBench, random: Random, options: Options) -> None:
    cable = _cable(bench)
    cable.line.garbage = b"AT+CGMI\r\nAT+GMM\r\n" + random.randbytes(int(_number(options, "bytes")))
    cable.unplug()
    cable.replug()


def _line(key: str, whole: bool = False) -> _Do:
    def do(bench: HardwareBench, random: Random, options: Options) -> None:
        line = _cable(bench).line
        value = _number(options, key)
        setattr(line, key, int(value) if whole else value)
        bench.after(_number(options, "ms"), lambda: setattr(line, key, 0 if whole else 0.0))

    return do


# -- the host


def _host(bench: HardwareBench) -> Host:
    if bench.host is None:
        raise NotHere("this needs a controller's process to work on", Why.CONTROLLER_DOWN_ALREADY)
    return bench.host


def _stall(bench: HardwareBench, random: Random, options: Options) -> None:
    host = _host(bench)
    host.stall(True)
    bench.after(_number(options, "ms"), lambda: host.stall(False))


def _second_opener(bench: HardwareBench, random: Random, options: Options) -> None:
    bench.notes.append(_host(bench).second_opener())


def _wall_step(bench: HardwareBench, random: Random, options: Options) -> None:
    _host(bench).step_wall(_number(options, "s"))


_INPUT = {"signal": ""}
_ALL: tuple[tuple[str, str, str, Options, _Do], ...] = (
    ("bounce", "the next change of an input chatters", "input", {**_INPUT, "ms": "20"}, _bounce),
    ("glitch", "a short spike on an input", "input", {**_INPUT, "ms": "5"}, _glitch),
    ("emi", "spikes on several inputs at once", "input", {"inputs": "6", "ms": "3"}, _emi),
    ("double-trip", "the next change comes twice", "input", {**_INPUT, "ms": "8"}, _double_trip),
    ("float", "an input follows the air", "input", {**_INPUT, "hz": "120", "ms": "6000"}, _float),
    ("stuck", "an input stays", "input", {**_INPUT, "level": "active", "ms": "0"}, _stuck),
    ("lost-edge", "the next change shows no edge", "input", _INPUT, _lost_edge),
    ("storm", "an input chatters on and on", "input", {**_INPUT, "hz": "200", "ms": "6000"}, _storm),
    ("jam", "the window reaches no limit", "motor", {"ms": "15000"}, _jam),
    ("obstruct", "something is in the window's way", "motor", {"ms": "3000"}, _obstruct),
    ("both-limits", "both limits are active", "motor", {"ms": "5000"}, _both_limits),
    ("moved-by-hand", "somebody moves the window", "motor", {"ms": "600"}, _moved_by_hand),
    ("reset", "the device starts anew", "cable", {"cause": "watchdog", "boot_ms": "200"}, _reset),
    ("unplug", "the cable is pulled and put back", "cable", {"ms": "1500"}, _unplug),
    ("noise", "bytes are altered, both ways", "cable", {"noise": "0.01", "ms": "10000"}, _line("noise")),
    ("lose", "bytes are lost, both ways", "cable", {"lose": "0.01", "ms": "10000"}, _line("lose")),
    (
        "drop",
        "every nth frame is lost",
        "cable",
        {"drop_every": "5", "ms": "10000"},
        _line("drop_every", True),
    ),
    ("duplicate", "frames come twice", "cable", {"duplicate": "0.3", "ms": "10000"}, _line("duplicate")),
    ("split", "bytes come in small portions", "cable", {"split": "3", "ms": "10000"}, _line("split", True)),
    ("garbage", "noise before the greeting", "cable", {"bytes": "400"}, _garbage),
    ("mute", "the device says nothing", "cable", {"ms": "3000"}, _mute),
    ("host-stall", "the controller stands still", "host", {"ms": "20000"}, _stall),
    ("second-opener", "another process wants the port", "host", {}, _second_opener),
    ("clock-drift", "the device's clock runs wrong", "cable", {"ppm": "5000"}, _drift),
    ("wall-step", "the wall clock jumps", "host", {"s": "1209600"}, _wall_step),
)
HARDWARE_MISDEEDS: dict[str, HardwareMisdeed] = {
    name: HardwareMisdeed(name=name, what=what, needs=needs, options=options, do=do)
    for name, what, needs, options, do in _ALL
}
