// A game and its canonical line. (docs/model.md §4 and §5)

import { WHITE } from "./board.mjs";
import { rows } from "./tables.mjs";

/** The typed tags in the order of the canonical lines. // model §4.2 */
const ROSTER = { Event: "?", Site: "?", Date: "????.??.??", Round: "?", White: "?", Black: "?", Result: "*" };
const TYPED = [...Object.keys(ROSTER), "WhiteElo", "BlackElo", "ECO", "EventDate", "Deleted"];

export class Game {
  constructor() {
    this.typed = new Map();
    /** All other tags: pairs of name and value. */
    this.tags = [];
    this.fen = null;
    /** Moves, "$" and the number of a NAG, { comment }, "(" and ")". */
    this.line = [];
    /** What is wrong with the game: the first error counts. */
    this.error = undefined;
  }

  /** Sets a tag: typed tags in their place, all others in the order of the calls. */
  set(name, value) {
    if (TYPED.includes(name)) this.typed.set(name, value);
    else this.tags.push([name, value]);
  }

  has(name) {
    return this.typed.has(name);
  }

  fail(message) {
    this.error ??= message;
  }
}

function allTags(game) {
  const tags = [];
  for (const name of TYPED) {
    const value = game.typed.get(name) ?? ROSTER[name];
    if (value !== undefined) tags.push([name, value]);
  }
  return [...tags, ...game.tags];
}

/** The canonical line of a game, without its line feed. // model §5 */
export function canonicalLine(game) {
  // JSON.stringify escapes exactly what model §5 asks for: the texts hold no lone surrogates.
  const text = JSON.stringify({ tags: allTags(game), fen: game.fen, line: game.line });
  return game.error === undefined ? text : `{"error":${JSON.stringify(game.error)},"game":${text}}`;
}

/** The only line of a base that does not open. */
export function unopened(message) {
  const game = new Game();
  game.fail(message);
  return [game];
}

/** A base that does not open: `read` functions throw it. */
export class NoBase extends Error {}

const part = (value, digits) => (value ? String(value).padStart(digits, "0") : "?".repeat(digits));

/** A date; a part that is 0 is unknown. */
export function dateText(year, month, day) {
  return [part(year, 4), part(month, 2), part(day, 2)].join(".");
}

/** ECO code number `code` (A00 = 0, E99 = 499, F00 = 500). */
export function ecoText(code) {
  return "ABCDEF"[Math.floor(code / 100)] + String(code % 100).padStart(2, "0");
}

const VARIANTS = rows("variants");

/** Whether the value of a `Variant` tag names neither chess nor Chess960. // model §4.1 */
export function isOtherVariant(value) {
  const name = value.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  return !VARIANTS.some(([, how, known]) => name === known || (how === "begins" && name.startsWith(known) && /^\d+$/.test(name.slice(known.length))));
}

export const colourName = (colour) => (colour === WHITE ? "White" : "Black");
