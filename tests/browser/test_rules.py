"""The rules: found by words and by number, printed on one page, and reached from a refused move."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from lastspike.rules.editions.shipped import shipped
from lastspike.words.language import words_for
from tests.sizes import in_soak
from tests.words.test_quiz import QUIZ
from tests.words.test_rulebook import rules as rules_in

from .axe import violations
from .layout import faults
from .people import TABLE, MakePerson, Person
from .words import LANGUAGES, several

HALF = {
    "en": "HALF bank",
    "fr": "moitie BANQUE",
    "pt": "METADE banco",
    "pt-BR": "METADE banco",
    "ja": "半額　銀行",
}
"""Words of rule F2, typed carelessly: without accents, in capitals."""
BY_NUMBER = "\uff2c\uff13"  # L3 in wide letters
NONSENSE = "zeppelin"


def rules(me: Person, where: str = "") -> Person:
    me.come(f"/rules{where}")
    expect(me.heading("Rules")).to_be_visible()
    return me


def rule(me: Person, number: str) -> Locator:
    """A rule, whose heading begins with its number."""
    return me.page.get_by_role("article", name=re.compile(rf"^{number}\b"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_they_are_read_searched_and_printed(person: MakePerson, language: str) -> None:
    me = rules(person(language, dark=True))
    the_quiz_is_answered(me)
    by_words_and_by_number(me)
    the_summary_prints_on_one_page(me)


def by_words_and_by_number(me: Person) -> None:
    language = me.language
    search = me.page.get_by_role("searchbox", name=me.t("Search the rules"), exact=True)
    search.fill(HALF[language])
    expect(rule(me, "F2")).to_be_visible()
    expect(rule(me, "L1")).to_be_hidden()
    found = me.page.get_by_role("article").count()
    assert 1 <= found <= 6
    told = several(language, "{n} rule found", "{n} rules found", found)
    expect(me.page.get_by_text(told, exact=True).first).to_be_visible()
    expect(me.page.locator("[aria-live=polite]")).to_contain_text(told)
    search.fill(BY_NUMBER)
    expect(rule(me, "L3")).to_be_visible()
    expect(rule(me, "F2")).to_be_hidden()
    search.fill(NONSENSE)
    expect(
        me.page.get_by_text(me.t("No rule contains all these words. Try fewer."))
    ).to_be_visible()
    expect(me.page.get_by_role("article")).to_have_count(0)
    search.fill("")
    expect(rule(me, "F2")).to_be_visible()


def test_a_rule_has_an_address(person: MakePerson) -> None:
    me = rules(person("fr", width=900, height=600), "#L3")
    expect(rule(me, "L3")).to_be_focused()
    expect(rule(me, "L3")).to_be_in_viewport()
    contents = me.page.get_by_role("navigation", name=me.t("Contents"))
    contents.get_by_text(me.t("Contents"), exact=True).click()
    contents.get_by_role("link", name=re.compile("^K1")).click()
    expect(me.page).to_have_url(f"{me.url}/rules#K1")
    expect(rule(me, "K1")).to_be_focused()
    expect(rule(me, "K1")).to_be_in_viewport()
    # From one rule to another that is hidden just now, and back.
    search = me.page.get_by_role("searchbox")
    search.fill("L6")
    rule(me, "L6").get_by_role("link", name="K1", exact=True).click()
    me.page.go_back()
    expect(rule(me, "L3")).to_be_focused()
    expect(rule(me, "E3")).to_be_visible()
    expect(search).to_have_value("")


def test_figures_are_those_of_the_edition(person: MakePerson) -> None:
    edition = shipped("columbia-2015")
    me = rules(person("en"), "/columbia-2015#S1")
    expect(rule(me, "S1")).to_be_in_viewport()
    for players, cash in edition.starting_cash.items():
        row = rule(me, "S1").get_by_role("row", name=f"{players} ${cash:,}", exact=True)
        expect(row).to_be_visible()
    expect(rule(me, "E1")).to_contain_text(f"${edition.last_spike_bonus:,}")
    costs = me.page.get_by_role("table", name="What each tile costs").first
    assert costs.get_by_role("row").count() == 1 + len(edition.routes)
    expect(rule(me, "E1").get_by_role("img")).to_be_visible()
    unfilled = me.page.get_by_role("main").get_by_text(re.compile(r"\{\w+\}|undefined|NaN|\*\*"))
    expect(unfilled).to_have_count(0)


def the_quiz_is_answered(me: Person) -> None:
    language = me.language
    titles = {rule["id"]: rule["title"] for rule in rules_in(language)}
    for asked in QUIZ:
        clause = asked["clause"]
        number = f"{clause} " if re.fullmatch(r"[A-Z]\d", clause) else ""
        told = me.page.get_by_role("article", name=f"{number}{titles[clause]}", exact=True)
        expect(told).to_be_visible()
        for text in (
            *asked["words"][language],
            *(words_for(language).money(amount) for amount in asked.get("amounts", ())),
        ):
            expect(told, asked["question"]).to_contain_text(text)


@pytest.mark.parametrize(
    ("language", "last", "turns", "dark"), [("en", "V3", 30, False), in_soak("ja", "Z3", 31, True)]
)
def test_the_worked_example_opens_on_the_map(
    person: MakePerson, language: str, last: str, turns: int, *, dark: bool
) -> None:
    me = rules(person(language, dark=dark))
    opened = me.page.get_by_role("button", name=last)
    opened.click()
    expect(me.page).to_have_url(f"{me.url}/record")
    expect(me.heading("After turn {number}", number=turns)).to_be_visible()
    me.button("Next turn").click()
    expect(me.log).to_contain_text(last)
    me.page.go_back()
    expect(opened).to_be_visible()


def test_the_worked_example_is_only_of_its_own_map(person: MakePerson) -> None:
    """An edition with the same routes tells it, but its figures are not those of the games."""
    me = rules(person("en"), "/columbia-2015b")
    expect(me.page.get_by_role("article", name="Seven payouts")).to_be_visible()
    expect(me.page.get_by_role("button", name="Open on the map")).to_have_count(0)


def test_there_is_no_such_edition(person: MakePerson) -> None:
    me = person("pt")
    me.expect_trouble("Failed to load resource: the server responded with a status of 404")
    me.come("/rules/nowhere-1869")
    expect(
        me.page.get_by_text(me.t("Couldn’t load the rules. Reload the page to try again."))
    ).to_be_visible()
    me.button("Home").click()
    expect(me.button("Play now")).to_be_visible()


def the_summary_prints_on_one_page(me: Person) -> None:
    expect(rule(me, "E3")).to_be_visible()
    paper = me.page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1
    (box,) = re.findall(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", paper)
    assert [round(float(side) / 72 * 25.4) for side in box] == [210, 297]
    me.page.emulate_media(media="print")
    expect(me.page.get_by_role("article")).to_have_count(0)
    expect(me.page.get_by_role("button")).to_have_count(0)
    expect(me.page.get_by_role("table")).to_have_count(3)


def test_the_button_prints(person: MakePerson) -> None:
    me = person("en", new=True)
    me.page.add_init_script("window.print = () => (window.printed = true)")
    rules(me)
    me.button("Print the summary").click()
    assert me.page.evaluate("window.printed")


@pytest.mark.parametrize(
    ("language", "width", "dark"), [in_soak("fr", 1280, True), ("ja", 360, True)]
)
def test_everybody_can_read_them(
    person: MakePerson, language: str, width: int, *, dark: bool
) -> None:
    me = rules(person(language, width=width, height=640, dark=dark, touch=width < 500), "#L3")
    expect(rule(me, "L3")).to_be_in_viewport()
    assert not faults(me.page)
    assert not violations(me.page)


def test_from_the_introduction_to_all_the_rules(person: MakePerson) -> None:
    me = person("pt")
    me.come("/learn")
    me.button("Full rules").click()
    expect(me.page).to_have_url(f"{me.url}/rules")
    expect(rule(me, "T1")).to_be_visible()
    me.page.go_back()
    expect(me.heading("Good to know")).to_be_visible()


@pytest.mark.parametrize("language", [in_soak("en"), "ja"])
def test_a_refused_move_leads_to_its_rule(person: MakePerson, language: str) -> None:
    me = person(language)
    me.play_now()
    me.until_mine()
    me.page.keyboard.press("t")
    field = me.field("Type a move or a question")
    answers = me.page.get_by_role("log", name=me.t("Answers"), exact=True)
    field.fill("-DEN2")
    field.press("Enter")
    name = me.t("Read rule {rule}", rule="F1")
    note = me.page.get_by_role("status").get_by_role("link", name=name, exact=True)
    for link in (answers.get_by_role("link", name=name, exact=True), note):
        expect(link).to_have_attribute("href", "rules#F1")
        expect(link).to_have_attribute("target", "_blank")
        link.click()
        expect(me.dialog).to_have_accessible_name(re.compile("^F1"))
        everything = me.dialog.get_by_role("link", name=me.t("Full rules"), exact=True)
        expect(everything).to_have_attribute("href", "rules#F1")
        me.page.keyboard.press("Escape")
        expect(me.dialog).to_have_count(0)
    # The game has not been left, and goes on.
    expect(me.page).to_have_url(TABLE)
    expect(me.my_turn).to_be_visible()
