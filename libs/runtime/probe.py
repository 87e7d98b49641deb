"""Whether the service of this container is well: `python -m libs.runtime.probe [SERVICE]`, exit code 0 or 1.

Without a name it is the service that process 1 runs. A service is asked over gRPC, with the certificate that
it shows itself where there is TLS; the gateway is asked over HTTP, as browsers do.
"""

from __future__ import annotations

import http.client
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from libs.runtime.tls import Tls, load_tls

TIMEOUT_S = 3.0
HOST = "127.0.0.1"
FIRST_PROCESS = Path("/proc/1/cmdline")
PREFIX = "TANDEMFOG_"


@dataclass(frozen=True)
class Question:
    """What to ask of whom: gRPC health of `service`, or its page of health over HTTP."""

    service: str
    http: bool
    port: int


def question(service: str, environment: Mapping[str, str]) -> Question:
    """Where `service` listens, by its variables; raises KeyError when none says so."""
    http = service == "gateway"
    return Question(
        service, http, int(environment[f"{PREFIX}{service.upper()}_{'HTTP_PORT' if http else 'PORT'}"])
    )


def named_by(command_line: bytes) -> str:
    """The service that a process runs: the last word of its command line (/proc/PID/cmdline)."""
    return command_line.rstrip(b"\0").rpartition(b"\0")[2].decode()


def answers_http(port: int) -> bool:
    """Whether /healthz says 200."""
    connection = http.client.HTTPConnection(HOST, port, timeout=TIMEOUT_S)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.client.OK
    except OSError:
        return False
    finally:
        connection.close()


def answers_grpc(port: int, service: str, tls: Tls | None) -> bool:
    """Whether the whole process says SERVING."""
    address = f"{HOST}:{port}"
    if tls is None:
        channel = grpc.insecure_channel(address)
    else:
        named = [("grpc.ssl_target_name_override", service)]
        channel = grpc.secure_channel(address, tls.channel_credentials(), options=named)
    with channel:
        health: Any = health_pb2_grpc.HealthStub(channel)
        try:
            answer = health.Check(health_pb2.HealthCheckRequest(service=""), timeout=TIMEOUT_S)
        except grpc.RpcError:
            return False
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def is_well(service: str, environment: Mapping[str, str]) -> bool:
    """Asks the service that listens in this container."""
    asked = question(service, environment)
    if asked.http:
        return answers_http(asked.port)
    files = (environment.get(f"{PREFIX}TLS_{name}") for name in ("CERT", "KEY", "CA"))
    certificate, key, authority = (Path(file) if file else None for file in files)
    return answers_grpc(asked.port, service, load_tls(certificate, key, authority, mutual=True))


def main() -> None:
    name = sys.argv[1] if len(sys.argv) == 2 else named_by(FIRST_PROCESS.read_bytes())
    sys.exit(0 if is_well(name, os.environ) else 1)


if __name__ == "__main__":
    main()
