"""What a table finds of its record at the start is in its log, also where it reports to nobody."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from table_controller.config.load import parse_config
from table_controller.service.assembly import build
from tests.table_controller.live_table import ROOT

FULL = (ROOT / "configs" / "tables" / "full.toml").read_text(encoding="utf-8")


def begun(data: Path) -> None:
    """A table without a broker, put together and not run."""
    text = FULL.replace("/var/lib/screen-table/full-1", str(data))
    config = parse_config(text, data)
    assert config.broker is None
    build(config).opened.close()


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]


@pytest.mark.parametrize("name", ["a-file/data", "n" * 256, "long/" * 1000])
def test_a_record_kept_in_memory_only_is_said(name, tmp_path, caplog):
    (tmp_path / "a-file").write_text("no folder")
    begun(tmp_path / name)
    (said,) = errors(caplog)
    assert said.startswith("the record is kept in memory only and ends with this process: ")


def test_a_damaged_record_is_said(tmp_path, caplog):
    begun(tmp_path)
    assert errors(caplog) == []
    (tmp_path / "journal.sqlite").write_bytes(b"no journal any more")
    begun(tmp_path)
    (said,) = errors(caplog)
    assert "the journal is damaged" in said
    assert "journal.sqlite.damaged-1" in said
