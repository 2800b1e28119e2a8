// Personal data: the section that exports what the server has of a person, and deletes it.

import { showError } from "../game/errors.js";
import { deleteContributions } from "../game/shuffle.js";
import { ask, base, site } from "../lib/api.js";
import { change } from "../lib/settings.js";
import { openDialog } from "../lib/ui/dialog.js";
import { button, el } from "../lib/ui/dom.js";
import { say } from "../lib/words.js";

/** The section for both. @param {string} name @param {() => void} deleted what comes then */
export function myData(name, deleted) {
  return el(
    "section",
    { class: "card" },
    el("h2", {}, say("Your data")),
    el("p", {}, !site.server ? say("Your name and your games are stored only in this browser. You can delete them all.") : say("The server stores your name, your games, your alerts and your chat messages. You can export or delete all of it.")),
    el(
      "div",
      { class: "acts" },
      site.server && el("a", { class: "button", href: `${base}api/me/export`, download: "lastspike-data.json", "data-key": "export" }, say("Export your data")),
      button(say("Delete your data"), () => askDeletion(name, deleted), { class: "danger", "data-key": "delete" }),
    ),
  );
}

/** Say plainly what happens, and ask once more. @param {string} name @param {() => void} deleted */
function askDeletion(name, deleted) {
  const close = openDialog(say("Delete all of {name}’s data?", { name }), [
    !site.server && el("p", {}, say("This deletes your name and all your games. You can’t undo it.")),
    site.server && el(
      "ul",
      { class: "plain" },
      el("li", {}, say("Your name disappears from every game, for everybody. Only the symbol of your seat remains.")),
      el("li", {}, say("Your chat messages are deleted.")),
      el("li", {}, say("In games in progress, a computer takes over for good. In waiting rooms, your seat opens up.")),
      el("li", {}, say("The other players keep finished games, without your name. Your history and statistics are deleted.")),
      el("li", {}, say("All your devices are disconnected, and your personal links and turn alerts stop working.")),
    ),
    site.server && el("p", {}, el("strong", {}, say("You can’t undo this. Export your data first if you want to keep it."))),
    el(
      "div",
      { class: "acts" },
      button(say("Delete forever"), () => erase().catch(showError).finally(() => close()), { class: "danger", "data-key": "really-delete" }),
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
