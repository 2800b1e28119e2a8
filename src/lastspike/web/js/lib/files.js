// Files: let a person choose one, or save one.

import { el } from "./ui/dom.js";

/** @param {string} title @param {string} accept as an input has it @param {(file: File) => void} onFile */
export function chooseFile(title, accept, onFile) {
  const input = /** @type {HTMLInputElement} */ (
    el("input", {
      type: "file",
      accept,
      class: "unseen",
      "aria-label": title,
      onchange: () => {
        const file = input.files?.[0];
        input.remove();
        if (file) onFile(file);
      },
      oncancel: () => input.remove(),
    })
  );
  document.body.append(input);
  input.click();
}

/** @param {Blob} content @param {string} name */
export function saveFile(content, name) {
  const address = URL.createObjectURL(content);
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
