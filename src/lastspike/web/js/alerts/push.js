// Alerts on this device: what the browser allows, as it is, and turning them on and off.

import { showError } from "../game/errors.js";
import { ask, base, post } from "../lib/api.js";
import { change, settings } from "../lib/settings.js";
import { button, el } from "../lib/ui/dom.js";
import { say, sayAs } from "../lib/words.js";

/** @typedef {import("./screen.js").MyAlerts} MyAlerts */
/** @typedef {"on" | "off" | "denied" | "insecure" | "install" | "unsupported"} PushState */

/** Whether alerts can and do come to this device. @param {MyAlerts} alerts @returns {Promise<PushState>} */
export async function pushState(alerts) {
  if (!window.isSecureContext) return "insecure";
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return onApple() ? "install" : "unsupported";
  if (Notification.permission === "denied") return "denied";
  const key = await ownKey();
  return Notification.permission === "granted" && alerts.channels.some((channel) => channel.kind === "push" && channel.key === key) ? "on" : "off";
}

/** An iPhone or iPad has push for pages on its Home Screen only. */
function onApple() {
  return /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
}

/** The public key of this browser's subscription, which tells it apart. */
async function ownKey() {
  const worker = await navigator.serviceWorker.getRegistration(base);
  const subscription = await worker?.pushManager.getSubscription();
  return subscription?.toJSON().keys?.p256dh ?? "";
}

/** Ask the browser, then tell the server. False if the person or the browser said no. @param {string} serverKey */
export async function turnOn(serverKey) {
  if ((await Notification.requestPermission()) !== "granted") return false;
  await navigator.serviceWorker.register(`${base}worker.js`, { scope: base });
  const worker = await navigator.serviceWorker.ready;
  const old = await worker.pushManager.getSubscription();
  const options = { userVisibleOnly: true, applicationServerKey: serverKey };
  const subscription = await worker.pushManager.subscribe(options).catch(async () => {
    await old?.unsubscribe(); // it belongs to another server key
    return worker.pushManager.subscribe(options);
  });
  const { endpoint, keys } = subscription.toJSON();
  await post("api/me/alerts/push", { endpoint, p256dh: keys?.p256dh, auth: keys?.auth, language: settings.language });
  change({ alert: "on" });
  return true;
}

/** @param {MyAlerts} alerts */
async function turnOff(alerts) {
  const key = await ownKey();
  const worker = await navigator.serviceWorker.getRegistration(base);
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
  for (const channel of alerts.channels) if (channel.kind === "push" && channel.key === key) await remove(channel.id);
}

/** @param {string} id */
const remove = (id) => ask("DELETE", `api/me/alerts/${id}`);

/** @param {PushState} state */
export function stateText(state) {
  switch (state) {
    case "on":
      return say("You get alerts on this device, even while the page is closed.");
    case "off":
      return say("You don’t get alerts on this device while the page is closed.");
    case "denied":
      return say("Your browser blocks alerts from this site. Allow notifications in its settings for this site, then turn them on here.");
    case "insecure":
      return say("Alerts need a secure connection (https).");
    case "install":
      return say("On an iPhone or iPad, add this page to your Home Screen first, and open it from there.");
    case "unsupported":
      return say("This browser can’t show alerts while the page is closed.");
  }
}

/** @param {MyAlerts} alerts @param {() => Promise<void>} again */
export async function deviceCard(alerts, again) {
  const state = await pushState(alerts);
  const key = state === "on" ? await ownKey() : "";
  const others = alerts.channels.filter((channel) => channel.kind === "push" && channel.key !== key);
  const act = (/** @type {() => Promise<unknown>} */ work) => () => void work().then(again).catch(showError);
  return el(
    "section",
    { class: "card" },
    el("h2", {}, say("On this device")),
    el("p", { role: "status", "data-state": state }, stateText(state)),
    (state === "on" || state === "off") &&
      el(
        "div",
        { class: "acts" },
        state === "on"
          ? button(say("Turn off"), act(() => turnOff(alerts)), { "data-key": "push-off" })
          : button(say("Turn on"), act(() => turnOn(alerts.push_key)), { class: "main", "data-key": "push-on" }),
      ),
    others.map((channel) =>
      el("p", { class: "acts" }, el("span", {}, say("Another device ({service})", { service: channel.address })), button(sayAs("from a list", "Remove"), act(() => remove(channel.id)), { class: "quiet", "data-key": `remove-${channel.id}` })),
    ),
  );
}
