"""A supplement that makes every wait in seconds shorter, for scenarios run through the whole system.

Nobody waits three minutes for TRAY_FORGOTTEN in a test; the provision is made shorter, never the clock false.
Must never be used at a real table: the supplement's own title says what it is.
"""

from __future__ import annotations

from table_controller.regulations.keys import IN_SECONDS
from table_controller.regulations.model import Regulations
from table_controller.regulations.sheet import provision_of

_HEAD = """id = "faster-{divisor:g}"
title = {{ en = "Waits divided by {divisor:g}: for tests only", zh-CN = "等待时间除以{divisor:g}：仅供测试" }}

[documents.faster]
title = "Generated for a test"
date = "unknown"
"""

_WAIT = """[provisions.{key}]
value = {seconds!r}
document = "faster"
standing = "unconfirmed"
"""


def supplement(regs: Regulations, divisor: float, *, keep_under_s: float = 0.0, least_s: float = 0.0) -> str:
    """TOML of a supplement on top of `regs`, with every provision in seconds divided.

    Waits shorter than `keep_under_s` stay as they are; none comes below `least_s`. Raises ValueError for a
    divisor that is not above zero.
    """
    if not divisor > 0:
        raise ValueError(f"divisor: expected a number above zero, not {divisor!r}")
    parts = [_HEAD.format(divisor=divisor)]
    for key in IN_SECONDS:
        value = provision_of(regs, key).value
        assert isinstance(value, float)
        if value >= keep_under_s:
            parts.append(_WAIT.format(key=key, seconds=max(value / divisor, least_s)))
    return "\n".join(parts)
