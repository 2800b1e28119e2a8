// The language: messages, and how it writes money, numbers, lists and times.
// English is in the modules; the other languages are files.

import { base, version } from "./api.js";

/** The languages that the server speaks: the tag of each, for the browser and for screen readers. @type {Record<string, string>} */
const TAGS = Object.fromEntries(
  (document.documentElement.dataset.languages ?? "en").split(" ").map((each) => {
    const [code, tag] = each.split("=");
    return [code, tag ?? code];
  }),
);

/** The languages to choose from, each with its own name for itself, and its tag. */
export const LANGUAGES = Object.entries(TAGS).map(([code, tag]) => ({ code, tag, name: ownName(tag) }));

/** @type {Record<string, string | string[]>} */
let catalogue = {};
let language = "en";
let plural = new Intl.PluralRules("en");
/**
 * The sentences that the page shares with the server: see `words/sentences.py`.
 * @type {{events: Record<string, {when?: Record<string, unknown>, say?: string | string[], count?: string}[][]>,
 *   board: Record<string, string | string[]>} | null}
 */
let shared = null;

/** Speak another language from now on. @param {string} wanted */
export async function speak(wanted) {
  const known = wanted in TAGS ? wanted : "en";
  const read = async (/** @type {string} */ name) => (await fetch(`${base}web/${version}/words/${name}.json`)).json();
  [catalogue, shared] = await Promise.all([read(known), shared ?? read("sentences")]);
  language = known;
  plural = new Intl.PluralRules(locale());
  document.documentElement.lang = locale();
  document.querySelector("link[rel=manifest]")?.setAttribute("href", `web/${version}/page.${known}.webmanifest`);
}

