"""Commands about words between partners: game is asked, who knows the teams."""

from __future__ import annotations

from msgspec import UNSET

from gen.tandemfog.game.v1 import game_pb2 as game
from gen.tandemfog.types.v1 import types_pb2 as types
from libs.runtime.refusals import Refusal
from services.gateway import frames
from services.gateway.backends import Backends, ask, shard_key
from services.gateway.lobby import Answer
from services.gateway.pushed import Ok
from services.gateway.session import Place
from services.gateway.translate import QUICK, small_number

TEXT_CHARACTERS = 200
TalkCommand = frames.Say | frames.Mute | frames.Report


class Talking:
    """Answers what a seat says, and what it has to say about what it hears."""

    def __init__(self, backends: Backends) -> None:
        self._game = backends.game

    async def answer(self, place: Place, command: TalkCommand) -> Answer:
        """The answer to one command. Raises Refusal when it is no."""
        key = shard_key(place.table_id)
        match command:
            case frames.Say():
                await ask(self._game, key, lambda stub: stub.Talk, _talk_request(place, command))
            case frames.Mute():
                muting = game.MuteRequest(request_id=command.id, token=place.token, on=command.on)
                await ask(self._game, key, lambda stub: stub.Mute, muting)
            case frames.Report():
                report = game.ReportTalkRequest(
                    request_id=command.id,
                    token=place.token,
                    number=small_number(command.number, "unknown_line"),
                    words=command.words,
                )
                await ask(self._game, key, lambda stub: stub.ReportTalk, report)
        return Answer(Ok(id=command.id))


def _talk_request(place: Place, command: frames.Say) -> game.TalkRequest:
    if (command.quick is UNSET) == (command.text is UNSET):
        raise Refusal("bad_request", "Say either a quick message or a text.")
    if command.quick is not UNSET and command.quick not in QUICK:
        raise Refusal("bad_request", "There is no such quick message.")
    text = command.text or ""
    if len(text) > TEXT_CHARACTERS:
        raise Refusal("text_too_long")
    return game.TalkRequest(
        request_id=command.id,
        token=place.token,
        quick=QUICK[command.quick] if command.quick else types.QUICK_MESSAGE_UNSPECIFIED,
        text=text,
    )
