"""The page's files: what a browser may keep, and for how long."""

from __future__ import annotations

import html
import json
import re

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from lastspike.languages import LANGUAGES, Language, tag_of
from lastspike.server.http.page.files import FOR_EVER, files, page_in, page_version
from lastspike.server.http.routes.pages import web_file
from lastspike.words.language import words_for

DESCRIPTION = "Build the railway together, and finish with the most cash."


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_and_manifest_speak_the_language_before_any_script(language: Language) -> None:
    page, say = page_in(language), words_for(language).say
    assert f'<html lang="{tag_of(language)}" data-language="{language}"' in page
    assert 'data-languages="en fr pt=pt-PT pt-BR ja"' in page
    for text in (DESCRIPTION, "Skip to main content", "The Last Spike needs JavaScript."):
        assert html.escape(say(text)) in page
        assert (say(text) == text) == (language == "en")
    name = f"page.{language}.webmanifest"
    assert f'href="web/{page_version()}/{name}"' in page
    manifest = json.loads(files()[name].plain)
    assert (manifest["lang"], manifest["description"]) == (tag_of(language), say(DESCRIPTION))
    assert "{" not in re.sub(r"\{(base|screen|site)\}", "", page)
