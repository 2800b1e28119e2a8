// Dialogs: a title, something in it, and a way out.

import { say } from "../words.js";
import { button, el } from "./dom.js";

let made = 0;

/**
 * Show something over the page until it is closed; returns how to close it.
 * @param {string} title
 * @param {(Node | string | null | false)[]} content
 * @param {{onClose?: () => void}} [listeners]
 */
export function openDialog(title, content, { onClose } = {}) {
  const id = `dialog-${++made}`;
  const dialog = /** @type {HTMLDialogElement} */ (
    el(
      "dialog",
      {
        class: "card",
        "aria-labelledby": id,
        onclose: () => {
          dialog.remove();
          onClose?.();
        },
        onclick: (/** @type {Event} */ event) => {
          if (event.target === dialog) dialog.close();
        },
      },
      el(
        "div",
        { class: "dialog-body" },
        el("h2", { id, tabindex: "-1", autofocus: true }, title),
        content,
        el("div", { class: "acts" }, button(say("Close"), () => dialog.close(), { "data-key": "close" })),
      ),
    )
  );
  document.body.append(dialog);
  dialog.showModal();
  return () => dialog.close();
}

/**
 * Ask for one text; an empty one means that the person thought better of it.
 * @param {{title: string, label: string, value: string, act: string, autocomplete?: string,
 *   most?: number}} asked
 * @returns {Promise<string>}
 */
export function askText({ title, label, value, act, autocomplete = "off", most = 24 }) {
  return new Promise((resolve) => {
    const id = `dialog-${++made}`;
    const input = /** @type {HTMLInputElement} */ (
      el("input", { id: `${id}-text`, maxlength: most, required: true, autocomplete, value })
    );
    let answer = "";
    const dialog = /** @type {HTMLDialogElement} */ (
      el(
        "dialog",
        {
          class: "card",
          "aria-labelledby": id,
          onclose: () => {
            dialog.remove();
            resolve(answer);
          },
        },
        el(
          "form",
          {
            method: "dialog",
            onsubmit: (/** @type {Event} */ event) => {
              event.preventDefault();
              answer = input.value.normalize("NFKC").trim();
              if (answer) dialog.close();
            },
          },
          el("h2", { id }, title),
          el("label", { for: `${id}-text` }, label),
          input,
          el(
            "div",
            { class: "acts" },
            el("button", { class: "main", type: "submit" }, act),
            button(say("Cancel"), () => dialog.close()),
          ),
        ),
      )
    );
    document.body.append(dialog);
    dialog.showModal();
    input.focus();
  });
}
