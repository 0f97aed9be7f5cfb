"""How long this table's certificate is still good, for the console's system page.

A table that does not know the date does not know this either. Must never fail because of a file.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class CertificateDays:
    """`path` None: the table has none. The file is read again when it has changed."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._seen: tuple[int, int] | None = None
        self._until: datetime | None = None

    def left(self, wall: int) -> int | None:
        """Whole days from this wall time (ns since 1970) to its end; negative once it is over."""
        self._look()
        if self._until is None:
            return None
        return (self._until - (_EPOCH + timedelta(microseconds=wall // 1000))).days

    def _look(self) -> None:
        if self._path is None:
            return
        try:
            state = self._path.stat()
            if (state.st_mtime_ns, state.st_size) != self._seen:
                self._seen = (state.st_mtime_ns, state.st_size)
                certificate = x509.load_pem_x509_certificate(self._path.read_bytes())
                self._until = certificate.not_valid_after_utc
        except (OSError, ValueError):
            self._until = None
