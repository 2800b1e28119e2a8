"""The page's files: what a browser may keep, and for how long."""

from __future__ import annotations

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from lastspike.server.http.routes.pages import web_file
from lastspike.server.http.static import FOR_EVER, files, page_version


@pytest.mark.parametrize("packed", [True, False])
def test_only_the_present_version_is_kept_for_ever(packed: bool) -> None:
    accepted = {"accept-encoding": "gzip" if packed else "identity"}
    with TestClient(Litestar([web_file])) as client:
        present = client.get(f"/web/{page_version()}/js/main.js", headers=accepted)
        older = client.get("/web/0.0.1-older/js/main.js", headers=accepted)
    assert present.content == older.content == files()["js/main.js"].plain
    assert present.headers["cache-control"] == FOR_EVER
    assert older.headers["cache-control"] == "no-store"
    for answer in (present, older):
        assert answer.headers.get("content-encoding") == ("gzip" if packed else None)
        assert answer.headers["vary"] == "accept-encoding"
