// The dialog that asks for a person's name.

import { change, settings } from "../settings.js";
import { say } from "../words.js";
import { askText } from "./dialog.js";

/** Ask for a name and store it in the settings; empty if the person cancels. @returns {Promise<string>} */
export async function askName() {
  const name = await askText({
    title: say("What’s your name?"),
    label: say("The other players see it."),
    value: settings.name,
    act: say("Continue"),
    autocomplete: "nickname",
  });
  if (name) change({ name });
  return name;
}
