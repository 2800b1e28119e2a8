// A labelled list to choose from.

import { el } from "./dom.js";

/**
 * @param {{id: string, title: string, value: unknown, values: unknown[][], key?: string,
 *   onchange?: (value: string) => void}} choice `values` are pairs of a value and its text, with the text's
 *   language if it is another than the page's
 */
export function choice({ id, title, value, values, key, onchange }) {
  const select = /** @type {HTMLSelectElement} */ (
    el(
      "select",
      { id, "data-key": key, onchange: onchange && (() => onchange(select.value)) },
      values.map(([each, text, lang]) => el("option", { value: each, lang, selected: each === value }, String(text))),
    )
  );
  return { select, row: el("p", { class: "option" }, el("label", { for: id }, title), select) };
}
