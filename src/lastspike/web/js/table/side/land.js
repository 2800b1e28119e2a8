// Land and routes: owners, prices, what is missing, and what each route would pay.

import { seatSymbol } from "../../game/players.js";
import { button, el, fill, tableHead } from "../../lib/ui/dom.js";
import { count, money, say, sayAs } from "../../lib/words.js";

/** @typedef {import("../../game/model.js").Model} Model */
/** @typedef {import("../../game/teller.js").Teller} Teller */

export class Land {
  constructor() {
    this.element = el("div", { class: "land", tabindex: "0", role: "group", "aria-label": say("Land") });
  }

  /** Draws nothing while its tab is closed. @param {Model} model @param {Teller} teller
   * @param {import("../../game/figures.js").View | null} view as it is, or was */
  update(model, teller, view) {
    const { figures } = model;
    if (!view || !figures || this.element.closest("[hidden]")) return;
    fill(
      this.element,
      button(say("Back to the map"), () => window.scrollTo(0, 0), { class: "quiet land-button", "data-key": "to-map" }),
      el(
        "table",
        { class: "cities-table" },
        el("caption", {}, say("Cities")),
        tableHead([say("City"), say("Owners"), say("Next card"), say("1 card pays")]),
        el(
          "tbody",
          {},
          figures.edition.cities.map((city) => {
            const sale = figures.onSale(view, city.code);
            const owners = [...figures.holders(view, city.code)];
            return el(
              "tr",
              {},
              el("th", { scope: "row" }, el("span", {}, teller.city(city.code)), " ", el("span", { class: "city-code" }, city.code)),
              el(
                "td",
                {},
                owners.length
                  ? owners.map(([seat, cards]) => owner(teller, seat, String(cards)))
                  : "–",
              ),
              el("td", {}, sale ? money(sale.price) : view.land[city.code][0] === null ? say("free land") : say("sold out")),
              el("td", {}, money(city.payouts[0])),
            );
          }),
        ),
      ),
      model.info.settings.aids &&
        el(
          "table",
          { class: "routes-table" },
          el("caption", {}, say("What each route would pay if finished now")),
          tableHead([say("Route"), say("Missing"), say("Would pay")]),
          el(
            "tbody",
            {},
            figures.edition.routes.map((route) => {
              const missing = figures.missing(view, route.letter);
              const paid = [...figures.payouts(view, route.letter)];
              return el(
                "tr",
                { class: missing.length ? "" : "done" },
                el("th", { scope: "row" }, el("span", {}, route.letter), " ", el("span", { class: "route-name" }, teller.route(route.letter))),
                el("td", {}, missing.length ? missing.join(" ") : sayAs("route", "finished")),
                el(
                  "td",
                  {},
                  missing.length === 0
                    ? "–"
                    : paid.length
                      ? paid.map(([seat, amount]) => owner(teller, seat, money(amount)))
                      : say("nobody"),
                ),
              );
            }),
          ),
        ),
      model.info.settings.aids &&
        el(
          "section",
          { class: "unseen-tiles" },
          el("h2", {}, say("Tiles you haven’t seen")),
          el("p", {}, figures.unseen(view).join(" ") || sayAs("tiles", "None.")),
          el("p", { class: "why" }, count("{n} tile in the pool.", "{n} tiles in the pool.", view.pool)),
          view.aside > 0 && el("p", { class: "why" }, count("{n} tile was set aside unseen.", "{n} tiles were set aside unseen.", view.aside)),
        ),
    );
  }
}

/** @param {Teller} teller @param {number} seat @param {string} text */
function owner(teller, seat, text) {
  return el("span", { class: `owner seat-${seat}` }, seatSymbol(seat), el("span", { class: "unseen" }, teller.name(seat)), el("span", {}, text));
}
