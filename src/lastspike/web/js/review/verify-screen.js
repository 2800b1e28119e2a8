// The screen that proves the shuffle was fair, step by step.

import { showError } from "../game/errors.js";
import { Figures } from "../game/figures.js";
import { namesInRecord, SYMBOLS } from "../game/players.js";
import { openedRecord } from "../game/record.js";
import { contribution } from "../game/shuffle.js";
import { get } from "../lib/api.js";
import { el, fill } from "../lib/ui/dom.js";
import { say } from "../lib/words.js";
import { titleWithBack, waysBack } from "./back-link.js";
import { verifyShuffle } from "./verify-shuffle.js";

export class Screen {
  /** @param {{go: (path: string) => void}} page @param {string} table its id; none: the record that is open */
  constructor(page, table) {
    this.page = page;
    this.table = table;
    this.element = el("div", { class: "room verify" }, el("p", { class: "loading" }, say("Checking …")));
    this.draw().catch((error) => {
      showError(error);
      fill(this.element, this.title(), el("p", {}, error.message), waysBack(page, table));
    });
  }

  title() {
    return titleWithBack(say("The proof of the shuffle"), this.page, this.table);
  }

  async draw() {
    const record = this.table ? await get(`api/tables/${this.table}/record`) : openedRecord()?.record;
    if (!record) throw new Error(say("There is no record open in this tab; open one first."));
    if (!record.shuffle) throw new Error(say("This game has no shuffle that could be checked: its tiles were given by a record or a seed."));
    const figures = new Figures(record.figures ?? (await get(`api/editions/${record.edition}`)));
    const checked = await verifyShuffle(record, figures);
    const names = namesInRecord(record);
    const mine = this.table ? contribution(this.table) : undefined;
    const seen = mine && mine.commitment === record.shuffle.commitment;
    const sent = mine && record.shuffle.contributions.some((/** @type {[number, string]} */ [, c]) => c === mine.secret);
    const holds = checked.holds && (!mine || (Boolean(seen) && Boolean(sent)));
    fill(
      this.element,
      this.title(),
      el("p", { class: holds ? "verdict good" : "verdict bad", role: "status" }, holds ? say("✓ The tiles were dealt exactly as promised; nobody chose them.") : say("✗ Something does not fit; see below.")),
      el(
        "ol",
        { class: "card proof" },
        step(say("Before the game the server had promised a seed by its fingerprint."), checked.commitmentHolds, [
          [say("The seed"), record.shuffle.seed],
          [say("Its fingerprint, computed here"), checked.committed],
          [say("The fingerprint that was promised"), record.shuffle.commitment],
        ]),
        mine
          ? step(seen ? say("This browser noted the same fingerprint before the tiles were dealt.") : say("This browser noted another fingerprint before the tiles were dealt."), Boolean(seen), [[say("Noted here"), mine.commitment]])
          : step(say("This browser was not there before the game, so it noted nothing."), null, []),
        step(
          say("Everybody's browser added a secret of its own."),
          true,
          record.shuffle.contributions.map((/** @type {[number, string]} */ [seat, c]) => [names[seat], c]),
        ),
        mine && step(sent ? say("The secret of this browser is among them.") : say("The secret of this browser is not among them."), Boolean(sent), [[say("Sent from here"), mine.secret]]),
        step(say("Seed and secrets together give the key, and the key gives every shuffle."), true, [[say("The key"), checked.key]]),
        step(say("The first shuffle draws a tile for each seat; the one nearest A1 begins."), checked.firstHolds, [
          [say("Drawn"), checked.drawn.join(" ")],
          [say("Begins"), names[checked.first]],
        ]),
        step(say("The second shuffle deals the hands and leaves the pool."), checked.dealHolds, [
          ...checked.hands.map((hand, seat) => [`${SYMBOLS[seat]} ${names[seat]}`, hand.join(" ")]),
          ...(checked.aside.length ? [[say("Put aside"), checked.aside.join(" ")]] : []),
          [say("The pool"), checked.pool.join(" ")],
        ]),
        checked.remixed.length > 0 &&
          step(say("After each bankruptcy the pool was mixed again."), checked.remixedHolds, checked.remixed.map((order, n) => [String(n + 1), order.join(" ")])),
      ),
      el("p", { class: "why" }, say("SHA-256 makes the fingerprints: nobody can find another seed with the same one. Nothing of this was asked of the server but the record itself.")),
      waysBack(this.page, this.table),
    );
  }
}

/** @param {string} told @param {boolean | null} holds null: can't be said @param {string[][]} facts */
function step(told, holds, facts) {
  return el(
    "li",
    { class: holds === null ? "" : holds ? "good" : "bad" },
    el("p", {}, el("span", { class: "mark-of", role: "img", "aria-label": holds === null ? say("not known") : holds ? say("right") : say("wrong") }, holds === null ? "–" : holds ? "✓" : "✗"), " ", told),
    facts.length > 0 && el("dl", { class: "facts" }, facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, el("code", {}, value))))),
  );
}
