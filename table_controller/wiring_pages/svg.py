"""A few shapes of a wiring drawing as SVG. Must never know a time or chance: the same in, the same out."""

from __future__ import annotations

from html import escape

INK, WIRE, PALE, GOOD, WARM = "#1f2933", "#52606d", "#f5f7fa", "#1c6e5f", "#b44d12"


class Drawing:
    """Shapes in the order they are added; `height` grows with them."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.height = 0
        self._parts: list[str] = []

    def circle(self, x: float, y: float, r: float) -> None:
        self._add(
            f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="#ffffff" stroke="{INK}" stroke-width="2"/>', y + r
        )

    def _add(self, part: str, bottom: float) -> None:
        self._parts.append(part)
        self.height = max(self.height, round(bottom) + 24)

    def text(
        self, x: float, y: float, text: str, *, size: int = 13, anchor: str = "start", ink: str = INK,
        bold: bool = False, mono: bool = False,
    ) -> None:  # fmt: skip
        """One line of text; `y` is its base line."""
        family = "ui-monospace, DejaVu Sans Mono, monospace" if mono else "system-ui, DejaVu Sans, sans-serif"
        weight = ' font-weight="600"' if bold else ""
        self._add(
            f'<text x="{x:g}" y="{y:g}" font-family="{family}" font-size="{size}" text-anchor="{anchor}" '
            f'fill="{ink}"{weight}>{escape(text)}</text>',
            y,
        )

    def box(self, x: float, y: float, w: float, h: float, *, fill: str = PALE, ink: str = INK) -> None:
        self._add(
            f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="6" fill="{fill}" '
            f'stroke="{ink}" stroke-width="1.5"/>',
            y + h,
        )

    def line(self, *points: tuple[float, float], ink: str = WIRE, wide: float = 1.5, dash: str = "") -> None:
        """A wire along these points."""
        along = " ".join(f"{x:g},{y:g}" for x, y in points)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self._add(
            f'<polyline points="{along}" fill="none" stroke="{ink}" stroke-width="{wide:g}"{dashes}/>',
            max(y for _, y in points),
        )

    def dot(self, x: float, y: float, r: float = 3.5, ink: str = INK) -> None:
        self._add(f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{ink}"/>', y + r)

    def ground(self, x: float, y: float) -> None:
        """Three bars."""
        self.line((x, y), (x, y + 4))
        for n, half in enumerate((7, 4.5, 2)):
            self.line((x - half, y + 4 + 3 * n), (x + half, y + 4 + 3 * n))

    def switch(self, x: float, y: float, to: int) -> None:
        """A normally open contact from a wire's end to ground; `to` -1: it goes on to the left."""
        self.dot(x, y, 2.5)
        self.dot(x + to * 26, y, 2.5)
        self.line((x, y), (x + to * 24, y - 9), ink=INK, wide=2)
        self.line((x + to * 26, y), (x + to * 38, y))
        self.ground(x + to * 38, y)

    def sensor(self, x: float, y: float, to: int) -> None:
        """A sensor with an output to ground."""
        left = x if to > 0 else x - 26
        self.box(left, y - 8, 26, 16, fill="#e3f2ee", ink=GOOD)
        self.line((left + 7, y + 4), (left + 13, y - 4), (left + 19, y + 4), ink=GOOD)
        self.line((x + to * 26, y), (x + to * 38, y))
        self.ground(x + to * 38, y)

    def lamp(self, x: float, y: float, to: int) -> None:
        """A lamp to ground."""
        left = x if to > 0 else x - 26
        self._add(
            f'<circle cx="{left + 13:g}" cy="{y:g}" r="9" fill="#fff3e6" stroke="{WARM}" '
            f'stroke-width="1.5"/>',
            y + 9,
        )
        self.line((left + 7, y - 6), (left + 19, y + 6), ink=WARM)
        self.line((left + 7, y + 6), (left + 19, y - 6), ink=WARM)
        self.line((x + to * 22, y), (x + to * 38, y))
        self.ground(x + to * 38, y)

    def driver(self, x: float, y: float, to: int) -> None:
        """An input of the motor's driver."""
        left = x if to > 0 else x - 38
        self.box(left, y - 9, 38, 18, fill="#fff3e6", ink=WARM)
        self.text(left + 19, y + 4, "IN", size=11, anchor="middle", ink=WARM)

    def svg(self, title: str) -> str:
        """The whole file."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}" role="img">\n<title>{escape(title)}</title>\n'
            f'<rect width="{self.width}" height="{self.height}" fill="#ffffff"/>\n'
        )
        return head + "\n".join(self._parts) + "\n</svg>\n"
