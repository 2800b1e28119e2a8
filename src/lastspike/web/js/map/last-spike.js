// The last spike on the map, and its animation.

import { lessMotion } from "../lib/settings.js";
import { el, svg } from "../lib/ui/dom.js";

/**
 * @param {import("./map.js").BoardMap} map
 * @param {string} tile
 * @param {string} text
 */
export function celebrate(map, tile, text) {
  const space = map.spaces.find((each) => each.tile === tile);
  const box = map.element.parentElement;
  if (!space || !box) return;
  map.zoom.all();
  map.spiked = tile;
  const spike = goldenSpike(space.at);
  map.element.append(spike);
  const banner = el("p", { class: "spike-banner" }, text);
  box.append(banner);
  window.setTimeout(() => banner.remove(), 9000);
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
    spike.querySelector(".glow")?.animate([{ opacity: 0, transform: "scale(.2)" }, { opacity: 1, transform: "scale(1)" }], {
      duration: 900,
      delay: 1300,
      fill: "backwards",
    });
    for (let n = 0; n < 14; n++) {
      const spark = svg("circle", { class: "spark", r: 3.2 });
      spike.append(spark);
      const way = (n / 14) * 2 * Math.PI;
      spark.animate(
        [
          { transform: "translate(0, 0)", opacity: 1 },
          { transform: `translate(${Math.cos(way) * 90}px, ${Math.sin(way) * 70}px)`, opacity: 0 },
        ],
        { duration: 900, delay: 1350, fill: "both", easing: "ease-out" },
      );
    }
    banner.animate([{ opacity: 0, transform: "translate(-50%, 14px)" }, { opacity: 1, transform: "translate(-50%, 0)" }], {
      duration: 500,
      delay: 1400,
      fill: "backwards",
    });
  }
}

/** @param {{x: number, y: number}} at */
export function goldenSpike(at) {
  return svg(
    "g",
    { class: "golden", transform: `translate(${at.x} ${at.y})`, "aria-hidden": "true" },
    svg("circle", { class: "glow", r: 60 }),
    svg("path", {
      class: "spike",
      d: "M-9-52c0-4 4-6 9-6s9 2 9 6c0 3-2 4-5 5l1 34-5 15-5-15 1-34c-3-1-5-2-5-5z",
    }),
  );
}
