"""Evidence over HTTP: the file an export form has asked for, and checking one somebody brings."""

from __future__ import annotations

import asyncio
import hmac

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from director_console.evidence.build import build
from director_console.evidence.select import Export, Selection
from director_console.evidence.verify import Findings, verify
from director_console.store.book import open_reader
from director_console.store.people import Role
from director_console.web.contexts import case_of
from director_console.web.guard import not_allowed, not_logged_in
from director_console.web.posting_again import Again
from director_console.web.render import render
from director_console.web.state import Console, console_of
from director_console.web.viewer import viewer_of


async def evidence_file(request: Request) -> Response:
    """`GET /evidence/{export}.zip`: only to the one who gave the reason for it."""
    viewer = viewer_of(request)
    if viewer is None:
        return not_logged_in(request)
    console = console_of(request)
    row = console.reader.execute(
        'SELECT "table", entry, hands, reason, by, at FROM exports WHERE id = ?',
        (request.path_params["export"],),
    ).fetchone()
    if row is None:
        raise HTTPException(404)
    if row[4] != viewer.name or not viewer.may(Role.DIRECTOR):
        return not_allowed(request, viewer, "evidence")
    hall = console.desk.hall
    selection = Selection(table=row[0], case=case_of(hall, f"{row[0]}/{row[1]}") if row[1] else None)
    export = Export(
        selection=selection,
        hands=bool(row[2]),
        reason=row[3],
        by=row[4],
        at=row[5],
        venue=console.venue,
        event=console.event,
        lang=viewer.lang,
    )
    content = await asyncio.to_thread(_build, console, export)
    name = f"{selection.name}.zip"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type="application/zip", headers=headers)


def _build(console: Console, export: Export) -> bytes:
    reader = open_reader(console.directory)
    try:
        return build(reader, console.desk.hall, console.desk.intake.keys, export)
    finally:
        reader.close()


def show_evidence(request: Request, again: Again, findings: Findings | None = None) -> Response:
    viewer = viewer_of(request)
    if viewer is None:
        return not_logged_in(request)
    context = {
        "findings": findings,
        "table_chosen": request.query_params.get("table", ""),
        "entry_chosen": request.query_params.get("entry", ""),
    }
    return render(request, viewer, "evidence.html", context, again=again)


async def check_evidence(request: Request) -> Response:
    """`POST /evidence/check`: `csrf` and a file `evidence`; says what is wrong with it, or that nothing
    is.
    """
    viewer = viewer_of(request)
    if viewer is None:
        return not_logged_in(request)
    data = await request.form(max_files=1, max_fields=5)
    csrf = str(data.get("csrf", "")).encode()
    if not viewer.may(Role.DIRECTOR) or not hmac.compare_digest(csrf, viewer.login.csrf.encode()):
        return not_allowed(request, viewer, "check evidence")
    upload = data.get("evidence")
    content = await upload.read() if isinstance(upload, UploadFile) else b""
    keys = console_of(request).desk.intake.keys
    findings = await asyncio.to_thread(verify, content, keys)
    return show_evidence(request, Again(form="", given={}, errors={}), findings)
