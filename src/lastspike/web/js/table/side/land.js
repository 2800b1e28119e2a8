// Land: every city's deeds, who holds them, what the next one costs and what each would be paid;
// and every route: what is missing, and whom it would pay how much.

import { el, fill } from "../../lib/ui/dom.js";
import { SYMBOLS } from "../../game/players.js";
import { count, money, say } from "../../lib/words.js";

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
    const aside = view.aside
      ? count("{n} tile lies aside.", "{n} tiles lie aside.", view.aside)
      : "";
    fill(
      this.element,
      el(
        "table",
        { class: "cities-table" },
        el("caption", {}, say("Cities")),
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            [say("City"), say("Owners"), say("Next card"), say("1 card pays")].map((title) => el("th", { scope: "col" }, title)),
          ),
        ),
        el(
          "tbody",
          {},
          figures.edition.cities.map((city) => {
            const sale = figures.onSale(view, city.code);
            const owners = [...figures.holders(view, city.code)];
            return el(
              "tr",
              {},
              el("th", { scope: "row" }, teller.city(city.code), el("span", { class: "city-code" }, ` ${city.code}`)),
              el(
                "td",
                {},
                owners.length
                  ? owners.map(([seat, cards]) =>
                      el(
                        "span",
                        { class: `owner seat-${seat}` },
                        el("span", { class: "symbol", "aria-hidden": "true" }, SYMBOLS[seat]),
                        el("span", { class: "unseen" }, model.names[seat]),
                        ` ${cards}`,
                      ),
                    )
                  : "–",
              ),
              el("td", {}, sale ? money(sale.price) : view.land[city.code][0] === null ? say("free grant") : say("sold out")),
              el("td", {}, money(city.payouts[0])),
            );
          }),
        ),
      ),
      model.info.settings.aids &&
        el(
          "table",
          { class: "routes-table" },
          el("caption", {}, say("What finishing a route would pay now")),
          el(
            "thead",
            {},
            el("tr", {}, [say("Route"), say("Missing"), say("Would pay")].map((title) => el("th", { scope: "col" }, title))),
          ),
          el(
            "tbody",
            {},
            figures.edition.routes.map((route) => {
              const missing = figures.missing(view, route.letter);
              const paid = [...figures.payouts(view, route.letter)];
              return el(
                "tr",
                { class: missing.length ? "" : "done" },
                el("th", { scope: "row" }, `${route.letter} `, el("span", { class: "route-name" }, teller.route(route.letter))),
                el("td", {}, missing.length ? missing.join(" ") : say("finished")),
                el(
                  "td",
                  {},
                  missing.length === 0
                    ? "–"
                    : paid.length
                      ? paid.map(([seat, amount]) =>
                          el(
                            "span",
                            { class: `owner seat-${seat}` },
                            el("span", { class: "symbol", "aria-hidden": "true" }, SYMBOLS[seat]),
                            el("span", { class: "unseen" }, model.names[seat]),
                            ` ${money(amount)}`,
                          ),
                        )
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
          el("h2", {}, say("Tiles you have not seen")),
          el("p", {}, figures.unseen(view).join(" ") || say("None.")),
          el(
            "p",
            { class: "why" },
            count("{n} tile in the pool.", "{n} tiles in the pool.", view.pool),
            aside && ` ${aside}`,
          ),
        ),
    );
  }
}
