"""Who says it: documents, articles and their standing in words; and why a check is off.

A document or note that is not ours (an event's own supplement) is shown as its writer wrote it. Must never
supply an article's number.
"""

from __future__ import annotations

import re

from table_controller.words.dictionary import Lang, entries, has, label, word


def document(title: str, lang: Lang) -> str:
    return word("document", title, lang) if has("document", title) else title


def note(text: str, lang: Lang) -> str:
    return word("note", text, lang) if has("note", text) else text


def citation(
    title: str, number: str | None, lang: Lang, *, law: bool = False, number_2017: str | None = None
) -> str:
    """`CCBA tournament regulations 2006, 23.2.5` or `..., Law 34 (2017: 17D3)`; unknown says so."""
    name = document(title, lang)
    if number is None:
        return word("source", "article_unknown", lang, document=name)
    key = "law" if law or number_2017 is not None else "article"
    shown = word("source", key, lang, document=name, number=number)
    if number_2017 is not None and number_2017 != number:
        shown += word("source", "in_2017", lang, number=number_2017)
    return shown


def why_off(why: str, lang: Lang) -> str:
    """The table's sentence why a check is off, in `lang`; as it came if it is a new one."""
    if has("why_off", why):
        return word("why_off", why, lang)
    for key in entries("why_off"):
        if "{senses}" not in key:
            continue
        pattern = re.escape(key).replace(re.escape("{senses}"), "([a-z_., ]+)")
        if found := re.fullmatch(pattern, why):
            names = [label("sense", name.strip(), lang) for name in found.group(1).split(",")]
            joint = ", " if lang is Lang.EN else "、"
            return word("why_off", key, lang, senses=joint.join(names))
    return why
