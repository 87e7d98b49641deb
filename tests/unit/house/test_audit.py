"""What `make audit` makes of the answers: silence is no clean bill."""

from __future__ import annotations

import json

import pytest

from scripts import audit

CLEAN = {"dependencies": [{"name": "redis", "version": "1", "vulns": []}]}
SKIPPED = {"dependencies": [{"name": "redis", "skip_reason": "not found"}]}
VULNERABLE = {
    "dependencies": [
        {"name": "redis", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]},
        {"name": "grpcio", "skip_reason": "not found"},
    ]
}


@pytest.mark.parametrize(
    ("answer", "code"),
    [(json.dumps(CLEAN), 0), (json.dumps(SKIPPED), 2), (json.dumps(VULNERABLE), 1), ("", 2), ("[]", 2)],
)
def test_only_an_answer_about_every_package_is_a_clean_bill(answer: str, code: int) -> None:
    findings = audit.Findings()
    audit.read_pip_audit(answer, "requirements/run.txt", findings)
    assert findings.exit_code() == code


def test_a_known_vulnerability_is_named_with_what_fixes_it() -> None:
    findings = audit.Findings()
    audit.read_pip_audit(json.dumps(VULNERABLE), "run.txt", findings)
    assert findings.vulnerable == ["run.txt: redis 1: PYSEC-1, fixed in 1.1"]
    assert findings.unchecked == ["run.txt: grpcio"]


def test_the_pages_packages_are_read_too_and_an_error_is_no_answer() -> None:
    findings = audit.Findings()
    report = {
        "metadata": {"dependencies": {"total": 7}},
        "vulnerabilities": {"vite": {"range": "<5", "severity": "high"}},
    }
    audit.read_npm_audit(json.dumps(report), findings)
    assert (findings.checked, findings.vulnerable) == (7, ["web/package-lock.json: vite <5: high"])
    audit.read_npm_audit(json.dumps({"message": "405 Method Not Allowed"}), findings)
    assert findings.unchecked == ["web/package-lock.json: no answer"]
