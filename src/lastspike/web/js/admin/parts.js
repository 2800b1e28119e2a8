// Parts of the operator's screens: links to people and tables, tables of facts, lines of chat.

import { button, el, tableHead } from "../lib/ui/dom.js";
import { sideScroller } from "../lib/ui/side-scroll.js";
import { dateOf, say, sayAs, timeOfDay } from "../lib/words.js";

/** Where the operator can go. @typedef {{table: (id: string) => void, person: (id: string) => void, reload: () => void}} Ways */

/** @param {number} ms */
export const timeOf = (ms) => say("{date}, {time}", { date: dateOf(ms), time: timeOfDay(ms) });

/** @param {string} status */
export function statusOf(status) {
  switch (status) {
    case "waiting":
      return say("waiting for players");
    case "playing":
      return sayAs("game", "in progress");
    case "over":
      return sayAs("game", "over");
    default:
      return sayAs("game", "closed");
  }
}

/** @param {string} id @param {string | null} name @param {Ways} ways */
export function personButton(id, name, ways) {
  return el("button", { type: "button", class: "linked-fact", onclick: () => ways.person(id), "data-key": `person-${id}` }, el("bdi", {}, name ?? id));
}

/** @param {string} id @param {Ways} ways @param {string} [text] */
export function tableButton(id, ways, text = `${id.slice(0, 6)}…`) {
  return button(text, () => ways.table(id), { class: "linked-fact", "data-key": `table-${id}`, "aria-label": say("Table {id}", { id: id.slice(0, 6) }) });
}

/** A table that scrolls by itself where it is wider than the screen.
 * @param {string} title @param {string[]} heads @param {(import("../lib/ui/dom.js").Child | import("../lib/ui/dom.js").Child[])[][]} rows @param {string} none */
export function factTable(title, heads, rows, none) {
  if (!rows.length) return el("p", { class: "empty" }, none);
  const body = el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell) => el("td", {}, cell)))));
  return sideScroller(title, "wide-table", el("table", {}, tableHead(heads), body));
}

/** @param {import("./operator.js").TableKept[]} tables @param {Ways} ways */
export function tableList(tables, ways) {
  return factTable(
    say("Tables"),
    [say("Table"), say("Status"), say("People"), say("Connections"), say("Changed")],
    tables.map((each) => [
      tableButton(each.table, ways),
      statusOf(each.status),
      each.persons.length ? each.persons.map(({ person, name }) => personButton(person, name, ways)) : "–",
      String(each.connections),
      timeOf(each.changed),
    ]),
    say("There are no tables."),
  );
}

/** @param {import("./operator.js").Line[]} lines @param {Ways} ways @param {{marked?: number | null, act?: (line: import("./operator.js").Line) => HTMLElement | false}} [more] */
export function chatLines(lines, ways, { marked = null, act } = {}) {
  if (!lines.length) return el("p", { class: "empty" }, say("No messages yet."));
  return el(
    "ul",
    { class: "operator-chat" },
    lines.map((line) =>
      el(
        "li",
        { class: line.step === marked ? "marked" : "" },
        el("span", { class: "said" }, el("time", {}, timeOf(line.at)), " ", personButton(line.person, line.name, ways), " ", el("bdi", {}, line.text)),
        act?.(line),
      ),
    ),
  );
}
