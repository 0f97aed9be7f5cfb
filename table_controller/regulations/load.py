"""Regulations from their layers: the base, one or more authorities, event supplements; the last wins.

Others may ship a profile: an entry point in the group `screen_table.regulations`, named by the profile's id,
whose object is the TOML file (a path, or anything with `read_text`). Must never let a profile through that is
not complete, and never prefer one layer over another by anything but its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from typing import Protocol, runtime_checkable

from table_controller.regulations.build import Merged, build
from table_controller.regulations.errors import RegulationsError
from table_controller.regulations.layer import Layer, read_layer
from table_controller.regulations.model import Regulations

DEFAULT = "ccba-2006"
BASE = "laws-2017"
SHIPPED = ("ccba-2006", "wbf", "ebl-2016", "acbl", "dbf")
"""The authorities in the package, default first; the base lies under them all."""

GROUP = "screen_table.regulations"


@runtime_checkable
class Readable(Protocol):
    def read_text(self, encoding: str) -> str: ...


def load(profile: str | Path = DEFAULT, supplements: Sequence[str | Path] = ()) -> Regulations:
    """The regulations of a profile, by id or by the path of its file, under the event supplements given.

    Raises RegulationsError with one sentence naming file and key. The same files give the same value.
    """
    if not supplements and isinstance(profile, str) and profile in (BASE, *SHIPPED):
        return _shipped(profile)
    return _assemble(_chain(profile), [_read(Path(path)) for path in supplements])


def available() -> tuple[str, ...]:
    """The ids that `load` knows: shipped ones, then those of other packages."""
    return (*SHIPPED, BASE, *sorted(point.name for point in entry_points(group=GROUP)))


@cache
def _shipped(profile: str) -> Regulations:
    return _assemble(_chain(profile), [])


def _assemble(chain: list[Layer], supplements: Iterable[Layer]) -> Regulations:
    profile = chain[-1]
    layers = list(chain)
    for supplement in supplements:
        ids = [layer.id for layer in layers]
        if supplement.id in ids:
            raise RegulationsError(
                f"{supplement.file}: id: {supplement.id!r} is already a layer here; choose another"
            )
        if supplement.under is not None and supplement.under not in ids:
            raise RegulationsError(
                f"{supplement.file}: under: made for {supplement.under!r}, which is not among "
                f"{', '.join(ids)}; use that profile or take the key out"
            )
        layers.append(supplement)
    return build(Merged(layers=tuple(layers)), profile)


def _chain(profile: str | Path) -> list[Layer]:
    """The profile's layers, base first."""
    top = _find(profile)
    if top.under is None and top.id != BASE:
        raise RegulationsError(
            f"{top.file}: under: missing; a profile names the layer below, such as {BASE} "
            f"(a supplement is loaded on top of a profile)"
        )
    chain = [top]
    while (below := chain[0].under) is not None:
        if below in (layer.id for layer in chain):
            raise RegulationsError(f"{chain[0].file}: under: {below!r} lies above itself; name another layer")
        chain.insert(0, _find(below, chain[0]))
    return chain


def _find(profile: str | Path, asked_by: Layer | None = None) -> Layer:
    name = str(profile)
    if name in (BASE, *SHIPPED):
        file = files("table_controller.regulations") / "profiles" / f"{name}.toml"
        return read_layer(file.read_text(encoding="utf-8"), f"profiles/{name}.toml")
    for point in entry_points(group=GROUP):
        if point.name == name:
            return _from_entry_point(name, point.load())
    if asked_by is None and (isinstance(profile, Path) or name.endswith(".toml") or "/" in name):
        return _read(Path(name))
    known = ", ".join(available())
    if asked_by is not None:
        raise RegulationsError(f"{asked_by.file}: under: there is no profile {name!r}; write one of {known}")
    raise RegulationsError(f"there is no profile {name!r}; write one of {known}, or the path of a .toml file")


def _from_entry_point(name: str, found: object) -> Layer:
    source = Path(found) if isinstance(found, str) else found
    if not isinstance(source, Readable):
        raise RegulationsError(f"entry point {name} of {GROUP}: expected the path of a TOML file")
    layer = read_layer(_text(source, name), f"entry point {name} of {GROUP}")
    if layer.id != name:
        raise RegulationsError(f"{layer.file}: id: is {layer.id!r}, not {name!r}; the two must be the same")
    return layer


def _read(path: Path) -> Layer:
    return read_layer(_text(path, str(path)), str(path))


def _text(source: Readable, name: str) -> str:
    try:
        return source.read_text(encoding="utf-8")
    except OSError as error:
        raise RegulationsError(
            f"{name}: cannot be read: {error.strerror or error}; give an existing file"
        ) from None
    except UnicodeDecodeError:
        raise RegulationsError(f"{name}: not UTF-8 text; save it as UTF-8") from None
