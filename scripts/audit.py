"""Checks every pinned package for known vulnerabilities: `make audit`.

Python packages are asked of the Python Package Index through pip-audit, the page's of npm's registry through
npm audit. Exit code 0: all were checked and none is known to be vulnerable; 1: some are; 2: some could not be
checked (the service with the advisories was not reachable, or knew nothing of them), and none is known.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scripts.page import WEB, environment

ROOT = Path(__file__).resolve().parent.parent
GROUPS = ("run", "build", "dev", "node")
WITHIN_S = 300


@dataclass
class Findings:
    """What is known to be vulnerable, what could not be checked, and how many packages were."""

    vulnerable: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    checked: int = 0

    def exit_code(self) -> int:
        if self.vulnerable:
            return 1
        return 2 if self.unchecked or not self.checked else 0


def read_pip_audit(output: str, lock: str, findings: Findings) -> None:
    """Adds what pip-audit says (its JSON) about one lock file. What it skipped was not checked."""
    try:
        dependencies: list[dict[str, Any]] = json.loads(output)["dependencies"]
    except (ValueError, KeyError, TypeError):
        findings.unchecked.append(f"{lock}: no answer")
        return
    for package in dependencies:
        if "skip_reason" in package:
            findings.unchecked.append(f"{lock}: {package['name']}")
            continue
        findings.checked += 1
        for flaw in package.get("vulns", ()):
            fixed = ", ".join(flaw.get("fix_versions", ())) or "no version"
            findings.vulnerable.append(
                f"{lock}: {package['name']} {package['version']}: {flaw['id']}, fixed in {fixed}"
            )


def read_npm_audit(output: str, findings: Findings) -> None:
    """Adds what npm audit says (its JSON) about the page's packages."""
    try:
        report: dict[str, Any] = json.loads(output)
        total = int(report["metadata"]["dependencies"]["total"])
    except (ValueError, KeyError, TypeError):
        findings.unchecked.append("web/package-lock.json: no answer")
        return
    findings.checked += total
    for name, flaw in report.get("vulnerabilities", {}).items():
        findings.vulnerable.append(f"web/package-lock.json: {name} {flaw['range']}: {flaw['severity']}")


def answer(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> str:
    """What a program writes to stdout, nothing when it takes too long."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=WITHIN_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout


def main() -> None:
    findings = Findings()
    subprocess.run([sys.executable, str(ROOT / "scripts" / "make_env.py"), "audit"], check=True)
    for group in GROUPS:
        lock = f"requirements/{group}.txt"
        command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes"]
        command += ["--progress-spinner=off", "--format=json", "-r", lock]
        read_pip_audit(answer(command, ROOT), lock, findings)
    read_npm_audit(answer(["npm", "audit", "--json"], WEB, environment()), findings)
    for line in findings.vulnerable:
        print(f"VULNERABLE     {line}")
    for line in findings.unchecked:
        print(f"COULD NOT CHECK {line}")
    print(
        f"{findings.checked} packages checked, {len(findings.vulnerable)} known vulnerabilities, "
        f"{len(findings.unchecked)} not checked."
    )
    if findings.exit_code() == 2:
        print("This is no clean bill: the advisories could not be asked. Run it where they are reachable.")
    sys.exit(findings.exit_code())


if __name__ == "__main__":
    main()
