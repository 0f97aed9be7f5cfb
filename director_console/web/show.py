"""Small things a page shows: calls with coloured suits, times of day, lengths of time.

Pure: the time zone is the machine's, the moment is an argument.
"""

from __future__ import annotations

from datetime import datetime

from markupsafe import Markup, escape

from table_controller.laws.call import Bid, Call, Double, Pass, Redouble

SUITS = {"C": ("♣", "clubs"), "D": ("♦", "diamonds"), "H": ("♥", "hearts"), "S": ("♠", "spades")}
NAME_AT_MOST = 40
NS_PER_S = 1_000_000_000


def short(text: str, longest: int = NAME_AT_MOST) -> str:
    """A stranger's text: cut with its end marked, and what cannot be seen shown by its number."""
    cut = text if len(text) <= longest else f"{text[: longest - 1]}…"
    return "".join(one if one.isprintable() else f"<{ord(one):04X}>" for one in cut)


def call_html(call: Call | None) -> Markup:
    """A call as bridge players write it: level and coloured suit symbol, NT, X, XX, and a dash-like Pass."""
    match call:
        case None:
            return Markup('<span class="c-none">–</span>')
        case Bid():
            return Markup('<span class="call">{}{}</span>').format(
                call.level, _denomination(str(call.denomination))
            )
        case Pass():
            return Markup('<span class="call c-pass">P</span>')
        case Double():
            return Markup('<span class="call c-x">X</span>')
        case Redouble():
            return Markup('<span class="call c-xx">XX</span>')


def _denomination(name: str) -> Markup:
    if name == "NT":
        return Markup('<span class="nt">NT</span>')
    symbol, suit = SUITS[name]
    return Markup('<span class="suit {}">{}</span>').format(suit, symbol)


def contract_html(contract: str | None) -> Markup:
    """`4SX` with its suit symbol; nothing where it is not known."""
    if not contract:
        return Markup("")
    if contract[0].isdigit():
        rest = contract[1:]
        name = "NT" if rest.startswith("NT") else rest[:1]
        marks = rest[len(name) :]
        return Markup('<span class="call">{}{}{}</span>').format(contract[0], _denomination(name), marks)
    return escape(contract)


def clock_time(ms: int, *, with_seconds: bool = True) -> str:
    """The time of day of a Unix time in ms."""
    if ms <= 0:
        return "–"
    return datetime.fromtimestamp(ms / 1000).strftime("%H:%M:%S" if with_seconds else "%H:%M")


def moment(ms: int) -> str:
    """Day and time of a Unix time in ms, for paper."""
    return datetime.fromtimestamp(ms / 1000).strftime("%Y-%m-%d %H:%M:%S")


def minute(ms: int) -> str:
    """Day and time to the minute."""
    return datetime.fromtimestamp(ms / 1000).strftime("%Y-%m-%d %H:%M")


def day(ms: int) -> str:
    """The day of a Unix time in ms, as a form takes it."""
    return datetime.fromtimestamp(ms / 1000).strftime("%Y-%m-%d")


def hour(ms: int) -> str:
    """The time of day to the minute, as a form takes it."""
    return datetime.fromtimestamp(ms / 1000).strftime("%H:%M")


def over(ms: int) -> str:
    """How long over a limit: a second begun counts, so that 5:00.001 does not look like 5:00."""
    return length(-(-ms // 1000) * 1000)


def length(ms: int) -> str:
    """A length of time as `m:ss`, or `h:mm:ss`."""
    seconds_ = max(0, ms) // 1000
    hours, rest = divmod(seconds_, 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02d}:{left:02d}" if hours else f"{minutes}:{left:02d}"


def seconds(ns: int | None) -> str:
    """Nanoseconds as seconds to a tenth; a dash where unknown, which is never zero."""
    return "–" if ns is None else f"{ns / NS_PER_S:.1f}"
