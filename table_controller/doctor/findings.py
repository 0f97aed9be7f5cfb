"""One finding: what was looked at, how it is, and what a person should do about it.

Must never hold a secret, and never say *fine* of what could not be looked at: that is *unknown*.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """How a thing is."""

    FINE = "fine"
    ADVICE = "advice"
    """It works; it could be better."""
    WRONG = "wrong"
    """The table will not work as it should."""
    UNKNOWN = "unknown"
    """It could not be looked at here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """`says`: how it is, one sentence. `todo`: what to do; empty where nothing is."""

    subject: str
    verdict: Verdict
    says: str
    todo: str = ""

    def value(self) -> dict[str, str]:
        """For `--json`."""
        return {"subject": self.subject, "verdict": self.verdict.value, "says": self.says, "do": self.todo}


def fine(subject: str, says: str) -> Finding:
    return Finding(subject=subject, verdict=Verdict.FINE, says=says)


def advice(subject: str, says: str, todo: str) -> Finding:
    return Finding(subject=subject, verdict=Verdict.ADVICE, says=says, todo=todo)


def wrong(subject: str, says: str, todo: str) -> Finding:
    return Finding(subject=subject, verdict=Verdict.WRONG, says=says, todo=todo)


def unknown(subject: str, says: str) -> Finding:
    return Finding(subject=subject, verdict=Verdict.UNKNOWN, says=says)


def worst(findings: Iterable[Finding]) -> Verdict:
    """The gravest verdict among them; FINE if there are none."""
    order = (Verdict.FINE, Verdict.UNKNOWN, Verdict.ADVICE, Verdict.WRONG)
    return max((finding.verdict for finding in findings), key=order.index, default=Verdict.FINE)
