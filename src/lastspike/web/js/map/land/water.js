// Rivers and the coast. A river crosses a route at its bridges and nowhere else.

import { svg } from "../../lib/ui/dom.js";
import { BEYOND, HEIGHT, WIDTH } from "../layout.js";

/** @typedef {import("../layout.js").Point} Point */
/** @typedef {import("../layout.js").Space} Space */
/** One bank of a bridge, and which way the river leaves it; `out` if nothing of the network lies that way.
 * @typedef {{bridge: number, at: Point, way: Point, out: boolean, next: Bank | null}} Bank */
/** `through`: it comes from beyond the network and leaves it again. @typedef {{points: Point[], tiles: string[], through: boolean}} Course */

/** How far a bank is from the middle of its bridge. */
const BANK = 20;
/** Rivers turn no more sharply than this, as a cosine. */
const BEND = 0.4;
const FAR = 2000;

/** The middles of all rivers, from where they rise to where they end.
 * @param {Space[]} spaces @param {[Point, Point][]} routes from city to city @param {() => number} random @returns {Course[]} */
export function coursesOf(spaces, routes, random) {
  const bridges = spaces.filter(({ terrain }) => terrain === "bridge");
  const free = (/** @type {Point} */ from, /** @type {Point} */ to) => !routes.some(([one, other]) => crosses(from, to, one, other));
  const banks = bridges.flatMap(({ at, angle }, bridge) =>
    [1, -1].map((side) => {
      const way = { x: -Math.sin(angle * RAD) * side, y: Math.cos(angle * RAD) * side };
      const bank = along(at, way, BANK);
      return /** @type {Bank} */ ({ bridge, at: bank, way, out: free(bank, along(bank, way, FAR)), next: null });
    }),
  );
  join(banks.filter(({ out }) => !out), free);

  /** @type {Course[]} */
  const courses = [];
  const done = new Set();
  const ends = banks.filter(({ next }) => !next);
  const chains = [...ends.filter(({ out }) => out), ...ends.filter(({ out }) => !out)].flatMap((end) => {
    if (done.has(end.bridge)) return [];
    const chain = chainFrom(end, banks);
    for (const { bridge } of chain) done.add(bridge);
    return [chain];
  });
  // Those that run through first: others join them.
  const through = (/** @type {Bank[]} */ chain) => chain[0].out && chain[chain.length - 1].out;
  const rank = (/** @type {Bank[]} */ chain) => (through(chain) ? 0 : 1);
  for (const chain of chains.sort((one, other) => rank(one) - rank(other))) {
    courses.push({ ...courseOf(chain, bridges, courses.filter((each) => each.through), free, random), through: through(chain) });
  }
  return courses;
}

/** Pair banks that face each other, the straightest and shortest ways first. @param {Bank[]} banks @param {(from: Point, to: Point) => boolean} free */
function join(banks, free) {
  const pairs = banks.flatMap((one, n) =>
    banks.slice(n + 1).flatMap((other) => {
      const far = distance(one.at, other.at);
      const way = { x: (other.at.x - one.at.x) / far, y: (other.at.y - one.at.y) / far };
      const [leaves, comes] = [dot(way, one.way), -dot(way, other.way)];
      const can = one.bridge !== other.bridge && leaves > BEND && comes > BEND && free(one.at, other.at);
      return can ? [{ one, other, cost: far * (2.3 - leaves - comes) }] : [];
    }),
  );
  for (const { one, other } of pairs.sort((a, b) => a.cost - b.cost)) {
    if (one.next || other.next) continue;
    one.next = other;
    other.next = one;
  }
}

/** The banks along one river, from one of its ends. @param {Bank} end @param {Bank[]} banks */
function chainFrom(end, banks) {
  const chain = [end];
  for (let here = /** @type {Bank | null} */ (end); here; ) {
    const { bridge } = here;
    const across = /** @type {Bank} */ (banks.find((bank) => bank.bridge === bridge && !chain.includes(bank)));
    chain.push(across);
    here = across.next && !chain.includes(across.next) ? across.next : null;
    if (here) chain.push(here);
  }
  return chain;
}

/** @param {Bank[]} chain @param {Space[]} bridges @param {Course[]} others @param {(from: Point, to: Point) => boolean} free @param {() => number} random */
function courseOf(chain, bridges, others, free, random) {
  const [first, last] = [chain[0], chain[chain.length - 1]];
  const inner = chain.flatMap((bank, n) => {
    const before = chain[n - 1];
    if (!before) return [bank.at];
    return before.bridge === bank.bridge ? [bridges[bank.bridge].at, bank.at] : [...bends(before.at, bank.at, random), bank.at];
  });
  const tiles = [...new Set(chain.map(({ bridge }) => bridges[bridge].tile))];
  const [head, mouth] = [first.out ? outward(first, random) : inward(first, others, free, random), last.out ? outward(last, random) : inward(last, others, free, random)];
  const points = [...[...head.points].reverse(), ...inner, ...mouth.points];
  // From its spring to its mouth: from north to south where it runs through.
  const falls = mouth.joins || (!head.joins && (!first.out || (last.out && points[0].y < points[points.length - 1].y)));
  return { points: falls ? points : points.reverse(), tiles };
}

/** On to the edge of the land. @param {Bank} bank @param {() => number} random */
function outward({ at, way }, random) {
  const end = way.y < 0 ? -BEYOND.y : HEIGHT + BEYOND.y;
  const near = along(at, way, 42);
  const steps = 7;
  const points = Array.from({ length: steps }, (_, n) => ({ x: near.x + way.x * 34 * Math.sqrt(n + 1) + (random() - 0.5) * 44, y: near.y + ((end - near.y) * (n + 1)) / steps }));
  return { points: [near, ...points], joins: false };
}

