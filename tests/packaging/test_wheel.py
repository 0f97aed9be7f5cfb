"""What is shipped is enough: the wheel carries all that the product reads, and runs where no checkout is."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("firmware_bridge", "table_controller", "hw_sim", "director_console")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, so that nothing of the build is left in the checkout."""
    source = tmp_path_factory.mktemp("source")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout: what belongs to it is not known")
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).exists() and not name.startswith("tests/"):
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    built = subprocess.run(
        [sys.executable, "-m", "build", "-q", "--wheel", "--outdir", str(source / "dist"), str(source)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr[-2000:]
    (found,) = (source / "dist").glob("*.whl")
    return found


def test_everything_a_package_holds_is_in_the_wheel(wheel: Path) -> None:
    shipped = set(zipfile.ZipFile(wheel).namelist())
    listed = subprocess.run(
        ["git", "ls-files", *PACKAGES], cwd=ROOT, capture_output=True, text=True, check=True
    )
    wanted = {name for name in listed.stdout.splitlines() if (ROOT / name).exists()}
    assert wanted - shipped == set()


@pytest.mark.long
def test_the_wheel_in_an_empty_environment_runs_the_demo(wheel: Path, tmp_path: Path) -> None:
    environment = {
        key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")
    }
    home = tmp_path / "elsewhere"
    subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    subprocess.run(
        [str(home / "bin" / "pip"), "install", "-q", "-c", str(ROOT / "constraints.txt"), str(wheel)],
        check=True,
        cwd=tmp_path,
        env=environment,
    )
    demo = [str(home / "bin" / "hw-sim"), "demo", "--boards", "1", "--tables", "2", "--broker", "embedded"]
    ran = subprocess.run(
        [*demo, "--speed", "30"],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "nothing lost, doubled or left open" in ran.stdout
