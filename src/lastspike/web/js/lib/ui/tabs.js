// Tabs: one of several panels, chosen with a click or the arrow keys.

import { el } from "./dom.js";

export class Tabs {
  /** @param {string} title @param {{key: string, title: string, part: HTMLElement}[]} tabs
   * @param {(key: string) => void} onTab */
  constructor(title, tabs, onTab) {
    this.tabs = new Map(
      tabs.map((tab) => [
        tab.key,
        el(
          "button",
          { type: "button", role: "tab", id: `tab-${tab.key}`, "aria-controls": `panel-${tab.key}`, onclick: () => onTab(tab.key), onkeydown: (/** @type {KeyboardEvent} */ event) => this.step(event) },
          tab.title,
        ),
      ]),
    );
    this.panels = new Map(
      tabs.map(({ key, part }) => {
        const onkeydown = (/** @type {KeyboardEvent} */ event) => this.leave(key, event);
        return [key, el("div", { class: "panel", role: "tabpanel", id: `panel-${key}`, "aria-labelledby": `tab-${key}`, onkeydown }, part)];
      }),
    );
    this.elements = [el("div", { class: "tabs", role: "tablist", "aria-label": title }, [...this.tabs.values()]), ...this.panels.values()];
  }

  /** @param {string} key @param {boolean} [enter] whether to go to what is in it */
  open(key, enter = false) {
    for (const [each, tab] of this.tabs) {
      tab.setAttribute("aria-selected", String(each === key));
      tab.setAttribute("tabindex", each === key ? "0" : "-1");
    }
    for (const [each, panel] of this.panels) panel.hidden = each !== key;
    this.tabs.get(key)?.classList.remove("unread");
    const panel = this.panels.get(key);
    const first = panel?.querySelector("input") ?? panel?.querySelector("[tabindex='0']");
    if (enter && first instanceof HTMLElement) first.focus();
  }

  /** Something new is in a panel: its tab says so, unless it is open. Whether it had to. @param {string} key */
  markUnread(key) {
    const hidden = this.panels.get(key)?.hidden === true;
    if (hidden) this.tabs.get(key)?.classList.add("unread");
    return hidden;
  }

  /** Escape leads out of a field, back to the keys of the page. @param {string} key @param {KeyboardEvent} event */
  leave(key, event) {
    if (event.key !== "Escape" || event.isComposing || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    this.tabs.get(key)?.focus();
  }

  /** @param {KeyboardEvent} event */
  step(event) {
    const tabs = [...this.tabs.values()];
    const at = tabs.indexOf(/** @type {HTMLElement} */ (event.target));
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const next = tabs[(at + step + tabs.length) % tabs.length];
    next.focus();
    next.click();
  }
}
