"""Random and mutated frames into both decoders: nothing accepted that was not sent, nothing raised.

`python -m tests.firmware_bridge.fuzz` is the long form (ten million into the host, a million into the
firmware); `make test` runs a short seeded one.
"""

from __future__ import annotations

import argparse
import sys
import time
from random import Random

from firmware_bridge import wire
from firmware_bridge.decode import Decoder
from firmware_bridge.firmware import frames
from firmware_bridge.firmware.main import Device
from firmware_bridge.link import HostLink
from hw_sim.hardware.sim_board import SimBoard
from tests.firmware_bridge.conftest import SPEC
from tests.firmware_bridge.vectors import samples

MS = 1_000_000
BATCH = 200


def frame_pool(seed: int) -> list[bytes]:
    """Valid frames of all kinds, in several sessions."""
    random = Random(seed)
    return [wire.encode(frame, random.randrange(256)) for frame in samples() for _ in range(8)]


def mutant(random: Random, pool: list[bytes]) -> bytes:
    """A frame that was damaged, or bytes that never were one; delimiters around it as they may be."""
    roll = random.random()
    if roll < 0.25:
        inner = bytes(random.choices(range(1, 256), k=random.randrange(1, 80)))
        return b"\0" + inner + b"\0"
    data = bytearray(random.choice(pool))
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        at = random.randrange(1, len(data) - 1) if len(data) > 2 else 0
        match random.randrange(5):
            case 0:
                data[at] ^= random.randrange(1, 256)
            case 1:
                del data[at]
            case 2:
                data.insert(at, random.randrange(256))
            case 3:
                data[at] = 0
            case _:
                data[at : at + 4] = random.choice(pool)[at : at + 4]
    return bytes(data)


def fuzz_decoder(count: int, seed: int) -> int:
    """Feed the frame decoder; how many frames it took. AssertionError if one was never sent."""
    random = Random(seed)
    pool = frame_pool(seed)
    sent = {piece for frame in pool for piece in frame.split(b"\0") if piece}
    reader = frames.FrameReader()
    taken = 0
    for _ in range(0, count, BATCH):
        batch = b"".join(mutant(random, pool) for _ in range(BATCH))
        for code, session, body in reader.feed(batch):
            taken += 1
            inner = frames.frame_bytes(code, session, body)[1:-1]
            assert inner in sent, f"accepted a frame that was not sent: {inner.hex()}"
            wire.decode(code, body)
    return taken


def fuzz_host(count: int, seed: int) -> None:
    """Feed a running host link everything, valid frames of its session among it; nothing may be raised."""
    random = Random(seed)
    pool = frame_pool(seed)
    link = HostLink(SPEC, seed=seed)
    decoder = Decoder()
    now = 1_000 * MS
    link.opened(now)
    for n in range(0, count, BATCH):
        link.wake(now)
        link.take_bytes()
        if n // BATCH % 8 == 0:
            # Let it get further than the greeting.
            link.received(_welcome(link), now)
            for number in tuple(link._commits):
                link.received(wire.encode(wire.Result(number=number, status=0), link._hellos.session), now)
        batch = [mutant(random, pool) for _ in range(BATCH)]
        batch += [wire.encode(random.choice(samples()), link._hellos.session) for _ in range(4)]
        data = b"".join(batch)
        link.received(data, now)
        decoder.feed(data)
        link.take_readings()
        now += random.randrange(1, 400) * MS


def _welcome(link: HostLink) -> bytes:
    values = dict.fromkeys(wire.field_names(frames.WELCOME), 0)
    fixed = {
        **values,
        "uid": b"",
        "firmware": b"",
        "interpreter": b"",
        "nonce": link._hellos._asked.get(link._hellos.session, 0),
        "major": 1,
    }
    fixed |= {"inputs": 64, "outputs": 16, "tokens": 24, "ring": 64, "boot_id": 5}
    return wire.encode(wire.Welcome(**fixed), link._hellos.session)  # type: ignore[arg-type]


def fuzz_firmware(count: int, seed: int) -> None:
    """Feed a device; it must go on answering the host, and its outputs stay where they are safe."""
    random = Random(seed)
    pool = frame_pool(seed)
    clock = [0]
    board = SimBoard(uid=b"\1" * 8, boot_id=1, clock=lambda: clock[0])
    device = Device(board, 0)
    for _ in range(0, count, BATCH):
        board.incoming += b"".join(mutant(random, pool) for _ in range(BATCH))
        session = random.randrange(256)
        own = [wire.encode(random.choice(samples()), device.session) for _ in range(3)]
        board.incoming += b"".join(own)
        clock[0] += random.randrange(1, 300) * MS
        device.tick(board.ticks_us())
        device.step()
        board.outgoing.clear()
        board.incoming += b"\0" + wire.encode(wire.Hello(nonce=77), session)
        device.step()
        reader = frames.FrameReader()
        answers = [wire.decode(code, body) for code, _, body in reader.feed(bytes(board.outgoing))]
        assert any(isinstance(a, wire.Welcome) and a.nonce == 77 for a in answers)
        board.outgoing.clear()


def main(argv: list[str] | None = None) -> int:
    """The long form."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--host", type=int, default=10_000_000, help="frames into the host's decoder")
    parser.add_argument("--link", type=int, default=1_000_000, help="frames into a running host link")
    parser.add_argument("--firmware", type=int, default=1_000_000, help="frames into the firmware")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    began = time.monotonic()
    taken = fuzz_decoder(args.host, args.seed)
    print(f"decoder: {args.host} frames, {taken} valid ones taken, none that was not sent")
    fuzz_host(args.link, args.seed)
    print(f"host link: {args.link} frames, nothing raised")
    fuzz_firmware(args.firmware, args.seed)
    print(f"firmware: {args.firmware} frames, nothing raised, always answered")
    print(f"{time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
