// Reads chess databases, in a worker of its own: what other pages and programs import.

/**
 * @typedef {object} Base a base among files
 * @property {string} name the file that names it
 * @property {string} format short name of its format, as `si4`
 * @property {string} title the format's name for people
 * @property {string[]} files all its files
 *
 * @typedef {object} Found
 * @property {Base[]} bases
 * @property {{name: string, why: string}[]} others files that belong to none, and why
 *
 * @typedef {object} About
 * @property {string} name
 * @property {string} format
 * @property {string} title
 * @property {number} games
 * @property {boolean} growing whether there may be games that were not found yet
 * @property {number} position bytes of a text that were looked through
 * @property {number} size bytes of the text
 * @property {boolean} blank whether its games have neither names nor moves: it holds something else
 * @property {boolean} dumps whether `dump` has an answer
 * @property {string[]} warnings
 * @property {[string, string][]} facts
 * @property {number} [memory] bytes that the reader has
 *
 * @typedef {object} Query what games shall be like; each field as in the program's options
 * @property {string} [player] @property {string} [white] @property {string} [black]
 * @property {string} [event] @property {string} [site] @property {string} [date]
 * @property {string} [eco] @property {string} [elo] @property {string} [result]
 * @property {string} [length] @property {string} [moves] @property {string} [tag]
 * @property {string} [position] the first fields of a FEN, or all
 * @property {boolean} [inVariations] look for the position in variations too
 * @property {boolean} [annotated] @property {boolean} [deleted]
 *
 * @typedef {object} Searched
 * @property {boolean} done
 * @property {number} looked games that were looked at
 * @property {number} found
 * @property {{field: string, why: string}} [wrong] a field that cannot be read
 *
 * @typedef {[number, string[], boolean]} Row number from 1; White, WhiteElo, Black, BlackElo, Result,
 * Date, ECO, Event, Site, Round; whether it is marked as deleted
 *
 * @typedef {{san: string, from: string, to: string, fen: string, number: string}
 *   | {nag: number} | {comment: string} | {begins: boolean}} Token
 *
 * @typedef {object} Game
 * @property {number} number
 * @property {[string, string][]} tags
 * @property {string} fen the position it begins with
 * @property {Token[]} line in the order of PGN
 * @property {string | null} damage why it did not read to its end
 * @property {string[]} warnings
 *
 * @typedef {object} Field some bytes of a game
 * @property {string} file extension of the file
 * @property {number} offset
 * @property {number[]} bytes
 * @property {string} name as in the format's description
 * @property {string} value
 *
 * @typedef {object} Checked
 * @property {boolean} done
 * @property {number} looked
 * @property {number} damaged
 * @property {number} odd
 * @property {{number: number | null, kind: "damage" | "deviation" | "stale", text: string}[]} findings
 *
 * @typedef {object} Exported
 * @property {number} done
 * @property {number} total
 * @property {{name: string, file: Blob}[]} files
 * @property {Record<string, number>} losses what the format could not hold, by kind
 * @property {number} damaged
 * @property {number} refused
 */

/** A reader of chess databases. One base is open at a time. */
export class Reader {
  /** @type {Worker} */
  #worker;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void, tell?: (value: any) => void}>} */
  #waiting = new Map();
  #next = 1;

