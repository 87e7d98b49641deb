"""Random play for the laws of the notation: choices drawn by hypothesis, every move legal by the rules."""

from random import Random

from hypothesis import strategies as st

from libs.rules.fog import FogGame
from libs.rules.movetext import RESULTS
from libs.rules.position import Position, Profile
from libs.rules.record import MatchRecord, RecordMove, normal_start
from libs.rules.squares import parse_square
from libs.rules.tandem import TandemMatch

CHOICES = st.builds(
    lambda seed, count: [Random(seed + number).getrandbits(32) for number in range(count)],
    st.integers(0, 2**32),
    st.integers(0, 90),
)
PROFILES: st.SearchStrategy[Profile] = st.sampled_from(("online", "club"))
TIMES = st.none() | st.integers(-(10**7), 10**7)

_TAG_NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,12}", fullmatch=True).filter(
    lambda name: name not in {"Result", "Profile", "Setup", "SetUp", "FEN", "Variant"}
)
_TAG_VALUES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=20)
_ENDINGS = st.lists(st.from_regex(r"[A-Za-z']{1,9}", fullmatch=True), max_size=5).map(" ".join)
_NOISE = '{}()[];"\\|/~@.+#-x0189AabB \n\r\x00\xff\ud800'


def tandem_moves(profile: Profile, choices: list[int]) -> tuple[list[tuple[int, str]], TandemMatch]:
    """A legal sequence of (board, move) that the choices lead to, rich in captures and drops, and its end."""
    match = TandemMatch.start(profile)
    moves = []
    for choice in choices:
        board = choice % 2
        legal = match.legal_moves(board)
        if not legal:
            continue
        lively = [uci for uci in legal if "@" in uci or _takes(match.positions[board], uci)]
        pool = lively if lively and choice % 3 == 0 else legal
        uci = pool[choice // 6 % len(pool)]
        moves.append((board, uci))
        match = match.play(board, uci).match
    return moves, match


def fog_moves(choices: list[int]) -> tuple[list[str], FogGame]:
    """A legal sequence of fog moves that the choices lead to, and the game at its end."""
    game = FogGame.start()
    moves = []
    for choice in choices:
        if game.outcome is not None:
            break
        legal = game.position.legal_moves()
        moves.append(legal[choice % len(legal)])
        game = game.play(moves[-1]).game
    return moves, game


def _takes(position: Position, uci: str) -> bool:
    return "@" not in uci and position.piece_at(parse_square(uci[2:4])) is not None


@st.composite
def tandem_records(draw: st.DrawFn) -> MatchRecord:
    """A record of a tandem match, from the normal start or set up in mid-game."""
    profile = draw(PROFILES)
    moves, match = tandem_moves(profile, draw(CHOICES))
    start, start_clocks_ms = normal_start("tandem"), None
    if draw(st.booleans()) and match.outcome is None:
        start = tuple(position.fen() for position in match.positions)
        start_clocks_ms = draw(st.none() | st.tuples(*[st.integers(0, 10**6)] * 4))
        moves = []
    return MatchRecord(
        draw(st.dictionaries(_TAG_NAMES, _TAG_VALUES, max_size=4)),
        "tandem",
        profile,
        start,
        tuple(RecordMove(board, uci, draw(TIMES), draw(TIMES)) for board, uci in moves),
        draw(st.sampled_from(RESULTS)),
        draw(_ENDINGS),
        start_clocks_ms,
    )


@st.composite
def fog_records(draw: st.DrawFn) -> MatchRecord:
    """A record of a fog game, from the normal start or set up in mid-game."""
    moves, game = fog_moves(draw(CHOICES))
    start = normal_start("fog")
    if draw(st.booleans()) and game.outcome is None:
        start, moves = (game.position.fen(),), list(game.position.legal_moves()[:1])
    return MatchRecord(
        draw(st.dictionaries(_TAG_NAMES, _TAG_VALUES, max_size=4)),
        "fog",
        "online",
        start,
        tuple(RecordMove(0, uci, draw(TIMES), draw(TIMES)) for uci in moves),
        draw(st.sampled_from(RESULTS)),
        draw(_ENDINGS),
    )


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """A text with a few stretches cut out, doubled, or replaced by characters that mean something in it."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        noise = draw(st.text(st.sampled_from(_NOISE), max_size=6))
        text = text[:start] + draw(st.sampled_from((noise, text[start:end] * 2, ""))) + text[end:]
    return text
