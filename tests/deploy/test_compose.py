"""docker-compose.yml: told what the services understand, hardened, fenced as the code is, like Kubernetes."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest
import yaml

from libs.runtime.settings import SERVICES
from tests.deploy.calls import (
    ROOT,
    STORE,
    calls_by_settings,
    image_environment,
    secrets_by_settings,
    settings_from,
)
from tests.deploy.compose import compose, services, variables
from tests.deploy.kubernetes import containers, of_kind

UNITS = {"s": 1.0, "m": 60.0}


def seconds(text: str) -> float:
    return float(text[:-1]) * UNITS[text[-1]]


def test_everything_that_an_operator_needs_is_there():
    assert set(services()) == {*SERVICES, STORE, "prometheus", "grafana"}
    replicas = {name: made["deploy"].get("replicas", 1) for name, made in services().items()}
    assert (replicas["game"], replicas["visibility"]) == (2, 2)


def test_a_service_understands_what_it_is_told(monkeypatch):
    for name in SERVICES:
        made = services()[name]
        assert made["command"] == [name]
        settings = settings_from(name, variables(made), monkeypatch)
        for caller, callee in calls_by_settings():
            if caller == name and callee != STORE:
                assert getattr(settings, f"peers_{callee}") == f"dns://{callee}:7000"
        assert settings.drain_grace_ms / 1000 < seconds(made["stop_grace_period"]) - 5


def test_every_container_is_hardened_and_bounded():
    for name, made in services().items():
        assert made["read_only"] is True, name
        assert made["cap_drop"] == ["ALL"], name
        assert "cap_add" not in made, name
        assert made["security_opt"] == ["no-new-privileges:true"], name
        assert made["restart"] == "unless-stopped", name
        assert made["deploy"]["resources"]["limits"].keys() == {"cpus", "memory"}, name
        assert not made.get("privileged"), name
        if name not in SERVICES:  # the image of ours names its user itself
            assert not made["user"].startswith("0"), name


def test_what_runs_once_as_root_has_no_network_and_one_right():
    prepare = compose()["services"]["prepare"]
    assert prepare["cap_drop"] == ["ALL"]
    assert prepare["cap_add"] == ["CHOWN"]
    assert prepare["network_mode"] == "none"
    assert prepare["restart"] == "no"


def test_networks_join_who_calls_whom_and_the_store_is_reached_by_its_keepers_alone():
    networks = {name: set(made["networks"]) for name, made in services().items()}
    for caller, callee in calls_by_settings():
        assert networks[caller] & networks[callee], (caller, callee)
    keepers = {caller for caller, callee in calls_by_settings() if callee == STORE}
    assert {name for name in networks if networks[name] & networks[STORE]} == keepers | {STORE}
    for service in SERVICES:
        assert networks["prometheus"] & networks[service], service


def test_only_the_gateway_and_what_shows_the_dashboards_are_published_and_only_on_this_machine():
    published = {name: made["ports"] for name, made in services().items() if "ports" in made}
    assert set(published) == {"gateway", "grafana"}
    assert all(port.startswith("127.0.0.1:") for ports in published.values() for port in ports)
    assert published["gateway"] == ["127.0.0.1:8080:8080"]
    networks = compose()["networks"]
    outward = {name for name, made in networks.items() if not (made or {}).get("internal")}
    assert {name for name, made in services().items() if set(made["networks"]) & outward} == set(published)


def test_a_container_holds_only_the_secrets_that_its_service_reads():
    read = secrets_by_settings()
    held = set()
    for name in SERVICES:
        for volume in services()[name].get("volumes", ()):
            source, target, *mode = volume.split(":")
            if source == "archive":
                assert name == "game"
                continue
            assert mode == ["ro"]
            kind = source.removesuffix("-secret")
            held.add((name, kind))
            assert variables(services()[name])[read[name, kind]] == f"{target}/key"
    assert held == read.keys()


def test_the_operators_own_file_is_told_of_for_the_user_and_the_place_of_the_gateway(tmp_path, monkeypatch):
    page = (ROOT / "docs/operations.md").read_text()
    told = page.partition("For more operators\n")[2].partition("| variable ")[0]
    (user,) = re.findall(r"^USER (\d+):\d+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    (made,) = re.findall(r"install -D -m (\d+) -o (\d+) -g (\d+) /dev/stdin (\S+)", told)
    override = re.search(r"\n(    services:\n(?:     .*\n)+)", told)
    assert override
    gateway = yaml.safe_load(override[1])["services"]["gateway"]
    [mounted] = gateway["volumes"]
    assert made == ("0400", user, user, mounted["source"])
    assert mounted["read_only"]
    assert not mounted["bind"]["create_host_path"], "a folder of that name would be made for a missing file"
    settings = settings_from(
        "gateway", {**variables(services()["gateway"]), **variables(gateway)}, monkeypatch
    )
    assert str(vars(settings)["ops_token_file"]) == mounted["target"]
    [code] = re.findall(r"gateway -c \\\n +'(.*)'", told)
    assert f'"{mounted["target"]}"' in code
    # The program that is to look at it does: it names who has a token, and fails where the gateway would.
    tokens = tmp_path / "operators"
    tokens.write_text(f"kari {'k' * 64}\nola {'o' * 64}\n")
    for mode, answer in ((0o400, "kari ola\n"), (0o444, "")):
        tokens.chmod(mode)
        looking = (sys.executable, "-c", code.replace(mounted["target"], str(tokens)))
        done = subprocess.run(looking, cwd=ROOT, capture_output=True, text=True, check=False)
        assert (done.stdout, done.returncode == 0) == (answer, bool(answer)), done.stderr


def test_bots_can_be_scaled():
    bots = services()["bots"]
    assert "ports" not in bots
    assert "container_name" not in bots


def test_whoever_is_waited_for_says_when_it_is_well():
    for name, made in services().items():
        for other, wanted in made.get("depends_on", {}).items():
            if wanted["condition"] == "service_healthy":
                assert other in SERVICES or "healthcheck" in services()[other], (name, other)
    assert "\nHEALTHCHECK " in (ROOT / "Dockerfile").read_text()


def test_compose_and_kubernetes_run_the_same_images_on_the_same_ports():
    for name, _, container in containers("local"):
        made = services()[name]
        assert container["image"] == made["image"]
        if name != STORE:
            assert container["args"] == made["command"]
            ports = {port["name"]: port["containerPort"] for port in container["ports"]}
            own = f"TANDEMFOG_{name.upper()}_"
            assert str(ports["grpc"]) == image_environment()[f"{own}PORT"]
            assert str(ports["metrics"]) == image_environment()[f"{own}METRICS_PORT"]
    (user,) = re.findall(r"^USER (\d+):\d+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    for name, made in of_kind("local", "Deployment").items():
        assert made["spec"]["template"]["spec"]["securityContext"]["runAsUser"] == int(user), name


def test_prometheus_asks_where_the_services_answer():
    told = yaml.safe_load((ROOT / "deploy/monitoring/prometheus/prometheus.yml").read_text())
    asked = {}
    for job in told["scrape_configs"]:
        for found in job.get("dns_sd_configs", ()):
            for name in found["names"]:
                asked[name] = str(found["port"])
    own = {name: image_environment()[f"TANDEMFOG_{name.upper()}_METRICS_PORT"] for name in SERVICES}
    assert own.items() <= asked.items()


def test_every_file_that_is_mounted_is_there():
    for name, made in services().items():
        for volume in made.get("volumes", ()):
            source = volume.split(":")[0]
            assert not source.startswith("./") or (ROOT / source).exists(), (name, source)


def test_compose_itself_takes_the_file():
    docker = shutil.which("docker")
    asked = [docker, "compose", "version"] if docker else ["false"]
    if subprocess.run(asked, capture_output=True, check=False).returncode:
        pytest.skip("docker compose is not on this machine")
    done = subprocess.run(
        ["docker", "compose", "config", "--quiet"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