  /** @param {URL | string} [worker] where worker.js is, if not beside this module */
  constructor(worker = new URL("./worker.js", import.meta.url)) {
    this.#worker = new Worker(worker, { type: "module" });
    this.#worker.onmessage = ({ data }) => {
      const call = this.#waiting.get(data.id);
      if (!call) return;
      if ("progress" in data) {
        call.tell?.(data.progress);
        return;
      }
      this.#waiting.delete(data.id);
      if ("error" in data) call.reject(Object.assign(new Error(data.error), { broken: data.broken }));
      else call.resolve(data.value);
    };
    this.#worker.onerror = (event) => {
      const error = new Error(event.message || "the reader could not be loaded");
      for (const call of this.#waiting.values()) call.reject(error);
      this.#waiting.clear();
    };
  }

  /**
   * @param {string} call
   * @param {any[]} args
   * @param {(value: any) => void} [tell]
   * @returns {Promise<any>}
   */
  #call(call, args = [], tell) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, tell });
      this.#worker.postMessage({ id, call, args });
    });
  }

  /**
   * Takes files, which replace those before, and tells which bases they are.
   * @param {{name: string, file: Blob}[]} files with the folders they were in, as `disk/base.cbf`
   * @param {{join?: boolean}} [how] `join`: files from before stay where they belong to a base with some
   * of these
   * @returns {Promise<Found>}
   */
  bases(files, { join = false } = {}) {
    return this.#call("bases", [files, join]);
  }

  /**
   * Opens one of the bases.
   * @param {string} name
   * @param {{encoding?: string, password?: string}} [options]
   * @returns {Promise<About>}
   */
  open(name, { encoding, password } = {}) {
    return this.#call("open", [name, encoding, password]);
  }

  /**
   * Looks for all games of a text; other bases have theirs at once.
   * @param {(about: About) => void} [tell]
   * @returns {Promise<About>}
   */
  grow(tell) {
    return this.#call("grow", [], tell);
  }

  /** @returns {Promise<About>} */
  about() {
    return this.#call("about");
  }

  /**
   * Chooses games. What `rows` gives are those from then on. A newer search ends an older one, which
   * then gives `null`.
   * @param {Query} query
   * @param {string} [sort] a column, `-` before it for the greatest first
   * @param {(found: Searched) => void} [tell]
   * @returns {Promise<Searched | null>}
   */
  search(query, sort = "", tell) {
    return this.#call("search", [query, sort], tell);
  }

  /**
   * Sorts what was found; an empty text puts it in the order of the base.
   * @param {string} by
   * @returns {Promise<void>}
   */
  sort(by) {
    return this.#call("sort", [by]);
  }

  /**
   * @param {number} first from 0
   * @param {number} count
   * @returns {Promise<Row[]>}
   */
  rows(first, count) {
    return this.#call("rows", [first, count]);
  }

  /**
   * The row of a game.
   * @param {number} number
   * @returns {Promise<number | undefined>}
   */
  place(number) {
    return this.#call("place", [number]);
  }

  /**
   * @param {number} number from 1
   * @returns {Promise<Game>}
   */
  game(number) {
    return this.#call("game", [number]);
  }

  /**
   * @param {number} number
   * @returns {Promise<string>}
   */
  pgn(number) {
    return this.#call("pgn", [number]);
  }

  /**
   * Every byte of a game by field.
   * @param {number} number
   * @returns {Promise<{fields: Field[], damage: string | null}>}
   */
  dump(number) {
    return this.#call("dump", [number]);
  }

  /**
   * Looks for damage in all games.
   * @param {(checked: Checked) => void} [tell]
   * @returns {Promise<Checked | null>} `null` if a newer check began, or it was stopped
   */
  check(tell) {
    return this.#call("check", [], tell);
  }

  /**
   * Writes games as files to download.
   * @param {"pgn" | "jsonl" | "csv" | "si4"} format
   * @param {string} name of the files, without extension
   * @param {number[]} [numbers] of games; without any, all rows
   * @param {(exported: Exported) => void} [tell]
   * @returns {Promise<Exported | null>} `null` if it was stopped
   */
  export(format, name, numbers = [], tell) {
    return this.#call("export", [format, name, numbers], tell);
  }

  /**
   * Ends what takes long.
   * @param {"grow" | "search" | "check" | "export"} kind
   * @returns {Promise<void>}
   */
  stop(kind) {
    return this.#call("stop", [kind]);
  }

  /**
   * The position after a move such as `e2e4`; `null` if it is not legal.
   * @param {string} fen
   * @param {string} move
   * @returns {Promise<{fen: string, san: string} | null>}
   */
  play(fen, move) {
    return this.#call("play", [fen, move]);
  }

  /**
   * What is wrong with a position to search.
   * @param {string} fen
   * @returns {Promise<string | null>}
   */
  fault(fen) {
    return this.#call("fault", [fen]);
  }

  /** Ends the worker. */
  close() {
    this.#worker.terminate();
    for (const call of this.#waiting.values()) call.reject(new Error("the reader was closed"));
    this.#waiting.clear();
  }
}
