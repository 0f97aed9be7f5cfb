"""The factory that was asked for, on the chip that was named, or a clear refusal; no path changes its
meaning.

lgpio itself is only on a Raspberry Pi: a stand-in with its habits (a thread of its own, a FIFO in the working
directory, `LG_WD` that changes the process's directory) takes its place where its loading is tested.
"""

from __future__ import annotations

import os
import sys
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.errors import BackendError, PortInUseError, PortMissingError, RigConfigError
from firmware_bridge.gpio_backend import GpioPort, find_chip, open_backend
from firmware_bridge.gpio_rig import GpioRig
from firmware_bridge.rig import InputSpec, OutputKind, OutputSpec, RigSpec, TokenSpec

LABELS = {"gpiochip0": "pinctrl-rp1", "gpiochip10": "gpio-brcmstb", "gpiochip4": "pinctrl-bcm2711"}


@pytest.fixture
def chips(tmp_path: Path) -> Path:
    for name in LABELS:
        (tmp_path / name).touch()
    return tmp_path


def test_the_chip_is_found_by_label_whatever_its_number(chips: Path) -> None:
    def label_of(path: Path) -> str:
        return LABELS[path.name]

    assert find_chip(("pinctrl-rp1",), chips, label_of) == 0
    assert find_chip(("pinctrl-bcm2711",), chips, label_of) == 4
    with pytest.raises(PortMissingError, match=r"no GPIO chip is labelled pinctrl-x; there is .*gpiochip10"):
        find_chip(("pinctrl-x",), chips, label_of)


def test_a_chip_that_may_not_be_opened_is_named_in_the_refusal(chips: Path) -> None:
    def label_of(path: Path) -> str:
        raise PermissionError(13, "Permission denied")

    with pytest.raises(PortMissingError, match=r"gpiochip0 \(Permission denied\)"):
        find_chip(("pinctrl-rp1",), chips, label_of)


def test_without_any_chip_the_refusal_says_so(tmp_path: Path) -> None:
    with pytest.raises(PortMissingError, match="there is none at all"):
        find_chip(("pinctrl-rp1",), tmp_path)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"factory": "mock"}, "expected lgpio or hw-sim"),
        ({"factory": "hw-sim"}, "socket is given exactly with the factory hw-sim"),
        ({"factory": "lgpio", "socket": "/x"}, "socket is given exactly"),
        ({"factory": "hw-sim", "socket": "/x", "chip_label": "pinctrl-rp1"}, "is real hardware"),
    ],
)
def test_ports_that_cannot_be_are_refused(options: dict[str, str], match: str) -> None:
    with pytest.raises(RigConfigError, match=match):
        GpioPort(**options)  # type: ignore[arg-type]


LAMP = OutputSpec(name="lamp", kind=OutputKind.LAMP, pin=5)
MOTOR = OutputSpec(name="motor", kind=OutputKind.MOTOR, pin=6, close_pin=7)


@pytest.mark.parametrize(
    ("spec", "match"),
    [
        (RigSpec(inputs=(InputSpec(signal="a", pin=3, chain=True),)), "no chain"),
        (RigSpec(inputs=(InputSpec(signal="a", pin=28),)), "pins 0 to 27"),
        (RigSpec(outputs=(MOTOR,)), "hardware_deadman = true"),
        (RigSpec(tokens=(TokenSpec(signal="t", reader=0),)), "direct GPIO has no readers"),
    ],
    ids=["chain", "beyond the header", "motor without a dead-man", "reader"],
)
def test_what_only_a_microcontroller_can_is_refused_on_gpio(spec: RigSpec, match: str) -> None:
    with pytest.raises(RigConfigError, match=match):
        GpioRig(spec, GpioPort())


def test_no_simulator_is_one_clear_sentence(tmp_path: Path) -> None:
    with pytest.raises(PortMissingError, match="start the simulator first"):
        open_backend(GpioPort(factory="hw-sim", socket=str(tmp_path / "nobody.sock")))


