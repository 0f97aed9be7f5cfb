"""A scripted director: he reads the console's pages and fills in its forms, as a person does with a browser.

He lays down the tables' sessions, rules on what waits, lets a table resume after a hold, and then tells the
players at it to go on. Must never use another way into the console, and never rule before a person had his
time to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import httpx

from hw_sim.demo.html_forms import HtmlForm, HtmlPage, read_page
from hw_sim.processes.joints import Joint, JointBroken

ANSWER_WITHIN_S = 10.0
TEXT = "Demonstration: dealt with at the table, the board goes on."
HOLD = "hold"
NOT_SHOWN = "AUCTION_NOT_SHOWN"
TRIES = 5
RESUMES_WITHIN_S = 4.0
MINUTES_A_BOARD = 8
LONGEST_ROUND = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingCase:
    """A row of the queue. `key` is `TABLE/EPOCH/NUMBER`."""

    key: str
    kinds: tuple[str, ...]
    level: str

    @property
    def table(self) -> str:
        return self.key.split("/")[0]


class ScriptedDirector:
    """`look(now)` is one round of the hall; times in seconds of any steady clock.

    `patience_s`: how long a case is left to a person. `tell(table, kind)` is called when a case of that kind
    is off the queue, whoever dealt with it.
    """

    def __init__(self, client: httpx.Client, *, patience_s: float, tell: Callable[[str, str], None]) -> None:
        self._client = client
        self._patience_s = patience_s
        self._tell = tell
        self._seen: dict[str, float] = {}
        self._waiting: dict[str, WaitingCase] = {}
        self._dealt: dict[str, WaitingCase] = {}
        self._ruled: dict[str, int] = {}
        self._resumed: dict[str, int] = {}
        self._asked_at: dict[str, float] = {}
        self._now = 0.0
        self.rulings = 0

    def log_in(self, link: str) -> None:
        """By the link that lets somebody in once. Raises JointBroken."""
        answer = self._ask("GET", link)
        if "/login" in answer.url.path:
            raise JointBroken(Joint.CONSOLE, "the one-time login was refused")

    def lay_down_sessions(self, boards: Mapping[str, Sequence[int]], now: datetime) -> bool:
        """Each table's session, its boards in the order they come, and the round's clock.

        False while one of the tables is away yet. `now`: local time; the start is a whole minute, late
        enough that nobody is late whose first board comes while the forms are being filled in.
        """
        tiles = self._page("/").tiles
        if sum(tile["data-presence"] == "online" for tile in tiles) < len(boards):
            return False
        form = self._page("/session").form("/session")
        if form is not None and form.values["session"]:
            return True  # a person has seen to it
        start = now + timedelta(minutes=2)
        common = {"minutes": str(MINUTES_A_BOARD), "day": f"{start:%Y-%m-%d}", "start": f"{start:%H:%M}"}
        for table, numbers in boards.items():
            filled = {"session": f"table-{table}", "tables": table, "boards": ",".join(map(str, numbers))}
            self._submit(self._page("/session").form("/session"), common | filled)
        length = min(MINUTES_A_BOARD * max(map(len, boards.values())), LONGEST_ROUND)
        self._submit(self._page("/session").form("/round", act="set"), {"minutes": str(length)})
        self._submit(self._page("/session").form("/round", act="start"), {})
        return True

    def look(self, now: float) -> None:
        """Deal with what has waited long enough. Raises JointBroken if the console does not answer."""
        self._now = now
        queue = {case.key: case for case in self.queue()}
        for key, case in queue.items():
            self._seen.setdefault(key, now)
            if now - self._seen[key] >= self._patience_s * (1 + self._ruled.get(key, 0)):
                self._deal_with(case)
        for key in self._waiting.keys() - queue.keys():
            self._dealt[key] = self._waiting[key]
            self._asked_at[key] = now + (0 if key in self._ruled else self._patience_s) - RESUMES_WITHIN_S
        self._waiting = queue
        for key, case in list(self._dealt.items()):
            if case.level == HOLD and self._held(case.table):
                self._let_resume(case)
                continue
            del self._dealt[key]
            for kind in case.kinds:
                self._tell(case.table, kind)

    def queue(self) -> list[WaitingCase]:
        """What waits for a director now."""
        rows = self._page("/queue").marked
        return [
            WaitingCase(
                key=row["data-case"],
                kinds=tuple(row["data-kinds"].split()),
                level=row["data-level"],
            )
            for row in rows
            if row.get("data-waits") == "1"
        ]

    def _deal_with(self, case: WaitingCase) -> None:
        tries = self._ruled.get(case.key, 0)
        if tries == TRIES:
            raise JointBroken(
                Joint.DIRECTOR, f"case {case.key} still waits though it has been ruled on {TRIES} times"
            )
        self._ruled[case.key] = tries + 1
        page = self._page(f"/cases/{case.key}")
        if NOT_SHOWN in case.kinds:  # the table knows the calls, and may go by them once he has said so
            self._submit(page.form("/correct", what="auction"), {"why": TEXT})
        self._submit(page.form("/rule"), {"verdict": "other", "text": TEXT})
        self.rulings += 1

    def _held(self, table: str) -> bool:
        """Whether the table's page says that a hold is in force."""
        return "holding" in self._page(f"/tables/{table}").classes

    def _let_resume(self, case: WaitingCase) -> None:
        """End the hold after his own ruling, or after a person's who leaves it; again until it has ended."""
        tries = self._resumed.get(case.key, 0)
        if tries == TRIES:
            raise JointBroken(
                Joint.DIRECTOR, f"table {case.table} is still held though it was resumed {TRIES} times"
            )
        if self._asked_at[case.key] + RESUMES_WITHIN_S <= self._now:
            self._resumed[case.key] = tries + 1
            self._asked_at[case.key] = self._now
            page = self._page(f"/tables/{case.table}")
            self._submit(page.form("/resume"), {"why": TEXT})

    def _submit(self, form: HtmlForm | None, filled: dict[str, str]) -> None:
        if form is None:
            raise JointBroken(Joint.CONSOLE, "the page has no form for what the director wants to do")
        values = {**form.values, **{name: text for name, text in filled.items() if name in form.names}}
        for required in filled.keys() - form.names:
            if required != "why":
                raise JointBroken(Joint.CONSOLE, f"the form {form.action} has no field {required}")
        self._ask("POST", form.action, values)

    def _page(self, path: str) -> HtmlPage:
        return read_page(self._ask("GET", path).text)

    def _ask(self, method: str, path: str, data: dict[str, str] | None = None) -> httpx.Response:
        try:
            answer = self._client.request(method, path, data=data)
        except httpx.HTTPError as problem:
            what = f"it does not answer ({type(problem).__name__})"
            raise JointBroken(Joint.CONSOLE, what) from None
        if answer.status_code == 409:
            return answer  # somebody else was quicker
        if answer.status_code >= 400:
            raise JointBroken(Joint.CONSOLE, f"{method} {path} was answered with {answer.status_code}")
        return answer


def open_client(address: str) -> httpx.Client:
    """A client that keeps its cookies, follows redirects and trusts nobody's proxy settings."""
    return httpx.Client(base_url=address, follow_redirects=True, timeout=ANSWER_WITHIN_S, trust_env=False)