/** @param {string} tag */
function ownName(tag) {
  const name = new Intl.DisplayNames([tag], { type: "language", languageDisplay: "standard" }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

export function spoken() {
  return language;
}

/** The tag of the chosen language: `pt` is European Portuguese. */
function locale() {
  return TAGS[language] ?? language;
}

/**
 * A message with its places filled.
 * @param {string} message
 * @param {Record<string, unknown>} [facts]
 */
export function say(message, facts = {}) {
  const text = catalogue[message];
  return filled(typeof text === "string" && text ? text : message, facts);
}

/**
 * The same for a word that needs another translation in another context: cash is hidden in another gender than hands are.
 * @param {string} context
 * @param {string} message
 * @param {Record<string, unknown>} [facts]
 */
export function sayAs(context, message, facts = {}) {
  const text = catalogue[`${context}\u0004${message}`];
  return filled(typeof text === "string" && text ? text : message, facts);
}

/**
 * A message about a number of things; {n} stands for the number.
 * @param {string} one
 * @param {string} many
 * @param {number} n
 * @param {Record<string, unknown>} [facts]
 */
export function count(one, many, n, facts = {}) {
  const forms = catalogue[one];
  const list = Array.isArray(forms) && forms[0] ? forms : [one, many];
  const text = plural.select(n) === "one" ? list[0] : list[list.length - 1];
  return filled(text, { n, ...facts });
}

/** A shared sentence about the board, by its name. @param {string} name @param {Record<string, unknown>} [facts] @param {number} [n] */
export function sayBoard(name, facts = {}, n = 0) {
  return sayShared(shared?.board[name] ?? name, facts, n);
}

/**
 * The shared sentences about an event: of each group the first alternative that fits.
 * @param {string} kind @param {any} event @param {Record<string, unknown>} facts
 */
export function sayEvent(kind, event, facts) {
  const size = (/** @type {string} */ field) => (Array.isArray(event[field]) ? event[field].length : event[field]);
  return (shared?.events[kind] ?? []).flatMap((group) => {
    const fitting = group.find(({ when = {} }) => Object.entries(when).every(([field, value]) => size(field) === value));
    return fitting?.say ? [sayShared(fitting.say, facts, size(fitting.count ?? ""))] : [];
  });
}

/** @param {string | string[]} text @param {Record<string, unknown>} facts @param {number} n */
function sayShared(text, facts, n) {
  return typeof text === "string" ? say(text, facts) : count(text[0], text[1], n, facts);
}

/** Sentences one after the other, with this language's space between them. @param {string[]} list */
export function sentences(list) {
  const spaced = language === "ja" ? list.map((text, n) => (n < list.length - 1 && /[！？]$/.test(text) ? `${text}\u3000` : text)) : list;
  return spaced.join(language === "ja" ? "" : " ");
}

/** A text with the full stop of a sentence, unless it has one. @param {string} text */
export function sentence(text) {
  return /[.!?…。！？]["”»」)）]?$/.test(text) ? text : say("{text}.", { text });
}

/** @param {string} text @param {Record<string, unknown>} facts */
function filled(text, facts) {
  return text.replace(/\{(\w+)\}/g, (place, name) => (name in facts ? String(facts[name]) : place));
}

/** @param {number} amount */
export function money(amount) {
  const digits = number(Math.abs(amount));
  const sign = amount < 0 ? "−" : "";
  switch (language) {
    case "fr":
    case "pt":
      return `${sign}${digits}\u00a0$`;
    case "pt-BR":
      return `${sign}$\u00a0${digits}`;
    case "ja":
      return `${sign}${digits}ドル`;
    default:
      return `${sign}$${digits}`;
  }
}

/** Money where there is little room: whole thousands. @param {number} amount */
export function shortMoney(amount) {
  if (!amount || amount % 1000) return money(amount);
  const sign = amount < 0 ? "−" : "";
  const thousands = Math.abs(amount) / 1000;
  switch (language) {
    case "fr":
    case "pt":
      return `${sign}${decimal(thousands)}\u202fk$`;
    case "pt-BR":
      return `${sign}$\u202f${decimal(thousands)}k`; // “mil” is too wide for the map
    case "ja":
      return sign + (thousands < 10 ? `${decimal(thousands)}千` : `${decimal(thousands / 10)}万`);
    default:
      return `${sign}$${decimal(thousands)}k`;
  }
}

/** A number with so many decimals, as `Words.number` of the server writes it. @param {number} value */
export function number(value, digits = 0) {
  return written(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A number with a decimal only if it needs one. @param {number} value */
export function decimal(value) {
  return written(value, { maximumFractionDigits: 1 });
}

/** A share as a percentage, as `Words.percent` of the server writes it. @param {number} share */
export function percent(share, digits = 0) {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return written(share, { style: "percent", ...options }).replace("\u202f%", "\u00a0%");
}

/** Making one takes longer than using it hundreds of times. @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/** @param {number} value @param {Intl.NumberFormatOptions} options */
function written(value, options) {
  const key = `${locale()} ${Object.values(options)}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(locale(), { signDisplay: "negative", ...options });
  formats.set(key, format);
  return format.format(value).replace("-", "−");
}

/** @param {string[]} parts */
export function listed(parts) {
  return new Intl.ListFormat(locale(), { type: "conjunction" }).format(parts);
}

/** @param {number} ms */
export function timeOfDay(ms) {
  return new Intl.DateTimeFormat(locale(), { timeStyle: "short" }).format(new Date(ms));
}

/** @param {number} ms */
export function dateOf(ms) {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium" }).format(new Date(ms));
}

/** The last day of a time that ends at midnight. @param {number} begins @param {number} ends */
export const lastDayOf = (begins, ends) => dateOf(Math.max(begins, ends - 43_200_000));

/** A day of the calendar, the same in every time zone. @param {string} day such as 2026-11-19 */
export function dayOf(day) {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeZone: "UTC" }).format(new Date(day));
}

/** The time that is left of days, in its two largest parts: "2d 5h". @param {number} ms */
export function longTime(ms) {
  const minutes = Math.max(0, Math.ceil(ms / 60000));
  const parts = [[Math.floor(minutes / 1440), "day"], [Math.floor(minutes / 60) % 24, "hour"], [minutes % 60, "minute"]];
  const first = parts.findIndex(([n]) => n);
  const shown = first < 0 ? [parts[2]] : parts.slice(first, first === 0 ? 2 : first + 1).filter(([n]) => n);
  return shown.map(([n, unit]) => new Intl.NumberFormat(locale(), { style: "unit", unit: String(unit), unitDisplay: "narrow" }).format(Number(n))).join(" ");
}

/** An hour of the day. @param {number} hour */
export function hourOfDay(hour) {
  return new Intl.DateTimeFormat(locale(), { timeStyle: "short" }).format(new Date(2000, 0, 1, hour));
}

/** A length of time as a clock shows it. @param {number} ms */
export function clockTime(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds >= 2 * 86400) {
    const days = Math.floor(seconds / 86400);
    return count("{n} day", "{n} days", days);
  }
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}
