"""Record files to games, whatever they hold.

Must never raise on what a file contains, and never pass over a file in silence: one that cannot be read, or
that holds no game, is one refusal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from hw_sim.records.decoding import decode
from hw_sim.records.lin import read_lin
from hw_sim.records.model import Game, RefusedGame
from hw_sim.records.pbn import read_pbn
from table_controller.plain.given_paths import PathUnusable, is_file, is_folder

SUFFIXES = (".pbn", ".lin")
MOST_BYTES = 8 * 1024 * 1024
"""A file of a whole championship has under one MiB; a larger one is no record."""
_PBN_SIGN = re.compile(r'\[\s*[A-Za-z0-9_]+\s*"')
_LIN_SIGN = re.compile(r"(?<![A-Za-z0-9])(?:qx|md|mb|pc|pn|sv|mc)\|", re.IGNORECASE)


def read_records(paths: Iterable[str | Path]) -> Iterator[Game]:
    """The games of these files, in order, read as they are asked for; a folder means its .pbn and .lin files.

    PBN and LIN are told apart by what a file holds, not by its name. Content never raises.
    """
    for path in map(Path, paths):
        for file in _files(path):
            yield from _games_of_file(file)


def read_text(text: str, file: str) -> Iterator[Game]:
    """The games of a text with `\\n` at the ends of lines; `file` is the name they carry."""
    pbn, lin = len(_PBN_SIGN.findall(text)), len(_LIN_SIGN.findall(text))
    if not pbn and not lin:
        what = "is empty" if not text.strip() else "holds neither a PBN tag nor a LIN tag"
        yield RefusedGame(file=file, game=0, reason=f"the file {what}")
        return
    count = 0
    for game in read_lin(text, file) if lin > pbn else read_pbn(text, file):
        count += 1
        yield game
    if not count:
        yield RefusedGame(file=file, game=0, reason="the file holds no game")


def _files(path: Path) -> list[Path]:
    if not _holds(is_folder, path):
        return [path]
    found = sorted(
        file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and _holds(is_file, file)
    )
    return found or [path]


def _holds(question: Callable[[Path], bool], path: Path) -> bool:
    """Yes where we may not look: what opens it then says why not."""
    try:
        return question(path)
    except PathUnusable:
        return True


def _games_of_file(path: Path) -> Iterator[Game]:
    try:
        if path.exists() and not path.is_dir() and not path.is_file():
            yield RefusedGame(file=str(path), game=0, reason="it is a device or a pipe, not a file")
            return
        with path.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    except OSError as error:
        reason = (
            "the folder holds no .pbn or .lin file"
            if isinstance(error, IsADirectoryError)
            else f"the file cannot be read: {error.strerror}"
        )
        yield RefusedGame(file=str(path), game=0, reason=reason)
        return
    if len(data) > MOST_BYTES:
        reason = f"the file is larger than {MOST_BYTES // 1024**2} MiB, which no record is; split it"
        yield RefusedGame(file=str(path), game=0, reason=reason)
        return
    decoded = decode(data)
    for game in read_text(decoded.text, str(path)):
        if game.game <= 1 and decoded.remarks:
            game = replace(game, remarks=decoded.remarks + game.remarks)
        yield game
