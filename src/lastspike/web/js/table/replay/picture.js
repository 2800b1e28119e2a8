// A picture of the board, to save or to share.

import { base, version } from "../../lib/api.js";
import { saveFile } from "../../lib/files.js";
import { note } from "../../lib/ui/announce.js";
import { say } from "../../lib/words.js";

const WIDE = 1600;

/** Save the map as a PNG file, or hand it to whoever the device can share it with.
 * @param {import("../../map/map.js").BoardMap} map @param {string} name */
export async function takePicture(map, name) {
  const blob = await drawn(map);
  const file = new File([blob], `${name}.png`, { type: "image/png" });
  if (navigator.canShare?.({ files: [file] }) && matchMedia("(pointer: coarse)").matches) {
    await navigator.share({ files: [file], title: "The Last Spike" }).catch(() => undefined);
    return;
  }
  saveFile(blob, file.name);
  note(say("Picture saved."));
}

/** @param {import("../../map/map.js").BoardMap} map @returns {Promise<Blob>} */
async function drawn(map) {
  const { whole, high } = map.copy(WIDE);
  whole.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  whole.setAttribute("width", String(WIDE));
  whole.setAttribute("height", String(high));
  // A picture stands alone: the style goes into it, with the colours of the page as it is now.
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  const sheet = await (await fetch(`${base}web/${version}/css/map.css`)).text();
  style.textContent = `svg{color-scheme:${document.documentElement.dataset.theme};${variables()}}${SEATS}${sheet}`;
  whole.prepend(style);
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(whole))}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = WIDE;
  canvas.height = high;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.drawImage(picture, 0, 0, WIDE, high);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(say("This browser can’t save pictures. Try another browser.")))), "image/png"),
  );
}

const SEATS = [0, 1, 2, 3, 4, 5].map((seat) => `.seat-${seat}{--seat:var(--seat-${seat})}`).join("");
const NAMES = ["paper-1", "paper-2", "paper-3", "river", "peak", "ridge", "serif", "plain", "brass", "brass-bright", "ink", "ink-soft", "card", "symbol"];

function variables() {
  const style = getComputedStyle(document.documentElement);
  return [...NAMES, ...[0, 1, 2, 3, 4, 5].map((seat) => `seat-${seat}`)]
    .map((name) => `--${name}:${style.getPropertyValue(`--${name}`)};`)
    .join("");
}
