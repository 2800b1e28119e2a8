// The service worker: shows push messages as notifications, and opens the table when one is clicked.
// It runs without the page, also when no page is open, so it imports nothing.

const worker = /** @type {any} */ (self);

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener("push", (/** @type {any} */ event) => {
  let content = { title: "The Last Spike", body: "", tag: "", url: worker.registration.scope, language: "" };
  try {
    content = { ...content, ...event.data.json() };
  } catch {
    // Browsers take the permission away from a page whose push messages show nothing.
  }
  event.waitUntil(showAlert(content));
});

/** @param {{title: string, body: string, tag: string, url: string, language: string}} content */
async function showAlert({ title, body, tag, url, language }) {
  await worker.registration.showNotification(title, { body, tag, lang: language, renotify: Boolean(tag), data: { url } });
  await countShown();
}

/** The badge of the installed app counts the notifications that are shown. */
async function countShown() {
  const shown = (await worker.registration.getNotifications()).length;
  await worker.navigator.setAppBadge?.(shown).catch(() => {});
}

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(Promise.all([openTable(event.notification.data?.url ?? worker.registration.scope), countShown()]));
});
worker.addEventListener("notificationclose", (/** @type {any} */ event) => event.waitUntil(countShown()));

/** Show the table in a page that is there already, or in a new one. @param {string} url */
async function openTable(url) {
  const target = new URL(url);
  const here = new URL(worker.registration.scope);
  if (target.origin !== here.origin) target.href = here.href; // a message leads to our own pages only
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const same = pages.find((/** @type {any} */ page) => page.url.split("#")[0] === target.href);
  if (same) return same.focus();
  return worker.clients.openWindow(target.href);
}

worker.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) => {
  const key = event.oldSubscription?.options?.applicationServerKey;
  if (key) event.waitUntil(subscribeAgain(key, event.newSubscription));
});

/** The browser has renewed its subscription: tell the server. @param {ArrayBuffer} key @param {any} renewed */
async function subscribeAgain(key, renewed) {
  const subscription = renewed ?? (await worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  const { endpoint, keys } = subscription.toJSON();
  await fetch(`${worker.registration.scope}api/me/alerts/push`, {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ endpoint, p256dh: keys.p256dh, auth: keys.auth, language: ["fr", "pt", "ja"].find((each) => navigator.language.startsWith(each)) ?? "en" }),
  });
}
