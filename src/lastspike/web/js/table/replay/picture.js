// A picture of the board, to save or to share; of a finished game with the result below it.

import { base, version } from "../../lib/api.js";
import { saveFile } from "../../lib/files.js";
import { note } from "../../lib/ui/announce.js";
import { say } from "../../lib/words.js";

/** @typedef {import("../end/result.js").Result} Result */

const WIDE = 1600;
/** The band with the result: its edge, its title, the lines of the list, and the chart beside them. */
const BAND = { edge: 48, title: 64, line: 54, chart: [680, 352] };

/** Save the map as a PNG file, or hand it to whoever the device can share it with.
 * @param {import("../../map/map.js").BoardMap} map @param {string} name @param {Result | null} [result] */
export async function takePicture(map, name, result = null) {
  const blob = await drawn(map, result);
  const file = new File([blob], `${name}.png`, { type: "image/png" });
  if (navigator.canShare?.({ files: [file] }) && matchMedia("(pointer: coarse)").matches) {
    await navigator.share({ files: [file], title: result?.title ?? "The Last Spike" }).catch(() => undefined);
    return;
  }
  saveFile(blob, file.name);
  note(say("Picture saved."));
}

/** @param {import("../../map/map.js").BoardMap} map @param {Result | null} result @returns {Promise<Blob>} */
async function drawn(map, result) {
  const { whole, high } = map.copy(WIDE);
  const band = result ? bandHeight(result) : 0;
  const canvas = document.createElement("canvas");
  canvas.width = WIDE;
  canvas.height = high + band;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.drawImage(await asImage(whole, "map.css", WIDE, high), 0, 0, WIDE, high);
  if (result) await drawResult(pen, result, high, band);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(say("This browser can’t save pictures. Try another browser.")))), "image/png"),
  );
}

/** @param {Result} result */
function bandHeight({ rows }) {
  return 2 * BAND.edge + BAND.title + Math.max(rows.length * BAND.line, BAND.chart[1] + 10);
}

/** @param {CanvasRenderingContext2D} pen @param {Result} result @param {number} top @param {number} band */
async function drawResult(pen, { title, rows, caption, chart }, top, band) {
  const { edge, line } = BAND;
  const [wide, high] = BAND.chart;
  const colour = coloursOf();
  const fonts = { title: `600 44px ${colour("serif")}`, line: `30px ${colour("plain")}`, small: `22px ${colour("plain")}` };
  /** @param {string} text @param {number} x @param {number} y @param {{font?: string, ink?: string, align?: CanvasTextAlign, most?: number}} [how] */
  const write = (text, x, y, { font = fonts.line, ink = "ink", align = "left", most } = {}) => {
    Object.assign(pen, { font, fillStyle: colour(ink), textAlign: align });
    pen.fillText(text, x, y, most);
  };
  pen.textBaseline = "middle";
  pen.fillStyle = colour("card");
  pen.fillRect(0, top, WIDE, band);
  write(title, edge, top + edge + 14, { font: fonts.title, most: WIDE - 2 * edge });
  const first = top + edge + BAND.title + line / 2;
  const right = WIDE - 2 * edge - wide;
  rows.forEach(({ rank, seat, symbol, name, cash }, n) => {
    const y = first + n * line;
    write(String(rank), edge + 24, y, { ink: "ink-soft", align: "right" });
    pen.fillStyle = colour(`seat-${seat}`);
    pen.beginPath();
    pen.arc(edge + 64, y, 21, 0, 2 * Math.PI);
    pen.fill();
    write(symbol, edge + 64, y + 1, { font: fonts.small, ink: "symbol", align: "center" });
    write(cash, right, y, { align: "right" });
    write(name, edge + 104, y, { most: right - edge - 120 - pen.measureText(cash).width });
  });
  write(caption, WIDE - edge - wide, top + edge + BAND.title - 4, { font: fonts.small, ink: "ink-soft" });
  pen.drawImage(await asImage(chart, "page.css", wide, high), WIDE - edge - wide, first - line / 2 + 10, wide, high);
}

/** A drawing of the page stands alone: the style goes into it, with the colours of the page as it is now.
 * @param {SVGSVGElement} drawing @param {string} sheet @param {number} wide @param {number} high */
async function asImage(drawing, sheet, wide, high) {
  const whole = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
  for (const [name, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", width: wide, height: high })) whole.setAttribute(name, String(value));
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  const rules = await (await fetch(`${base}web/${version}/css/${sheet}`)).text();
  style.textContent = `${rules}svg{color-scheme:${document.documentElement.dataset.theme};${variables()}}${SEATS}`;
  whole.prepend(style);
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(whole))}`;
  await picture.decode();
  return picture;
}

const SEATS = [0, 1, 2, 3, 4, 5].map((seat) => `.seat-${seat}{--seat:var(--seat-${seat})}`).join("");
const NAMES = ["paper-1", "paper-2", "paper-3", "river", "peak", "ridge", "serif", "plain", "brass", "brass-bright", "ink", "ink-soft", "line", "card", "symbol"];

function variables() {
  const style = getComputedStyle(document.documentElement);
  return [...NAMES, ...[0, 1, 2, 3, 4, 5].map((seat) => `seat-${seat}`)]
    .map((name) => `--${name}:${style.getPropertyValue(`--${name}`)};`)
    .join("");
}

/** The page's colours and fonts as a canvas takes them: a pair of colours comes as the one that is seen. */
function coloursOf() {
  const probe = document.body.appendChild(document.createElement("i"));
  const style = getComputedStyle(probe);
  const found = new Map(
    [...NAMES, "symbol", ...[0, 1, 2, 3, 4, 5].map((seat) => `seat-${seat}`)].map((name) => {
      if (name === "serif" || name === "plain") return [name, style.getPropertyValue(`--${name}`)];
      probe.style.color = `var(--${name})`;
      return [name, style.color];
    }),
  );
  probe.remove();
  return (/** @type {string} */ name) => found.get(name) ?? "";
}
