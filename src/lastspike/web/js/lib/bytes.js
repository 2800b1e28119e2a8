// Bytes: to and from hexadecimal, joined, and random ids made of them.

/** @param {Uint8Array} bytes */
export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} text in hexadecimal */
export function fromHex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** @param {...Uint8Array} parts */
export function join(...parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** @param {number} length */
export function randomBytes(length) {
  return crypto.getRandomValues(new Uint8Array(length));
}

/** An id for a request, so that the server counts a repeated one once. */
export function newId() {
  return toHex(randomBytes(12));
}
