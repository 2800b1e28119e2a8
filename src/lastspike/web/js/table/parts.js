// The parts of a table's screen, and how they are put together.

import { settings } from "../lib/settings.js";
import { announce } from "../lib/ui/announce.js";
import { button, el } from "../lib/ui/dom.js";
import { Tabs } from "../lib/ui/tabs.js";
import { say } from "../lib/words.js";
import { BoardMap } from "../map/map.js";
import { Caption } from "./motion/caption.js";
import { PastHands } from "./replay/past-hands.js";
import { Replay } from "./replay/replay.js";
import { Chat } from "./side/chat.js";
import { Land } from "./side/land.js";
import { Log } from "./side/log.js";
import { PlayerList } from "./side/player-list.js";
import { TextBoard } from "./side/text-board.js";
import { Status } from "./status.js";
import { Meanwhile } from "./turn/meanwhile.js";
import { Composer } from "./turn/composer.js";
import { Curtain } from "./turn/curtain.js";
import { DRAGGED, Hand } from "./turn/hand.js";

/** @typedef {ReturnType<typeof buildParts>} Parts */

/** @param {import("./screen.js").TableScreen} screen */
export function buildParts(screen) {
  const { model, connection } = screen;
  const figures = /** @type {import("../game/figures.js").Figures} */ (model.figures);
  const page = {
    go: screen.page.go,
    draftChanged: () => screen.redraw("draft"),
    pastChanged: () => screen.pastChanged(),
    acting: () => screen.playout.finish(),
    behind: () => screen.playout.behind,
    sinceLast: () => screen.sinceLast,
    perform: (/** @type {import("../game/model.js").Turn} */ turn) => screen.perform(turn),
    over: () => screen.over,
    told: (/** @type {string} */ text) => announce(text),
    failed: (/** @type {Error} */ error) => screen.failed(error),
    since: () => screen.since(),
    land: () => {
      screen.openTab("land", true);
      tabs.elements[0].scrollIntoView({ block: "start" });
    },
    home: () => screen.page.go(""),
    meanwhile: () => meanwhile.shown(),
    turn: () => screen.board.turn,
    teller: () => screen.teller(),
    onTile: (/** @type {string} */ tile) => void screen.chooseTile(tile),
    record: () => screen.record,
    replay: () => replay.again(),
    picture: () => void screen.picture(),
    look: (/** @type {number} */ turns) => {
      replay.to(turns);
      replay.slider.focus({ preventScroll: true }); // the end, and whatever led here, is not shown meanwhile
    },
    waysOn: () => screen.waysOn(),
    playOn: (/** @type {number} */ seat, /** @type {number} */ turns) => void pastHands.playOn(seat, turns),
  };
  const meanwhile = new Meanwhile(model, screen.page.go);
  const composer = new Composer(model, connection, page);
  const hand = new Hand(page);
  const players = new PlayerList({ onPlayer: (seat) => map.showPlayer(seat) });
  const map = new BoardMap(
    figures,
    { onTile: page.onTile, onCity: (code) => screen.chooseCity(code) },
    {
      teller: page.teller,
      aids: () => model.info.settings.aids,
      floor: () => floor(map.element, tray),
      paid: (letter) => model.events.filter(({ event, route }) => event === "payout" && route === letter),
      canBuy: () => (model.canPlay ? composer.moves.length > 0 : null),
    },
  );
  const replay = new Replay(model, page);
  const pastHands = new PastHands(model, page);
  const log = new Log({ onTurn: (turns) => replay.to(turns) });
  const land = new Land();
  const chat = new Chat({ say: (text) => screen.session.sayText(text), report: () => void import("./report.js").then(({ openReport }) => openReport(model)).catch(page.failed) });
  const text = new TextBoard(model, composer, page.teller);
  const banner = el("p", { class: "line-banner", role: "status", hidden: true });
  const tabs = new Tabs(
    say("Game information"),
    [
      { key: "log", title: say("Log"), part: log.element },
      { key: "land", title: say("Land"), part: land.element },
      { key: "chat", title: say("Chat"), part: chat.element },
      { key: "text", title: say("Text"), part: text.element },
    ],
    (key) => screen.openTab(key),
  );
  const status = new Status({ onSpike: () => map.pointing?.show({ kind: "spike", id: "" }, true) });
  const caption = new Caption({ skip: page.acting });
  const curtain = new Curtain({ look: (seat) => connection.send({ type: "look", seat }) });
  const finale = el("section", { class: "finale", tabindex: "-1", hidden: true, "aria-label": say("Final scores") });
  /** Loaded when the game is over. @type {Promise<import("./end/final-scores.js").FinalScores> | null} */
  let end = null;
  const loadEnd = () => (end ??= import("./end/final-scores.js").then(({ FinalScores }) => new FinalScores(finale, model, page)));
  const mapBox = el(
    "section",
    {
      class: "map-box",
      "aria-label": say("Map"),
      ondragover: (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes(DRAGGED) && event.preventDefault(),
      ondrop: (/** @type {DragEvent} */ event) => {
        const tile = event.dataTransfer?.getData(DRAGGED);
        if (!tile) return;
        event.preventDefault();
        if (composer.tile !== tile) page.onTile(tile);
      },
    },
    map.element,
    replay.element,
    status.element,
    caption.element,
    el(
      "div",
      { class: "zoom" },
      button("i", () => void import("../map/legend.js").then(({ openLegend }) => openLegend(figures)), { class: "legend-button", "aria-label": say("Legend"), "data-key": "legend" }),
      button("+", () => map.zoom.by(1.4), { "aria-label": say("Zoom in"), "data-key": "nearer" }),
      button("−", () => map.zoom.by(1 / 1.4), { "aria-label": say("Zoom out"), "data-key": "farther" }),
      button("⤢", () => map.zoom.all(), { "aria-label": say("Show the whole map"), "data-key": "all" }),
      button("☰", () => void screen.menu(), { "aria-label": say("Table menu"), "data-key": "menu" }),
    ),
  );
  const side = el("aside", { class: "side" }, players.element, composer.beside, tabs.elements);
  const tray = el("section", { class: "tray", tabindex: "-1", "data-rest": true, "aria-label": say("Your hand and turn") }, curtain.element, hand.element, composer.element);
  const whole = el("div", { class: "table" }, el("h1", { class: "unseen" }, "The Last Spike"), banner, mapBox, tray, side, finale, pastHands.element);
  const firstTab = settings.text === "on" ? "text" : "log";
  return { whole, composer, meanwhile, hand, players, map, replay, pastHands, log, land, chat, text, tabs, firstTab, banner, status, caption, curtain, tray, loadEnd, end: () => end };
}

/** A card of the map stays above the hand, where that lies below. @param {Element} map @param {HTMLElement} tray */
function floor(map, tray) {
  const hand = tray.getBoundingClientRect();
  return hand.height && hand.left < map.getBoundingClientRect().right ? hand.top : innerHeight;
}
