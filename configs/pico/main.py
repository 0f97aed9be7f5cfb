"""The Pico's /main.py: starts the firmware, unless somebody wants to copy a new one.

For two seconds after power comes on it watches the BOOTSEL button; pressed then, it leaves the Pico at its
prompt, where mpremote reaches it. After a restart by the watchdog it starts at once. Must never be the reason
that a table has no device: whatever goes wrong here restarts it.
"""

import time

import machine

WAIT_MS = 2000
STEP_MS = 20


def wanted_at_the_prompt():
    """Whether BOOTSEL was pressed in time."""
    if machine.reset_cause() != machine.PWRON_RESET:
        return False
    import micropython
    import rp2

    # A byte 3 in a controller's first frames is no Ctrl-C.
    micropython.kbd_intr(-1)
    try:
        for _ in range(WAIT_MS // STEP_MS):
            if rp2.bootsel_button():
                return True
            time.sleep_ms(STEP_MS)
    finally:
        micropython.kbd_intr(3)
    return False


if wanted_at_the_prompt():
    print("screen-table: at the prompt, not started")
else:
    try:
        from firmware.board import run

        run()
    except Exception as problem:
        print("screen-table:", type(problem).__name__, problem)
        time.sleep_ms(1000)
        machine.reset()
