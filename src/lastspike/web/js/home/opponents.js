// Whom "Play now" is against: how many computers, and one level for all of them or one for each.

import { levelChoices } from "../game/levels.js";
import { change, settings } from "../lib/settings.js";
import { choice } from "../lib/ui/choice.js";
import { el, fill } from "../lib/ui/dom.js";
import { count, say } from "../lib/words.js";

const MOST = 5;
/** The choice of a level for each opponent. */
const EACH = "each";

/** The level of every opponent. @returns {string[]} */
export function opponentLevels() {
  const { opponents, level, levels } = settings;
  return Array.from({ length: opponents }, (_, n) => levels[n] ?? level);
}

/** What is chosen is remembered. */
export function opponentChoices() {
  const each = el("div", { class: "against each-level", role: "group", "aria-label": say("Level of each opponent") });
  const draw = () => {
    each.hidden = !settings.levels.length;
    fill(each, ...(each.hidden ? [] : opponentLevels()).map((value, n) => choice({ id: `level-${n + 1}`, title: say("Opponent {number}", { number: n + 1 }), value, values: levelChoices(), onchange: (chosen) => set(n, chosen) }).row));
  };
  /** Those who don't play now keep their levels, for when there are more again. @param {number} n @param {string} level */
  const set = (n, level) => change({ levels: settings.levels.map((old, place) => (place === n ? level : old)) });
  const opponents = choice({
    id: "opponents",
    title: say("Opponents"),
    value: settings.opponents,
    values: Array.from({ length: MOST }, (_, n) => [n + 1, count("{n} computer", "{n} computers", n + 1)]),
    onchange: (n) => {
      change({ opponents: Number(n) });
      draw();
    },
  });
  const level = choice({
    id: "level",
    title: say("Level"),
    value: settings.levels.length ? EACH : settings.level,
    values: [...levelChoices(), [EACH, say("Choose for each…")]],
    onchange: (value) => {
      change(value === EACH ? { levels: Array(MOST).fill(settings.level) } : { level: value, levels: [] });
      draw();
    },
  });
  draw();
  return [el("div", { class: "against" }, opponents.row, level.row), each];
}
