"""What the page of the whole table is told, as it comes: everything once, then what has changed.

Must never be slower than the table for long: it looks at what is shown now, so that a slow page misses frames
and not the truth.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from hw_sim.bench.bulletin import Bulletin
from hw_sim.bench.contract import (
    Hello,
    InsideItem,
    InsideNews,
    LogLine,
    LogNews,
    SessionFrame,
    SessionNews,
    Shape,
    TableFrame,
    TableNews,
)

LOOK_S = 0.04


async def tell(bulletin: Bulletin, send: Callable[[str], Awaitable[None]]) -> None:
    """Until sending fails."""
    page = _Page(bulletin)
    while True:
        for shape in page.news():
            await send(shape.model_dump_json())
        await asyncio.sleep(LOOK_S)


class _Page:
    """What one page has been told so far."""

    def __init__(self, bulletin: Bulletin) -> None:
        self._bulletin = bulletin
        self._number = 0
        self._session: SessionFrame | None = None
        self._table: TableFrame | None = None
        self._log: tuple[LogLine, ...] = ()
        self._told = 0

    def news(self) -> list[Shape]:
        bulletin = self._bulletin
        session, table = bulletin.session, bulletin.table
        if session is None or table is None:
            return []
        if session.number != self._number:
            return [self._hello(session, table)]
        found: list[Shape] = []
        if table is not self._table:
            self._table = table
            found.append(TableNews(table=table))
        self._told, items = bulletin.since(self._told)
        if items:
            found.append(InsideNews(items=items))
        log = bulletin.log
        if log is not self._log:
            before, self._log = self._log, log
            new = [line for n, line in enumerate(log) if n >= len(before) or before[n] != line]
            found.append(LogNews(lines=new))
        if session is not self._session:
            self._session = session
            found.append(SessionNews(session=session))
        return found

    def _hello(self, session: SessionFrame, table: TableFrame) -> Hello:
        bulletin = self._bulletin
        self._number, self._session, self._table = session.number, session, table
        self._told, _ = bulletin.since(bulletin.told)
        self._log = bulletin.log
        latest: tuple[InsideItem, ...] = bulletin.latest
        return Hello(
            session=session,
            table=table,
            levels=dict(bulletin.levels),
            inside=list(latest),
            log=list(self._log),
        )
