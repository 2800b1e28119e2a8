"""Hidden chat and webhooks."""

from __future__ import annotations

import pytest

from lastspike.server.storage import SessionRow, Storage, WebhookRow

from .examples import TABLE, new_table

pytestmark = pytest.mark.anyio


async def test_chat_is_hidden_and_shown_again(storage: Storage) -> None:
    await storage.persons.add("ann", "Ann", SessionRow(b"1", 0, 100))
    await new_table(storage)
    await new_table(storage, "another")
    for _ in range(2):
        await storage.hidden_chat.hide("ann", TABLE, "bob", undo=False)
    await storage.hidden_chat.hide("ann", TABLE, "cleo", undo=False)
    assert await storage.hidden_chat.of("ann", TABLE) == {"bob", "cleo"}
    assert await storage.hidden_chat.of("ann", "another") == set()
    assert await storage.hidden_chat.of("bob", TABLE) == set()
    await storage.hidden_chat.hide("ann", TABLE, "bob", undo=True)
    assert await storage.hidden_chat.of("ann", TABLE) == {"cleo"}


async def test_webhooks_are_of_a_person_or_of_a_table(storage: Storage) -> None:
    await storage.persons.add("ann", "Ann", SessionRow(b"1", 0, 100))
    await new_table(storage)
    hers = WebhookRow("w1", "ann", None, "https://example.org/a", "plain", "en")
    the_tables = WebhookRow("w2", "ann", TABLE, "https://example.org/b", "discord", "fr")
    await storage.webhooks.add(hers)
    await storage.webhooks.add(the_tables)
    assert await storage.webhooks.get("w1") == hers
    assert await storage.webhooks.of_person("ann") == [hers, the_tables]
    assert await storage.webhooks.of_table(TABLE) == [the_tables]
    await storage.webhooks.delete("w1")
    assert await storage.webhooks.get("w1") is None
    await storage.logs.delete_table(TABLE)
    assert await storage.webhooks.of_person("ann") == []
