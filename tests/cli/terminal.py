"""A person at a terminal: runs the real command, reads an 80x24 screen, types answers."""

from __future__ import annotations

import os
import re
import signal
import sys
from pathlib import Path

import pexpect
import pyte

COLUMNS, ROWS = 80, 24
PROMPTS = [
    r"Press Enter to continue\. $",
    r"Press Enter when you’re ready\. $",
    r"Lay which tile\? \(\? for help\) $",
    r"Buy land in which city\? Enter for none \(back, \? for help\) $",
    r"Sell which card\? \(back, \? for help\) $",
    r"Press Enter to play it, or type “back” to change it: $",
    r"Press Enter to resume it, or type “new” to start another: $",
    r"\] $",
]
GO_ON, READY, LAY, BUY, SELL, CONFIRM, WAITING, SETUP = range(8)
OVER = len(PROMPTS)


def _hang_up_normally() -> None:
    """Tests begun by `nohup` ignore this signal, and the command would inherit that."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


class Terminal:
    """One run of `lastspike play --terminal`, up to its next prompt after every step."""

    def __init__(self, home: Path, *arguments: str, **environment: str) -> None:
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.Stream(self.screen)
        self.output = ""
        """All that was written since the last prompt."""
        self.child = pexpect.spawn(
            sys.executable,
            ["-c", "from lastspike.cli import main; main()", "play", "--terminal", *arguments],
            env={
                **{k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "LANGUAGE")},
                "LASTSPIKE_HOME": str(home),
                "LC_ALL": "C.UTF-8",
                "TERM": "xterm",
                **environment,
            },
            dimensions=(ROWS, COLUMNS),
            encoding="utf-8",
            timeout=30,
            preexec_fn=_hang_up_normally,
        )
        self.child.delaybeforesend = None
        self.prompt = -1
        self.wait()

    def wait(self) -> int:
        """Read on to the next prompt, or to the end: OVER."""
        self.prompt = int(self.child.expect([*PROMPTS, pexpect.EOF]))
        after = self.child.after if isinstance(self.child.after, str) else ""
        self.output = (self.child.before or "") + after
        self._stream.feed(self.output)
        return self.prompt

    def type(self, text: str) -> int:
        """Type a line and read on to the next prompt."""
        self.child.sendline(text)
        return self.wait()

    def interrupt(self) -> None:
        """Press Ctrl-C, and wait for the command to end.

        One that comes in the moment before the command begins to read has no effect until the next
        key; a person would press it again, and so do we.
        """
        self.child.sendintr()
        while self.child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=3):
            self.child.sendintr()
        self._stream.feed(self.child.before or "")
        self.child.close()

    def kill(self) -> None:
        self.child.close(force=True)

    def exit_status(self) -> int | None:
        self.child.close()
        return self.child.exitstatus

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def usual_answer(self) -> str:
        """What a simple player types: the first thing offered."""
        if self.prompt == LAY:
            offered = re.search(r"Your tiles:(.*)Lay which", self.text, re.DOTALL)
            assert offered, self.text
            for choice in re.split(r"[|\n]", offered[1]):
                tile = re.match(r"\s*([A-Z]\d) ", choice)
                if tile and "not now" not in choice:
                    return tile[1]
            raise AssertionError(f"no tile to lay:\n{self.text}")
        if self.prompt in (BUY, SELL):
            pattern = r"(?:For sale[^:]*|The bank pays half price):\s*([A-Z]{3}\d?) "
            offered = re.search(pattern, self.text)
            assert offered, self.text
            return offered[1]
        return ""
