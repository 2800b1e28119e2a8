"""Short notes and alerts: where they stand, how they go, and what they say of oneself."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from .people import MakePerson, Person
from .positions import take_over

REFUSED = "-DEN2"
"""A move that the rules forbid, with a rule to read."""


def refuse(me: Person) -> Locator:
    """Get a move refused; the note that says so."""
    me.page.keyboard.press("t")
    me.type(REFUSED)
    note = me.page.locator("#alerts .alert")
    expect(note).to_be_visible()
    return note


def test_a_refusal_covers_no_action_and_goes_with_a_tap(person: MakePerson) -> None:
    me = person("fr", width=390, height=844, touch=True)
    take_over(me, "most-choices")
    rule = me.t("Read rule {rule}", rule="F1")
    note = refuse(me)
    # A tap on its text closes it, and reaches nothing below it.
    assert note.evaluate(
        """note => {
             const { left, top, height } = note.getBoundingClientRect();
             return note.contains(document.elementFromPoint(left + 30, top + height / 2));
           }"""
    )
    shown = note.bounding_box()
    assert shown
    for action in (me.tiles.first, me.button("Hint")):  # the tray is always in view
        box = action.bounding_box()
        assert box
        assert box["y"] > shown["y"] + shown["height"]
    note.get_by_text(me.t("Read rule {rule}", rule="F1")).locator("..").tap(
        position={"x": 5, "y": 5}
    )
    expect(note).to_have_count(0)
    # So does its button,
    refuse(me).get_by_role("button", name=me.t("Close"), exact=True).tap()
    expect(note).to_have_count(0)
    # and the link in it, which once kept it for ever.
    refuse(me).get_by_role("link", name=rule).tap()
    expect(me.dialog).to_be_visible()
    expect(note).to_have_count(0)


def test_a_note_leaves_under_a_resting_pointer(person: MakePerson) -> None:
    me = person("en", new=True)
    me.play_now()
    assert me.until_mine()
    me.page.clock.install()
    note = refuse(me)
    note.hover()
    me.page.clock.run_for(11_000)
    expect(note).to_be_visible()  # somebody may still be reading
    me.page.clock.run_for(30_000)
    expect(note).to_have_count(0)


def test_a_stand_in_for_oneself_is_told_to_you(person: MakePerson) -> None:
    """Also where several people share the device, and are told only once."""
    us = person("en")
    us.come()
    us.button("Choose players").click()
    for number, name in enumerate(("Ada", "Grace"), 1):
        us.dialog.get_by_label(us.t("Player {number}", number=number)).fill(name)
    us.dialog.get_by_role("button", name=us.t("Start the game"), exact=True).click()
    expect(us.show_hand).to_be_visible()
    note = us.page.locator("#alerts .alert")
    for way, text in (
        ("leave", us.t("A computer is now playing for you.")),
        ("return", us.t("You’re back.")),
    ):
        us.page.evaluate(
            """way => fetch(`api/tables/${location.pathname.split("/").pop()}/${way}`, {
                 method: "POST",
                 headers: { "content-type": "application/json" },
                 body: way === "leave" ? JSON.stringify({ for_good: false }) : null,
               })""",
            way,
        )
        expect(note).to_have_count(1)
        expect(note).to_contain_text(text)
        note.click()
        expect(note).to_have_count(0)


ALERTS = """
  window.Notification = class {
    static permission = localStorage.getItem("permission") ?? "default";
    static async requestPermission() {
      return (this.permission = localStorage.getItem("answer"));
    }
    constructor() { throw new TypeError("Illegal constructor"); } // as on Android
  };
  navigator.serviceWorker.getRegistration = async () => window.worker;
  Object.defineProperty(document, "hidden", { get: () => window.away ?? false });
"""


def test_alerts_say_whether_they_are_on(person: MakePerson) -> None:
    me = person("en", new=True)
    me.page.add_init_script(ALERTS)
    me.come()
    blocked = me.page.get_by_text("Your browser blocks alerts from this site.")
    choice = me.field("Alert when it’s your turn")
    for answer, stays in (("denied", "off"), ("granted", "on")):
        me.page.evaluate("answer => localStorage.setItem('answer', answer)", answer)
        me.button("Settings").click()
        choice.select_option("on")
        expect(choice).to_have_value(stays)
        expect(blocked).to_have_count(1 if stays == "off" else 0)
        me.page.keyboard.press("Escape")
    # Taken back in the browser's own settings.
    me.page.evaluate("localStorage.setItem('permission', 'denied')")
    me.page.reload()
    me.button("Settings").click()
    expect(choice).to_have_value("off")
    expect(blocked).to_be_visible()


def test_an_alert_of_the_turn_on_a_phone(person: MakePerson) -> None:
    """Where pages may not show one themselves; a worker shows it if there is one."""
    me = person("fr", new=True)
    me.page.add_init_script(ALERTS)
    me.come()
    me.page.evaluate(
        """() => {
             localStorage.setItem("permission", "granted");
             localStorage.setItem("lastspike.settings", JSON.stringify({ alert: "on" }));
           }"""
    )
    me.play_now()
    me.page.evaluate("window.away = true")
    assert me.play_on(1) == 1
    assert me.until_mine()  # no worker: nothing breaks
    me.page.evaluate(
        """window.worker = {
             showNotification: async (_, { body }) => { document.body.dataset.told = body; },
           }"""
    )
    me.take_turn()
    assert me.until_mine()
    expect(me.page.locator("body")).to_have_attribute("data-told", me.t("It’s your turn."))
