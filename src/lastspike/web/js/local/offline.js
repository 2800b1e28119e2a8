// Saves the whole site in this browser, so that it works without a network, and offers newer versions of it.

import { base } from "../lib/api.js";
import { note } from "../lib/ui/announce.js";
import { button } from "../lib/ui/dom.js";
import { say } from "../lib/words.js";

/** Save the site; `saved` is called once, when the first visit is saved. @param {() => void} saved */
export async function saveForOffline(saved) {
  const workers = navigator.serviceWorker;
  if (!workers) return; // such as over plain HTTP: it works as long as there is a network
  const first = !workers.controller;
  let reloading = false;
  workers.addEventListener("controllerchange", () => {
    if (!first && reloading) location.reload();
  });
  const registration = await workers.register(`${base}offline-cache.js`, { scope: base }).catch(() => null);
  if (!registration) return;
  const offer = () => {
    const waiting = registration.waiting;
    if (!waiting || first) return;
    const renew = () => {
      reloading = true;
      waiting.postMessage("activate");
    };
    note(say("A new version is available. You’ll keep your games."), "note", button(say("Reload"), renew, { "data-key": "renew" }));
  };
  offer();
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", offer));
  if (first) {
    await workers.ready;
    saved();
  }
}
