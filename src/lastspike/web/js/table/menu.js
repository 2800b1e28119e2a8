// The table's menu: the link, the pace of computers, leaving, the host's powers.

import { ask, base, post } from "../lib/api.js";
import { choice } from "../lib/ui/choice.js";
import { openDialog } from "../lib/ui/dialog.js";
import { button, el } from "../lib/ui/dom.js";
import { copyLink } from "../lib/ui/share-link.js";
import { say } from "../lib/words.js";

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
  const close = openDialog(say("This table"), [
    el(
      "div",
      { class: "menu" },
      button(say("Copy the link"), () => void copyLink(`${location.origin}${base}table/${model.id}`)),
      el("a", { class: "button", href: "rules", target: "_blank" }, say("All the rules")),
      you.host && pace(model, page),
      ...others.map((/** @type {any} */ seat) => about(model, seat, act)),
      playing &&
        button(say("Leave; a computer plays on until I return"), async () => {
          await act("leave", { for_good: false });
          close();
          page.go("");
        }),
      playing &&
        button(say("Leave for good; the computer's result is mine"), async () => {
          if (!confirm(say("There is no way back. Leave for good?"))) return;
          await act("leave", { for_good: true });
          close();
          page.go("");
        }),
      you.host &&
        ["waiting", "playing"].includes(info.status) &&
        button(say("End the game for everybody"), async () => {
          if (!confirm(say("The game ends for everybody without a result. Close it?"))) return;
          await act("close", undefined);
          close();
        }),
    ),
  ]);
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
    button(say("Hide what they write"), () => act("hide", { person: seat.person })),
    model.you.host &&
      button(muted ? say("Let them write again") : say("Let them write no more"), () =>
        act("mute", { person: seat.person, undo: muted }),
      ),
    model.you.host &&
      away &&
      !seat.level &&
      button(say("Let a computer play for them"), () => act("hand-over", { seat: seat.number })),
  );
}

/** @param {Model} model @param {{failed: (error: unknown) => void}} page */
function pace(model, page) {
  const now = model.info.settings.pace;
  const values = [
    [0, say("at once")],
    [600, say("quick")],
    [1200, say("as people do")],
    [3000, say("slow")],
  ];
  const onchange = (/** @type {string} */ value) =>
    void ask("PATCH", `api/tables/${model.id}/settings`, { settings: { ...model.info.settings, pace: Number(value) } }).catch(page.failed);
  return choice({ id: "pace", title: say("Computers play"), value: now, values, onchange }).row;
}
