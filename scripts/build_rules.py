"""Compiles the rules and the bots' search with mypyc, into build/compiled.

Does nothing when the sources are the same as last time. Where compiling is not possible or fails it says so
and leaves everything as it was: the same files run uncompiled (libs/__init__.py decides what is loaded). The
modules are compiled as one group, so that they call each other directly; add a module here to have it in.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMPILED = ROOT / "build" / "compiled"
MODULES = (
    "libs/rules/board.py",
    "libs/rules/checks.py",
    "libs/rules/generate.py",
    "libs/rules/squares.py",
    "libs/rules/uci.py",
    "libs/rules/fen.py",
    "libs/rules/position.py",
    "libs/rules/san.py",
    "libs/rules/tandem.py",
    "libs/rules/observe.py",
    "libs/rules/fog.py",
    "services/bots/search/tables.py",
    "services/bots/search/sight.py",
    "services/bots/search/evaluate.py",
    "services/bots/search/hash_table.py",
    "services/bots/search/ordering.py",
    "services/bots/search/picking.py",
    "services/bots/search/engine.py",
)

SETUP = """
from mypyc.build import mypycify
from setuptools import setup

options = ["--config-file=", "--explicit-package-bases"]
extensions = mypycify([*options, *{modules!r}], opt_level="3", target_dir="c")
setup(name="compiled", packages=[], ext_modules=extensions)
"""


def digests() -> dict[str, str]:
    """The sources that the compiled files must fit."""
    return {source: hashlib.sha256((ROOT / source).read_bytes()).hexdigest() for source in MODULES}


def up_to_date() -> bool:
    """Whether build/compiled was made from these sources for this Python."""
    try:
        known = json.loads((COMPILED / "sources.json").read_text())
    except (OSError, ValueError):
        return False
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    return known == digests() and all((COMPILED / source).with_suffix(suffix).exists() for source in MODULES)


def missing() -> str | None:
    """What this machine lacks for compiling; None when nothing."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if not shutil.which(compiler):
        return f"a C compiler ({compiler})"
    if not (Path(sysconfig.get_path("include")) / "Python.h").exists():
        return "Python's C headers (Python.h)"
    for package in ("mypyc", "setuptools"):
        if importlib.util.find_spec(package) is None:
            return f"the package {package}"
    return None


def build() -> str | None:
    """Compiles a copy of the sources and puts the result in place in one step; answers what went wrong."""
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "build", prefix="compiling-") as folder:
        place = Path(folder)
        for package in {parent for source in MODULES for parent in Path(source).parents if parent != Path()}:
            (place / package).mkdir(parents=True, exist_ok=True)
            for file in (ROOT / package).glob("*.py"):
                shutil.copy(file, place / package / file.name)
        (place / "setup.py").write_text(SETUP.format(modules=MODULES))
        command = [
            sys.executable,
            "setup.py",
            "-q",
            "build_ext",
            "--build-lib",
            "made",
            "--build-temp",
            "temp",
        ]
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
        if done.returncode:
            return done.stdout[-3000:] + done.stderr[-3000:]
        made = place / "made"
        (made / "sources.json").write_text(json.dumps(digests()))
        if COMPILED.exists():
            COMPILED.rename(place / "old")
        made.rename(COMPILED)
    return None


def main() -> None:
    """Builds if that is needed and possible."""
    if up_to_date():
        return
    lack = missing()
    if lack:
        print(f"The rules run uncompiled: this machine lacks {lack}.")
        return
    failure = build()
    print(f"The rules run uncompiled, compiling failed:\n{failure}" if failure else "The rules are compiled.")


if __name__ == "__main__":
    main()
