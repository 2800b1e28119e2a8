// How far Python has been loaded, and what stands in its way.

import { note } from "../lib/ui/announce.js";
import { el, fill } from "../lib/ui/dom.js";
import { say } from "../lib/words.js";

export class StartStatus {
  constructor() {
    this.bar = /** @type {HTMLProgressElement} */ (el("progress", { max: 1, value: 0, "aria-label": say("Getting the game ready…") }));
    this.element = el("div", { class: "start-status", role: "status" }, el("p", {}, say("Getting the game ready…")), this.bar);
    document.body.append(this.element);
  }

  /** @param {number} share */
  progress(share) {
    if (!this.bar.isConnected) fill(this.element, el("p", {}, say("Getting the game ready…")), this.bar); // it was open elsewhere
    this.bar.value = share;
  }

  done() {
    this.element.remove();
  }

  /** Another tab plays: two would overwrite each other's games. */
  elsewhere() {
    fill(this.element, el("p", {}, say("The game is open in another tab. Close it there to play here.")));
  }

  onlyInMemory() {
    note(say("This browser doesn’t let the game save anything. Your games last until you close this tab."), "error");
  }

  /** @param {string} reason */
  failed(reason) {
    fill(this.element, el("p", { class: "problem" }, say("The game could not be started: {reason}", { reason })));
  }
}
