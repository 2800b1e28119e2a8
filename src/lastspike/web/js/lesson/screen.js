// The screen of the lesson: a table with a prepared game, and a coach.
// The learner moves for one seat; the others move by themselves.

import { showError } from "../game/errors.js";
import { get } from "../lib/api.js";
import { loadStylesheet } from "../lib/stylesheet.js";
import { lessMotion, settings } from "../lib/settings.js";
import { openDialog } from "../lib/ui/dialog.js";
import { button, el } from "../lib/ui/dom.js";
import { say, sentences, spoken } from "../lib/words.js";
import { TableScreen } from "../table/screen.js";
import { Coach } from "./coach.js";
import { firstWords, forNow } from "./first-lesson.js";
import { LessonConnection, NotNow } from "./lesson-connection.js";
import { keepProgress, progress } from "./progress.js";

const LEARNER = 0;
/** How long a sentence stands that needs no answer: a moment, and time to read it. */
const MOMENT_MS = 1200;
const LETTER_MS = 35;
const SIGN_MS = 80;

export class Screen extends TableScreen {
  /** @param {{go: (path: string) => void}} page */
  constructor(page) {
    super("", { ...page, begin: false, connect: (listeners) => new LessonConnection(listeners) });
    this.model.connection = "open";
    /** What is being said while nothing is asked of the learner. @type {string | null} */
    this.aside = null;
    /** What is said instead, after a try that leads elsewhere, and when that was. */
    this.instead = { text: "", at: "" };
    this.resumed = false;
    this.timer = 0;
    this.coach = new Coach({ goOn: () => this.goOn(), again: () => this.again() });
    this.element.classList.add("lesson");
    void this.start();
  }

  /** The coach decides when the next turn comes. */
  get paced() {
    return false;
  }

  get lesson() {
    return /** @type {LessonConnection} */ (this.connection);
  }

  get words() {
    return firstWords(this.teller());
  }

  async start() {
    try {
      const [lesson] = await Promise.all([get("api/lessons/first"), loadStylesheet("lesson.css")]);
      const made = Math.min(progress().made, lesson.turns.length - 1);
      this.resumed = made > 0;
      await this.receive(this.lesson.begin(lesson, made));
      if (!made) this.remark(this.words.begin);
      else this.next();
    } catch (error) {
      showError(error);
    }
  }

  close() {
    window.clearTimeout(this.timer);
    this.coach.close();
    super.close();
  }

  build() {
    const parts = super.build();
    this.coach.stand(parts.tray);
    return parts;
  }

  /** @param {any} message */
  async receive(message) {
    if (message.table) {
      const [mine, ...others] = message.table.seats;
      const seats = [{ ...mine, name: settings.name || say("Newcomer") }, ...others];
      const options = { ...message.table.settings, aids: false };
      message = { ...message, table: { ...message.table, seats, settings: options } };
    }
    await super.receive(message);
    if (message.type === "news") this.turned();
  }

  /** A turn has been made. */
  turned() {
    const { made, turns } = this.lesson;
    keepProgress(made < turns.length ? made : 0);
    if (this.model.over) return;
    const turn = turns[made - 1];
    const word = this.words.after[made];
    const mine = turn.seat === LEARNER;
    if (word) this.remark(word);
    else if (!mine) this.remark(sentences(this.teller().tell(this.model.turns[made - 1].events)), true);
    else if (lessMotion()) this.next();
    else this.remark(say("Now the others…"), true);
  }

  /** Say something that needs no move. @param {string} text @param {boolean} [passing] */
  remark(text, passing = false) {
    window.clearTimeout(this.timer);
    this.aside = text;
    this.coachNow();
    if (!passing || lessMotion()) return; // whoever wants less motion says when to go on
    const ms = MOMENT_MS + text.length * (spoken() === "ja" ? SIGN_MS : LETTER_MS);
    this.timer = window.setTimeout(() => this.goOn(), ms);
  }

  goOn() {
    window.clearTimeout(this.timer);
    if (this.aside === null) return;
    this.aside = null;
    this.next();
  }

