// Sounds, made in the browser: a whistle, a hammer, coins.

import { settings } from "../settings.js";

/** @type {AudioContext | null} */
let context = null;

/** A browser lets a page sound only after its person has touched it. */
export function unlockSound() {
  const begin = () => {
    context ??= new AudioContext();
    void context.resume();
  };
  for (const kind of ["pointerdown", "keydown"]) window.addEventListener(kind, begin, { once: true });
}

/** @param {"turn" | "lay" | "pay" | "spike" | "chat"} sound */
export function playSound(sound) {
  if (!context || settings.sound === "off" || context.state !== "running") return;
  const at = context.currentTime + 0.01;
  switch (sound) {
    case "turn":
      whistle(context, at, 0.28);
      whistle(context, at + 0.36, 0.5);
      break;
    case "lay":
      for (const n of [0, 0.11, 0.22]) strike(context, at + n, 1900 - n * 900, 0.07);
      break;
    case "pay":
      for (const n of [0, 0.07, 0.15]) strike(context, at + n, 3200 + n * 4000, 0.12);
      break;
    case "spike":
      for (const n of [0, 0.45, 0.9]) strike(context, at + n, 1250, 0.5);
      whistle(context, at + 1.4, 1.2);
      break;
    case "chat":
      strike(context, at, 880, 0.15);
      break;
  }
}

/** @param {AudioContext} sounding @param {number} at @param {number} seconds */
function whistle(sounding, at, seconds) {
  const gain = sounding.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(0.05, at + 0.05);
  gain.gain.setValueAtTime(0.05, at + seconds - 0.08);
  gain.gain.linearRampToValueAtTime(0, at + seconds);
  gain.connect(sounding.destination);
  for (const pitch of [523, 622, 740]) {
    const tone = sounding.createOscillator();
    tone.type = "triangle";
    tone.frequency.setValueAtTime(pitch * 0.97, at);
    tone.frequency.linearRampToValueAtTime(pitch, at + 0.08);
    tone.connect(gain);
    tone.start(at);
    tone.stop(at + seconds);
  }
}

/** @param {AudioContext} sounding @param {number} at @param {number} pitch @param {number} seconds */
function strike(sounding, at, pitch, seconds) {
  const gain = sounding.createGain();
  gain.gain.setValueAtTime(0.12, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  gain.connect(sounding.destination);
  for (const part of [1, 2.76]) {
    const tone = sounding.createOscillator();
    tone.frequency.value = pitch * part;
    tone.connect(gain);
    tone.start(at);
    tone.stop(at + seconds);
  }
}
