"""The hall: players who keep a ledger, processes that are killed, and what must hold when it is over."""

from __future__ import annotations

import contextlib
import json
import os
import random
import selectors
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from hw_sim.processes.broker import BrokerKind, command, free_port

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Player:
    """The players of one table: `done` facts are in the ledger, `asked` ones have been told and not
    confirmed.
    """

    table: str
    ledger: Path
    done: int = 0
    asked: int = 0
    wire: socket.socket | None = None
    rest: bytes = b""
    births: int = 0
    finds: list[str] = field(default_factory=list)

    def confirmed(self, fact: int) -> None:
        if fact <= self.done:
            return
        assert fact == self.done + 1 or fact <= self.asked, (self.table, fact, self.done, self.asked)
        with self.ledger.open("a") as ledger:
            ledger.writelines(f"{number}\n" for number in range(self.done + 1, fact + 1))
        self.done = fact

    def tell(self) -> None:
        """One fact more, unless three have not been confirmed yet or the table is not there."""
        if self.wire is None or self.asked - self.done >= 3:
            return
        try:
            self.wire.sendall(b"%d\n" % (self.asked + 1))
            self.asked += 1
        except OSError:
            self.wire = None


SURELY = (0.9, 0.8, 0.1)
"""Lots of a broker, a console and a table: in the middle of a run each is killed, however short it is."""


@dataclass
class Counts:
    kills: dict[str, int] = field(default_factory=lambda: {"table": 0, "console": 0, "broker": 0})
    freezes: int = 0


