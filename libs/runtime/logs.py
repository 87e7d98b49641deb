"""Logs: JSON, one line for each event, on stdout or where it is sent."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any, TextIO, cast

import structlog
from structlog.typing import EventDict, FilteringBoundLogger

REQUEST_ID_HEADER = "x-request-id"
# One variable for all fields: structlog's own binding, a variable for each field, takes ten times as long.
_NOTHING: Mapping[str, str | int] = MappingProxyType({})
_bound: ContextVar[Mapping[str, str | int]] = ContextVar("fields of every log line", default=_NOTHING)


def configure_logging(service: str, level: str, stream: TextIO | None = None) -> None:
    """Sends this process' log to `stream` (stdout when none is given) as JSON lines that name the service.

    `level` is a level name of the standard library in small letters ("info"). Libraries that log through
    the standard library come out in the same form, from "warning" on.
    """
    output = stream or sys.stdout

    def add_bound(_logger: Any, _method: str, event: EventDict) -> EventDict:
        return {**_bound.get(), **event, "service": service}

    shared: list[structlog.typing.Processor] = [
        add_bound,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(output),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(output)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *shared],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)


def get_logger() -> FilteringBoundLogger:
    """The process' logger: `log.info("match_created", match_id=...)`; event names are snake_case."""
    return cast(FilteringBoundLogger, structlog.get_logger())


@contextmanager
def bound(**fields: str | int) -> Iterator[None]:
    """Every log line inside the `with` block carries these fields: `with bound(request_id=...):`."""
    token = _bound.set({**_bound.get(), **fields})
    try:
        yield
    finally:
        _bound.reset(token)


def bind(**fields: str | int) -> None:
    """Every log line of this task carries these fields too from now on, to its end."""
    _bound.set({**_bound.get(), **fields})


def bind_request(request_id: str) -> None:
    """What this task logs from now on is about this request alone; "" for one without an id."""
    _bound.set({"request_id": request_id} if request_id else _NOTHING)


def bound_request() -> str:
    """The id of the request that this task is about, "" for none."""
    return str(_bound.get().get("request_id", ""))


def request_metadata() -> tuple[tuple[str, str], ...]:
    """The gRPC metadata that carries the bound request id on to the service that is called."""
    request_id = bound_request()
    return ((REQUEST_ID_HEADER, request_id),) if request_id else ()
