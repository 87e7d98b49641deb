"""The manifests: of the schemas' form, hardened, told what the services understand, fenced as the code is."""

from __future__ import annotations

import copy
from itertools import product

import kubernetes_validate
import pytest

from libs.runtime.settings import SERVICES
from scripts import kubernetes_monitoring
from services.gateway.settings import GatewaySettings
from tests.deploy.calls import SETTINGS, STORE, calls_by_settings, secrets_by_settings, settings_from
from tests.deploy.kubernetes import (
    NAME,
    OVERLAYS,
    allowed,
    containers,
    ends,
    of_kind,
    pod_specs,
    rendered,
    variables,
)

VERSIONS = ("1.30", "1.37")
GRPC, METRICS, HTTP, REDIS, POSTGRESQL, DNS = 7000, 9464, 8080, 6379, 5432, 53

both_overlays = pytest.mark.parametrize("overlay", OVERLAYS)


@both_overlays
@pytest.mark.parametrize("version", VERSIONS)
def test_every_object_is_of_the_form_that_kubernetes_wants(overlay, version):
    checked = 0
    for made in rendered(overlay):
        if not made["apiVersion"].startswith("monitoring.coreos.com/"):
            kubernetes_validate.validate(made, version, strict=True)
            checked += 1
    assert checked > 20


def test_the_schemas_find_a_misspelled_field():
    made = copy.deepcopy(of_kind("local", "Deployment")["game"])
    made["spec"]["template"]["spec"]["containers"][0]["readynessProbe"] = {}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(made, VERSIONS[0], strict=True)


@both_overlays
def test_every_service_runs_and_nothing_else_of_ours(overlay):
    workloads = set(pod_specs(overlay))
    assert workloads == set(SERVICES) | ({STORE} if overlay == "local" else set())


@both_overlays
def test_everything_is_in_the_one_namespace_that_refuses_pods_with_more_rights(overlay):
    (namespace,) = of_kind(overlay, "Namespace").values()
    assert namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
    for made in rendered(overlay):
        if made["kind"] != "Namespace":
            assert made["metadata"]["namespace"] == namespace["metadata"]["name"]


@both_overlays
def test_every_pod_is_hardened(overlay):
    for name, pod, container in containers(overlay):
        assert pod["automountServiceAccountToken"] is False, name
        assert pod["enableServiceLinks"] is False, name
        assert pod["securityContext"]["runAsNonRoot"] is True, name
        assert pod["securityContext"]["runAsUser"] > 0, name
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}, name
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }, name
        assert container["resources"]["requests"].keys() == {"cpu", "memory"}, name
        assert "memory" in container["resources"]["limits"], name


@both_overlays
def test_a_service_understands_what_it_is_told_and_listens_where_it_is_asked(overlay, monkeypatch):
    for name, pod, container in containers(overlay):
        if name == STORE:
            continue
        assert container["args"] == [name]
        settings = settings_from(name, variables(overlay, container), monkeypatch)
        ports = {port["name"]: port["containerPort"] for port in container["ports"]}
        assert (settings.host, settings.port, settings.metrics_port) == (
            "0.0.0.0",  # noqa: S104 - the container's own address is not known before
            ports["grpc"],
            ports["metrics"],
        )
        if isinstance(settings, GatewaySettings):
            assert settings.http_port == ports["http"]
        for caller, callee in calls_by_settings():
            if caller == name and callee != STORE:
                assert getattr(settings, f"peers_{callee}") == f"dns://{callee}:{GRPC}"
        assert settings.drain_grace_ms / 1000 < pod["terminationGracePeriodSeconds"] - 5


@both_overlays
def test_a_pod_holds_only_the_secrets_that_its_service_reads(overlay):
    read = secrets_by_settings()
    held = set()
    for name, pod, container in containers(overlay):
        secrets = {
            volume["name"]: volume["secret"] for volume in pod.get("volumes", ()) if "secret" in volume
        }
        for mount in container.get("volumeMounts", ()):
            if mount["name"] in secrets:
                secret = secrets[mount["name"]]
                kind = secret["secretName"].removeprefix("tandemfog-")
                held.add((name, kind))
                assert secret["defaultMode"] & 0o007 == 0, (
                    "a service refuses a secret that everybody may read"
                )
                assert variables(overlay, container)[read[name, kind]] == f"{mount['mountPath']}/key"
    assert held == read.keys()


