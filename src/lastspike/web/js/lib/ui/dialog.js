// Dialogs: something to read, or a text to enter.

import { say } from "../words.js";
import { button, el } from "./dom.js";

let made = 0;

/**
 * Open a dialog; `onClose` is called when it is gone.
 * @param {string} title the id of its title @param {HTMLElement} body @param {() => void} [onClose]
 */
export function openModal(title, body, onClose) {
  const opener = document.activeElement?.getAttribute("data-key");
  const dialog = /** @type {HTMLDialogElement} */ (
    el(
      "dialog",
      {
        class: "card",
        "aria-labelledby": title,
        onclose: () => {
          dialog.remove();
          onClose?.();
          // What opened it may have been drawn again meanwhile.
          const again = opener && document.activeElement === document.body && document.querySelector(`[data-key="${CSS.escape(opener)}"]`);
          if (again instanceof HTMLElement) again.focus({ preventScroll: true });
        },
      },
      body,
    )
  );
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Show something over the page until the person closes it; returns how to close it.
 * @param {string} title
 * @param {(Node | string | null | false)[]} content
 * @param {{onClose?: () => void}} [listeners]
 */
export function openDialog(title, content, { onClose } = {}) {
  const id = `dialog-${++made}`;
  const dialog = openModal(
    id,
    el(
      "div",
      { class: "dialog-body" },
      el("h2", { id, tabindex: "-1", autofocus: true }, title),
      content,
      el("div", { class: "acts" }, button(say("Close"), () => dialog.close(), { "data-key": "close" })),
    ),
    onClose,
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return () => dialog.close();
}

/**
 * Ask for one text; it is empty if the person cancels.
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
    const dialog = openModal(
      id,
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
          button(say("Cancel"), () => dialog.close(), { "data-key": "cancel" }),
        ),
      ),
      () => resolve(answer),
    );
    input.focus();
  });
}
