// SHA-256 after FIPS 180-4 in plain JavaScript, for browsers that offer no WebCrypto.

const PRIMES = (() => {
  /** @type {number[]} */
  const found = [];
  for (let n = 2; found.length < 64; n++) if (found.every((prime) => n % prime)) found.push(n);
  return found;
})();

/** The first 32 bits after the point. @param {number} value */
const fraction = (value) => ((value - Math.floor(value)) * 2 ** 32) | 0;
const K = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

/** @param {number} word @param {number} by */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** @param {Uint8Array} bytes @returns {Uint8Array} */
export function digest(bytes) {
  const length = ((bytes.length + 8) >> 6) + 1;
  const padded = new Uint8Array(length * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  const state = [...START];
  const words = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let t = 0; t < 16; t++) words[t] = view.getInt32(block + t * 4);
    for (let t = 16; t < 64; t++) {
      const [one, two] = [words[t - 15], words[t - 2]];
      const s0 = turned(one, 7) ^ turned(one, 18) ^ (one >>> 3);
      const s1 = turned(two, 17) ^ turned(two, 19) ^ (two >>> 10);
      words[t] = (words[t - 16] + s0 + words[t - 7] + s1) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let t = 0; t < 64; t++) {
      const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const first = (h + s1 + ((e & f) ^ (~e & g)) + K[t] + words[t]) | 0;
      const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, n) => (state[n] = (state[n] + word) | 0));
  }
  const result = new Uint8Array(32);
  const out = new DataView(result.buffer);
  state.forEach((word, n) => out.setInt32(n * 4, word));
  return result;
}
