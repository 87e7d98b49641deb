"""Makes of deploy/monitoring what Kubernetes takes: `python scripts/kubernetes_monitoring.py`.

The rule files become one PrometheusRule, the dashboards a list of files for kustomize. A test says when it
was forgotten.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"
RULES = DEPLOY / "monitoring" / "prometheus" / "rules"
GRAFANA = DEPLOY / "monitoring" / "grafana"
RULES_MADE = DEPLOY / "kubernetes" / "components" / "monitoring" / "rules.yaml"
DASHBOARDS_MADE = GRAFANA / "kustomization.yaml"
MADE = "# Made by `make kubernetes-monitoring` from {source}; change those.\n"


def rules_text(folder: Path = RULES) -> str:
    """The PrometheusRule of all rule files of a folder."""
    groups: list[Any] = []
    for file in sorted(folder.glob("*.yml")):
        groups += yaml.safe_load(file.read_text())["groups"]
    made = {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "PrometheusRule",
        "metadata": {"name": "tandemfog"},
        "spec": {"groups": groups},
    }
    return MADE.format(source="deploy/monitoring/prometheus/rules") + yaml.safe_dump(
        made, sort_keys=False, width=120, allow_unicode=True
    )


def dashboards_text(folder: Path = GRAFANA) -> str:
    """The kustomization that makes one ConfigMap of all dashboards, labelled for Grafana's sidecar."""
    files = [f"dashboards/{file.name}" for file in sorted((folder / "dashboards").glob("*.json"))]
    made = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "configMapGenerator": [
            {
                "name": "tandemfog-dashboards",
                "files": files,
                "options": {"labels": {"grafana_dashboard": "1"}},
            }
        ],
    }
    return MADE.format(source="deploy/monitoring/grafana/dashboards") + yaml.safe_dump(made, sort_keys=False)


def main() -> None:
    RULES_MADE.write_text(rules_text())
    DASHBOARDS_MADE.write_text(dashboards_text())


if __name__ == "__main__":
    main()
