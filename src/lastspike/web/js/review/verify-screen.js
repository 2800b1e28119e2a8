// The screen that proves the shuffle was fair, step by step.

import { errorText, showError } from "../game/errors.js";
import { Figures } from "../game/figures.js";
import { namesInRecord, seatSymbol } from "../game/players.js";
import { openedRecord } from "../game/record.js";
import { contribution, stoppedRounds } from "../game/shuffle.js";
import { get } from "../lib/api.js";
import { el, fill } from "../lib/ui/dom.js";
import { count, say } from "../lib/words.js";
import { titleWithBack, waysBack } from "./back-link.js";
import { verifyShuffle } from "./verify-shuffle.js";

export class Screen {
  /** @param {{go: (path: string) => void}} page @param {string} table its id; none: the record that is open */
  constructor(page, table) {
    this.page = page;
    this.table = table;
    this.element = el("div", { class: "room verify" }, el("p", { class: "loading" }, say("Checking…")));
    this.draw().catch((error) => {
      showError(error);
      fill(this.element, this.title(), el("p", {}, errorText(error)), waysBack(page, table));
    });
  }

  title() {
    return titleWithBack(say("Shuffle check"), this.page, this.table);
  }

  async draw() {
    const record = this.table ? await get(`api/tables/${this.table}/record`) : openedRecord()?.record;
    if (!record) throw new Error(say("No game record is open in this tab. Open one first."));
    if (record.shuffle_from) throw new Error(say("this deal will be published when its day is over"));
    if (!record.shuffle) throw new Error(say("This game’s shuffle can’t be checked: its tiles came from a record or a seed."));
    const figures = new Figures(record.figures ?? (await get(`api/editions/${record.edition}`)));
    const checked = await verifyShuffle(record, figures);
    const names = namesInRecord(record);
    const mine = this.table ? contribution(this.table) : undefined;
    const seen = mine && mine.commitment === record.shuffle.commitment;
    const sent = mine && record.shuffle.contributions.some((/** @type {[number, string]} */ [, c]) => c === mine.secret);
    const stopped = stoppedRounds(record.shuffle.stopped ?? [], names);
    const holds = checked.holds && (!mine || (Boolean(seen) && Boolean(sent)));
    fill(
      this.element,
      this.title(),
      el("p", { class: holds ? "verdict good" : "verdict bad", role: "status" }, holds ? say("✓ The tiles were dealt exactly as promised; nobody chose them.") : say("✗ Something doesn’t match. See below.")),
      el(
        "ol",
        { class: "card proof" },
        step(say("Before the game, the server committed to a seed by showing its fingerprint."), checked.commitmentHolds, [
          [say("Seed"), record.shuffle.seed],
          [say("Its fingerprint, computed here"), checked.committed],
          [say("Fingerprint shown before the game"), record.shuffle.commitment],
        ]),
        mine
          ? step(seen ? say("This browser saved the same fingerprint before the deal.") : say("This browser saved a different fingerprint before the deal."), Boolean(seen), [[say("Saved here"), mine.commitment]])
          : step(say("This browser wasn’t at the table before the game, so it has nothing to compare."), null, []),
        step(
          say("Each player’s browser added its own secret."),
          true,
          record.shuffle.contributions.map((/** @type {[number, string]} */ [seat, c]) => [names[seat], c]),
        ),
        stopped.length > 0 && step(count("{n} earlier round was stopped before the deal. Each browser then chose a new secret.", "{n} earlier rounds were stopped before the deal. Each browser then chose a new secret.", new Set(record.shuffle.stopped.map((/** @type {any} */ each) => each.round)).size), null, []),
        stopped.map((told) => el("li", {}, el("p", {}, told))),
        mine && step(sent ? say("This browser’s secret is among them.") : say("This browser’s secret is not among them."), Boolean(sent), [[say("Sent from here"), mine.secret]]),
        step(say("The seed and the secrets together make the key, and the key determines every shuffle."), true, [[say("Key"), checked.key]]),
        step(say("The first shuffle draws a tile for each seat; the seat with the tile nearest A1 goes first."), checked.firstHolds, [
          [say("Drawn"), checked.drawn.join(" ")],
          [say("Goes first"), names[checked.first]],
        ]),
        step(say("The second shuffle deals the hands and leaves the pool."), checked.dealHolds, [
          ...checked.hands.map((hand, seat) => [el("span", { class: `owner seat-${seat}` }, seatSymbol(seat), el("bdi", {}, names[seat])), hand.join(" ")]),
          ...(checked.aside.length ? [[say("Set aside unseen"), checked.aside.join(" ")]] : []),
          [say("Pool"), checked.pool.join(" ")],
        ]),
        checked.remixed.length > 0 &&
          step(say("After each bankruptcy, the pool was reshuffled."), checked.remixedHolds, checked.remixed.map((order, n) => [String(n + 1), order.join(" ")])),
      ),
      el("p", { class: "why" }, say("Fingerprints are SHA-256 hashes: nobody can find another seed with the same one. Your browser checked all of this itself; only the record came from the server.")),
      waysBack(this.page, this.table),
    );
  }
}

/** @param {string} told @param {boolean | null} holds null: can't be said @param {(string | Node)[][]} facts */
function step(told, holds, facts) {
  return el(
    "li",
    { class: holds === null ? "" : holds ? "good" : "bad" },
    el("p", {}, el("span", { class: "mark-of", role: "img", "aria-label": holds === null ? say("can’t be checked") : holds ? say("correct") : say("incorrect") }, holds === null ? "–" : holds ? "✓" : "✗"), " ", told),
    facts.length > 0 && el("dl", { class: "facts" }, facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, el("code", {}, value))))),
  );
}
