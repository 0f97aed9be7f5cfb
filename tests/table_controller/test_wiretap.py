"""Listening in on the wire: what is at the place of the link stays, whatever becomes of the tap."""

from __future__ import annotations

import logging
import os
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from table_controller.__main__ import app
from table_controller.cli_errors import Unusable
from table_controller.wiretap import Capture, Tap, decode_capture

FULL = Path("/dev/full")
NOWHERE = Path("/dev/nowhere-at-all")


@pytest.fixture
def port() -> Iterator[Path]:
    """A terminal that stands for the device's port."""
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    yield Path(os.ttyname(theirs))
    os.close(ours)
    os.close(theirs)


def precious(folder: Path) -> Path:
    path = folder / "precious.txt"
    path.write_text("precious")
    return path


def link_to_a_file(folder: Path) -> Path:
    path = folder / "link"
    path.symlink_to(precious(folder))
    return path


def folder(folder: Path) -> Path:
    (folder / "folder").mkdir()
    return folder / "folder"


def nowhere(folder: Path) -> Path:
    return folder / "nowhere" / "link"


@pytest.mark.parametrize("place", [precious, link_to_a_file, folder, nowhere], ids=lambda one: one.__name__)
def test_what_is_no_link_of_a_tap_is_neither_replaced_nor_removed(place, tmp_path, port):
    path = place(tmp_path)
    before = sorted((each.name, each.is_symlink()) for each in tmp_path.iterdir())
    for tapped in (port, NOWHERE):
        said = CliRunner().invoke(app, ["decode", "--tap", str(tapped), "--as", str(path)])
        assert said.exit_code == 2
        assert len(said.stderr.splitlines()) == 1
        assert f"--as {path}" in said.stderr
    assert sorted((each.name, each.is_symlink()) for each in tmp_path.iterdir()) == before
    assert place is folder or place is nowhere or path.read_text() == "precious"


def test_a_tap_takes_its_link_away_and_replaces_what_a_killed_one_left(tmp_path, port):
    path = tmp_path / "tapped"
    for left in ("/dev/pts/999999", str(tmp_path / "gone"), None):
        if left is not None:
            path.symlink_to(left)
        with Tap(port, path):
            assert os.readlink(path).startswith("/dev/pts/")
        assert not os.path.lexists(path)


def test_a_second_tap_that_fails_leaves_the_first_ones_link(tmp_path, port):
    path = tmp_path / "tapped"
    with Tap(port, path):
        leads = os.readlink(path)
        with pytest.raises(Unusable), Tap(NOWHERE, path):
            pass
        assert os.readlink(path) == leads


def test_a_first_tap_that_ends_leaves_the_link_that_a_second_has_made(tmp_path, port):
    path = tmp_path / "tapped"
    with Tap(port, path):
        second = Tap(port, path)
        second.__enter__()
    assert os.path.lexists(path)
    second.__exit__()
    assert not os.path.lexists(path)


@pytest.mark.parametrize("port", [NOWHERE, Path("/dev/null"), Path("/")], ids=str)
def test_a_port_that_is_none_is_said_without_numbers(port, tmp_path):
    with pytest.raises(Unusable) as caught, Tap(port, tmp_path / "tapped"):
        pass
    assert str(caught.value).startswith(f"{port}: ")
    assert "[Errno" not in str(caught.value)
    assert "(2" not in str(caught.value)


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]


def test_a_capture_that_finds_no_room_ends_and_says_so_once(caplog):
    capture = Capture(FULL)
    for at in range(3):
        capture.tap(at, "host", b"\x01\x00")
    (said,) = errors(caplog)
    assert said == "the capture in /dev/full ends here (No space left on device); the table goes on"


def test_a_record_that_only_half_fits_is_taken_out_again(tmp_path, caplog, monkeypatch):
    path = tmp_path / "wire.bin"
    capture = Capture(path)
    capture.tap(1, "host", b"\x01\x00")
    whole, write = path.read_bytes(), os.write

    def half(file: int, data: bytes) -> int:
        if len(data) > 5:
            return write(file, data[:5])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", half)
    capture.tap(2, "host", b"")
    assert len(errors(caplog)) == 1
    assert path.read_bytes() == whole


def test_a_capture_goes_on_after_another(tmp_path):
    path = tmp_path / "wire.bin"
    for at in (1, 2):
        Capture(path).tap(at, "device", b"\x01\x00")
    said: list[str] = []
    decode_capture(path.read_bytes(), said.append)
    assert len(said) == 2


@pytest.mark.parametrize("content", [b"a letter to the club, nothing else", b"short", b"\0" * 10 + b"\x05"])
def test_no_capture_is_written_into_another_file(content, tmp_path):
    path = tmp_path / "letter.txt"
    path.write_bytes(content)
    config = Path(__file__).resolve().parents[2] / "configs" / "tables" / "full.toml"
    said = CliRunner().invoke(app, ["run", "--config", str(config), "--capture", str(path)])
    assert said.exit_code == 2
    assert said.stderr.strip().splitlines()[-1].endswith("is no whole capture; name another file")
    assert path.read_bytes() == content


def test_a_pipe_that_nobody_reads_does_not_hold_the_table_up(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path / "pipe", tmp_path, tmp_path / "nowhere" / "wire.bin"):
        with pytest.raises(Unusable, match="cannot be written"):
            Capture(place)
