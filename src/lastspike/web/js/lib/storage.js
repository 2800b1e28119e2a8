// What this browser stores between visits, as JSON by key.

/** The value stored under a key, or undefined. @param {string} key */
export function load(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} key @param {unknown} value */
export function save(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage, the value lasts as long as the page.
  }
}

/** Remove every key that begins like this. @param {string} prefix */
export function removeAll(prefix) {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    for (const key of keys) localStorage.removeItem(key);
  } catch {
    // Without storage, there is nothing to remove.
  }
}
