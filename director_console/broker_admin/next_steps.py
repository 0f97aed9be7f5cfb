"""What to type after `director-console broker init`: the steps of docs/access.md, by their numbers there.

The services that ship are for the page's directories and users; for any other venue the same is typed by
hand. Must never name a file that holds a secret.
"""

from __future__ import annotations

import os
from pathlib import Path

from director_console.broker_admin.layout import Layout
from director_console.data_dir import default_data

SERVICE_ROOT = Path("/var/lib/screen-table-venue")
SERVICE_DATA = Path("/var/lib/screen-table-console")
SERVICE_USER = "screen-table"
"""Those the services of configs/broker are written for."""


def next_steps(root: Path, broker_user: str, console_user: str) -> tuple[str, ...]:
    """One line each. `root`: the venue's directory, absolute."""
    served = os.geteuid() == 0 and root == SERVICE_ROOT and console_user == SERVICE_USER
    data = SERVICE_DATA if os.geteuid() == 0 and console_user else default_data()
    table_user, table = (
        ("sudo -u screen-table ", "/etc/screen-table/7.toml") if served else ("", "TABLE.toml")
    )
    run = f"{as_user(console_user)}director-console run --access {root} --host 0.0.0.0 --data {data}"
    broker = f"{as_user(broker_user)}/usr/sbin/mosquitto -c {Layout(root).config}"
    return (
        "3. start the broker:",
        *(_service("screen-table-broker") if served else (f"     {broker}",)),
        "4. open the door, and leave it open:",
        f"     {as_user('root')}director-console broker enrol {root}",
        "5. at each table, with its own code:",
        f"     {table_user}table-controller enrol CODE --config {table}",
        "6. a user, and the console:",
        f"     {as_user(console_user)}director-console user add NAME --role chief --data {data}",
        *(_service("screen-table-console") if served else (f"     {run}",)),
    )


def _service(name: str) -> tuple[str, str]:
    return (
        f"     sudo cp configs/broker/{name}.service /etc/systemd/system/",
        f"     sudo systemctl enable --now {name}",
    )


def as_user(user: str) -> str:
    """How to say that another than you runs it, where root made the venue."""
    if not user or os.geteuid() != 0:
        return ""
    return "sudo " if user == "root" else f"sudo -u {user} "
