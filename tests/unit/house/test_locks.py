"""The lock files: complete, hashed, and silent about where packages came from."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

REQUIREMENTS = Path(__file__).resolve().parents[3] / "requirements"
GROUPS = ("serve", "run", "build", "dev", "node", "audit")


def pins(group: str) -> dict[str, int]:
    """Each pinned package and how many hashes it has."""
    entries = (REQUIREMENTS / f"{group}.txt").read_text().replace("\\\n", " ").splitlines()
    found = {}
    for entry in entries:
        if entry and not entry.startswith("#"):
            name = re.match(r"[a-z0-9-]+(?===[0-9])", entry)
            assert name, f"not a pin: {entry[:60]}"
            found[name[0]] = entry.count("--hash=sha256:")
    return found


def asked(group: str) -> set[str]:
    """The packages that the group's .in file names."""
    lines = (REQUIREMENTS / f"{group}.in").read_text().splitlines()
    return {re.split(r"[\[<>=~!; ]", line)[0] for line in lines if line and line[0] not in "#-"}


@pytest.mark.parametrize("group", GROUPS)
def test_every_package_is_pinned_with_hashes(group):
    assert pins(group)
    assert all(pins(group).values())


@pytest.mark.parametrize("group", GROUPS)
def test_every_package_that_is_asked_for_is_locked(group):
    assert asked(group) <= pins(group).keys()


@pytest.mark.parametrize("group", GROUPS)
def test_no_lock_file_says_where_packages_are_kept(group):
    text = (REQUIREMENTS / f"{group}.txt").read_text()
    assert "://" not in text
    assert not re.search(r"^\s*-(-index-url|-extra-index-url|-find-links|i|f)\b", text, re.MULTILINE)


def test_what_is_in_two_groups_has_one_version():
    versions: dict[str, set[str]] = {}
    for group in GROUPS:
        for name, version in re.findall(
            r"^([a-z0-9-]+)==(\S+)", (REQUIREMENTS / f"{group}.txt").read_text(), re.MULTILINE
        ):
            versions.setdefault(name, set()).add(version)
    assert {name: found for name, found in versions.items() if len(found) > 1} == {}


def test_the_oldest_python_s_extra_needs_are_locked():
    """The Redis client wants async-timeout before Python 3.11.3, which is what Debian 12 has."""
    assert "async-timeout" in pins("run")


def imported(file: Path) -> set[str]:
    """The packages that a module imports, by the first part of their names."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


def test_what_the_services_import_is_in_the_group_that_an_image_installs():
    packages = {"grpc": "grpcio", "grpc_health": "grpcio-health-checking", "google": "protobuf"}
    packages["grpc_reflection"] = "grpcio-reflection"
    root = REQUIREMENTS.parent
    files = [*(root / "libs").rglob("*.py"), *(root / "services").rglob("*.py")]
    found = set().union(*(imported(file) for file in files if "allinone" not in file.parts))
    outside = found - sys.stdlib_module_names - {"libs", "services", "gen"}
    assert {packages.get(name, name.replace("_", "-")) for name in outside} <= pins("serve").keys()
