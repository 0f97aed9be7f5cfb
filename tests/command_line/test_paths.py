"""Where a command is given a path: what we may not look at or not write is one sentence and exit code 2."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from table_controller.plain.given_paths import PathUnusable, is_file, make_folder, need_file, write_new
from tests.command_line.programs import Ended, as_nobody

TABLE = """
data_dir = "{locked}/data"
[table]
id = "1"
venue = "hall"
event = "open"
senses = ["tray"]
[rig]
kind = "serial"
port = "/dev/none"
"""
SHUT = {
    "verify": "table-controller journal verify shut/j.sqlite",
    "export": "table-controller journal export shut/j.sqlite",
    "gaps": "table-controller journal gaps shut/j.sqlite --json",
    "prune": "table-controller journal prune shut/j.sqlite",
    "prune, the folder": "table-controller journal prune shut/deeper/j.sqlite",
    "replay": "table-controller replay shut/j.sqlite",
    "time": "table-controller time shut/j.sqlite --json",
    "check": "table-controller check shut/t.toml",
    "run": "table-controller run --config shut/t.toml",
    "doctor": "table-controller doctor --config shut/t.toml",
    "enrol": "table-controller enrol - --config shut/t.toml",
    "regulations": "table-controller regulations shut/r.toml",
    "decode": "table-controller decode shut/capture",
    "pbn": "hw-sim pbn shut/j.sqlite",
    "records": "hw-sim records shut/a.pbn",
    "records, kept": "hw-sim records evening.pbn --through wire --keep shut/kept",
    "scenario": "hw-sim scenario shut/a.scn",
    "supplement": "hw-sim scenario supplement.scn",
    "demo": "hw-sim demo --records shut/a.pbn",
    "demo, kept": "hw-sim demo --keep shut/kept",
    "bench, records": "hw-sim bench --no-browser --records shut/a.pbn",
    "bench, scenarios": "hw-sim bench --no-browser --scenarios shut/a.scn",
    "bench, kept": "hw-sim bench --no-browser --keep shut/kept",
    "cases": "director-console cases --data shut/console",
    "times": "director-console times --data shut/console",
    "evidence": "director-console verify shut/x.zip",
    "evidence's keys": "director-console verify evening.pbn --keys shut/keys.json",
    "console": "director-console run --port 0 --data shut/console",
    "console's keys": "director-console run --port 0 --data own/console --keys shut/keys.json",
    "access": "director-console run --port 0 --access shut/venue",
    "venue": "director-console broker init shut/venue --tables 2",
    "status": "director-console broker status shut/venue",
    "user": "director-console user list --data shut/console",
}
CANNOT_BE_WRITTEN = {
    "records": "hw-sim records evening.pbn --through wire --keep bare/kept",
    "records, nowhere": "hw-sim records evening.pbn --through gpio --keep /proc/kept",
    "demo": "hw-sim demo --keep bare/kept --boards 1",
    "bench": "hw-sim bench --no-browser --port 0 --keep bare/kept",
    "console": "director-console run --port 0 --data bare/console",
    "console, a file": "director-console run --port 0 --data evening.pbn",
    "venue": "director-console broker init bare/venue --tables 2",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """`shut` may not be entered, in `bare` nothing may be made."""
    folder = tmp_path_factory.mktemp("paths")
    for above in (folder, *folder.parents):
        if above.owner() == folder.owner():
            above.chmod(above.stat().st_mode | 0o055)
    (folder / "evening.pbn").write_text('[Board "1"]\n[Dealer "N"]\n')
    (folder / "supplement.scn").write_text("# A.\nsupplement shut/s.toml\nboard 1\nN 1C\n")
    for name, mode in (("shut", 0o000), ("bare", 0o555), ("own", 0o777)):
        (folder / name).mkdir()
        (folder / name).chmod(mode)
    yield folder
    for name in ("shut", "bare"):
        (folder / name).chmod(0o700)


@pytest.fixture(scope="module")
def ended(folder: Path) -> dict[str, Ended]:
    """Every command's end by its words; all run in one process, which spares a second each."""
    words = [*SHUT.values(), *CANNOT_BE_WRITTEN.values()]
    return dict(zip(words, as_nobody([one.split() for one in words], folder), strict=True))


@pytest.mark.parametrize("words", SHUT.values(), ids=SHUT)
def test_what_we_may_not_look_at_is_one_sentence(words: str, ended: dict[str, Ended]) -> None:
    told = ended[words]
    assert (told.broke, told.code, told.out) == ("", 2, "")
    assert "Permission denied" in told.err or "not readable" in told.err
    assert "shut" in told.err


@pytest.mark.parametrize("words", CANNOT_BE_WRITTEN.values(), ids=CANNOT_BE_WRITTEN)
def test_what_cannot_be_written_is_one_sentence(words: str, ended: dict[str, Ended]) -> None:
    told = ended[words]
    assert (told.broke, told.code) == ("", 2)
    assert words.split()[-1] in told.err or "bare" in told.err or "evening.pbn" in told.err


# --- the helper itself


def test_a_directory_is_not_called_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PathUnusable, match="this is a directory; give a journal"):
        need_file(tmp_path, "a journal")
    with pytest.raises(PathUnusable, match="there is no such file; give a journal"):
        need_file(tmp_path / "none", "a journal")
    with pytest.raises(PathUnusable, match="this is no file; give a journal"):
        need_file(Path("/dev/null"), "a journal")


def test_a_name_longer_than_any_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(PathUnusable, match="File name too long"):
        is_file(tmp_path / ("x" * 5000))


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("kept")
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("there", "link"):
        with pytest.raises(PathUnusable, match="is already there; give another"):
            write_new(tmp_path / name, b"x", "give another")
        with pytest.raises(PathUnusable, match="is already there"):
            make_folder(tmp_path / name, "give another")
    assert (tmp_path / "there").read_text() == "kept"


def test_half_a_file_is_not_left(tmp_path: Path) -> None:
    with pytest.raises(PathUnusable, match="it cannot be written"):
        write_new(Path("/proc/none/x"), b"x", "give another")
    write_new(tmp_path / "x", b"whole", "give another")
    assert (tmp_path / "x").read_bytes() == b"whole"
