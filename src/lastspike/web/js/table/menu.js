// The table's menu: the link, the pace of computers, leaving, the host's powers.

import { ask, base, post, site } from "../lib/api.js";
import { note } from "../lib/ui/announce.js";
import { choice } from "../lib/ui/choice.js";
import { openDialog } from "../lib/ui/dialog.js";
import { button, el } from "../lib/ui/dom.js";
import { copyLink } from "../lib/ui/share-link.js";
import { load, save } from "../lib/storage.js";
import { listed, say } from "../lib/words.js";
import { clockText, deadlineText } from "./clocks.js";

const HIDDEN = "lastspike.hidden";

/** @typedef {import("../game/model.js").Model} Model */

/** @param {Model} model @param {{go: (path: string) => void, failed: (error: unknown) => void}} page */
export function openMenu(model, page) {
  const { info, you } = model;
  const act = (/** @type {string} */ what, /** @type {unknown} */ body) =>
    post(`api/tables/${model.id}/${what}`, body).catch(page.failed);
  const playing = info.status === "playing" && you.seats.length > 0;
  const others = info.seats
    .map((/** @type {any} */ seat, /** @type {number} */ number) => ({ ...seat, number }))
    .filter((/** @type {any} */ seat) => seat.person && !you.seats.includes(seat.number));
  const close = openDialog(say("Table menu"), [
    el(
      "div",
      { class: "menu" },
      site.server && !info.daily && button(say("Copy link"), () => void copyLink(`${location.origin}${base}table/${model.id}`), { "data-key": "copy" }),
      el("a", { class: "button", href: "rules", target: "_blank" }, say("Full rules")),
      !site.server && playing && continueElsewhere(model, page, () => close()),
      info.settings.clock.kind !== "none" && el("p", { class: "why" }, clockText(info.settings.clock), ". ", deadlineText(info.settings.clock)),
      you.host && !info.daily && pace(model, page),
      ...others.map((/** @type {any} */ seat) => about(model, seat, act)),
      playing &&
        !info.daily &&
        button(say("Leave (a computer plays until you’re back)"), async () => {
          await act("leave", { for_good: false });
          close();
          page.go("");
        }, { "data-key": "leave" }),
      playing &&
        button(info.daily ? say("Give up (Surveyor finishes the game, and it counts)") : say("Leave for good (the computer’s result counts as yours)"), async () => {
          if (!confirm(info.daily ? say("You can’t undo this. Give up?") : say("You can’t undo this. Leave for good?"))) return;
          await act("leave", { for_good: true });
          close();
          page.go("");
        }, { "data-key": "leave-for-good" }),
      you.host &&
        info.status === "waiting" &&
        button(say("Close the table"), async () => {
          if (!confirm(say("Nobody will be able to play at this table. Close it?"))) return;
          await act("close", undefined);
          close();
        }, { "data-key": "close-table" }),
      playing && !info.daily && endGame(model, act, () => close()),
      site.server && button(say("Report to the operator…"), async () => {
        close();
        await (await import("./report.js")).openReport(model).catch(page.failed);
      }, { "data-key": "report" }),
    ),
  ]);
}

/** On to a server, where friends can watch: to the one that is known, or to any with a file.
 * @param {Model} model @param {{failed: (error: unknown) => void}} page @param {() => void} close */
function continueElsewhere(model, page, close) {
  const move = async () => {
    const { addressOn, saveGame } = await import("../game/record.js");
    if (site.playAt) {
      location.href = await addressOn(site.playAt, model.id);
      return;
    }
    await saveGame(model.id);
    close();
    note(say("The game is saved as a file. On a server’s page, choose this file under “Open a record” to continue the game there."));
  };
  const title = site.playAt ? say("Continue on {server}", { server: new URL(site.playAt).host }) : say("Continue on a server…");
  return button(title, () => void move().catch(page.failed), { "data-key": "continue-elsewhere" });
}

/** A running game ends without a result when everybody who plays agrees.
 * @param {Model} model @param {(what: string, body: unknown) => Promise<any>} act @param {() => void} close */
function endGame({ info, you, names }, act, close) {
  const agreed = you.seats.some((/** @type {number} */ seat) => info.end_agreed.includes(seat));
  const others = info.end_agreed.filter((/** @type {number} */ seat) => !you.seats.includes(seat));
  const alone = info.seats.every((/** @type {any} */ seat, /** @type {number} */ number) => !seat.person || seat.stands_in || you.seats.includes(number));
  const title = agreed ? say("Keep playing after all") : alone ? say("End the game") : others.length ? say("Agree to end the game") : say("Suggest ending the game");
  const about = alone ? say("The game will end without a result. End it?") : say("The game will end without a result once everybody agrees. Do you want to end it?");
  return [
    others.length > 0 && el("p", { class: "why" }, say("Agreed to end the game: {players}.", { players: listed(others.map((/** @type {number} */ seat) => names[seat])) })),
    button(title, async () => {
      if (!agreed && !confirm(about)) return;
      await act("agree-to-end", { undo: agreed });
      close();
    }, { "data-key": "end-game" }),
  ];
}

/** @param {Model} model @param {any} seat @param {(what: string, body: unknown) => Promise<any>} act */
function about(model, seat, act) {
  const name = model.names[seat.number];
  const muted = model.info.muted.includes(seat.person);
  const away = model.presence && !model.presence.here[seat.number];
  return el(
    "fieldset",
    {},
    el("legend", {}, el("bdi", {}, name)),
    hideButton(model, seat, act),
    model.you.host &&
      button(muted ? say("Unmute") : say("Mute"), () => act("mute", { person: seat.person, undo: muted }), { "data-key": `mute-${seat.number}` }),
    model.you.host &&
      away &&
      !seat.level &&
      button(say("Let a computer play for them"), () => act("hand-over", { seat: seat.number }), { "data-key": `hand-over-${seat.number}` }),
  );
}

/** Hides somebody's messages, or shows the next ones again. The server keeps who is hidden and doesn't tell; this
 * browser remembers it. @param {Model} model @param {any} seat @param {(what: string, body: unknown) => Promise<any>} act */
function hideButton(model, seat, act) {
  const key = `${HIDDEN}.${model.id}`;
  /** @type {() => string[]} */
  const hidden = () => load(key) ?? [];
  const text = () => (hidden().includes(seat.person) ? say("Show their messages") : say("Hide their messages"));
  const made = button(
    text(),
    async () => {
      const undo = hidden().includes(seat.person);
      if (!(await act("hide", { person: seat.person, undo }))) return;
      save(key, undo ? hidden().filter((person) => person !== seat.person) : [...hidden(), seat.person]);
      made.textContent = text();
    },
    { "data-key": `hide-${seat.number}` },
  );
  return made;
}

/** @param {Model} model @param {{failed: (error: unknown) => void}} page */
function pace(model, page) {
  const now = model.info.settings.pace;
  const values = [
    [0, say("Instant")],
    [600, say("Fast")],
    [1200, say("Normal")],
    [3000, say("Slow")],
  ];
  const onchange = (/** @type {string} */ value) =>
    void ask("PATCH", `api/tables/${model.id}/settings`, { settings: { ...model.info.settings, pace: Number(value) } }).catch(page.failed);
  return choice({ id: "pace", title: say("Computer speed"), value: now, values, onchange }).row;
}
