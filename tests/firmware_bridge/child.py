"""A process of its own that holds a rig, for what only a process can suffer: kill -9, SIGSTOP, a second
opener.

Arguments: `serial PATH` or `gpio SOCKET`. It prints one line for each reading and obeys lines on standard
input: `close-window`, `open-window` (renewed until `stop`), `lamp`, `block SECONDS`, `quit`.
"""

from __future__ import annotations

import sys
import threading
import time
from queue import SimpleQueue

from firmware_bridge.errors import RigError
from firmware_bridge.gpio_backend import GpioPort
from firmware_bridge.gpio_rig import GpioRig
from firmware_bridge.readings import Direction, Reading
from firmware_bridge.rig import MoveWindow, Rig, SetOutput
from firmware_bridge.serial_rig import SerialPort, SerialRig
from tests.firmware_bridge.conftest import SPEC


def rig_of(kind: str, address: str) -> Rig:
    if kind == "serial":
        return SerialRig(SPEC, SerialPort(path=address, backoff_first_s=0.05))
    return GpioRig(SPEC, GpioPort(factory="hw-sim", socket=address))


def renew(rig: Rig, way: Direction, stop: threading.Event) -> None:
    while not stop.is_set():
        rig.command(MoveWindow(output="motor", direction=way, lease_ms=400))
        stop.wait(0.1)


def main() -> int:
    rig = rig_of(sys.argv[1], sys.argv[2])
    told: SimpleQueue[Reading] = SimpleQueue()
    try:
        rig.start(told.put)
    except RigError as error:
        print(f"refused: {error}", flush=True)
        return 2
    blocked = threading.Event()

    def show() -> None:
        while True:
            print(told.get(), flush=True)
            if blocked.is_set():
                # A handler that is slow: the rig's own thread must not feel it.
                time.sleep(1.0)
                blocked.clear()

    threading.Thread(target=show, daemon=True).start()
    stop = threading.Event()
    for line in sys.stdin:
        match line.split():
            case ["close-window"]:
                threading.Thread(target=renew, args=(rig, Direction.CLOSE, stop), daemon=True).start()
            case ["open-window"]:
                threading.Thread(target=renew, args=(rig, Direction.OPEN, stop), daemon=True).start()
            case ["stop"]:
                stop.set()
            case ["lamp"]:
                rig.command(SetOutput(output="lamp", on=True))
            case ["block"]:
                blocked.set()
            case _:
                break
    rig.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
