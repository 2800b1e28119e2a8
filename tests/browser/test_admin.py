"""A player reports another, and the holder of the operator's key looks after it on the page."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.server.admin.operating import KEY

from .axe import violations
from .layout import faults
from .people import MakePerson, Person

RUDE = "You play like a mule!"


def enter(me: Person) -> None:
    me.page.goto(f"{me.url}/admin")
    me.expect_trouble("403")  # the browser itself tells of the wrong key
    me.field("The operator’s key").fill("not the key")
    me.button("Continue").click()
    expect(me.page.get_by_role("alert")).to_be_visible()
    me.field("The operator’s key").fill(KEY)
    me.button("Continue").click()
    expect(me.heading("Announcements")).to_be_visible()


def because(me: Person, field: str, act: str, words: str = "house rules") -> None:
    """Say why in the dialog that is open, and press the button that is called `act`."""
    me.dialog.get_by_label(me.t(field), exact=True).fill(words)
    me.dialog.get_by_role("button", name=act, exact=True).click()
    expect(me.dialog).to_have_count(0)


def test_a_report_is_looked_after(person: MakePerson) -> None:
    ada, rude, operator = person("en"), person("ja"), person("fr")
    rude.come()
    rude.name("Mallory")
    rude.play_now()
    rude.say(RUDE)
    expect(rude.chat).to_contain_text(RUDE)

    ada.page.goto(rude.page.url)
    ada.tab("Chat").click()
    expect(ada.chat).to_contain_text(RUDE)
    ada.chat.locator("..").get_by_role("button", name=ada.t("Report to the operator…")).click()
    ada.give_name("Ada")  # whoever only watches is asked for one
    told = ada.t("{name}: {text}", name="Mallory", text=RUDE)
    ada.dialog.get_by_label(ada.t("About"), exact=True).select_option(label=told)
    because(ada, "What happened?", ada.t("Send the report"), "Insults me")

    enter(operator)
    expect(operator.tab("Reports")).to_have_class("unread")
    operator.tab("Reports").click()
    report = operator.page.get_by_role("article")
    expect(report).to_contain_text("Insults me")
    expect(report).to_contain_text(RUDE)
    seen = faults(operator.page) + violations(operator.page)
    report.get_by_role("button", name=operator.t("Remove…"), exact=True).click()
    because(operator, "Reason, for the audit log", operator.t_as("a message", "Remove"))
    for one in (ada, rude):
        expect(one.chat).not_to_contain_text(RUDE)
    expect(report).not_to_contain_text(RUDE)

    report.get_by_role("button", name=operator.t("Ban…"), exact=True).click()
    seen += faults(operator.page) + violations(operator.page)
    rude.expect_trouble("403")
    because(operator, "Reason (they will see it)", operator.t("Ban"), "Insulted others")
    expect(rude.heading("You’re banned")).to_be_visible()
    expect(rude.page.get_by_text("Insulted others")).to_be_visible()
    expect(rude.button("Delete your data")).to_be_visible()

    report.get_by_role("button", name=operator.t("Settle…"), exact=True).click()
    because(operator, "Outcome", operator.t("Settle"), "Banned")
    expect(operator.page.get_by_text(operator.t("There are no reports."))).to_be_visible()
    operator.tab("Overview").click()
    operator.button("Make an announcement").click()
    because(operator, "Message", operator.t("Announce"), "Tea is at four.")
    notices = ada.page.get_by_role("region", name=ada.t("Announcements"), exact=True)
    expect(notices).to_contain_text("Tea is at four.")
    operator.button("End now").click()
    expect(notices).to_have_count(0)

    operator.resize(360, 640)
    for tab in ("Overview", "Tables", "People", "Bans", "Audit log"):
        operator.tab(tab).click()
        expect(operator.page.get_by_role("tabpanel", name=operator.t(tab))).not_to_be_empty()
        seen += [f"{tab}: {fault}" for fault in faults(operator.page)]
    seen += violations(operator.page)
    expect(operator.page.get_by_role("cell", name=operator.t("ban"), exact=True)).to_be_visible()
    operator.tab("Bans").click()
    operator.button("End now").click()
    expect(operator.page.get_by_text(operator.t("There are no bans."))).to_be_visible()
    assert not seen, "\n".join(map(str, seen))

    operator.button("Lock").click()
    expect(operator.field("The operator’s key")).to_be_visible()
    assert KEY not in str(operator.page.evaluate("({ ...localStorage, ...sessionStorage })"))
