"""The frame table of PROTOCOL.md, made from the one table in `firmware/frames.py`.

`python -m firmware_bridge.protocol_doc` writes it again; a test says when it is stale.
"""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.firmware import frames

PROTOCOL = Path(__file__).with_name("PROTOCOL.md")
BEGIN, END = "<!-- frames: begin -->", "<!-- frames: end -->"


def frame_table() -> str:
    """Markdown: type, name, sender, struct format, fields, tail."""
    lines = ["| type | frame | from | `struct` | fields | tail |", "|---|---|---|---|---|---|"]
    for code, name, sender, fmt, fields, tail in frames.FRAMES:
        if tail is None:
            rest = ""
        else:
            unit = f", in {tail[3]}s" if tail[3] > 1 else ""
            rest = f"{tail[0]}: {tail[1]} to {tail[2]} bytes{unit}"
        lines.append(f"| 0x{code:02X} | {name} | {sender} | `{fmt}` | {', '.join(fields)} | {rest} |")
    return "\n".join(lines)


def with_table(page: str) -> str:
    """The page with its table as it should be. Raises ValueError when the page has lost its marks."""
    before, found, rest = page.partition(BEGIN)
    _, closed, after = rest.partition(END)
    if not found or not closed:
        raise ValueError(f"{PROTOCOL.name} has lost the marks {BEGIN} and {END}; put them back")
    return f"{before}{BEGIN}\n{frame_table()}\n{END}{after}"


if __name__ == "__main__":
    PROTOCOL.write_text(with_table(PROTOCOL.read_text()))
