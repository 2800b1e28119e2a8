// What the drawings on the map mean, in a dialog.

import { loadStylesheet } from "../lib/stylesheet.js";
import { openDialog } from "../lib/ui/dialog.js";
import { el, svg } from "../lib/ui/dom.js";
import { money, say } from "../lib/words.js";
import { CityPart } from "./city.js";
import { citySizes } from "./room.js";
import { drawSpace, fitChip, goldenSpike } from "./space.js";

/** @param {import("../game/figures.js").Figures} figures */
export async function openLegend(figures) {
  await loadStylesheet("map-card.css");
  const { edition } = figures;
  const has = new Set(edition.routes.flatMap(({ terrain }) => terrain));
  const [city] = edition.cities;
  /** @param {string} terrain @param {string} [more] */
  const space = (terrain, more = "") => {
    const route = edition.routes.find((each) => each.terrain.includes(terrain)) ?? edition.routes[0];
    const n = Math.max(0, route.terrain.indexOf(terrain));
    const drawn = { tile: `${route.letter}${n + 1}`, at: { x: 0, y: 0 }, angle: 0, length: 36, terrain, cost: route.costs[n] };
    const part = drawSpace(drawn);
    fitChip(part, drawn, "full");
    if (more) part.classList.add(...more.split(" "));
    return part;
  };
  const ring = () => {
    const part = new CityPart(city, { x: 0, y: 0 }, true);
    part.fit(citySizes(1), 0.72, { text: city.code, wide: 40, x: 0 });
    part.drawCards([{ holder: 0 }, { holder: 1 }, { holder: 1 }, { holder: null }, { holder: null }]);
    return part.element;
  };
  /** @type {[SVGElement, string][]} */
  const lines = [
    [space("plain"), say("A space: its tile and what it costs")],
    ...(/** @type {[string, string][]} */ ([
      ["hills", say("hills")],
      ["mountain", say("mountain")],
      ["bridge", say("bridge")],
      ["tunnel", say("tunnel")],
    ])).flatMap(([terrain, text]) => (has.has(terrain) ? /** @type {[SVGElement, string][]} */ ([[space(terrain), text]]) : [])),
    [space("plain", "mine"), say("A tile in your hand")],
    [space("plain", "mine legal"), say("A tile you can lay now")],
    [space("plain", "laid"), say("Track")],
    [space("plain", "laid fresh"), say("Laid since your last turn")],
    [ring(), say("A city: a segment for each land card, with its owner’s color and symbol; in the middle, what one card pays")],
    [svg("g", { transform: "translate(0 16) scale(.7)" }, goldenSpike()), say("The last spike: whoever drives it gets {bonus}, and the game is over", { bonus: money(edition.last_spike_bonus) })],
  ];
  openDialog(say("Legend"), [
    el(
      "ul",
      { class: "legend" },
      lines.map(([part, text]) => el("li", {}, svg("svg", { class: "map-sample", viewBox: "-34 -32 68 64", "aria-hidden": "true" }, part), el("span", {}, text))),
    ),
  ]);
}
