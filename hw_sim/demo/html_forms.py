"""The forms and rows of an HTML page, as a person's browser would find them: enough to fill one in.

Must never know what a page is about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass(slots=True)
class HtmlForm:
    """One form: where it goes, and what it holds before anybody fills it in."""

    action: str
    method: str
    values: dict[str, str] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)


@dataclass(slots=True)
class HtmlPage:
    """`forms` in order; `marked`, `tiles`: the attributes of every element that has a `data-case`, a
    `data-presence`; all `classes`.
    """

    forms: list[HtmlForm] = field(default_factory=list)
    marked: list[Mapping[str, str]] = field(default_factory=list)
    tiles: list[Mapping[str, str]] = field(default_factory=list)
    classes: set[str] = field(default_factory=set)

    def form(self, action_end: str, **holding: str) -> HtmlForm | None:
        """The first form whose action ends so and which holds these values."""
        for form in self.forms:
            if form.action.endswith(action_end) and holding.items() <= form.values.items():
                return form
        return None


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = HtmlPage()
        self._form: HtmlForm | None = None
        self._text = ""
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = {name: value or "" for name, value in attrs}
        self.page.classes.update(held.get("class", "").split())
        if "data-case" in held:
            self.page.marked.append(held)
        if "data-presence" in held:
            self.page.tiles.append(held)
        if tag == "form":
            self._form = HtmlForm(held.get("action", ""), held.get("method", "get").lower())
            self.page.forms.append(self._form)
        elif self._form is not None:
            self._field(self._form, tag, held)

    def _field(self, form: HtmlForm, tag: str, held: dict[str, str]) -> None:
        if tag == "option":
            if self._select and ("selected" in held or self._select not in form.values):
                form.values[self._select] = held.get("value", "")
            return
        name = held.get("name", "")
        if not name or tag not in ("input", "textarea", "select", "button"):
            return
        form.names.add(name)
        if tag == "textarea":
            self._text = name
            form.values[name] = ""
        elif tag == "select":
            self._select = name
        elif tag == "input" and held.get("type", "text") in ("hidden", "text"):
            form.values[name] = held.get("value", "")

    def handle_data(self, data: str) -> None:
        if self._form is not None and self._text:
            self._form.values[self._text] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "textarea":
            self._text = ""
        elif tag == "select":
            self._select = ""


def read_page(text: str) -> HtmlPage:
    """The page's forms and marked elements; what cannot be understood is passed over."""
    reader = _Reader()
    reader.feed(text)
    return reader.page