STAND_IN = """
    import os, threading
    wd = os.environ.get("LG_WD")
    if wd:
        os.chdir(wd)
    open(".lgd-nfy-3", "w").close()
    SET_PULL_NONE = 0
    class Notify(threading.Thread):
        def __init__(self):
            super().__init__(daemon=True)
            self.die = threading.Event()
            self.start()
        def run(self):
            self.die.wait()
    notify = Notify()
"""
FACTORY = """
    import lgpio
    from gpiozero.pins.mock import MockFactory
    class LGPIOFactory(MockFactory):
        busy = False
        def __init__(self, chip=None):
            if LGPIOFactory.busy:
                raise RuntimeError("GPIO busy")
            super().__init__()
            self.chip = chip
"""


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A module `lgpio`, and gpiozero's module for it, found before any real ones."""
    folder = tmp_path / "stand-in"
    folder.mkdir()
    (folder / "lgpio.py").write_text(textwrap.dedent(STAND_IN))
    (folder / "stand_in_factory.py").write_text(textwrap.dedent(FACTORY))
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr("firmware_bridge.gpio_backend.find_chip", lambda labels: 4)

    class Finder:
        def find_spec(self, name: str, path: object = None, target: object = None) -> object:
            from importlib.util import spec_from_file_location

            if name == "gpiozero.pins.lgpio":
                return spec_from_file_location(name, folder / "stand_in_factory.py")
            return None

    finder = Finder()
    sys.meta_path.insert(0, finder)  # type: ignore[arg-type]
    yield folder
    sys.meta_path.remove(finder)  # type: ignore[arg-type]
    for name in ("lgpio", "gpiozero.pins.lgpio"):
        module = sys.modules.pop(name, None)
        if name == "lgpio" and module is not None:
            module.notify.die.set()


def test_case_3_lgpios_files_go_to_the_runtime_directory_and_ours_stays(
    stand_in: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "read-only"
    here.mkdir()
    here.chmod(0o555)
    monkeypatch.chdir(here)
    runtime = tmp_path / "run"
    backend = open_backend(GpioPort(runtime_dir=runtime))
    assert os.getcwd() == str(here)
    assert "LG_WD" not in os.environ
    assert (runtime / ".lgd-nfy-3").exists()
    assert list(here.iterdir()) == []
    assert backend.name == "lgpio gpiochip4"
    assert backend.alive()
    backend.close()


def test_a_dead_notification_thread_is_seen_and_a_fresh_one_is_made(stand_in: Path, tmp_path: Path) -> None:
    port = GpioPort(runtime_dir=tmp_path / "run")
    backend = open_backend(port)
    assert backend.alive()
    notify = sys.modules["lgpio"].notify
    notify.die.set()
    notify.join()
    assert not backend.alive()
    again = open_backend(port)
    assert again.alive()
    assert sys.modules["lgpio"].notify is not notify
    again.close()


def test_busy_lines_are_one_clear_sentence(stand_in: Path, tmp_path: Path) -> None:
    port = GpioPort(runtime_dir=tmp_path / "run")
    open_backend(port).close()
    sys.modules["gpiozero.pins.lgpio"].LGPIOFactory.busy = True
    with pytest.raises(PortInUseError, match="gpiochip4 is already in use by another process"):
        open_backend(port)


def test_a_runtime_directory_that_cannot_be_written_is_said(stand_in: Path, tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.touch()
    with pytest.raises(BackendError, match="needs a writable directory"):
        open_backend(GpioPort(runtime_dir=blocker / "run"))
    with pytest.raises(RigConfigError, match="not absolute"):
        open_backend(GpioPort(runtime_dir=Path("run")))


def test_without_lgpio_the_refusal_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_bridge.gpio_backend.find_chip", lambda labels: 0)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with pytest.raises(BackendError, match=r"install screen-table\[pi\]"):
        open_backend(GpioPort(runtime_dir=tmp_path))


def test_no_thread_of_a_stand_in_is_left() -> None:
    assert not [t for t in threading.enumerate() if type(t).__module__ == "lgpio"]
