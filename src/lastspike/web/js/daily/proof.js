// The proof of a past day's deal: its link is hashed back to the anchor, and the tiles are dealt again.

import { Figures } from "../game/figures.js";
import { levelName } from "../game/levels.js";
import { get } from "../lib/api.js";
import { fromHex } from "../lib/bytes.js";
import { sha256 } from "../lib/sha256.js";
import { button, el, fill, pageLink } from "../lib/ui/dom.js";
import { count, dayOf, say } from "../lib/words.js";
import { verifyShuffle } from "../review/verify-shuffle.js";
import { sharedTold } from "./scores.js";

/** @typedef {{day: string, number: number, chain: {anchor: string, first: string, public: boolean, followed: string | null}, link: string,
 *   edition: string, levels: (string | null)[]}} Proof */

/** Hash a link once for each day of the chain up to it. @param {Proof} proof */
export async function anchorOf({ link, number }) {
  let value = link;
  for (let day = 0; day < number; day++) value = await sha256(fromHex(value));
  return value;
}

/** @param {HTMLElement} element @param {{go: (path: string) => void}} page @param {string} day */
export async function showProof(element, page, day) {
  /** @type {Proof} */
  const proof = await get(`api/daily/proof/${day}`);
  const figures = new Figures(await get(`api/editions/${proof.edition}`));
  const anchor = await anchorOf(proof);
  const holds = anchor === proof.chain.anchor;
  const nothing = { first: 0, hands: proof.levels.map(() => []), pool: [], aside: [] };
  const shuffle = { commitment: await sha256(fromHex(proof.link)), seed: proof.link, contributions: [] };
  const dealt = await verifyShuffle({ shuffle, deal: nothing }, figures);
  const names = proof.levels.map((level, seat) => (level ? say("{level} {number}", { level: levelName(level), number: seat }) : say("You")));
  fill(
    element,
    el("header", {}, pageLink("daily", page.go, { class: "back", "data-key": "back" }, el("span", { "aria-hidden": "true" }, "←"), " ", say("Daily Deal")), el("h1", {}, say("The deal for {day}", { day: dayOf(proof.day) }))),
    el("p", { class: holds ? "verdict good" : "verdict bad", role: "status" }, holds ? say("✓ This deal was set before anybody played it.") : say("✗ This deal’s link doesn’t belong to the chain.")),
    el(
      "ol",
      { class: "card proof" },
      step(say("The chain begins with its anchor, which is public."), [[say("Anchor"), proof.chain.anchor]]),
      step(say("When the day was over, the server published that day’s link."), [[say("Link"), proof.link]]),
      step(count("Your browser hashed the link {n} time, once for each day of the chain up to this one.", "Your browser hashed the link {n} times, once for each day of the chain up to this one.", proof.number), [[say("Computed here"), anchor]]),
      step(say("The previous day’s link is the fingerprint of this one. It was public while people played."), [[say("Fingerprint"), shuffle.commitment]]),
      step(say("The link determines every shuffle. It deals these tiles:"), [
        [say("Goes first"), names[dealt.first]],
        ...dealt.hands.map((hand, seat) => [names[seat], hand.join(" ")]),
        [say("Pool"), dealt.pool.join(" ")],
      ]),
    ),
    el("p", { class: "why" }, proof.chain.followed ? sharedTold(proof.chain.followed) : proof.chain.public ? say("This is the public chain that ships with the game. Anybody can compute its deals in advance, so it has no leaderboards.") : say("Whoever runs this server holds the end of the chain and can compute its deals in advance. Nobody else can, and nobody can change them.")),
    el("div", { class: "acts" }, button(say("Daily Deal"), () => page.go("daily"), { "data-key": "daily" })),
  );
}

/** @param {string} told @param {string[][]} facts */
function step(told, facts) {
  return el("li", {}, el("p", {}, told), el("dl", { class: "facts" }, facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, el("code", {}, value))))));
}