  /** The others' turns are made one by one; one's own waits for the learner. */
  next() {
    if (this.lesson.due?.seat === LEARNER) this.coachNow();
    else this.lesson.advance();
  }

  again() {
    keepProgress(0);
    this.page.go("lesson");
  }

  update() {
    super.update();
    this.coachNow();
  }

  coachNow() {
    const { lesson, parts, model } = this;
    if (!parts || !model.view || model.over) return;
    const { moves } = parts.composer;
    if (moves.length) {
      // Who moves has heard enough.
      window.clearTimeout(this.timer);
      this.aside = null;
      this.resumed = false;
    }
    const at = `${lesson.made}/${moves.length}`;
    const due = lesson.due?.seat === LEARNER && this.aside === null ? lesson.due : null;
    const next = due?.moves[moves.length];
    const told = due ? this.words.turns[lesson.made + 1][moves.length] : (this.aside ?? "");
    this.coach.show({
      text: due && this.instead.at === at ? this.instead.text : told,
      marks: due ? marksOf(next) : this.happened(),
      goOn: !due && this.aside !== null,
      again: Boolean(due) && this.resumed,
      done: (lesson.made + moves.length / 5) / lesson.turns.length,
    });
  }

  /** What the turn just made was about: the cities in which somebody got land or the learner money. */
  happened() {
    const events = this.model.turns.at(-1)?.events ?? [];
    if (!events.length) return [".city.tip .ring:first-child"];
    return events
      .filter((event) => event.event === "grant_taken" || (event.event === "payout" && event.seat === LEARNER))
      .map((event) => `.city[data-city="${event.city}"] .ring:first-child`);
  }

  /** @param {Error} error */
  failed(error) {
    if (!(error instanceof NotNow)) return super.failed(error);
    const { due, made } = this.lesson;
    const { moves } = /** @type {NonNullable<typeof this.parts>} */ (this.parts).composer;
    this.aside = null;
    error.message = forNow(due?.moves[moves.length], this.teller());
    this.instead = { text: error.message, at: `${made}/${moves.length}` };
    this.coachNow();
  }

  shortcuts() {
    return [{ keys: "Enter", told: () => say("Continue"), act: () => this.goOn() }, ...super.shortcuts()];
  }

  /** There is nobody to chat with. @param {string} key @param {boolean} [enter] */
  openTab(key, enter = false) {
    if (key !== "chat") super.openTab(key, enter);
  }

  async menu() {
    const close = openDialog(say("Learn by playing"), [
      el(
        "div",
        { class: "menu" },
        el("p", {}, say("You can leave at any time. The lesson picks up here when you come back.")),
        button(say("Start over"), () => {
          close();
          this.again();
        }, { "data-key": "again" }),
        button(say("How to play"), () => {
          close();
          this.page.go("learn");
        }, { "data-key": "learn" }),
        button(say("Leave the lesson"), () => {
          close();
          this.page.go("");
        }, { "data-key": "leave" }),
      ),
    ]);
  }

  /** What comes after the lesson. */
  waysOn() {
    return el(
      "div",
      { class: "graduation" },
      el("p", { class: "lead" }, this.words.end),
      el(
        "div",
        { class: "acts" },
        button(say("Play a real game"), () => this.page.go("?play"), { class: "main", "data-key": "play" }),
        button(say("Start over"), () => this.again(), { "data-key": "again" }),
        button(say("Home"), () => this.page.go(""), { "data-key": "home" }),
      ),
    );
  }
}

/** Where the next move is made: in the tray first, then on the map.
 * @param {string | undefined} move none: the turn is to be ended @returns {string[]} */
function marksOf(move) {
  if (!move) return ['[data-key="end-turn"]'];
  if (!/^[+-]/.test(move)) return [`[data-key="tile-${move}"]`, `.space[data-tile="${move}"] .mark`];
  const city = move.slice(1).replace(/\d$/, "");
  return [`[data-key="move-${move}"]`, `.city[data-city="${city}"] .ring:first-child`];
}
