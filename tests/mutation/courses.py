"""The courses of one insufficient bid, whole, through its life under each profile.

A scenario says which courses are open; here stands that no other one is. Must never read a course off the
profile it judges.
"""

from __future__ import annotations

from table_controller.regulations.model import Regulations
from tests.screen.driving import Driver

KIND = "INSUFFICIENT_BID"
_CCBA = "screenmate_may_far_face_must"
_WBF = "offender_or_screenmate"

_EUROPE = (
    ("not_crossed.put_right_before_passing", f"attention_by.{_WBF}"),
    ("crossed.laws_screenmate_may_have_accepted", f"attention_by.{_WBF}"),
    ("returned.laws",),
    ("not_crossed.put_right_before_passing", "information.laws", f"attention_by.{_WBF}"),
)
WHOLE: dict[str, tuple[tuple[str, ...], ...]] = {
    "ccba-2006": (
        ("not_crossed.corrected_never_accepted",),
        ("crossed.both", "crossed.one", f"attention_by.{_CCBA}"),
        ("returned.stands",),
        ("not_crossed.corrected_never_accepted", "information.by_responsibility"),
    ),
    "wbf": _EUROPE,
    "ebl-2016": _EUROPE,
    "acbl": (
        ("not_crossed.corrected",),
        ("crossed.back_corrected_never_accepted",),
        ("returned.laws",),
        ("not_crossed.corrected", "information.laws"),
    ),
    "dbf": (
        ("not_crossed.corrected_before_tray_never_accepted",),
        ("crossed.both", "crossed.one"),
        ("returned.stands_if_both_others_called",),
        ("not_crossed.corrected_before_tray_never_accepted", "information.laws"),
    ),
}
"""Not crossed, crossed by a mover who is presumed, returned; and corrected before it crossed."""


def courses(regulations: Regulations) -> None:
    """Raises AssertionError unless each list is exactly the profile's."""
    driver = Driver(regulations).ready(1).auction("1H 1S").crosses().call("S", "1D")
    found = [driver.entry(KIND).course]
    driver.crosses()
    found.append(driver.entry(KIND).course)
    driver.call("N", "P").call("E", "P").crosses()
    found.append(driver.entry(KIND).course)
    corrected = Driver(regulations).ready(1).auction("1H 1S").crosses().call("S", "1D")
    found.append(corrected.takes_up("S", "1D").call("S", "2D").entry(KIND).course)
    expected = [tuple(f"irregular.{row}" for row in rows) for rows in WHOLE[regulations.id]]
    assert [tuple(map(str, rows)) for rows in found] == expected
