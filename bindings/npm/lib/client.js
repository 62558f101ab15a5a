// The interface of the package: the same for Node and for browsers. Calls go to core.js.

/**
 * @typedef {(name: string, args: unknown[], tell?: (value: any) => void) => Promise<any>} Call
 */

/** A failure, with its place in the files where it is known. */
export class ScoresheetError extends Error {
  /** @param {string} message @param {object | null} [place] */
  constructor(message, place = null) {
    super(message);
    this.name = "ScoresheetError";
    this.place = place;
  }
}

/**
 * Converts a filter to the names and values of the program's options.
 * @param {Record<string, any>} [filter]
 * @returns {[string, string][]}
 */
export function named(filter = {}) {
  /** @type {[string, string][]} */
  const all = [];
  for (const [key, given] of Object.entries(filter)) {
    const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    for (const value of Array.isArray(given) ? given : [given]) {
      if (value === undefined || value === null) continue;
      all.push([name, typeof value === "boolean" ? (value ? "yes" : "no") : String(value)]);
    }
  }
  return all;
}

/** Tags of a game, as they are in the database. */
class Tagged {
  /** @param {any} one */
  constructor({ number, damage, warnings, deleted }) {
    /** From 1. */
    this.number = number;
    this.deleted = deleted;
    this.damage = damage ?? null;
    this.warnings = warnings;
    /** @type {[string, string][]} */
    this.tags = [];
  }

  /**
   * Returns the value of a tag, or `undefined`.
   * @param {string} name
   */
  tag(name) {
    return this.tags.find(([own]) => own === name)?.[1];
  }
}

/** The tags of a game, without its moves. */
export class Header extends Tagged {
  /** @param {any} one */
  constructor(one) {
    super(one);
    this.tags = one.tags;
  }
}

/** A game. */
export class Game extends Tagged {
  /** @param {any} one */
  constructor(one) {
    super(one);
    this.tags = one.game.tags;
    /** @type {string | null} */
    this.fen = one.game.fen;
    /** @type {(string | {comment: string})[]} */
    this.line = one.game.line;
    if (one.pgn !== undefined) this.pgn = one.pgn;
  }

  /** The moves of the main line in UCI notation; a null move is `0000`. */
  get moves() {
    const moves = [];
    let depth = 0;
    for (const token of this.line) {
      if (token === "(") depth++;
      else if (token === ")") depth--;
      else if (depth === 0 && typeof token === "string" && !token.startsWith("$")) moves.push(token);
    }
    return moves;
  }

  /** The canonical JSON of the game. */
  toJSON() {
    return { tags: this.tags, fen: this.fen, line: this.line };
  }
}

/** An open database. */
export class Base {
  #call;
  #id;

  /**
   * @param {Call} call
   * @param {number} id
   * @param {any} about
   */
  constructor(call, id, about) {
    this.#call = call;
    this.#id = id;
    this.name = about.name;
    this.format = about.format;
    this.title = about.title;
    this.length = about.games;
    this.isWhole = !about.growing;
    this.warnings = about.warnings;
    this.facts = about.facts;
    this.damage = about.broken;
  }

  /** @param {string} name @param {unknown[]} args @param {(value: any) => void} [tell] @returns {Promise<any>} */
  call(name, args, tell) {
    return this.#call(name, [this.#id, ...args], tell);
  }

  /** @param {Record<string, any> | undefined} filter @param {string} what */
  async *#walk(filter, what) {
    const walk = await this.call("walk", [named(filter)]);
    try {
      for (let done = false; !done; ) {
        const step = await this.#call("step", [walk, what]);
        yield* step.games;
        done = step.done;
      }
    } finally {
      await this.#call("end", [walk]);
    }
  }

  /** @param {Record<string, any>} [filter] @param {{pgn?: boolean}} [options] */
  async *games(filter, { pgn = false } = {}) {
    for await (const one of this.#walk(filter, pgn ? "pgn" : "games")) yield new Game(one);
  }

  [Symbol.asyncIterator]() {
    return this.games();
  }

  /** @param {Record<string, any>} [filter] */
  async *headers(filter) {
    for await (const one of this.#walk(filter, "headers")) yield new Header(one);
  }

  /** @param {number} number @param {{pgn?: boolean}} [options] */
  async game(number, { pgn = false } = {}) {
    return new Game(await this.call("one", [number, pgn ? "pgn" : "games"]));
  }

  /** @param {Record<string, any>} [filter] */
  count(filter) {
    return this.call("count", [named(filter)]);
  }

  /** @param {{onProgress?: (done: number, total: number) => void}} [options] */
  async check({ onProgress } = {}) {
    /** @type {any[]} */
    const findings = [];
    const { looked, damaged, odd } = await this.call("check", [], (value) => {
      findings.push(...value.findings);
      onProgress?.(value.looked, this.length);
    });
    return { games: looked, damaged, deviating: odd, findings };
  }

  close() {
    return this.call("close", []);
  }

  async [Symbol.asyncDispose ?? Symbol("Symbol.asyncDispose")]() {
    await this.close();
  }
}

/**
 * Returns the request of a conversion to a new database.
 * @param {Call} call
 * @param {string} path
 * @param {{format?: string, encoding?: string, formatOptions?: Record<string, string>}} options
 */
export async function request(call, path, { format, encoding, formatOptions = {} }) {
  const chosen = await call("outputFormat", [path, format]).catch((error) => {
    throw Object.assign(error, { code: "ERR_TARGET" });
  });
  const file = path.replace(/^.*[/\\]/, "");
  const name = file.replace(/\.[^.]*$/, "") || file;
  return { chosen, request: { format: chosen.name, name, encoding, options: Object.entries(formatOptions) } };
}

/**
 * Returns the functions of the package that do not depend on the environment.
 * @param {Call} call
 * @param {(given: any, options?: Record<string, any>) => Promise<any>} open
 */
export function functions(call, open) {
  return {
    /**
     * Converts a database to another format. Returns what was written and what was lost.
     * @param {any} from
     * @param {any} to
     * @param {Record<string, any>} [options]
     */
    async convert(from, to, options = {}) {
      const { read, ...rest } = options;
      const base = await open(from, read);
      try {
        return await base.convert(to, rest);
      } finally {
        await base.close();
      }
    },

    /** Returns the formats of this package. */
    async formats() {
      const all = await call("formats", []);
      return all.map(described);
    },

    /** Fails if a filter is invalid. @param {Record<string, any>} filter */
    validate: (filter) => call("filter", [named(filter)]),
  };
}

/**
 * Returns the settings with which a database is opened.
 * @param {{encoding?: string, password?: string, maxUnpacked?: number, first?: number, formatOptions?: Record<string, string>}} [options]
 */
export function settings({ encoding, password, maxUnpacked, first, formatOptions = {} } = {}) {
  return { encoding, password, maxUnpacked, first, options: Object.entries(formatOptions) };
}

/**
 * Returns the counts of a conversion.
 * @param {any} value
 * @param {number} read
 */
export function summary({ written, damaged, refused, lossy, losses }, read) {
  return { read, written, damaged, refused, lossy, losses };
}

/** Returns the description of a format. @param {any} format */
function described({ name, title, extensions, read, written, open_options, create_options }) {
  return { name, title, extensions, read, written, readOptions: open_options, writeOptions: create_options };
}
