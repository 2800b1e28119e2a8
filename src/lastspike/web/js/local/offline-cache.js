// The service worker of a site without a server: it saves every file of a version, and answers from there.
// `make site` puts it at the site's root, after a line that sets `self.site` to the version and its files. It only
// listens, so that another service worker can load it with importScripts beside its own listeners.

{
  const scope = /** @type {any} */ (self);
  const PREFIX = "lastspike-site-";
  const CACHE = PREFIX + scope.site.version;
  const root = new URL("./", scope.location.href);
  const index = new URL("index.html", root).href;

  scope.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(save()));

  /** Save every file; those that an older version has under the same address are copied. */
  async function save() {
    const cache = await caches.open(CACHE);
    for (const file of scope.site.files) {
      const address = new URL(file, root).href;
      if (await cache.match(address)) continue; // an earlier attempt was broken off
      const lasting = address !== index && (await caches.match(address));
      const answer = lasting || (await fetch(address, { cache: address === index ? "no-cache" : "default" }));
      if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
      await cache.put(address, answer);
    }
  }

  scope.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(take()));

  async function take() {
    for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
    await scope.clients.claim();
  }

  scope.addEventListener("message", (/** @type {any} */ event) => {
    if (event.data === "activate") scope.skipWaiting();
  });

  scope.addEventListener("fetch", (/** @type {any} */ event) => {
    const { request } = event;
    const address = new URL(request.url);
    if (request.method !== "GET" || address.origin !== root.origin || !address.pathname.startsWith(root.pathname)) return;
    event.respondWith(request.mode === "navigate" ? page() : file(request));
  });

  /** Every address of the site is the same page; its links are relative to the root. */
  async function page() {
    const saved = await caches.match(index, { cacheName: CACHE });
    if (!saved) return fetch(index);
    const html = (await saved.text()).replace('<base href="./">', `<base href="${root.pathname}">`);
    return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
  }

  /** @param {Request} request */
  async function file(request) {
    return (await caches.match(request, { cacheName: CACHE, ignoreSearch: true })) ?? fetch(request);
  }
}
