// SHA-256 in hexadecimal, with WebCrypto where the browser offers it.

import { toHex } from "./bytes.js";

/** Browsers offer WebCrypto only in secure contexts, so not over plain http in a local network.
 * @param {Uint8Array} bytes */
export async function sha256(bytes) {
  if (crypto.subtle) {
    return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", /** @type {any} */ (bytes))));
  }
  const { digest } = await import("./sha256-plain.js");
  return toHex(digest(bytes));
}
