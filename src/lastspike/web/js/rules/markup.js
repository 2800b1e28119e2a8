// The markup of the rules' texts: places to fill, **bold** and [links to rules].

import { el } from "../lib/ui/dom.js";

/** @typedef {Record<string, string | number | null>} Facts */

const PIECE = /\{(\w+)\}|\*\*([^*]+)\*\*|\[([^\]|]+)(?:\|(\w+))?\]/g;

/**
 * A paragraph as what an element holds, or null if it needs a fact that this edition does not have.
 * @param {string} text
 * @param {Facts} facts
 * @param {(id: string) => string} address where a rule stands
 * @returns {(Node | string)[] | null}
 */
export function prose(text, facts, address) {
  if (lacking(text, facts)) return null;
  /** @type {(Node | string)[]} */
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(PIECE)) {
    parts.push(text.slice(from, found.index));
    from = found.index + found[0].length;
    const [whole, place, bold, shown, id] = found;
    if (place) parts.push(place in facts ? String(facts[place]) : whole);
    else if (bold) parts.push(el("b", {}, bold));
    else parts.push(el("a", { href: address(id ?? shown) }, shown));
  }
  parts.push(text.slice(from));
  return parts.filter((part) => part !== "");
}

/** The same as plain text. @param {string} text @param {Facts} facts */
export function plain(text, facts) {
  if (lacking(text, facts)) return "";
  return text.replace(PIECE, (whole, place, bold, shown) => (place ? String(facts[place] ?? whole) : (bold ?? shown)));
}

/** Whether a text needs a fact that this edition does not have. @param {string} text @param {Facts} facts */
export function lacking(text, facts) {
  return [...text.matchAll(/\{(\w+)\}/g)].some(([, place]) => facts[place] === null);
}

/**
 * Text as people look for it: whatever its width, case, accents or kana.
 * @param {string} text
 */
export function folded(text) {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replace(/[\u30a1-\u30f6]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60))
    .replace(/[’ʼ]/g, "'");
}
