"""The printable sheet: what the reports say, in words, on paper. Without hands, as every sheet may be
seen.
"""

from __future__ import annotations

from director_console.evidence.select import Export
from director_console.projection.hall import Hall
from director_console.projection.inputs import TimeRuled
from director_console.store.reports import StoredReport
from director_console.web import lines, sentences
from director_console.web.helpers import helpers
from director_console.web.templating import environment


def sheet_html(hall: Hall, rows: list[StoredReport], export: Export) -> str:
    """A whole HTML page that needs nothing else."""
    selection = export.selection
    chosen = (
        [selection.case] if selection.case is not None else list(reversed(hall.cases_of(selection.table)))
    )
    return (
        environment()
        .get_template("sheet.html")
        .render(
            {
                **helpers(export.lang),
                "export": export,
                "cases": [
                    {
                        "case": case,
                        "sentence": sentences.case_sentence(export.lang, case),
                        "facts": lines.fact_lines(export.lang, case),
                        "articles": sentences.articles(export.lang, case.entry),
                        "courses": [sentences.course_text(export.lang, key) for key in case.entry.course],
                        "history": lines.history_of(export.lang, case),
                    }
                    for case in chosen
                ],
                "time_rulings": [] if selection.case is not None else rulings_at(hall, selection.table),
                "rows": lines.log_lines(export.lang, rows, [], hands=export.hands)[::-1],
            }
        )
    )


def rulings_at(hall: Hall, table: str) -> list[TimeRuled]:
    """What was decided about this table's time, as it stands."""
    return [versions[-1] for (where, *_), versions in hall.time_rulings.items() if where == table]