@both_overlays
def test_every_service_is_asked_for_its_health_over_grpc(overlay):
    for name, _, container in containers(overlay):
        if name != STORE:
            for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
                assert container[probe]["grpc"] == {"port": GRPC}, name


@both_overlays
def test_callers_find_every_replica_by_a_headless_name(overlay):
    services = of_kind(overlay, "Service")
    for _, callee in calls_by_settings():
        if callee == STORE and overlay == "production":
            continue
        assert services[callee]["spec"]["clusterIP"] == "None"
        assert services[callee]["spec"]["selector"] == {NAME: callee}
    assert "clusterIP" not in services["gateway"]["spec"]


@both_overlays
def test_one_replica_at_a_time_is_taken_away(overlay):
    budgets = of_kind(overlay, "PodDisruptionBudget")
    assert set(budgets) == set(SERVICES)
    for name, made in budgets.items():
        assert made["spec"]["maxUnavailable"] == 1
        assert made["spec"]["selector"] == {"matchLabels": {NAME: name}}
    for name, made in of_kind(overlay, "Deployment").items():
        assert made["spec"]["strategy"]["rollingUpdate"] == {"maxSurge": 1, "maxUnavailable": 0}, name


@both_overlays
def test_the_network_lets_through_what_the_services_do_and_nothing_else(overlay):
    known = ends(overlay)
    wanted = {
        (caller, callee, REDIS if callee == STORE else GRPC)
        for caller, callee in calls_by_settings()
        if callee in known
    }
    wanted |= {("browser", "gateway", HTTP)}
    wanted |= {
        (name, "outside", POSTGRESQL) for name in SERVICES if "archive_url" in SETTINGS[name].model_fields
    }
    wanted |= {("prometheus", service, METRICS) for service in SERVICES}
    wanted |= {(name, "names", DNS) for name in known if known[name].namespace == "tandemfog"}
    if overlay == "production":  # the managed store is outside
        keepers = [caller for caller, callee in calls_by_settings() if callee == STORE]
        wanted |= {(keeper, "outside", REDIS) for keeper in keepers}
    found = {
        (caller, callee, port)
        for caller, callee in product(known, repeat=2)
        for port in (GRPC, METRICS, HTTP, REDIS, POSTGRESQL, DNS)
        if caller != callee
        and "tandemfog" in (known[caller].namespace, known[callee].namespace)
        and allowed(overlay, known[caller], known[callee], port)
    }
    from_anywhere = {
        ("outside", "gateway", HTTP),
        ("prometheus", "gateway", HTTP),
        ("names", "gateway", HTTP),
    }
    assert found - from_anywhere == wanted


def test_who_is_scaled_has_no_number_of_its_own():
    scalers = of_kind("production", "HorizontalPodAutoscaler")
    deployments = of_kind("production", "Deployment")
    assert set(scalers) == {"gateway", "visibility", "bots"}
    for name, made in scalers.items():
        assert made["spec"]["scaleTargetRef"]["name"] == name
        assert made["spec"]["minReplicas"] >= 2
        assert "replicas" not in deployments[name]["spec"]


def test_the_rules_and_dashboards_of_kubernetes_are_those_of_compose():
    assert kubernetes_monitoring.RULES_MADE.read_text() == kubernetes_monitoring.rules_text()
    assert kubernetes_monitoring.DASHBOARDS_MADE.read_text() == kubernetes_monitoring.dashboards_text()


def test_prometheus_asks_every_service_under_its_own_name():
    (monitor,) = of_kind("production", "PodMonitor").values()
    assert monitor["spec"]["jobLabel"] == NAME
    (endpoint,) = monitor["spec"]["podMetricsEndpoints"]
    for name, made in of_kind("production", "Deployment").items():
        labels = made["spec"]["template"]["metadata"]["labels"]
        assert monitor["spec"]["selector"]["matchLabels"].items() <= labels.items(), name
        assert endpoint["port"] in {
            port["name"] for port in made["spec"]["template"]["spec"]["containers"][0]["ports"]
        }
