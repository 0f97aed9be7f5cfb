"""What mosquitto reads: its configuration and the access list. Pure: names in, text out.

The access list goes by the name in a client's certificate: a table writes its own tree and reads its own
commands and receipt; only the console sees all tables. Mosquitto grants any subscription and filters when it
delivers, so that this is tested by what arrives. Must never open a way in without a certificate.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from director_console.broker_admin.layout import Layout
from table_controller.messages.topics import Place

LARGEST_MESSAGE = 65_536
KEEPER = "keeper"
"""Under this name `director-console broker revoke` takes back what the broker keeps; nobody else has it."""

_CONFIG = """\
# Written by `director-console broker`; written anew by every command that changes something.
# Settings of mosquitto 2.0 or later.

listener {port}{address}
protocol mqtt

# Nobody without a certificate of this venue, and everybody under the name in it.
cafile {room}/ca.pem
certfile {room}/broker.pem
keyfile {room}/broker.key
crlfile {room}/revoked.pem
tls_version tlsv1.2
require_certificate true
use_identity_as_username true
# The client identifier is the name too: nobody can take over, or end, another's connection.
use_username_as_clientid true
allow_anonymous false
acl_file {room}/access.acl

max_connections {connections}
max_packet_size {largest}
message_size_limit {largest}
max_inflight_messages 20
max_queued_messages 100000
persistent_client_expiration 2d

# A cache: what a table has not been given a receipt for, it sends again.
persistence true
persistence_location {room}/
autosave_interval 60

pid_file {room}/mosquitto.pid
log_dest stderr
log_type error
log_type warning
log_type notice
connection_messages true
{user}"""

_ACCESS = """\
# Written by `director-console broker`. Who may read and write what; whatever is not here is refused.

# Every table, under the name in its certificate (%u). Mosquitto warns of the patterns without %u: they are
# what everybody may hear.
pattern write {prefix}/t/%u/avail
pattern write {prefix}/t/%u/state
pattern write {prefix}/t/%u/ev/+
pattern write {prefix}/t/%u/result/+
pattern read {prefix}/t/%u/command/+
pattern read {prefix}/t/%u/receipt
pattern read {prefix}/all/+
pattern read {prefix}/console/+/avail
"""

_KEEPER = """
# `director-console broker revoke`, for a moment: it empties what is retained of one who was locked out.
user {name}
topic deny {prefix}/t/{name}/#
topic write {prefix}/t/+/avail
topic write {prefix}/t/+/state
topic write {prefix}/t/+/receipt
topic write {prefix}/console/+/avail
"""

_CONSOLE = """
# The director's console.
user {name}
topic deny {prefix}/t/{name}/#
topic read {prefix}/t/+/avail
topic read {prefix}/t/+/state
topic read {prefix}/t/+/ev/+
topic read {prefix}/t/+/result/+
topic write {prefix}/t/+/command/+
topic write {prefix}/t/+/receipt
topic write {prefix}/all/+
topic readwrite {prefix}/console/{name}/avail
topic write {prefix}/public/+
"""

_WALL = """
# A public screen: the round clock, and who is on time.
user {name}
topic deny {prefix}/t/#
topic deny {prefix}/all/#
topic deny {prefix}/console/#
topic read {prefix}/public/+
"""

_GONE = """
# Revoked; what is still connected hears and says nothing from the next reload on.
user {name}
topic deny #
"""


def configuration(layout: Layout, port: int, tables: int, broker_user: str, listen: str = "") -> str:
    """mosquitto.conf. `broker_user`: whom mosquitto becomes if root starts it; `listen`: one address only."""
    room = Path(layout.root).absolute() / "broker"
    return _CONFIG.format(
        port=port,
        address=f" {listen}" if listen else "",
        room=room,
        connections=4 * tables + 50,
        largest=LARGEST_MESSAGE,
        user=f"user {broker_user}\n" if broker_user else "",
    )


def access_list(place: Place, consoles: Iterable[str], walls: Iterable[str], gone: Iterable[str]) -> str:
    """access.acl. `gone`: names that have been revoked and not enrolled again."""
    prefix = place.prefix
    return "".join(
        (
            _ACCESS.format(prefix=prefix),
            _KEEPER.format(prefix=prefix, name=KEEPER),
            *(_CONSOLE.format(prefix=prefix, name=name) for name in consoles),
            *(_WALL.format(prefix=prefix, name=name) for name in walls),
            *(_GONE.format(name=name) for name in gone),
        )
    )
