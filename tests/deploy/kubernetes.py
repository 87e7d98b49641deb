"""The objects that kustomize makes of deploy/kubernetes, and what its network policies let through."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.deploy.calls import ROOT

Object = dict[str, Any]
NAME = "app.kubernetes.io/name"
NAMESPACE = "kubernetes.io/metadata.name"
OVERLAYS = ("local", "production")
SECRET_URLS = {
    "TANDEMFOG_STORE_URL": "redis://redis:6379/0",
    "TANDEMFOG_GAME_ARCHIVE_URL": "postgresql://tandemfog:secret@archive/tandemfog",
}


@cache
def rendered(overlay: str) -> list[Object]:
    """All objects of an overlay, as `kubectl kustomize` writes them."""
    own = Path(sys.executable).with_name("kubectl")
    kubectl = str(own) if own.exists() else shutil.which("kubectl")
    if kubectl is None:
        pytest.skip("kubectl is not on this machine, and no package brings it for this system")
    done = subprocess.run(
        [kubectl, "kustomize", str(ROOT / "deploy" / "kubernetes" / "overlays" / overlay)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return list(yaml.safe_load_all(done.stdout))


def of_kind(overlay: str, *kinds: str) -> dict[str, Object]:
    """The overlay's objects of these kinds, by name."""
    return {made["metadata"]["name"]: made for made in rendered(overlay) if made["kind"] in kinds}


def pod_specs(overlay: str) -> dict[str, Object]:
    """The pod of every workload, by the workload's name."""
    return {
        name: made["spec"]["template"]["spec"]
        for name, made in of_kind(overlay, "Deployment", "StatefulSet").items()
    }


def variables(overlay: str, container: Object) -> dict[str, str]:
    """What a container is told; a secret's value is "a secret" unless it is a URL."""
    told: dict[str, str] = {}
    for source in container.get("envFrom", ()):
        told |= of_kind(overlay, "ConfigMap")[source["configMapRef"]["name"]]["data"]
    for entry in container.get("env", ()):
        told[entry["name"]] = entry.get("value") or SECRET_URLS.get(entry["name"], "a secret")
    return told


@dataclass(frozen=True)
class End:
    """One end of a connection: a pod of ours or of another namespace; without labels an address outside."""

    name: str
    namespace: str = "tandemfog"
    labels: tuple[tuple[str, str], ...] = ()
    ports: tuple[tuple[str, int], ...] = ()


def ends(overlay: str) -> dict[str, End]:
    """Our pods, and who else may want to talk to them."""
    found = {
        name: End(
            name,
            labels=tuple(made["spec"]["template"]["metadata"]["labels"].items()),
            ports=tuple(
                (port["name"], port["containerPort"])
                for port in made["spec"]["template"]["spec"]["containers"][0]["ports"]
            ),
        )
        for name, made in of_kind(overlay, "Deployment", "StatefulSet").items()
    }
    others = (
        End("browser", "ingress-nginx", ((NAME, "ingress-nginx"),)),
        End("prometheus", "monitoring", ((NAME, "prometheus"),)),
        End("names", "kube-system", (("k8s-app", "kube-dns"),)),
        End("outside", ""),
    )
    return found | {end.name: end for end in others}


def allowed(overlay: str, caller: End, callee: End, port: int) -> bool:
    """Whether a connection comes to be: the caller's policies let it out, the callee's let it in."""
    policies = list(of_kind(overlay, "NetworkPolicy").values())
    return _passes(policies, caller, callee, "Egress", "to", callee, port) and _passes(
        policies, callee, caller, "Ingress", "from", callee, port
    )


def _passes(
    policies: list[Object], own: End, other: End, direction: str, peers: str, listener: End, port: int
) -> bool:
    mine = [
        policy["spec"]
        for policy in policies
        if policy["metadata"]["namespace"] == own.namespace
        and _selects(policy["spec"]["podSelector"], dict(own.labels))
        and direction in policy["spec"]["policyTypes"]
    ]
    if not mine:  # whom no policy selects is open
        return True
    return any(
        _is_peer(rule.get(peers), own, other) and _has_port(rule.get("ports"), listener, port)
        for spec in mine
        for rule in spec.get(direction.lower(), ())
    )


def _is_peer(peers: list[Object] | None, own: End, other: End) -> bool:
    if not peers:
        return True
    return any(_matches(peer, own, other) for peer in peers)


def _matches(peer: Object, own: End, other: End) -> bool:
    if "ipBlock" in peer:
        return not other.labels
    if not other.labels:
        return False
    if "namespaceSelector" in peer:
        if not _selects(peer["namespaceSelector"], {NAMESPACE: other.namespace}):
            return False
    elif other.namespace != own.namespace:
        return False
    return _selects(peer.get("podSelector", {}), dict(other.labels))


def _has_port(entries: list[Object] | None, listener: End, port: int) -> bool:
    if not entries:
        return True
    named: dict[object, int] = dict(listener.ports)
    for entry in entries:
        first = named.get(entry["port"], entry["port"])
        if isinstance(first, int) and first <= port <= entry.get("endPort", first):
            return True
    return False


def _selects(selector: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
    if any(labels.get(key) != value for key, value in selector.get("matchLabels", {}).items()):
        return False
    return all(
        expression["operator"] == "In" and labels.get(expression["key"]) in expression["values"]
        for expression in selector.get("matchExpressions", ())
    )


def containers(overlay: str) -> Iterator[tuple[str, Object, Object]]:
    """(workload, pod, container) for each container; every pod has one."""
    for name, pod in pod_specs(overlay).items():
        assert len(pod["containers"]) == 1
        yield name, pod, pod["containers"][0]
