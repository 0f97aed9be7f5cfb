"""`director-console`: the service and its tools on the command line.

Thin: every command says what it does in its help and leaves the doing to a module of its name.
"""

from __future__ import annotations

from director_console.cli import app
from table_controller.plain.streams import take_every_character


def main() -> None:
    take_every_character()
    app()


if __name__ == "__main__":
    main()
