"""One TOML file of regulations, read and checked whole before anything is made of it.

A layer is a profile (`under` names the layer below) or an event supplement. Everything in it is checked here,
also what a higher layer would hide: a rule nobody uses today is used tomorrow. Must never fill anything in:
no document, date, standing or value is guessed; an unknown key is refused with file, key and what to write.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass

from table_controller.plain.toml_text import NotToml, read_toml
from table_controller.regulations import keys
from table_controller.regulations.courses import Guidance
from table_controller.regulations.errors import RegulationsError
from table_controller.regulations.forms import shown
from table_controller.regulations.provision import Citation, Standing

_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")
_ID = re.compile(r"[a-z0-9][a-z0-9._-]*")
_LAW = re.compile(r"L\d")
_CODES = ("1997", "2017")


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A source. The Laws have a `code` (their edition) and the `standing` their numbers are known with;
    any other document has "" and None.
    """

    title: str
    date: str
    code: str
    standing: Standing | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Who says it: the common part of everything in a layer."""

    citation: Citation
    date: str
    standing: Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A provision's value as written, already known to be readable by its key. `code` as in Document."""

    value: object
    source: Source
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedArticle:
    """One article as written. `code` is the edition when it is one of the Laws, else ""."""

    document: str
    number: str | None
    code: str
    standing: Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class KindSource:
    """What a kind falls under in this layer: articles of its own, provisions it stands for, or both."""

    articles: tuple[CitedArticle, ...]
    see: tuple[str, ...]
    source: Source | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    bears_on: tuple[str, ...]
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """A file of regulations. `under` is the id of the layer below; None in the base and in a supplement."""

    file: str
    id: str
    title_en: str
    title_zh: str
    under: str | None
    provisions: Mapping[str, Given]
    articles: Mapping[str, KindSource]
    guidance: Mapping[Guidance, Advice]


def read_layer(text: str, file: str) -> Layer:
    """The layer written in `text`; `file` is what messages call it. Raises RegulationsError."""
    try:
        found = read_toml(text)
    except NotToml as error:
        raise RegulationsError(f"{file}: not TOML: {error}; see the shipped profiles for the form") from None
    return _Reader(file, found).layer()


