// Personal data: the section that exports what the server has of a person, and deletes it.

import { showError } from "../game/errors.js";
import { deleteContributions } from "../game/shuffle.js";
import { ask, base } from "../lib/api.js";
import { change } from "../lib/settings.js";
import { openDialog } from "../lib/ui/dialog.js";
import { button, el } from "../lib/ui/dom.js";
import { say } from "../lib/words.js";

/** The section for both. @param {string} name @param {() => void} deleted what comes then */
export function myData(name, deleted) {
  return el(
    "section",
    { class: "card" },
    el("h2", {}, say("My data")),
    el("p", {}, say("The server keeps your name, your games, your alerts and what you said. You can take all of it with you, and you can have it deleted.")),
    el(
      "div",
      { class: "acts" },
      el("a", { class: "button", href: `${base}api/me/export`, download: "lastspike-data.json", "data-key": "export" }, say("Export my data")),
      button(say("Delete my data"), () => askDeletion(name, deleted), { class: "danger", "data-key": "delete" }),
    ),
  );
}

/** Say plainly what happens, and ask once more. @param {string} name @param {() => void} deleted */
function askDeletion(name, deleted) {
  const close = openDialog(say("Delete everything of {name}?", { name }), [
    el(
      "ul",
      { class: "plain" },
      el("li", {}, say("Your name disappears from all games, for everybody: there is only the symbol of your seat.")),
      el("li", {}, say("What you said in the chat is removed.")),
      el("li", {}, say("In running games a computer player takes over for good; in waiting rooms your seat becomes free.")),
      el("li", {}, say("Finished games stay for the others, without your name. Your history and statistics are gone.")),
      el("li", {}, say("All your devices, personal links and turn alerts end.")),
    ),
    el("p", {}, el("strong", {}, say("There is no way back. Export your data first if you want to keep it."))),
    el(
      "div",
      { class: "acts" },
      button(say("Delete for ever"), () => erase().catch(showError).finally(() => close()), { class: "danger", "data-key": "really-delete" }),
    ),
  ]);

  async function erase() {
    await ask("DELETE", "api/me");
    deleteHere();
    deleted();
  }
}

/** What this browser remembers of its person goes too; how the page looks and sounds stays. */
function deleteHere() {
  change({ name: "" });
  deleteContributions();
}