/** To a river near by, or else to its springs. @param {Bank} bank @param {Course[]} others @param {(from: Point, to: Point) => boolean} free @param {() => number} random */
function inward({ at, way }, others, free, random) {
  const [to] = others
    .flatMap(({ points }) => points)
    .filter((point) => distance(at, point) < 190 && dot({ x: point.x - at.x, y: point.y - at.y }, way) > 0.5 * distance(at, point) && free(at, point))
    .sort((one, other) => distance(at, one) - distance(at, other));
  if (to) return { points: [...bends(at, to, random), to], joins: true };
  const turn = (random() - 0.5) * 1.1;
  const points = [1, 2].map((n) => {
    const [sin, cos] = [Math.sin(turn * n * 0.5), Math.cos(turn * n * 0.5)];
    return along(at, { x: way.x * cos - way.y * sin, y: way.x * sin + way.y * cos }, 24 * n);
  });
  return { points: points.filter((point) => free(at, point)), joins: false };
}

/** Bends on the way between two points. @param {Point} from @param {Point} to @param {() => number} random */
function bends(from, to, random) {
  const far = distance(from, to);
  const many = Math.max(1, Math.round(far / 38)) - 1;
  const aside = { x: (from.y - to.y) / far, y: (to.x - from.x) / far };
  return Array.from({ length: many }, (_, n) => {
    const part = (n + 1) / (many + 1);
    const sway = (n % 2 ? 1 : -1) * (4 + random() * 8);
    return { x: from.x + (to.x - from.x) * part + aside.x * sway, y: from.y + (to.y - from.y) * part + aside.y * sway };
  });
}

/** A river grows from its springs to its mouth. @param {Course[]} courses */
export function drawRivers(courses) {
  return svg(
    "g",
    { class: "rivers" },
    courses.map(({ points }) => {
      const line = smooth(points);
      let far = 0;
      const banks = line.map((point, n) => {
        const [before, after] = [line[Math.max(0, n - 1)], line[Math.min(line.length - 1, n + 1)]];
        if (n) far += distance(before, point);
        const long = distance(before, after) || 1;
        const half = Math.min(3.1, 0.9 + far * 0.005);
        return { x: ((before.y - after.y) / long) * half, y: ((after.x - before.x) / long) * half };
      });
      const side = (/** @type {number} */ sign) => line.map(({ x, y }, n) => `${round(x + sign * banks[n].x)} ${round(y + sign * banks[n].y)}`);
      return svg("path", { class: "river", d: `M${side(1).join("L")}L${side(-1).reverse().join("L")}z` });
    }),
  );
}

/** The sea beyond the westernmost city, with the lines that engravers draw along a coast. @param {Point} city @param {() => number} random */
export function drawSea(city, random) {
  const shape = [[-130, -300], [-92, -150], [-60, -40], [-64, 40], [-48, 110], [-58, 160], [-50, city.y - 40], [-62, city.y], [-52, city.y + 40], [-34, city.y + 78], [-12, city.y + 122], [18, city.y + 172], [34, HEIGHT], [70, HEIGHT + 60], [160, HEIGHT + BEYOND.y]];
  const coast = shape.map(([x, y]) => ({ x: city.x + x + (random() - 0.5) * 9, y: y + (random() - 0.5) * 9 }));
  const line = smooth(coast);
  const d = (/** @type {number} */ aside) => `M${line.map(({ x, y }) => `${round(x - aside)} ${round(y + aside * 0.45)}`).join("L")}`;
  return svg(
    "g",
    { class: "sea" },
    svg("path", { class: "deep", d: `${d(0)}L${-WIDTH * 3} ${HEIGHT + BEYOND.y}L${-WIDTH * 3} ${-BEYOND.y}z` }),
    [3.5, 8, 13.5, 20, 28, 38].map((aside, n) => svg("path", { class: "swell", d: d(aside), opacity: 0.62 - n * 0.09 })),
    svg("path", { class: "shore", d: d(0) }),
  );
}

const RAD = Math.PI / 180;

/** A smooth line through points, by Catmull and Rom. @param {Point[]} points */
export function smooth(points) {
  const all = [points[0]];
  for (let i = 0; i < points.length - 1; i++) {
    const [before, from, to, after] = [points[Math.max(0, i - 1)], points[i], points[i + 1], points[Math.min(points.length - 1, i + 2)]];
    const many = Math.max(2, Math.round(distance(from, to) / 7));
    for (let n = 1; n <= many; n++) {
      const t = n / many;
      const at = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ c, /** @type {number} */ e) => 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - e) * t * t + (3 * b - 3 * c + e - a) * t * t * t);
      all.push({ x: at(before.x, from.x, to.x, after.x), y: at(before.y, from.y, to.y, after.y) });
    }
  }
  return all;
}

/** @param {Point} from @param {Point} way @param {number} far */
function along(from, way, far) {
  return { x: from.x + way.x * far, y: from.y + way.y * far };
}

/** @param {Point} one @param {Point} other */
function dot(one, other) {
  return one.x * other.x + one.y * other.y;
}

/** @param {Point} one @param {Point} other */
export function distance(one, other) {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

/** Whether two stretches cross. @param {Point} a @param {Point} b @param {Point} c @param {Point} e */
function crosses(a, b, c, e) {
  const side = (/** @type {Point} */ p, /** @type {Point} */ q, /** @type {Point} */ r) => (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
  return side(a, b, c) * side(a, b, e) < 0 && side(c, e, a) * side(c, e, b) < 0;
}

/** @param {number} value */
export function round(value) {
  return Math.round(value * 10) / 10;
}
