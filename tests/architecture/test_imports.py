"""Who may import whom. The tree is the argument: pure rooms in the middle, wires and files at the rim.

Each rule names a room and all that it may see; the most specific room of a module is the one that counts.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("firmware_bridge", "table_controller", "hw_sim", "director_console")

TC = "table_controller"
TYPES = tuple(
    f"{TC}.screen.{name}" for name in ("entry", "events", "orders", "effects", "phases", "refusals", "times")
)
MESSAGES = (f"{TC}.messages",)
CORE = (f"{TC}.laws", f"{TC}.regulations", f"{TC}.screen", f"{TC}.clock")
PLAIN = (f"{TC}.plain",)
RIM = (*MESSAGES, f"{TC}.journal", f"{TC}.outbox", f"{TC}.commands", f"{TC}.sensing")

ROOMS: dict[str, tuple[str, ...]] = {
    "firmware_bridge": ("firmware_bridge",),
    f"{TC}.laws": (f"{TC}.laws",),
    f"{TC}.plain": PLAIN,
    f"{TC}.regulations": (f"{TC}.laws", f"{TC}.regulations", f"{TC}.words", *PLAIN),
    f"{TC}.words": (f"{TC}.laws", f"{TC}.words"),
    f"{TC}.screen": (f"{TC}.laws", f"{TC}.regulations", f"{TC}.screen"),
    f"{TC}.clock": CORE,
    f"{TC}.messages": (*CORE, *RIM),
    f"{TC}.journal": (*CORE, *RIM),
    f"{TC}.journal.cli": (*CORE, *RIM, *PLAIN),
    f"{TC}.outbox": (*CORE, *RIM),
    f"{TC}.commands": (*CORE, *RIM, f"{TC}.words"),
    f"{TC}.sensing": (*CORE, f"{TC}.sensing", "firmware_bridge.readings", "firmware_bridge.rig"),
    f"{TC}.service.window_drive": (*CORE, "firmware_bridge.readings", "firmware_bridge.rig"),
    f"{TC}.mqtt_client": (*MESSAGES, f"{TC}.mqtt_client"),
    TC: (TC, "firmware_bridge"),
    "hw_sim": ("hw_sim", f"{TC}.laws", *PLAIN, "firmware_bridge"),
    "hw_sim.bench.game_words": (f"{TC}.words",),
    "hw_sim.core_runner": ("hw_sim", *CORE, "firmware_bridge"),
    "hw_sim.scenario": (
        "hw_sim",
        f"{TC}.laws",
        f"{TC}.words",
        *PLAIN,
        *TYPES,
        f"{TC}.screen.event_base",
        "firmware_bridge",
    ),
    "hw_sim.scenario.core": ("hw_sim", *CORE, "firmware_bridge"),
    "hw_sim.scenario.full": (
        "hw_sim",
        f"{TC}.laws",
        *TYPES,
        *MESSAGES,
        f"{TC}.mqtt_client",
        "firmware_bridge",
    ),
    "hw_sim.bench": ("hw_sim", f"{TC}.laws", *PLAIN, *TYPES, "firmware_bridge"),
    **{
        f"hw_sim.bench.{name}": ("hw_sim", f"{TC}.laws", *TYPES, *MESSAGES, "firmware_bridge")
        for name in ("bench_table", "inside", "programs", "witness")
    },
    "director_console": (
        "director_console",
        f"{TC}.laws",
        f"{TC}.regulations",
        f"{TC}.words",
        f"{TC}.clock",
        *PLAIN,
        *MESSAGES,
        *TYPES,
        f"{TC}.mqtt_client",
        f"{TC}.outbox",
        f"{TC}.enrolment.protocol",
    ),
}

LIBRARIES: dict[str, tuple[str, ...]] = {
    "transitions": (f"{TC}.screen.phase", f"{TC}.screen.diagram"),
    "gpiozero": ("firmware_bridge.gpio_lines", "hw_sim.hardware.pins"),
    "lgpio": ("firmware_bridge.gpio_backend",),
    "serial": ("firmware_bridge.serial_rig",),
    "paho": (f"{TC}.mqtt_client",),
    "endplay": (),
}


def modules() -> list[tuple[str, Path]]:
    found = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found.append((".".join(parts[:-1] if parts[-1] == "__init__" else parts), path))
    return found


def imported(name: str, path: Path) -> set[str]:
    """Every module this one imports anywhere in it, also inside functions; `from a import b` is a.b."""
    seen: set[str] = set()
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            seen.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                up = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*up, base] if base else up)
            seen.update(f"{base}.{alias.name}" for alias in node.names)
    return seen


def within(module: str, rooms: tuple[str, ...]) -> bool:
    return any(module == room or module.startswith(room + ".") for room in rooms)


def room_of(name: str) -> str:
    return max((room for room in ROOMS if within(name, (room,))), key=len)


@pytest.mark.parametrize(("name", "path"), modules(), ids=[name for name, _ in modules()])
def test_a_room_sees_only_what_it_may(name: str, path: Path) -> None:
    allowed = ROOMS[room_of(name)]
    for module in sorted(imported(name, path)):
        if module.split(".")[0] in PACKAGES:
            assert within(module, allowed) or module in PACKAGES, f"{name} imports {module}"


@pytest.mark.parametrize(("name", "path"), modules(), ids=[name for name, _ in modules()])
def test_a_library_is_seen_in_one_room_only(name: str, path: Path) -> None:
    for module in imported(name, path):
        library = module.split(".")[0]
        if library in LIBRARIES:
            assert within(name, LIBRARIES[library]), f"{name} imports {library}"


def test_the_laws_need_only_the_standard_library() -> None:
    import sys

    for name, path in modules():
        if within(name, (f"{TC}.laws",)):
            for module in imported(name, path):
                top = module.split(".")[0]
                assert top in sys.stdlib_module_names or top == TC, f"{name} imports {module}"


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Also not inside a function, and not for a type alone: what needs each other is one thing, or three."""
    known = {name for name, _ in modules()}
    graph = {
        name: {target for module in imported(name, path) for target in _modules_of(module, known)} - {name}
        for name, path in modules()
    }
    while free := [name for name, needs in graph.items() if not needs]:
        for name in free:
            del graph[name]
        for needs in graph.values():
            needs.difference_update(free)
    circles = {name: sorted(needs) for name, needs in graph.items() if name in _reached(graph, name)}
    assert circles == {}


def _modules_of(module: str, known: set[str]) -> set[str]:
    """The module that `from a import b` needs: a.b where that is one, else a."""
    return {module} & known or {module.rpartition(".")[0]} & known


def _reached(graph: dict[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    ahead = list(graph[start])
    while ahead:
        name = ahead.pop()
        if name not in seen:
            seen.add(name)
            ahead.extend(graph[name])
    return seen
