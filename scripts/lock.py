"""Resolves requirements/*.in into lock files with hashes, for every system and Python that we run on.

For who changes a dependency: `make lock`. What is pinned already stays, unless the .in file asks for another.
Nothing about the package index that was used gets into the files.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# In the order in which one constrains the next.
GROUPS = ("serve", "run", "build", "dev", "node", "audit")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        tools = Path(folder) / "bin"
        subprocess.run([str(tools / "pip"), "install", "--quiet", "uv"], check=True)
        environment = {**os.environ, "UV_CUSTOM_COMPILE_COMMAND": "make lock"}
        for group in GROUPS:
            command = [
                str(tools / "uv"),
                "pip",
                "compile",
                "--quiet",
                "--universal",
                "--python-version",
                "3.11",
            ]
            command += ["--generate-hashes", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"]
            command += [f"{group}.in", "--output-file", f"{group}.txt"]
            subprocess.run(command, cwd=ROOT / "requirements", env=environment, check=True)


if __name__ == "__main__":
    main()
