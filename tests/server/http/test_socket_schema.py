"""Every route with what its OpenAPI allows, and with what it does not: schemathesis asks.

No answer is an error of the server's, and each is as documented: its status, its content type, its
body. What the schema forbids is refused.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, seed, settings

from lastspike import protocol as p
from lastspike.client import Person, play_to_end
from tests.server.running import RunningServer, running_server
from tests.server.strangers import secret_of

if TYPE_CHECKING:  # it takes seconds to import, which those who test something else need not wait
    import requests
    from schemathesis import APIOperation, Case

    Operation = APIOperation[Any, Any, Any, Any]

SOAK = bool(os.environ.get("LASTSPIKE_SOAK"))
EXAMPLES = 300 if SOAK else 6
PARTS = 2


class Prepared:
    """A person who has tables of every kind at a server, for requests that lead somewhere."""

    def __init__(self, server: RunningServer) -> None:
        self.url = server.url
        self.cookie = ""
        self.tables: list[str] = []
        self.record: dict[str, Any] = {}

    async def prepare(self) -> None:
        async with Person(self.url, "Ada") as ada, Person(self.url, "Bob") as bob:
            fast = p.Settings(pace=0, public=True)
            waiting = await ada.create(["me", None, None], fast)
            await bob.take_seat(waiting)
            playing = await ada.create(["me", "clerk"], fast)
            over = await ada.create(["me", "greenhorn"], fast)
            async with ada.watch(playing) as table, ada.watch(over) as last:
                await table.ready()
                await last.ready()
                await table.until(lambda table: table.view)
                await play_to_end(last)
            self.cookie = secret_of(ada)
            self.tables = [waiting, playing, over]
            self.record = await ada.record(over)

    def asking(
        self, operation: Operation, session: requests.Session, *, allowed: bool
    ) -> Callable[[], None]:
        """A test of one operation, with requests that its schema allows, or that it forbids."""
        from schemathesis import GenerationMode
        from schemathesis.checks import not_a_server_error
        from schemathesis.specs.openapi import checks

        mode = GenerationMode.POSITIVE if allowed else GenerationMode.NEGATIVE
        wanted = [
            not_a_server_error,
            checks.status_code_conformance,
            checks.content_type_conformance,
            checks.response_headers_conformance,
            checks.response_schema_conformance,
            checks.negative_data_rejection,
        ]
        numbers = count()

        @seed(1869)
        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def ask(case: Case[Any]) -> None:
            parameters = case.path_parameters
            if allowed and parameters and "table_id" in parameters:
                parameters["table_id"] = self.tables[next(numbers) % len(self.tables)]
            if allowed and operation.path == "/api/records" and next(numbers) % 2:
                case.body = self.record  # by chance nobody would find one
            # Who deletes themselves could ask for nothing else.
            deleting = (operation.method.upper(), operation.path) == ("DELETE", "/api/me")
            cookies = {} if deleting else {"lastspike": self.cookie}
            answer = case.call(session=session, cookies=cookies)
            # What is too large for its route is refused before anybody looks at it.
            asked = wanted[:-1] if answer.status_code == 413 else wanted
            case.validate_response(answer, checks=asked)

        return ask


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prepared]:
    file = tmp_path_factory.mktemp("schema") / "schema.db"
    url = f"sqlite+aiosqlite:///{file}"
    with running_server(url, public_list=True) as server:
        prepared = Prepared(server)
        asyncio.run(prepared.prepare())
        yield prepared
        assert "unexpected error" not in server.log


@pytest.mark.soak
@pytest.mark.parametrize("allowed", [True, False], ids=["allowed", "forbidden"])
@pytest.mark.parametrize("part", range(PARTS))
def test_every_answer_is_as_documented(prepared: Prepared, part: int, allowed: bool) -> None:
    import requests
    import schemathesis
    from schemathesis.core.result import Ok

    schema = schemathesis.openapi.from_url(f"{prepared.url}/schema/openapi.json")
    found = list(schema.get_all_operations())
    operations = [each.ok() for each in found if isinstance(each, Ok)]
    assert len(operations) == len(found) > 20
    if not allowed:  # of a path any text is allowed, so that only a body can be forbidden
        operations = [operation for operation in operations if operation.body]
    with requests.Session() as session:
        for operation in operations[part::PARTS]:
            prepared.asking(operation, session, allowed=allowed)()
