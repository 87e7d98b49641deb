"""What happens around every gRPC call that a service answers: request id, timing, unreadable requests,
unexpected errors."""

from __future__ import annotations

import inspect
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc

from libs.runtime.logs import REQUEST_ID_HEADER, bind_request, get_logger
from libs.runtime.metrics import Metrics
from libs.runtime.refusals import Refusal, refuse

log = get_logger()
Context = grpc.aio.ServicerContext[Any, Any]
KINDS: dict[str, Callable[..., Any]] = {
    "unary_unary": grpc.unary_unary_rpc_method_handler,
    "unary_stream": grpc.unary_stream_rpc_method_handler,
    "stream_unary": grpc.stream_unary_rpc_method_handler,
    "stream_stream": grpc.stream_stream_rpc_method_handler,
}
UNREADABLE = object()
"""Stands for bytes that are no request: whoever sent them is told so, and it is no failure of ours."""


def lenient(read: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    """Reads a request, or gives UNREADABLE."""

    def read_or_not(message: bytes) -> Any:
        try:
            return read(message)
        except Exception:  # protobuf's own kind of it differs from one implementation to the other
            return UNREADABLE

    return read_or_not


class Requests:
    """A client's requests up to the first unreadable one, which `broken` tells of."""

    def __init__(self, requests: AsyncIterator[Any]) -> None:
        self._requests = requests
        self.broken = False

    async def __aiter__(self) -> AsyncIterator[Any]:
        async for request in self._requests:
            if request is UNREADABLE:
                self.broken = True
                return
            yield request


class CallObserver(grpc.aio.ServerInterceptor):
    """Binds the caller's request id to the log, measures calls, and lets no traceback out to a caller."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        handler = await continuation(handler_call_details)
        if handler is None:  # a method that nobody serves: gRPC answers UNIMPLEMENTED
            return None
        method = handler_call_details.method.rpartition("/")[2]
        for kind, wrap in KINDS.items():
            answer = getattr(handler, kind)
            if answer is not None:
                observe = self._unary if inspect.iscoroutinefunction(answer) else self._stream
                return wrap(
                    observe(answer, method),
                    request_deserializer=lenient(handler.request_deserializer),
                    response_serializer=handler.response_serializer,
                )
        return handler

    def _unary(self, answer: Any, method: str) -> Callable[[Any, Context], Awaitable[Any]]:
        async def observed(request: Any, context: Context) -> Any:
            started = time.perf_counter()
            code = "OK"
            bind_request_id(context)
            try:
                if request is UNREADABLE:
                    await refuse(context, Refusal("bad_request"))
                return await answer(request, context)
            except grpc.aio.AbortError:
                code = code_name(context)
                raise
            except Exception:
                code = "INTERNAL"
                log.exception("call_failed", method=method)
                await context.abort(grpc.StatusCode.INTERNAL, "internal: The service failed to answer.")
            except BaseException:
                code = "CANCELLED"
                raise
            finally:
                note_call(self._metrics, method, code, time.perf_counter() - started)

        return observed

    def _stream(self, answer: Any, method: str) -> Callable[[Any, Context], AsyncIterator[Any]]:
        streams = self._metrics.rpc_streams.labels(method)
        failures = self._metrics.rpc_stream_failures.labels(method)  # there with 0 before the first one

        async def observed(request: Any, context: Context) -> AsyncIterator[Any]:
            bind_request_id(context)
            streams.inc()
            requests = Requests(request) if hasattr(request, "__aiter__") else None
            try:
                if request is UNREADABLE:
                    await refuse(context, Refusal("bad_request"))
                async for response in answer(request if requests is None else aiter(requests), context):
                    yield response
                if requests is not None and requests.broken:
                    await refuse(context, Refusal("bad_request"))
            except grpc.aio.AbortError:
                raise
            except Exception:
                failures.inc()
                log.exception("stream_failed", method=method)
                await context.abort(grpc.StatusCode.INTERNAL, "internal: The service failed to answer.")
            finally:
                streams.dec()

        return observed


def note_call(metrics: Metrics, method: str, code: str, seconds: float) -> None:
    """Count one answer by its method and the name of its status, and log it."""
    log.debug("call", method=method, code=code)
    metrics.rpc_seconds.labels(method, code).observe(seconds)


def bind_request_id(context: Context) -> None:
    """Every log line of this call carries the id that the caller sent, if it sent one."""
    metadata = context.invocation_metadata() or ()
    bind_request(next((str(value) for key, value in metadata if key == REQUEST_ID_HEADER), ""))


def code_name(context: Context) -> str:
    """The status that the servicer set, by name."""
    code: Any = context.code()
    return code.name if isinstance(code, grpc.StatusCode) else grpc_name(code)


def grpc_name(number: int) -> str:
    """The name of a status number, as the C core keeps it."""
    names = {status.value[0]: status.name for status in grpc.StatusCode}
    return names.get(number, "UNKNOWN")
