"""`python -m libs.rules`: the conformance tool, JSON lines in, JSON lines out (docs/conformance.md)."""

import argparse
import sys
from collections.abc import Iterator
from typing import BinaryIO, TextIO

from libs.rules.conformance import MAX_LINE_BYTES, answer_line


def answer_all(requests: BinaryIO, answers: TextIO) -> None:
    """One answer for each line of input, in order, each sent at once."""
    for line in _lines(requests):
        answers.write(answer_line(line) + "\n")
        answers.flush()


def _lines(requests: BinaryIO) -> Iterator[bytes]:
    """The lines; of one that is too long only so much that it is seen to be so."""
    while line := requests.readline(MAX_LINE_BYTES + 2):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = requests.readline(MAX_LINE_BYTES)
        yield line.rstrip(b"\r\n") if line.endswith(b"\n") else line


def main() -> int:
    """Read requests from standard input until it ends."""
    parser = argparse.ArgumentParser(
        prog="python -m libs.rules",
        description="Answers each JSON line on standard input with one; see docs/conformance.md.",
    )
    parser.parse_args()
    try:
        answer_all(sys.stdin.buffer, sys.stdout)
    except BrokenPipeError:
        sys.stderr.close()  # nobody reads the answers any more, which is no error worth a traceback
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
