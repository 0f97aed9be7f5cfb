"""A form that was refused, shown again with nothing lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """Which form, what was given, what is wrong with each field, and a sentence about the whole."""

    form: str
    given: Mapping[str, tuple[str, ...]]
    errors: Mapping[str, str]
    message: str = ""

    def value(self, form: str, name: str, otherwise: str = "") -> str:
        """What stood in this field, if it is this form."""
        if form != self.form:
            return otherwise
        found = self.given.get(name, ())
        return found[0] if found else ""

    def error(self, form: str, name: str) -> str:
        return self.errors.get(name, "") if form == self.form else ""

    def said(self, form: str) -> str:
        """The sentence about the whole form, and about fields it does not have."""
        return (self.message or self.errors.get("form", "")) if form == self.form else ""
