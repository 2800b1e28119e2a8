// What the worker stores in this browser, for Python: see `Shelf` in server/offline/store.py. Everything is JSON.

const NAME = "lastspike";
const STEPS = "steps";
const TABLES = "tables";
const VALUES = "values";

/** The browser's storage; where it has none for us, such as in some private windows, only memory. */
export async function openShelf() {
  try {
    return new Shelf(await opened());
  } catch {
    return new MemoryShelf();
  }
}

/** @returns {Promise<IDBDatabase>} */
function opened() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    for (const store of [STEPS, TABLES, VALUES]) request.result.createObjectStore(store);
  };
  return done(request);
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

class Shelf {
  /** @param {IDBDatabase} database */
  constructor(database) {
    this.database = database;
    this.temporary = false;
  }

  /** @param {string} store @param {IDBKeyRange | null} [range] */
  async list(store, range = null) {
    const found = await done(this.database.transaction(store).objectStore(store).getAll(range));
    return `[${found.join(",")}]`;
  }

  tables() {
    return this.list(TABLES);
  }

  /** @param {string} table */
  steps(table) {
    return this.list(STEPS, IDBKeyRange.bound([table, 0], [table, Infinity]));
  }

  /** @param {string} table @param {number} number @param {string} step @param {string} entry @returns {Promise<boolean>} */
  append(table, number, step, entry) {
    return this.write([STEPS, TABLES], (stores) => {
      stores[0].add(step, [table, number]); // which fails if there is one
      stores[1].put(entry, table);
    }).catch((error) => {
      if (error?.name === "ConstraintError") return false;
      throw error;
    });
  }

  /** @param {string} key */
  async value(key) {
    return (await done(this.database.transaction(VALUES).objectStore(VALUES).get(key))) ?? "";
  }

  /** @param {string} key @param {string} value */
  async put(key, value) {
    await this.write([VALUES], ([values]) => values.put(value, key));
  }

  async clear() {
    await this.write([STEPS, TABLES, VALUES], (stores) => stores.forEach((store) => store.clear()));
  }

  /** All or nothing; true once it is on the disk. @param {string[]} names @param {(stores: IDBObjectStore[]) => void} change
   * @returns {Promise<boolean>} */
  write(names, change) {
    return new Promise((resolve, reject) => {
      const transaction = this.database.transaction(names, "readwrite", { durability: "strict" });
      transaction.oncomplete = () => resolve(true);
      transaction.onabort = () => reject(transaction.error ?? new Error("not saved"));
      change(names.map((name) => transaction.objectStore(name)));
    });
  }
}

/** The same, until the tab is closed. */
class MemoryShelf {
  constructor() {
    this.temporary = true;
    /** @type {Map<string, string[]>} */
    this.log = new Map();
    /** @type {Map<string, string>} */
    this.entries = new Map();
    /** @type {Map<string, string>} */
    this.values = new Map();
  }

  async tables() {
    return `[${[...this.entries.values()].join(",")}]`;
  }

  /** @param {string} table */
  async steps(table) {
    return `[${(this.log.get(table) ?? []).join(",")}]`;
  }

  /** @param {string} table @param {number} number @param {string} step @param {string} entry */
  async append(table, number, step, entry) {
    const steps = this.log.get(table) ?? [];
    if (number <= steps.length) return false;
    this.log.set(table, [...steps, step]);
    this.entries.set(table, entry);
    return true;
  }

  /** @param {string} key */
  async value(key) {
    return this.values.get(key) ?? "";
  }

  /** @param {string} key @param {string} value */
  async put(key, value) {
    this.values.set(key, value);
  }

  async clear() {
    for (const each of [this.log, this.entries, this.values]) each.clear();
  }
}