class Hall:
    """Everything of one run. `start`, then `rage`, then `calm`, then `judge` (see `verdict`)."""

    def __init__(
        self,
        folder: Path,
        tables: int,
        seed: int,
        rate: float,
        command_every: float,
        broker: BrokerKind = BrokerKind.AUTO,
    ) -> None:
        self.kind = broker
        self.folder = folder
        self.tables = tables
        self.seed = seed
        self.rate = rate
        self.command_every = command_every
        self.draw = random.Random(seed)
        self.counts = Counts()
        self.port = free_port()
        self.socket_path = str(folder / "players.sock")
        self.selector = selectors.DefaultSelector()
        self.players: dict[str, Player] = {}
        self.pids: dict[str, int] = {}
        self.due: list[tuple[float, str]] = []
        self.frozen: list[tuple[float, int]] = []
        self.broker: subprocess.Popen[bytes] | None = None
        for number in range(1, tables + 1):
            name = str(number)
            (folder / name).mkdir()
            self.players[name] = Player(name, folder / name / "ledger")
            self.players[name].ledger.touch()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.socket_path)
        self.listener.listen(64)
        self.selector.register(self.listener, selectors.EVENT_READ, None)
        self.log = (folder / "processes.log").open("ab")
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.zygote = subprocess.Popen(
            [sys.executable, "-m", "tests.chaos.zygote"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            env=env,
            cwd=ROOT,
        )

    # --- births and deaths

    def start(self) -> None:
        self.start_broker()
        self.bear("console")
        for name in self.players:
            self.bear(name)

    def start_broker(self) -> None:
        line = command(self.kind, self.port, self.folder / "broker")
        (self.folder / "broker").mkdir(exist_ok=True)
        self.broker = subprocess.Popen(
            line, stdout=self.log, stderr=self.log, cwd=ROOT, start_new_session=True
        )

    def bear(self, name: str) -> None:
        """A new process for a table, or for the console."""
        common = {
            "broker": f"mqtt://127.0.0.1:{self.port}",
            "folder": str(self.folder),
            "seed": str(self.seed),
        }
        if name == "console":
            wanted = {"end": "console", "tables": str(self.tables), "every_s": str(self.command_every)}
        else:
            wanted = {"end": "table", "table": name, "players": self.socket_path}
        assert self.zygote.stdin is not None
        assert self.zygote.stdout is not None
        self.zygote.stdin.write(json.dumps(common | wanted).encode() + b"\n")
        self.zygote.stdin.flush()
        self.pids[name] = int(self.zygote.stdout.readline())

    def kill(self, chosen: float | None = None) -> None:
        """One process, by lot unless it is said; it is born again after a while."""
        chosen = self.draw.random() if chosen is None else chosen
        again = time.monotonic() + self.draw.uniform(0.0, 1.0)
        if chosen < 0.72:
            name = self.draw.choice(sorted(self.players))
            kind = "table"
        elif chosen < 0.88:
            name = kind = "console"
        else:
            name = kind = "broker"
        if any(waiting == name for _, waiting in self.due):
            return
        if kind == "broker":
            self.kill_broker()
        elif self.draw.random() < 0.1:
            self.freeze(self.pids[name])
            return
        else:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pids[name], signal.SIGKILL)
        self.counts.kills[kind] += 1
        self.due.append((again, name))

    def freeze(self, pid: int) -> None:
        """Not dead, only silent for a while: as a card that stalls, or a link that is half open."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
            self.frozen.append((time.monotonic() + self.draw.uniform(0.5, 3.0), pid))
            self.counts.freezes += 1

    def kill_broker(self) -> None:
        if self.broker is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.broker.pid, signal.SIGKILL)
            self.broker.wait()
            self.broker = None

    def is_gone(self, name: str) -> bool:
        """Whether the process that was killed has ended: as systemd waits for it before the next.

        On a busy machine a killed process can hold its journal's lock for a while.
        """
        pid = self.pids.get(name)
        if pid is None:
            return True
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        return False

    def revive(self, everything: bool = False) -> None:
        now = time.monotonic()
        for at, name in list(self.due):
            if (at <= now or everything) and self.is_gone(name):
                self.due.remove((at, name))
                if name == "broker":
                    self.start_broker()
                else:
                    self.bear(name)
        for at, pid in list(self.frozen):
            if at <= now or everything:
                self.frozen.remove((at, pid))
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    # --- time passes

    def rage(self, seconds: float, kills_per_s: float) -> None:
        end = time.monotonic() + seconds
        surely = list(SURELY) if seconds * kills_per_s > 1 else []
        next_fact = next_kill = time.monotonic()
        while (now := time.monotonic()) < end:
            self.listen(min(next_fact, next_kill, now + 0.05) - now)
            self.revive()
            while next_fact <= time.monotonic():
                next_fact += 1 / self.rate
                self.players[self.draw.choice(sorted(self.players))].tell()
            if next_kill <= time.monotonic():
                next_kill = time.monotonic() + self.draw.expovariate(kills_per_s)
                self.kill()
            if surely and end - now < seconds / 2:
                self.kill(surely.pop())

    def calm(self, settled: object, limit_s: float) -> float:
        """No more kills, no more facts: wait until `settled()`; how long it took. Raises TimeoutError."""
        (self.folder / "quiet").touch()
        self.revive(everything=True)
        begun = time.monotonic()
        assert callable(settled)
        while not (self.all_confirmed() and settled()):
            self.listen(0.25)
            self.revive()
            if time.monotonic() - begun > limit_s:
                raise TimeoutError(f"not settled within {limit_s:.0f} s")
        return time.monotonic() - begun

    def all_confirmed(self) -> bool:
        for player in self.players.values():
            if player.wire is not None and player.asked < player.done:
                player.asked = player.done
        return all(player.done == player.asked for player in self.players.values())

    def listen(self, patience: float) -> None:
        for key, _ in self.selector.select(max(patience, 0.0)):
            if key.data is None:
                joined, _ = self.listener.accept()
                self.selector.register(joined, selectors.EVENT_READ, [b"", None])
            else:
                assert isinstance(key.fileobj, socket.socket)
                self.hear(key.fileobj, key.data)

    def hear(self, joined: socket.socket, state: list[object]) -> None:
        try:
            data = joined.recv(65536)
        except OSError:
            data = b""
        if not data:
            self.selector.unregister(joined)
            joined.close()
            player = state[1]
            if isinstance(player, Player) and player.wire is joined:
                player.wire = None
            return
        assert isinstance(state[0], bytes)
        *lines, state[0] = (state[0] + data).split(b"\n")
        for line in lines:
            self.heard(joined, state, json.loads(line))

    def heard(self, joined: socket.socket, state: list[object], words: dict[str, object]) -> None:
        if "table" in words:
            player = self.players[str(words["table"])]
            state[1] = player
            player.wire = joined
            player.births += 1
            player.finds.append(str(words["found"]))
            last = words["last"]
            assert isinstance(last, int)
            player.confirmed(last)
            player.asked = player.done
        else:
            fact, who = words["done"], state[1]
            assert isinstance(who, Player)
            assert isinstance(fact, int)
            who.confirmed(fact)

    def end(self) -> None:
        for pid in self.pids.values():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.kill_broker()
        self.zygote.kill()
        self.zygote.wait()
        self.selector.close()
        self.listener.close()
        self.log.close()
