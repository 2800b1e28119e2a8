// The animation of the last spike: it is driven in before everybody's eyes.

import { lessMotion } from "../lib/settings.js";
import { el, svg } from "../lib/ui/dom.js";

/** Long enough to read; the end of the game says the same. */
const BANNER_MS = 5000;

/**
 * @param {import("./map.js").BoardMap} map
 * @param {string} tile
 * @param {string} text
 */
export function celebrate(map, tile, text) {
  const box = map.element.parentElement;
  if (!box) return;
  map.zoom.all();
  const spike = map.drive(tile);
  if (!spike) return;
  const banner = el("p", { class: "spike-banner" }, text);
  box.append(banner);
  window.setTimeout(() => banner.remove(), BANNER_MS);
  if (!lessMotion()) {
    spike.querySelector(".spike")?.animate(
      [
        { transform: "translateY(-120px)", opacity: 0 },
        { transform: "translateY(-26px)", opacity: 1, offset: 0.3 },
        { transform: "translateY(-16px)", offset: 0.5 },
        { transform: "translateY(-16px)", offset: 0.6 },
        { transform: "translateY(-7px)", offset: 0.7 },
        { transform: "translateY(-7px)", offset: 0.85 },
        { transform: "translateY(0)" },
      ],
      { duration: 1500, easing: "ease-in", fill: "backwards" },
    );
    map.halo?.querySelector(".glow")?.animate([{ opacity: 0, transform: "scale(.2)" }, { opacity: 1, transform: "scale(1)" }], {
      duration: 900,
      delay: 1300,
      fill: "backwards",
    });
    for (let n = 0; n < 14; n++) {
      const spark = svg("circle", { class: "spark", r: 2.4 });
      spike.append(spark);
      const way = (n / 14) * 2 * Math.PI;
      const flight = spark.animate(
        [
          { transform: "translate(0, 0)", opacity: 1 },
          { transform: `translate(${Math.cos(way) * 68}px, ${Math.sin(way) * 52}px)`, opacity: 0 },
        ],
        { duration: 900, delay: 1350, fill: "both", easing: "ease-out" },
      );
      flight.onfinish = () => spark.remove();
    }
    banner.animate([{ opacity: 0, translate: "0 14px" }, { opacity: 1, translate: "0" }], {
      duration: 500,
      delay: 1400,
      fill: "backwards",
    });
  }
}
