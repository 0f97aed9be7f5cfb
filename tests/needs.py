"""What some tests need of the machine: mosquitto and Chromium. Where CI=true nothing of it may be missing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from hw_sim.processes.broker import find_mosquitto

CHROMIUM = os.environ.get("SCREEN_TABLE_CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def need_mosquitto() -> None:
    """Skip what needs mosquitto where there is none; under CI that is a failure."""
    if find_mosquitto() is None:
        _missing("mosquitto")


def chromium(*more: str) -> Iterator[Browser]:
    """Debian's Chromium with `more` arguments; skip where there is none; under CI that is a failure."""
    if not Path(CHROMIUM).exists():
        _missing("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, *more])
        yield browser
        browser.close()


def _missing(package: str) -> None:
    what = f"{package} is not installed: apt install {package}"
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)
