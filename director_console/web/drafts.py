"""What somebody has begun to write and not sent: kept by the server, so that it is there on another tablet.

`POST /drafts` with `csrf`, `form` (the path it will go to) and `fields` (a JSON object of texts). Never a
password.
"""

from __future__ import annotations

import asyncio
import hmac
import json

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from director_console.act import Act
from director_console.store.people import Role
from director_console.web.guard import not_allowed, not_logged_in
from director_console.web.state import console_of
from director_console.web.viewer import viewer_of

LONGEST = 8000


def _plain(text: str) -> bool:
    """Whether it can be kept: JSON can spell halves of characters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


async def keep_draft(request: Request) -> Response:
    viewer = viewer_of(request)
    if viewer is None:
        return not_logged_in(request)
    data = await request.form(max_files=0, max_fields=10)
    csrf = str(data.get("csrf", "")).encode()
    if not viewer.may(Role.DIRECTOR) or not hmac.compare_digest(csrf, viewer.login.csrf.encode()):
        return not_allowed(request, viewer, "draft")
    form, text = str(data.get("form", "")), str(data.get("fields", ""))
    try:
        fields = json.loads(text) if len(text) <= LONGEST else None
    except (ValueError, RecursionError):
        fields = None
    if not form.startswith("/") or len(form) > 200 or not isinstance(fields, dict):
        return JSONResponse({"message": viewer.say("guard.bad_request")}, 422)
    kept = {name: value for name, value in fields.items() if isinstance(value, str) and _plain(name + value)}

    def keep(act: Act) -> None:
        act.book.db.execute(
            "INSERT OR REPLACE INTO drafts VALUES (?, ?, ?, ?)",
            (viewer.name, form, json.dumps(kept, ensure_ascii=False), act.now),
        )

    await asyncio.wrap_future(console_of(request).desk.do(keep))
    return JSONResponse({"kept": True})
