"""Install what some tests need from Debian, where that may be done: mosquitto and Chromium.

`make test` runs this first. Where apt may not be used, it says what will be skipped; the tests themselves
decide. With CI=true nothing of this may be missing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NEEDED = {"mosquitto": "mosquitto", "chromium": "chromium"}
ALSO = {"chromium": ["fonts-noto-cjk"]}


def missing() -> list[str]:
    path = os.environ.get("PATH", "") + ":/usr/sbin"
    return [package for program, package in NEEDED.items() if shutil.which(program, path=path) is None]


def main() -> int:
    wanted = missing()
    if not wanted:
        return 0
    packages = [*wanted, *(extra for package in wanted for extra in ALSO.get(package, []))]
    if shutil.which("apt-get") and os.geteuid() == 0:
        print(f"Installing {', '.join(packages)} with apt for the tests that need them ...", flush=True)
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (
            ["apt-get", "update"],
            ["apt-get", "install", "-y", "--no-install-recommends", *packages],
        ):
            subprocess.run(command, env=environment, check=False, capture_output=True)
        # Tests start their own brokers; Debian's package also starts one as a service.
        subprocess.run(["service", "mosquitto", "stop"], check=False, capture_output=True)
    still = missing()
    if still:
        print(
            f"Not installed: {', '.join(still)}. The tests that need them are skipped; to run them, install"
        )
        print(f"them as root: apt install {' '.join(still)}", flush=True)
    return 1 if still and os.environ.get("CI") == "true" else 0


if __name__ == "__main__":
    sys.exit(main())
