"""Libraries with a job of their own; importable as ``libs.<job>``.

Modules that scripts/build_rules.py has compiled into build/compiled are loaded from there, but only when
every source they were made from is unchanged; otherwise, and with TANDEMFOG_PURE=1 in the environment, the
.py files run. The choice is made here because it needs the environment and files, which libs.rules may not.
"""

import hashlib
import json
import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

_ROOT = Path(__file__).resolve().parent.parent
_COMPILED = _ROOT / "build" / "compiled"


def _compiled_modules() -> frozenset[str]:
    """Names of the modules whose compiled files fit the sources that are here now."""
    try:
        sources: dict[str, str] = json.loads((_COMPILED / "sources.json").read_text())
        for source, digest in sources.items():
            if hashlib.sha256((_ROOT / source).read_bytes()).hexdigest() != digest:
                return frozenset()
    except (OSError, ValueError, AttributeError):
        return frozenset()
    return frozenset(source.removesuffix(".py").replace("/", ".") for source in sources)


class _CompiledFinder(MetaPathFinder):
    """Finds compiled modules, and the library mypyc makes for a group of them, before their sources are."""

    def __init__(self, modules: frozenset[str]) -> None:
        self.modules = modules

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 - importlib's signature
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        if fullname not in self.modules and not fullname.endswith("__mypyc"):
            return None
        place = _COMPILED.joinpath(*fullname.split(".")[:-1])
        return PathFinder.find_spec(fullname, [str(place)], target)


COMPILED = False
"""Whether compiled modules are used."""
if os.environ.get("TANDEMFOG_PURE") != "1" and (_modules := _compiled_modules()):
    COMPILED = True
    sys.meta_path.insert(0, _CompiledFinder(_modules))
