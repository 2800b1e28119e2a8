// Sharing a result of the Daily Deal: one line, or a picture, both without spoilers.

import { saveFile } from "../lib/files.js";
import { note } from "../lib/ui/announce.js";
import { dayOf, say } from "../lib/words.js";
import { lineToShare, scoreTold, verdictOf } from "./scores.js";

/** @typedef {import("./scores.js").Result} Result */

const WIDE = 1200;
const HIGH = 630;
const PAPER = "#fbf4e2";
const INK = "#2a1d10";
const SOFT = "#6b5334";
const FILL = new Map([
  [1, "#3f7d3c"],
  [0, "#d9cba6"],
  [-1, "#a8322a"],
]);
/** A mark in each square besides its colour. */
const MARK = new Map([
  [1, "+"],
  [0, ""],
  [-1, "−"],
]);

/** Hand the line to whoever the device can share it with, or copy it. @param {Result} result @param {HTMLInputElement} field where it stands */
export async function shareLine(result, field) {
  const text = lineToShare(result);
  if (typeof navigator.share === "function" && matchMedia("(pointer: coarse)").matches) {
    await navigator.share({ text }).catch(() => undefined);
    return;
  }
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    field.focus();
    field.select();
    if (!document.execCommand("copy")) return;
  }
  note(say("Result copied."));
}

/** @param {Result} result */
export async function savePicture(result) {
  const canvas = document.createElement("canvas");
  canvas.width = WIDE;
  canvas.height = HIGH;
  draw(/** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")), result);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error(say("This browser can’t save pictures. Try another browser."));
  saveFile(blob, `last-spike-daily-${result.mine.day}.png`);
  note(say("Picture saved."));
}

/** @param {CanvasRenderingContext2D} pen @param {Result} result */
function draw(pen, { mine, turns, tycoon }) {
  pen.fillStyle = PAPER;
  pen.fillRect(0, 0, WIDE, HIGH);
  pen.strokeStyle = SOFT;
  pen.lineWidth = 6;
  pen.strokeRect(20, 20, WIDE - 40, HIGH - 40);
  pen.textAlign = "center";
  /** @param {string} text @param {number} y @param {string} font @param {string} [ink] */
  const write = (text, y, font, ink = INK) => {
    pen.font = font;
    pen.fillStyle = ink;
    pen.fillText(text, WIDE / 2, y, WIDE - 120);
  };
  write("The Last Spike", 120, "600 64px Georgia, serif");
  write(say("Daily Deal for {day}", { day: dayOf(mine.day) }), 180, "34px system-ui, sans-serif", SOFT);
  write(scoreTold(mine), 310, "700 110px Georgia, serif");
  if (tycoon) write(say("Tycoon, on average: {score}", { score: scoreTold({ ...tycoon, margin: null }) }), 375, "32px system-ui, sans-serif", SOFT);
  const size = Math.min(72, (WIDE - 160) / turns.length - 10);
  const left = (WIDE - turns.length * (size + 10) + 10) / 2;
  turns.forEach((turn, n) => {
    const verdict = verdictOf(turn);
    const x = left + n * (size + 10);
    pen.fillStyle = FILL.get(verdict) ?? PAPER;
    pen.fillRect(x, 430, size, size);
    pen.fillStyle = PAPER;
    pen.font = `700 ${size * 0.6}px system-ui, sans-serif`;
    pen.fillText(MARK.get(verdict) ?? "", x + size / 2, 430 + size * 0.7);
  });
  write(location.host, HIGH - 60, "28px system-ui, sans-serif", SOFT);
}
