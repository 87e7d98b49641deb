"""One service by its name: `python -m services game` is `python -m services.game`, as an image is started."""

from __future__ import annotations

import runpy
import sys

from libs.runtime.settings import SERVICES


def main() -> None:
    name = sys.argv[1] if len(sys.argv) == 2 else ""
    if name not in SERVICES:
        sys.exit(f"Which service? One of: {', '.join(SERVICES)}.")
    runpy.run_module(f"services.{name}", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
