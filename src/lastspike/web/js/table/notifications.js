// Notifications of what others do: sounds, announcements, notes, the browser's tab.

import { NEAR } from "../game/figures.js";
import { version } from "../lib/api.js";
import { settings } from "../lib/settings.js";
import { announce, note } from "../lib/ui/announce.js";
import { playSound } from "../lib/ui/sounds.js";
import { count, say, sentence, sentences } from "../lib/words.js";

/** @typedef {import("../game/model.js").Model} Model */

export class Notifications {
  /**
   * @param {Model} model
   * @param {{teller: () => import("../game/teller.js").Teller, unread: () => boolean}} page `unread`: something was
   *   written, returns whether nobody sees it
   */
  constructor(model, page) {
    this.model = model;
    this.page = page;
    this.wasMyTurn = false;
  }

  /** A message has been shown: tell of what others did, then whose turn it is. @param {any[]} fresh */
  receive(fresh) {
    this.tell(fresh);
    this.update();
  }

  /** Tell of what others did. @param {any[]} fresh */
  tell(fresh) {
    const { model } = this;
    const mine = (/** @type {number} */ seat) => model.you.seats.includes(seat);
    /** Each once: people who share a device have several seats. @type {Set<string>} */
    const told = new Set();
    for (const step of fresh) {
      for (const happening of step.happenings) {
        if (happening.kind === "turn_made") this.turned(happening);
        else if (happening.kind === "said") {
          if (happening.person !== model.you.person) this.heard(happening);
        } else if (happening.kind === "seat_handed_over") {
          told.add(mine(happening.seat) ? say("A computer is now playing for you.") : say("A computer is now playing for {player}.", { player: model.names[happening.seat] }));
        } else if (happening.kind === "table_closed" && happening.operator) {
          told.add(say("The operator of this server has closed the table."));
        } else if (happening.kind === "nudged") {
          const facts = { player: model.names[happening.by], other: model.names[happening.seat] };
          if (!mine(happening.by)) told.add(mine(happening.seat) ? say("{player} is waiting for you to play.", facts) : say("{player} has sent {other} a reminder.", facts));
          else told.add(say("You’ve sent {player} a reminder.", { player: facts.other }));
        } else if (happening.kind === "end_agreed" && !mine(happening.seat)) {
          const facts = { player: model.names[happening.seat] };
          told.add(happening.undo ? say("{player} would rather play on.", facts) : say("{player} wants to end the game without a result. If you agree, say so in the table menu.", facts));
        } else if (happening.kind === "seat_returned") {
          told.add(mine(happening.seat) ? say("You’re back.") : say("{player} is back.", { player: model.names[happening.seat] }));
        }
      }
    }
    for (const text of told) note(text);
  }

  /** @param {any} turn */
  turned({ seat, events }) {
    const teller = this.page.teller();
    if (settings.announce !== "short") announce(sentences(teller.tell(events)));
    else if (!this.model.you.seats.includes(seat)) announce(sentences(teller.brief(events)));
  }

  /** Somebody wrote something: who does not see the chat is told. @param {any} said */
  heard(said) {
    playSound("chat");
    const text = say("{name}: {text}", { name: said.name, text: said.text });
    if (this.page.unread()) note(text);
    else announce(text);
  }

  /** Say when it becomes the viewer's turn. */
  update() {
    const mine = this.model.mySeat !== null;
    mark(mine);
    if (mine && !this.wasMyTurn) {
      playSound("turn");
      announce(this.turnTold());
      if (settings.alert === "on" && document.hidden && "Notification" in window && Notification.permission === "granted") {
        void alertOfTurn();
      }
    }
    this.wasMyTurn = mine;
  }

  /** Whose turn it is, what can be laid, and how near the end is. */
  turnTold() {
    const { model } = this;
    const { view, figures } = model;
    const whose = say("It’s your turn.");
    if (settings.announce === "short" || !view || !figures || !model.canPlay) return whose;
    const left = figures.toLastSpike(view);
    return sentences([
      sentence(say("It’s your turn. You can lay: {tiles}", { tiles: view.legal.join(" ") })),
      ...(left <= NEAR ? [sentence(count("{n} tile to the last spike", "{n} tiles to the last spike", left))] : []),
    ]);
  }

  close() {
    mark(false);
  }
}

/** Phones let only a service worker show a notification; there the page's own constructor throws. */
async function alertOfTurn() {
  const shown = { body: say("It’s your turn."), tag: location.pathname, data: { url: location.href } };
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  try {
    if (worker) await worker.showNotification("The Last Spike", shown);
    else new Notification("The Last Spike", shown);
  } catch {
    // The sound and the tab's title tell of it too.
  }
}

/** Say in the browser's tab whether it is the viewer's turn. @param {boolean} mine */
function mark(mine) {
  document.title = mine ? say("● Your turn – {title}", { title: "The Last Spike" }) : "The Last Spike";
  const icon = `web/${version}/icons/${mine ? "turn" : "spike"}.svg`;
  const link = document.querySelector("link[rel=icon]");
  if (link && link.getAttribute("href") !== icon) link.setAttribute("href", icon);
}
