"""`make explore` in small: what a seed gave is kept, and a second search of it leaves its figures alone."""

from __future__ import annotations

from pathlib import Path

from tests.screen.campaign import Task, arguments, campaign, finished, search


def test_a_seed_finished_meanwhile_keeps_its_figures(tmp_path: Path) -> None:
    asked = Task(seed="first call due", profile="ccba-2006", depth=1, folder=tmp_path)
    found = search(asked)
    assert found.figures.complete
    assert found.figures.states > 1
    assert search(asked).figures == found.figures
    assert finished(tmp_path)["first call due"].figures == found.figures


def test_what_is_kept_is_told_again_and_the_rest_is_searched(tmp_path: Path) -> None:
    options = ["--depth", "1", "--jobs", "1", "--folder", str(tmp_path)]
    first = list(campaign(arguments().parse_args([*options, "--seed-name", "closing"])))
    both = ["--seed-name", "closing", "--seed-name", "passed out"]
    second = {found.seed: found.figures for found in campaign(arguments().parse_args([*options, *both]))}
    assert set(second) == {"closing", "passed out"}
    assert second["closing"] == first[0].figures
