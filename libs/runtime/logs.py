"""Logs: JSON, one line for each event, on stdout or where it is sent."""

from __future__ import annotations

import logging
import sys
from contextlib import AbstractContextManager
from typing import Any, TextIO, cast

import structlog
from structlog.typing import EventDict, FilteringBoundLogger

REQUEST_ID_HEADER = "x-request-id"


def configure_logging(service: str, level: str, stream: TextIO | None = None) -> None:
    """Sends this process' log to `stream` (stdout when none is given) as JSON lines that name the service.

    `level` is a level name of the standard library in small letters ("info"). Libraries that log through
    the standard library come out in the same form, from "warning" on.
    """
    output = stream or sys.stdout

    def name_service(_logger: Any, _method: str, event: EventDict) -> EventDict:
        event["service"] = service
        return event

    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        name_service,
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


def bound(**fields: str | int) -> AbstractContextManager[Any]:
    """Every log line inside the `with` block carries these fields: `with bound(request_id=...):`."""
    return structlog.contextvars.bound_contextvars(**fields)


def request_metadata() -> tuple[tuple[str, str], ...]:
    """The gRPC metadata that carries the bound request id on to the service that is called."""
    request_id = structlog.contextvars.get_contextvars().get("request_id")
    return () if request_id is None else ((REQUEST_ID_HEADER, str(request_id)),)
