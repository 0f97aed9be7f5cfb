"""The lines of one table, claimed through gpiozero: inputs that stamp their edges, outputs that begin safe.

A callback here only takes the time and puts a value away; an exception in it is counted and goes no further,
for it would silence every line. The time is the kernel's own stamp of the edge where the factory has one,
since on a busy machine the callback is late. Strong references to the devices are kept: a collected one goes
silent.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic_ns
from typing import Any

from gpiozero import DigitalInputDevice, DigitalOutputDevice

from firmware_bridge.errors import BackendError, PortInUseError, RigError
from firmware_bridge.gpio_backend import Backend, is_busy
from firmware_bridge.rig import InputSpec, Pull, RigSpec

OLDEST_STAMP_S = 600.0
STEADY_NS = 200_000
OnEdge = Callable[[int, bool, int], None]
OnText = Callable[[int, str, int], None]


class GpioLines:
    """`on_edge(index, active, at)` and `on_text(reader, text, at)` are called in the back end's thread."""

    def __init__(self, spec: RigSpec, on_edge: OnEdge, on_text: OnText) -> None:
        self._spec = spec
        self._on_edge = on_edge
        self._on_text = on_text
        self._backend: Backend | None = None
        self._devices: list[Any] = []
        self._inputs: list[tuple[Any, bool]] = []
        self._outputs: dict[int, tuple[Any, int]] = {}
        self.callback_errors = 0

    @property
    def backend(self) -> Backend | None:
        """What the lines were claimed from; None when they are not."""
        return self._backend

    def claim(self, backend: Backend) -> None:
        """Claim every line, or none. Raises `PortInUseError` or `BackendError`."""
        self._backend = backend
        try:
            for output in self._spec.outputs:
                for pin in (output.pin, output.close_pin):
                    if pin is not None:
                        self._claim_output(backend, pin, output.safe_level)
            for index, wire in enumerate(self._spec.inputs):
                self._claim_input(backend, index, wire)
            backend.watch_tokens(self._text)
        except Exception as error:
            self.release()
            if isinstance(error, RigError):
                raise
            if is_busy(error):
                raise PortInUseError(
                    "the GPIO lines are already in use by another process; stop that one first"
                ) from error
            raise BackendError(f"a GPIO line cannot be used ({type(error).__name__}: {error})") from error

    def release(self) -> None:
        """Let go of every line. What a line raises on the way is ignored: it is gone."""
        for device in self._devices:
            _quietly(device.close)
        self._devices.clear()
        self._inputs.clear()
        self._outputs.clear()
        backend, self._backend = self._backend, None
        if backend is not None:
            _quietly(backend.close)

    def levels(self) -> list[bool]:
        """Whether each input is active now, in the order of the spec."""
        return [bool(device.is_active) != flip for device, flip in self._inputs]

    def write(self, pin: int, level: int) -> None:
        """Drive an output pin."""
        device, safe = self._outputs[pin]
        if level == safe:
            device.off()
        else:
            device.on()

    def _claim_output(self, backend: Backend, pin: int, safe_level: bool) -> None:
        device = DigitalOutputDevice(
            pin, active_high=not safe_level, initial_value=False, pin_factory=backend.factory
        )
        self._devices.append(device)
        self._outputs[pin] = (device, int(safe_level))

    def _claim_input(self, backend: Backend, index: int, wire: InputSpec) -> None:
        # gpiozero takes the active level from the pull, where there is one.
        pull = {Pull.UP: True, Pull.DOWN: False, Pull.NONE: None}[wire.pull]
        flip = pull is not None and pull != wire.active_low
        device = DigitalInputDevice(
            wire.pin,
            pull_up=pull,
            active_state=(not wire.active_low) if pull is None else None,
            bounce_time=None,
            pin_factory=backend.factory,
        )
        self._devices.append(device)
        self._inputs.append((device, flip))
        device.when_activated = self._stamper(index, not flip, lambda: device.active_time)
        device.when_deactivated = self._stamper(index, flip, lambda: device.inactive_time)

    def _stamper(self, index: int, active: bool, since: Callable[[], float | None]) -> Callable[[], None]:
        def stamp() -> None:
            try:
                self._on_edge(index, active, stamp_of(since))
            except Exception:
                self.callback_errors += 1

        return stamp

    def _text(self, reader: int, text: str, at: int) -> None:
        try:
            self._on_text(reader, text, at)
        except Exception:
            self.callback_errors += 1


def stamp_of(since: Callable[[], float | None]) -> int:
    """When gpiozero says the edge was, ns; now where its stamp is of another clock (old kernels)."""
    for _ in range(3):
        before = monotonic_ns()
        age = since()
        if monotonic_ns() - before < STEADY_NS:
            break  # nobody came between the two looks at the clock
    return before if age is None or not 0.0 <= age <= OLDEST_STAMP_S else before - round(age * 1e9)


def _quietly(deed: Callable[[], object]) -> None:
    try:
        deed()
    except Exception:
        return
