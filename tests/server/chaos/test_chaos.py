"""An hour of chaos: servers, workers, databases, disks, lines and clocks fail under play, in any
order, and the history of every game is right.

`make soak` takes an hour, half of it on each kind of database; `LASTSPIKE_CHAOS_SECONDS` sets
another length. In `make test`, `test_nothing_lost.py` stands for it.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

import pytest

from lastspike import protocol as p
from tests.server.databases import OwnPostgresServer
from tests.server.players import FAST, WATCHER, Crowd, Party, log_of_finished, opened
from tests.server.running import RunningServer, running_server
from tests.server.wiretap import Tap

from .history import Heard, check_history
from .strikes import Strike, Strikes, small_disk

SOAK = os.environ.get("LASTSPIKE_SOAK") == "1"
SECONDS = float(os.environ.get("LASTSPIKE_CHAOS_SECONDS", "3600"))
SEED = int(os.environ.get("LASTSPIKE_CHAOS_SEED", time.time_ns()))

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.soak,
    pytest.mark.skipif(not SOAK, reason="takes an hour: make soak"),
]

DAYS = p.Settings(pace=0, stand_in="greenhorn", clock=p.DaysClock(14))
HIDDEN = p.Settings(
    pace=0, stand_in="greenhorn", options=p.GameOptions("forced", "hidden", "hidden")
)
TABLES: dict[tuple[str, ...], p.Settings] = {
    ("Ada", "Bob", "clerk"): HIDDEN,
    ("Cem", "greenhorn", "Dee", "clerk", "greenhorn"): FAST,
    ("Eva", "Fay", "Eva"): DAYS,
    ("Gus", "surveyor"): HIDDEN,
}


class TappedCrowd(Crowd):
    """A crowd whose every byte is heard. Each game is checked soon after its end, and forgotten."""

    def __init__(self, url: str, rng: Random, strikes: Strikes) -> None:
        super().__init__(url, rng)
        self.checked: Counter[str] = Counter()
        self._strikes = strikes
        self._over: list[tuple[Party, list[Tap]]] = []

    async def _keep_playing(self, seats: Sequence[str]) -> None:
        while not self._going_home:
            taps: list[Tap] = []

            async def door(name: str, taps: list[Tap] = taps) -> str:
                tap = Tap(name, self._url)
                await tap.open()
                taps.append(tap)
                self._strikes.taps.append(tap)
                return tap.url

            rng = Random(self._rng.random())
            party = Party(self._url, seats, rng, self._count, TABLES[tuple(seats)], door)
            self.parties.append(party)
            try:
                await party.play()
            finally:
                for tap in taps:
                    self._strikes.taps.remove(tap)
                    tap.reads.set()
                    await tap.close()
            self._over.append((party, taps))

    async def check_finished(self, database_url: str) -> None:
        over, self._over = self._over, []
        async with opened(database_url) as storage:
            for party, taps in over:
                log = await log_of_finished(storage, party)
                assert party.memory is not None
                told = check_history(log, party.memory, heard(party, taps))
                self.checked["games"] += 1
                self.checked["turns acknowledged"] += len(party.memory.acknowledged)
                self.checked["steps told"] += told
                self.checked["messages"] += sum(len(tap.chunks) for tap in taps)
                self.parties.remove(party)


def heard(party: Party, taps: Iterable[Tap]) -> Iterable[Heard]:
    for tap in taps:
        person = None if tap.name == WATCHER else party.persons[tap.name]
        yield Heard(tap.name, person, list(tap.messages()))


async def struck(
    server: RunningServer, strikes: Strikes, every: dict[str, Strike], rng: Random, seconds: float
) -> None:
    """Play, and strike for so long, every kind at least once, in a random order."""
    crowd = TappedCrowd(server.url, rng, strikes)
    done: Counter[str] = Counter()
    until = time.monotonic() + seconds
    kinds: list[str] = []
    async with crowd.playing(TABLES):
        while len(done) < len(every) or time.monotonic() < until:
            kinds = kinds or rng.sample(sorted(every), len(every))
            kind = kinds.pop()
            await crowd.after(rng.randint(1, 30), lambda: None)
            await every[kind]()
            done[kind] += 1
            await crowd.check_with_fresh_eyes()
            await crowd.check_finished(server.database_url)
    await crowd.check_finished(server.database_url)
    told = ", ".join(f"{count} {what}" for what, count in crowd.checked.items())
    print(f"{sum(done.values())} strikes in {seconds:.0f} s, seed {SEED}: {dict(done)}; {told}")
    assert crowd.checked["games"] >= len(TABLES)
    assert not crowd.parties


@pytest.fixture
def shift(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that says how wrong the clock is. Several workers count into a folder, which a
    server that is killed can't remove."""
    folder = tmp_path / "metrics"
    folder.mkdir()
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(folder))
    file = tmp_path / "shift"
    file.write_text("0")
    return file


async def test_an_hour_on_sqlite(tmp_path: Path, shift: Path) -> None:
    rng = Random(SEED)
    with small_disk(tmp_path / "disk") as disk:
        url = f"sqlite+aiosqlite:///{disk.folder / 'spike.db'}"
        with running_server(url, clock=shift) as server:
            strikes = Strikes(server, rng, shift)
            await struck(server, strikes, strikes.on_sqlite(disk), rng, SECONDS / 2)


async def test_an_hour_on_postgresql(
    own_postgres_url: str, own_postgres_server: OwnPostgresServer, shift: Path
) -> None:
    rng = Random(SEED)
    with running_server(own_postgres_url, clock=shift, workers=2) as server:
        strikes = Strikes(server, rng, shift)
        await struck(server, strikes, strikes.on_postgres(own_postgres_server), rng, SECONDS / 2)
