"""Whether the broker refused our certificate, as far as the TLS alert it sent tells.

Under TLS 1.3 the alert comes after our side of the handshake is over, so that it looks like a connection
lost; paho only writes it to its log. Pure. Must never show a certificate.
"""

from __future__ import annotations

import re

REFUSED = "refused: certificate not accepted (revoked or expired?); ask for a new code"
_ALERT = re.compile(r"ALERT_(BAD_|UNSUPPORTED_|UNKNOWN_)?(CERTIFICATE|CA\b)", re.IGNORECASE)


def refusal(text: str) -> str:
    """What to say of this line of OpenSSL's; empty: it is not a refusal of our certificate."""
    return REFUSED if _ALERT.search(text) else ""
