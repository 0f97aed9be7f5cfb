"""A console with something in it, the operations it describes of itself, and what must never be seen."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from director_console.store.people import Role
from tests.director_console.playing import Playing
from tests.director_console.web_rig import PASSWORD, WebRig

KEY = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
FORM = "application/x-www-form-urlencoded"
JSON = {"accept": "application/json"}
NOT_DATA = ("audit", "logins", "sqlite_sequence")
"""What a refused attempt may add to: that it was refused, and that somebody logged in."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One entry of the description, made concrete."""

    method: str
    path: str
    spec: dict[str, Any]

    @property
    def name(self) -> str:
        return str(self.spec.get("operationId", self.path))

    @property
    def role(self) -> Role | None:
        """The least that may do it; None where the description names none."""
        found = re.search(r"role (\w+) and those above", self.spec.get("description", ""))
        return Role(found[1]) if found else None

    @property
    def fields(self) -> dict[str, dict[str, Any]]:
        if "requestBody" not in self.spec:
            return {}
        [content] = self.spec["requestBody"]["content"].values()
        return dict(content["schema"]["properties"])

    @property
    def queries(self) -> list[str]:
        return [one["name"] for one in self.spec.get("parameters", ()) if one["in"] == "query"]


class Target:
    """A console with something in it, the operations it describes, and what must never be seen."""

    def __init__(self, folder: Path) -> None:
        self.rig = WebRig(folder)
        table = Playing("7", self.rig.keys, 1)
        self.rig.hear(
            *table.hello(), *table.step(), table.wired.entry(table.entry()), table.wired.fault(table.fault())
        )
        self.epoch = table.wired.epoch
        self.chief = self.rig.client
        document = self.chief.get("/api/openapi.json").json()
        self.operations = [
            Operation(method, path, spec)
            for path, methods in document["paths"].items()
            for method, spec in methods.items()
        ]
        self.clients = {Role.CHIEF: self.chief}
        for role, name in ((Role.DIRECTOR, "ben"), (Role.OBSERVER, "olga")):
            self.clients[role] = self.rig.login(name)
        self.csrf = {role: csrf_of(client) for role, client in self.clients.items()}

    def posts(self) -> list[Operation]:
        return [one for one in self.operations if one.method == "post"]

    def gets(self) -> list[Operation]:
        return [one for one in self.operations if one.method == "get"]

    def path(self, path: str) -> str:
        values = {"table": "7", "epoch": self.epoch, "entry": "1", "fault": "2", "notice": "1", "export": KEY}
        return re.sub(r"\{(\w+)\}", lambda name: values[name[1]], path)

    def good(self, operation: Operation, role: Role) -> dict[str, str]:
        """Fields that would be taken."""
        made = {name: value_for(schema) for name, schema in operation.fields.items()}
        return {**made, "csrf": self.csrf[role], "key": KEY}

    def everything(self) -> str:
        """A hash of all that the console keeps, but for logins and the audit log."""
        self.rig.settle()
        db = sqlite3.connect(f"{(self.rig.directory / 'console.db').as_uri()}?mode=ro", uri=True)
        names = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        digest = hashlib.sha256()
        for name in sorted(set(names) - set(NOT_DATA)):
            for row in db.execute(f'SELECT * FROM "{name}"'):
                digest.update(repr((name, row)).encode())
        db.close()
        return digest.hexdigest()

    def secrets(self) -> list[str]:
        cookies = [cookie.value for client in self.clients.values() for cookie in client.cookies.jar]
        keys = [key.hex() for key in (*self.rig.keys.tables.values(), self.rig.keys.venue)]
        return [PASSWORD, *filter(None, cookies), *keys, "$argon2", str(self.rig.directory), "Traceback",
                "sqlite", 'File "']  # fmt: skip

    def harmless(self, answer: httpx.Response, *, own: Role | None = None) -> None:
        """What holds of every answer."""
        assert answer.status_code < 500, (answer.request.method, answer.request.url, answer.text[:300])
        for secret in self.secrets():
            assert secret not in answer.text, (answer.request.url, secret[:12])
        for role, csrf in self.csrf.items():
            if role is not own:
                assert csrf not in answer.text, (answer.request.url, "another login's token")


def value_for(schema: dict[str, Any]) -> str:
    schema = schema.get("items", schema)
    if "enum" in schema:
        return str(next(choice for choice in schema["enum"] if choice))
    return "1" if "pattern" in schema else "some text of ten"


def csrf_of(client: httpx.Client) -> str:
    found = re.search(r'name="csrf" content="([^"]+)"', client.get("/account").text)
    assert found
    return found[1]