class _Reader:
    """Walks one file; every complaint it makes names the file and the dotted key."""

    def __init__(self, file: str, root: Mapping[str, object]) -> None:
        self._file = file
        self._root = root
        self._documents: dict[str, Document] = {}

    def layer(self) -> Layer:
        self._only("", self._root, "id", "title", "under", "documents", "provisions", "articles", "guidance")
        title = self._table("title", self._need("", self._root, "title"))
        self._only("title", title, "en", "zh-CN")
        under = self._text("under", self._root["under"]) if "under" in self._root else None
        self._documents = {
            name: self._document(f"documents.{name}", value)
            for name, value in self._table("documents", self._root.get("documents", {})).items()
        }
        return Layer(
            file=self._file,
            id=self._id(),
            title_en=self._text("title.en", self._need("title", title, "en")),
            title_zh=self._text("title.zh-CN", self._need("title", title, "zh-CN")),
            under=under,
            provisions=self._provisions(),
            articles=self._articles(),
            guidance=self._guidance(),
        )

    def _id(self) -> str:
        found = self._text("id", self._need("", self._root, "id"))
        if not _ID.fullmatch(found):
            raise self._bad("id", f"expected lower-case letters, digits, dots and hyphens, not {found!r}")
        return found

    def _document(self, where: str, value: object) -> Document:
        found = self._table(where, value)
        self._only(where, found, "title", "date", "code", "standing")
        code = self._text(f"{where}.code", found["code"]) if "code" in found else ""
        if code and code not in _CODES:
            raise self._bad(f"{where}.code", f"expected one of {', '.join(_CODES)}, not {code!r}")
        return Document(
            title=self._text(f"{where}.title", self._need(where, found, "title")),
            date=self._date(f"{where}.date", self._need(where, found, "date")),
            code=code,
            standing=self._standing(where, found) if code else None,
        )

    def _provisions(self) -> dict[str, Given]:
        given: dict[str, Given] = {}
        for group, members in self._table("provisions", self._root.get("provisions", {})).items():
            for name, value in self._table(f"provisions.{group}", members).items():
                key, where = f"{group}.{name}", f"provisions.{group}.{name}"
                if key not in keys.ALL:
                    raise self._bad(
                        where, "unknown key; the sheet of a profile lists the provisions there are"
                    )
                given[key] = self._given(key, where, self._table(where, value))
        return given

    def _given(self, key: str, where: str, found: Mapping[str, object]) -> Given:
        self._only(where, found, "value", "document", "article", "standing", "date", "note")
        value = self._need(where, found, "value")
        source = self._source(where, found)
        try:
            keys.ALL[key].parse(value)
        except ValueError as error:
            raise self._bad(f"{where}.value", str(error)) from None
        return Given(value=value, source=source, code=self._documents[str(found["document"])].code)

    def _source(self, where: str, found: Mapping[str, object], article: str | None = None) -> Source:
        if "document" not in found:
            raise self._bad(where, "no citation; add document = one of [documents] in this file")
        document = self._cited(f"{where}.document", self._text(f"{where}.document", found["document"]))
        standing = self._standing(where, found)
        if "article" in found:
            article = self._text(f"{where}.article", found["article"])
        date = self._date(f"{where}.date", found["date"]) if "date" in found else document.date
        note = self._text(f"{where}.note", found["note"]) if "note" in found else ""
        article = None if article == "unknown" else article
        citation = Citation(document=document.title, article=article, note=note)
        return Source(citation=citation, date=date, standing=standing)

    def _standing(self, where: str, found: Mapping[str, object]) -> Standing:
        written = self._text(f"{where}.standing", self._need(where, found, "standing"))
        if written not in tuple(Standing):
            raise self._bad(f"{where}.standing", f"expected one of {', '.join(Standing)}, not {written!r}")
        return Standing(written)

    def _cited(self, where: str, name: str) -> Document:
        if name not in self._documents:
            known = ", ".join(self._documents) or "none yet"
            raise self._bad(where, f"{name!r} is not in [documents] of this file ({known}); add it there")
        return self._documents[name]

    def _articles(self) -> dict[str, KindSource]:
        found: dict[str, KindSource] = {}
        for kind, value in self._table("articles", self._root.get("articles", {})).items():
            where = f"articles.{kind}"
            members = self._table(where, value)
            self._only(where, members, "articles", "see", "document", "standing", "date", "note")
            see = self._texts(f"{where}.see", members["see"]) if "see" in members else ()
            for name in see:
                if name not in keys.ALL:
                    raise self._bad(f"{where}.see", f"{name!r} is no provision; write its dotted name")
            if "articles" not in members and not see:
                raise self._bad(where, "no citation; add articles = [...] with a document, or see = [...]")
            numbers = self._texts(f"{where}.articles", members["articles"]) if "articles" in members else ()
            source = self._source(where, members, ", ".join(numbers)) if numbers else None
            articles = tuple(self._article(where, number, members) for number in numbers)
            found[kind] = KindSource(articles=articles, see=see, source=source)
        return found

    def _article(self, where: str, written: str, members: Mapping[str, object]) -> CitedArticle:
        if _LAW.match(written):
            laws = self._cited(where, "laws")
            if laws.standing is None:
                raise self._bad("documents.laws.code", "missing; write the edition, 1997 or 2017")
            return CitedArticle(
                document=laws.title, number=written[1:], code=laws.code, standing=laws.standing
            )
        document = self._cited(f"{where}.document", self._text(where, self._need(where, members, "document")))
        return CitedArticle(
            document=document.title,
            number=None if written == "unknown" else written,
            code=document.code,
            standing=self._standing(where, members),
        )

    def _guidance(self) -> dict[Guidance, Advice]:
        found: dict[Guidance, Advice] = {}
        for name, value in self._table("guidance", self._root.get("guidance", {})).items():
            where = f"guidance.{name}"
            if name not in Guidance.__members__:
                raise self._bad(where, f"unknown key; expected one of {', '.join(Guidance.__members__)}")
            members = self._table(where, value)
            self._only(where, members, "bears_on", "document", "article", "standing", "date", "note")
            kinds = self._texts(f"{where}.bears_on", self._need(where, members, "bears_on"))
            found[Guidance[name]] = Advice(bears_on=kinds, source=self._source(where, members))
        return found

    def _date(self, where: str, value: object) -> str:
        text = value.isoformat() if isinstance(value, datetime.date) else value
        if text == "unknown":
            return "unknown"
        if isinstance(text, str) and _DATE.fullmatch(text):
            padded = text + "-01-01"[len(text) - 4 :] if len(text) < 10 else text
            try:
                datetime.date.fromisoformat(padded)
            except ValueError:
                pass
            else:
                return text
        raise self._bad(
            where, f"expected a date such as 2016, 2016-08 or 2016-08-31, or unknown, not {text!r}"
        )

    def _only(self, where: str, found: Mapping[str, object], *allowed: str) -> None:
        for name in found:
            if name not in allowed:
                dotted = f"{where}.{name}" if where else name
                raise self._bad(dotted, f"unknown key; expected one of {', '.join(allowed)}")

    def _need(self, where: str, found: Mapping[str, object], name: str) -> object:
        if name not in found:
            raise self._bad(f"{where}.{name}" if where else name, "missing; add it")
        return found[name]

    def _table(self, where: str, value: object) -> Mapping[str, object]:
        if not isinstance(value, dict):
            raise self._bad(where, f"expected a table, not {shown(value)}")
        return value

    def _text(self, where: str, value: object) -> str:
        if not isinstance(value, str) or not value.strip():
            raise self._bad(where, f"expected text, not {shown(value)}")
        return value

    def _texts(self, where: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not value:
            raise self._bad(where, f"expected a list of texts, not {shown(value)}")
        return tuple(self._text(where, item) for item in value)

    def _bad(self, where: str, what: str) -> RegulationsError:
        return RegulationsError(f"{self._file}: {where if where.isprintable() else repr(where)}: {what}")
