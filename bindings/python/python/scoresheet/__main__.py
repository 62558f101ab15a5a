"""The program ``scoresheet``: ``python -m scoresheet convert old.si4 new.pgn``."""

from __future__ import annotations

import signal
import sys

from ._scoresheet import run_program


def main() -> None:
    """Runs the program with the arguments of the command line, and ends the process."""
    # Python's own handler would end the process with a KeyboardInterrupt after the program has stopped.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(run_program(["scoresheet", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
