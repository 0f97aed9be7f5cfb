"""The program `hw-sim`: its commands, and a quiet end when somebody presses Ctrl-C before they are there.

Must never hold work of its own.
"""

from __future__ import annotations

import sys

from table_controller.plain.streams import take_every_character

INTERRUPTED = 130
"""What a shell expects of a program ended by Ctrl-C."""


def main() -> None:
    take_every_character()
    try:
        from hw_sim.commands import app  # takes a second, in which one may think better of it

        app()
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        raise SystemExit(INTERRUPTED) from None


if __name__ == "__main__":
    main()
