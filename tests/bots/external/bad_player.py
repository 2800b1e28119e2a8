"""A program for the tests that plays badly: `bad_player.py KIND [LEASH]`.

It opens LEASH, a named pipe, before all else: the other end is at its end when neither this
program nor anything it has started is alive. Needs the standard library only, and little of it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any, NoReturn


def say(text: str) -> None:
    os.write(1, f"{text}\n".encode())


def hang() -> NoReturn:
    while True:
        signal.pause()


def asked() -> Iterator[dict[str, Any]]:
    """Says hello, and yields the view each time that a move is wanted."""
    view: dict[str, Any] = {}
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "hello":
            say("hello 1 Bad player")
        elif word == "view":
            view = json.loads(rest)
        elif word == "go":
            yield view
        elif word == "quit":
            return


def first(view: dict[str, Any]) -> str:
    return f"move {view['legal'][0]}"


def good() -> None:
    for view in asked():
        say(first(view))


def crash_at_start() -> None:
    raise RuntimeError("no coal")


def crash_in_game() -> None:
    for turn, view in enumerate(asked()):
        if turn == 3:
            raise RuntimeError("boiler\x1b[2J burst")
        say(first(view))


def exit_after_hello() -> None:
    for _ in asked():
        return


def hang_in_game() -> None:
    for _ in asked():
        pass


def hang_without_reading() -> None:
    sys.stdin.readline()
    say("hello 1 Deaf")
    hang()


def late_once() -> None:
    """The first answer comes after its time is up, together with the second."""
    for turn, view in enumerate(asked()):
        if turn == 1:
            say("move late")
        if turn > 0:
            say(first(view))


def garbage() -> None:
    for _ in asked():
        say("Traceback \x1b[31m(most recent call last):")


def empty_answer() -> None:
    for _ in asked():
        say("move")


def illegal() -> None:
    for view in asked():
        tiles = ("A1", "A2", "A3", "A4", "B1", "B2")
        say(f"move {next(tile for tile in tiles if tile not in view['legal'])}")


def unknown_move() -> None:
    for _ in asked():
        say("move Q9" + "9" * 500)


def good_tile_then_nonsense() -> None:
    for view in asked():
        say(f"{first(view)} +NOWHERE")


def spare_pass() -> None:
    """Whole turns that end with `pass`, needed or not."""
    for view in asked():
        say(f"{first(view)} pass" if view["phase"] == "lay" else first(view))


def answer_twice() -> None:
    for view in asked():
        say(f"{first(view)}\nmove twice")


def end_without_newline() -> None:
    for view in asked():
        os.write(1, first(view).encode())
        return


def flood_with_newlines() -> None:
    for _ in asked():
        while True:
            os.write(1, b"spam\n" * 10_000)


def flood_without_newlines() -> None:
    for _ in asked():
        while True:
            os.write(1, b"x" * 50_000)


def flood_at_start() -> None:
    while True:
        os.write(1, b"\n" * 10_000)


def flood_of_errors() -> None:
    for view in asked():
        os.write(2, b"warning: " * 200_000)
        say(first(view))


def slow_start() -> None:
    hang()


def wrong_hello() -> None:
    say("id name Stockfish")
    hang()


def other_version() -> None:
    say("hello 2 Newer")
    hang()


def not_utf8() -> None:
    for _ in asked():
        os.write(1, b"move \xff\xfe\n")


def close_output() -> None:
    for _ in asked():
        os.close(1)
        hang()


def ignore_quit() -> None:
    for view in asked():
        say(first(view))
    hang()


def leave_children() -> None:
    """Ends with an answer, and leaves a child that holds on to its pipes."""
    for view in asked():
        if os.fork() == 0:
            hang()
        say(first(view))
        return


def leave_runaway() -> None:
    """The same, but the child leaves the process group, and tells its number."""
    for view in asked():
        child = os.fork()
        if child == 0:
            os.setsid()
            hang()
        os.write(2, f"{child}\n".encode())
        say(first(view))
        return


KINDS: dict[str, Callable[[], None]] = {
    kind.__name__: kind
    for kind in (
        good,
        crash_at_start,
        crash_in_game,
        exit_after_hello,
        hang_in_game,
        hang_without_reading,
        late_once,
        garbage,
        empty_answer,
        illegal,
        unknown_move,
        good_tile_then_nonsense,
        spare_pass,
        answer_twice,
        end_without_newline,
        flood_with_newlines,
        flood_without_newlines,
        flood_at_start,
        flood_of_errors,
        slow_start,
        wrong_hello,
        other_version,
        not_utf8,
        close_output,
        ignore_quit,
        leave_children,
        leave_runaway,
    )
}

if __name__ == "__main__":
    if len(sys.argv) > 2:
        os.write(os.open(sys.argv[2], os.O_WRONLY), f"{os.getpid()}\n".encode())
    KINDS[sys.argv[1]]()
