"""A cable that reads along: how many publishes are on the wire unacknowledged, and in which order rows
went.
"""

from __future__ import annotations

import json
import socket

from tests.mqtt.wires import Cable

PUBLISH, PUBACK = 3, 4


class Packets:
    """MQTT packets out of a stream of bytes that comes in pieces."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[tuple[int, int, bytes]]:
        """Type, flags and body of every packet that is complete now."""
        self._rest += data
        found: list[tuple[int, int, bytes]] = []
        while (packet := self._next()) is not None:
            found.append(packet)
        return found

    def _next(self) -> tuple[int, int, bytes] | None:
        length, shift, position = 0, 0, 1
        while True:
            if position >= len(self._rest):
                return None
            byte = self._rest[position]
            length |= (byte & 127) << shift
            position += 1
            shift += 7
            if not byte & 128:
                break
        if len(self._rest) < position + length:
            return None
        head, body = self._rest[0], self._rest[position : position + length]
        self._rest = self._rest[position + length :]
        return head >> 4, head & 15, body


class CountingCable(Cable):
    """`most`: the most QoS 1 publishes that were ever unacknowledged at once. `rows`: numbers of rows as
    first sent.
    """

    def __init__(self, port: int) -> None:
        self.most = 0
        self.waiting: set[int] = set()
        self.rows: list[int] = []
        self.sent = 0
        self._highest = 0
        super().__init__(port)

    def _relay(self, source: socket.socket, target: socket.socket) -> None:
        outward = source.getsockname()[1] == self.port
        packets = Packets()
        if outward:
            self.waiting.clear()
        try:
            while data := source.recv(65536):
                for kind, flags, body in packets.feed(data):
                    self._count(outward, kind, flags, body)
                target.sendall(data)
            target.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def _count(self, outward: bool, kind: int, flags: int, body: bytes) -> None:
        if outward and kind == PUBLISH and flags & 6:
            size = int.from_bytes(body[:2])
            topic = body[2 : 2 + size].decode()
            self.waiting.add(int.from_bytes(body[2 + size : 4 + size]))
            self.most = max(self.most, len(self.waiting))
            self.sent += 1
            if "/ev/" in topic:
                self._row(json.loads(body[4 + size :])["seq"])
        elif not outward and kind == PUBACK:
            self.waiting.discard(int.from_bytes(body[:2]))

    def _row(self, seq: int) -> None:
        if seq > self._highest:
            self.rows.append(seq)
            self._highest = seq
