// An edition being corrected: its figures, and the owner's corrections.

/** @typedef {import("../game/figures.js").Edition} Edition */
/** @typedef {"yours" | "printed" | "reconstructed"} Source */

export class Draft {
  /** @param {Edition} base @param {Record<string, unknown>} [mine] values by dotted paths, such as
   * `routes.A.costs.3`: places count from 1 */
  constructor(base, mine = {}) {
    this.base = base;
    this.mine = { ...mine };
  }

  /** @param {string} path */
  value(path) {
    return path in this.mine ? this.mine[path] : figureAt(this.base, path);
  }

  /** @param {string} path @returns {Source} */
  source(path) {
    if (path in this.mine) return "yours";
    return isPrinted(this.base, path) ? "printed" : "reconstructed";
  }

  /** @param {string} path @param {unknown} value */
  set(path, value) {
    if (value === figureAt(this.base, path)) delete this.mine[path];
    else this.mine[path] = value;
  }

  /** The owner's copy says so, too. @param {string[]} paths */
  confirm(paths) {
    for (const path of paths) {
      if (this.source(path) === "reconstructed") this.mine[path] = figureAt(this.base, path);
    }
  }

  /** @param {string} path */
  undo(path) {
    delete this.mine[path];
  }

  /** Whether the value is another one than it was. @param {string} path */
  changed(path) {
    return path in this.mine && this.mine[path] !== figureAt(this.base, path);
  }

  /** The whole edition; what is the owner's counts as printed, since their copy is.
   * @param {{id: string, name: string}} [called] @returns {Edition} */
  figures(called = this.base) {
    const made = structuredClone(this.base);
    Object.assign(made, { id: called.id, name: called.name });
    for (const [path, value] of Object.entries(this.mine)) put(made, path, value);
    made.printed = this.base.printed.filter((stated) => stillStands(made, stated));
    made.printed.push(...Object.keys(this.mine).filter((path) => !isPrinted(made, path)));
    return made;
  }
}

/** The figure at a path; tiles that nobody puts aside are none. @param {Edition} edition @param {string} path */
export function figureAt(edition, path) {
  const { within, key } = place(edition, path);
  return within?.[key] ?? (path.startsWith("set_aside.") ? 0 : undefined);
}

/** @param {Edition} edition @param {string} path @param {unknown} value */
function put(edition, path, value) {
  const { within, key } = place(edition, path);
  within[key] = value;
}

/** @param {Edition} edition @param {string} path @returns {{within: any, key: string | number}} */
function place(edition, path) {
  const steps = path.split(".");
  const last = /** @type {string} */ (steps.pop());
  /** @type {any} */
  let within = edition;
  for (const step of steps) {
    within = Array.isArray(within) ? within.find((each) => each?.code === step || each?.letter === step) : within?.[step];
  }
  return { within, key: Array.isArray(within) ? Number(last) - 1 : last };
}

/** Whether a rulebook states a figure, by itself or as part of a whole; `cities.DEN.land=2000` states a
 * value and not its place. @param {Edition} edition @param {string} path */
export function isPrinted(edition, path) {
  const whole = path.slice(0, Math.max(0, path.lastIndexOf(".")));
  const value = `${whole}=${figureAt(edition, path)}`;
  return edition.printed.some((stated) => stated === path || path.startsWith(`${stated}.`) || (whole !== "" && stated === value));
}

/** A stated value that stands nowhere any more is not stated. @param {Edition} edition @param {string} stated */
function stillStands(edition, stated) {
  const [path, value] = stated.split("=");
  if (value === undefined) return true;
  const { within, key } = place(edition, path);
  return Array.isArray(within?.[key]) && within[key].map(String).includes(value);
}
