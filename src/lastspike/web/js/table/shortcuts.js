// The keyboard shortcuts of a table.

import { say } from "../lib/words.js";

/** @param {import("./screen.js").TableScreen} screen @returns {import("../lib/ui/keys.js").Shortcut[]} */
export function tableShortcuts(screen) {
  const { parts, model } = screen;
  if (!parts) return [];
  const hand = model.looking === null ? [] : (model.view?.hands[model.looking] ?? []);
  return [
    { keys: hand.map((_, n) => n + 1).join(" ") || "1", told: () => say("Choose a tile from your hand"), act: (key) => void screen.chooseTile(hand[Number(key) - 1]) },
    { keys: "ArrowLeft ArrowRight", told: () => say("Previous or next turn"), act: (key) => parts.replay.step(key === "ArrowLeft" ? -1 : 1) },
    { keys: "b", told: () => say("Go to the land for sale"), act: () => parts.composer.enterLand() },
    { keys: "e", told: () => say("End turn"), act: () => void parts.composer.end() },
    ...(screen.playout.behind ? [{ keys: "Escape", told: () => say("Show the table as it is now"), act: () => screen.playout.finish() }] : []),
    { keys: "Backspace Escape", told: () => say("Undo"), act: () => (parts.replay.shown === null ? void parts.composer.back() : parts.replay.now()) },
    { keys: "h", told: () => say("Ask for a hint"), act: () => void (model.canPlay && parts.composer.askHint()) },
    ...(model.sinceLast.length ? [{ keys: "s", told: () => say("Since your last turn"), act: () => screen.since() }] : []),
    { keys: "l", told: () => say("Log"), act: () => screen.openTab("log", true) },
    { keys: "d", told: () => say("Land and routes"), act: () => screen.openTab("land", true) },
    { keys: "c", told: () => say("Chat"), act: () => screen.openTab("chat", true) },
    { keys: "t", told: () => say("Text board"), act: () => screen.openTab("text", true) },
    { keys: "+", told: () => say("Zoom in"), act: () => parts.map.zoom.by(1.4) },
    { keys: "-", told: () => say("Zoom out"), act: () => parts.map.zoom.by(1 / 1.4) },
    { keys: "m", told: () => say("Table menu"), act: () => void screen.menu() },
  ];
}
