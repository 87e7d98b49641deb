"""The smallest service there can be, to test how a process lives: `python -m tests.kit.echo`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, ClassVar

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, wrappers_pb2

from libs.runtime.context import Context
from libs.runtime.logs import get_logger
from libs.runtime.refusals import Refusal, refuse
from libs.runtime.service import run_service
from libs.runtime.settings import ServiceSettings, shared

STRING = ".google.protobuf.StringValue"
SERVICE = "tandemfog.echo.v1.EchoService"
ServicerContext = grpc.aio.ServicerContext[Any, Any]
log = get_logger()


def echo_descriptor() -> Any:
    """The descriptor of EchoService, which has no proto file of its own."""
    file = descriptor_pb2.FileDescriptorProto(
        name="tandemfog/echo/v1/echo.proto", package="tandemfog.echo.v1"
    )
    file.dependency.append("google/protobuf/wrappers.proto")
    service = file.service.add(name="EchoService")
    service.method.add(name="Say", input_type=STRING, output_type=STRING)
    service.method.add(name="Count", input_type=STRING, output_type=STRING, server_streaming=True)
    pool = descriptor_pool.Default()
    pool.Add(file)
    return pool.FindServiceByName(SERVICE)


class EchoServicer:
    """Says back what it hears; some words make it slow, refuse, or fail."""

    def __init__(self, draining: asyncio.Event) -> None:
        self._draining = draining

    async def say(self, request: Any, context: ServicerContext) -> Any:
        if request.value == "slow":
            log.info("slow_call_started")
            await asyncio.sleep(0.5)
        if request.value == "refuse":
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "refused: As asked.")
        if request.value == "busy":
            await refuse(context, Refusal("busy"))
        if request.value == "fail":
            raise RuntimeError("private matter")
        log.info("said", length=len(request.value))
        return wrappers_pb2.StringValue(value=request.value)

    async def count(self, request: Any, context: ServicerContext) -> AsyncIterator[Any]:
        if request.value == "refuse":
            await refuse(context, Refusal("busy"))
        if request.value == "fail":
            raise RuntimeError("private matter")
        number = 0
        while not self._draining.is_set():
            yield wrappers_pb2.StringValue(value=str(number))
            number += 1
            await asyncio.sleep(0.01)


def add_to_server(servicer: EchoServicer, server: grpc.aio.Server) -> None:
    """Does what the generated add_EchoServiceServicer_to_server would do."""
    formats: dict[str, Any] = {
        "request_deserializer": wrappers_pb2.StringValue.FromString,
        "response_serializer": wrappers_pb2.StringValue.SerializeToString,
    }
    handlers: dict[str, Any] = {
        "Say": grpc.unary_unary_rpc_method_handler(servicer.say, **formats),
        "Count": grpc.unary_stream_rpc_method_handler(servicer.count, **formats),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))


class EchoStub:
    """Does what the generated EchoServiceStub would do."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        formats: dict[str, Any] = {
            "request_serializer": wrappers_pb2.StringValue.SerializeToString,
            "response_deserializer": wrappers_pb2.StringValue.FromString,
        }
        self._say: Any = channel.unary_unary(f"/{SERVICE}/Say", **formats)
        self.count: Any = channel.unary_stream(f"/{SERVICE}/Count", **formats)

    async def say(self, text: str, metadata: tuple[tuple[str, str], ...] = ()) -> str:
        answer = await self._say(wrappers_pb2.StringValue(value=text), metadata=metadata, timeout=10.0)
        return str(answer.value)


class EchoSettings(ServiceSettings, env_prefix="TANDEMFOG_GAME_"):
    """Runs under the name of a service that there is: names of variables are checked against them."""

    service: ClassVar[str] = "game"
    breaks_after_ms: int = 0
    breaks_cancelled: bool = False
    token_secret_file: str = shared("TOKEN_SECRET_FILE", "")


async def build(context: Context[EchoSettings]) -> None:
    context.add_servicer(add_to_server, EchoServicer(context.draining), echo_descriptor())
    context.announce(motto="hello")

    async def say_goodbye() -> None:
        log.info("goodbye")

    context.on_drain(say_goodbye)
    if context.settings.breaks_after_ms:

        async def break_down() -> None:
            await asyncio.sleep(context.settings.breaks_after_ms / 1000)
            raise asyncio.CancelledError if context.settings.breaks_cancelled else RuntimeError("as told")

        context.add_task("break_down", break_down)


if __name__ == "__main__":
    run_service(EchoSettings, build)
