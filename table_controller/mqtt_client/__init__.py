"""The one place that touches paho. `MqttLink(Settings(...), put)`, `start`, `note`, `publish`, `ack`,
`stop`.
"""

from __future__ import annotations

from table_controller.mqtt_client.events import (
    Acknowledged,
    Arrived,
    CallbackFailed,
    LinkDown,
    LinkEvent,
    LinkUp,
)
from table_controller.mqtt_client.link import MqttLink
from table_controller.mqtt_client.settings import (
    KEEPALIVE_S,
    Address,
    BrokerAddressWrong,
    Settings,
    TlsFiles,
    Will,
    parse_address,
    tls_context,
)

__all__ = [
    "KEEPALIVE_S", "Acknowledged", "Address", "Arrived", "BrokerAddressWrong", "CallbackFailed", "LinkDown",
    "LinkEvent", "LinkUp", "MqttLink", "Settings", "TlsFiles", "Will", "parse_address", "tls_context",
]  # fmt: skip
