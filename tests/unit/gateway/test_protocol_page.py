"""docs/protocol.md and the gateway's types say the same."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from services.gateway.frames import COMMANDS, encode, read_command
from services.gateway.pushed import AnyPushed, read_pushed

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "protocol.md").read_text()
EXAMPLES = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: json.loads(text)["t"])
def test_every_example_is_read_by_the_gateways_types_and_written_again_equal(text: str) -> None:
    frame: msgspec.Struct
    is_command = json.loads(text)["t"] in COMMANDS
    frame = read_command(text.strip().encode()) if is_command else read_pushed(text)
    assert json.loads(encode(frame)) == json.loads(text)


def test_every_type_has_an_example_on_the_page() -> None:
    shown = {json.loads(text)["t"] for text in EXAMPLES}
    assert shown == {*COMMANDS, *(kind.__struct_config__.tag for kind in AnyPushed.__args__)}
