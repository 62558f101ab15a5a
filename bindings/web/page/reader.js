// Reads chess databases, in a worker of its own: what other pages and programs import.

/**
 * @typedef {object} Base a database among the files
 * @property {string} name its main file
 * @property {string} format short name of the format, such as `si4`
 * @property {string} title the full name of the format
 * @property {string[]} files all its files
 *
 * @typedef {object} Found
 * @property {Base[]} bases
 * @property {{name: string, why: string}[]} others files that belong to no database, with the reason
 *
 * @typedef {object} About
 * @property {string} name
 * @property {string} format
 * @property {string} title
 * @property {number} games
 * @property {boolean} growing whether more games may be found
 * @property {number} position bytes of a text that were searched
 * @property {number} size bytes of the text
 * @property {boolean} blank whether no game has names or moves, so that the file probably holds something else
 * @property {boolean} dumps whether `dump` is available
 * @property {string[]} warnings
 * @property {[string, string][]} facts
 * @property {number} [memory] memory use of the reader in bytes
 *
 * @typedef {object} Query the filter; each field has the syntax of the program's option
 * @property {string} [player] @property {string} [white] @property {string} [black]
 * @property {string} [event] @property {string} [site] @property {string} [date]
 * @property {string} [against] @property {string} [opening] @property {string} [timeClass]
 * @property {string} [material] @property {string} [pattern] @property {string} [comment]
 * @property {string} [eco] @property {string} [elo] @property {string} [result]
 * @property {string} [length] @property {string} [moves] @property {string} [where] @property {string} [cql] @property {string} [ends] @property {string} [has]
 * @property {string} [outcome] @property {string | boolean} [mirrored]
 * @property {string} [position] the first fields of a FEN, or all fields
 * @property {boolean} [variations] search the position in variations too
 * @property {boolean} [annotated] @property {boolean} [deleted]
 *
 * @typedef {object} Searched
 * @property {boolean} done
 * @property {number} looked number of games searched
 * @property {number} found
 * @property {{field: string, why: string}} [wrong] an invalid field
 *
 * @typedef {[number, string[], boolean]} Row number from 1; White, WhiteElo, Black, BlackElo, Result,
 * Date, ECO, Event, Site, Round, name of the opening; whether it is deleted
 *
 * @typedef {object} Played a position of a game, and the move that led to it
 * @property {number | null} parent the index of the position before it
 * @property {string} fen
 * @property {string} [san] absent at the start of the game
 * @property {string} [number] the move number: `12.` or `12...`
 * @property {string[]} [marks] the squares from which and to which the piece moves
 * @property {Opening} [opening] the name of the position, if it has one
 * @property {number[]} nags
 * @property {string[]} before comments before the move
 * @property {string[]} comments comments after the move
 *
 * @typedef {object} Game
 * @property {number} number
 * @property {[string, string][]} tags
 * @property {Opening | null} opening the name that the moves have
 * @property {Played[]} nodes the tree of moves; the first is the start position. Of a long game, the first part:
 * `moves` returns the others
 * @property {number} first the index of the first node
 * @property {number} total the number of nodes of the game
 * @property {number} last the index of the last node of the main line
 * @property {string | null} damage the reason why it could not be read to the end
 * @property {string[]} warnings
 *
 * @typedef {Pick<Game, "nodes" | "first" | "total" | "last">} Part some positions of a game
 *
 * @typedef {object} Opening
 * @property {string} eco
 * @property {string} name
 *
 * @typedef {object} Counts
 * @property {number} games
 * @property {number} white games that White won
 * @property {number} draws
 * @property {number} black
 * @property {number | null} score the score of the side to move, from 0 to 1
 * @property {number | null} elo the mean rating of the side to move
 * @property {number | null} performance
 * @property {[number, number] | null} years the first and the last
 *
 * @typedef {Counts & {san: string, number: string, marks: string[], fen: string, opening: Opening | null}} Branch a move that was played
 * @typedef {Counts & {opening: Opening | null, branches: Branch[]}} Tree the moves that were played in a position, the most frequent first
 *
 * @typedef {object} BookMove a move of an opening book
 * @property {string} san @property {string} number @property {string[]} marks @property {string} fen
 * @property {number} share its share of the weights, from 0 to 1
 * @property {number | null} weight @property {number | null} priority @property {number | null} class
 * @property {number | null} nag @property {boolean | null} recommended @property {boolean} deleted
 * @property {number | null} games @property {number} white @property {number} draws @property {number} black
 * @property {number | null} score the score of the side to move, from 0 to 1
 * @typedef {{name: string, moves: BookMove[], warnings: string[]}} BookMoves
 *
 * @typedef {object} Person
 * @property {string} ask what finds the person: a FIDE id, or a name
 * @property {string} name @property {number} games
 * @property {[number, number] | null} years @property {[number, number] | null} ratings
 *
 * @typedef {object} Field some bytes of a game
 * @property {string} file extension of the file
 * @property {number} offset
 * @property {number[]} bytes
 * @property {string} name as in the description of the format
 * @property {string} value
 *
 * @typedef {object} Checked
 * @property {boolean} done
 * @property {number} looked
 * @property {number} damaged
 * @property {number} odd
 * @property {{number: number | null, kind: "damage" | "deviation" | "stale", text: string}[]} findings
 *
 * @typedef {object} Format
 * @property {string} name short name, such as `si4`
 * @property {string} title the full name
 * @property {string[]} extensions
 * @property {boolean} read
 * @property {boolean} written
 *
 * @typedef {object} Exported
 * @property {number} done
 * @property {number} total
 * @property {{name: string, file: Blob}[]} files
 * @property {Record<string, number>} losses number of losses by kind
 * @property {number} damaged
 * @property {number} refused
 */

/** A reader of chess databases. One database is open at a time. */
export class Reader {
  /** @type {Worker} */
  #worker;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void, tell?: (value: any) => void}>} */
  #waiting = new Map();
  #next = 1;

  /** @param {URL | string} [worker] address of worker.js, if it is not beside this module */
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
   * Replaces the current files. Returns the databases among the new files.
   * @param {import("./dropped.js").Named[]} files with their folders, as in `disk/base.cbf`
   * @param {{join?: boolean}} [how] `join`: current files stay if they belong to the same database as some
   * of the new files
   * @returns {Promise<Found>}
   */
  bases(files, { join = false } = {}) {
    return this.#call("bases", [files, join]);
  }

  /**
   * Opens one of the databases.
   * @param {string} name
   * @param {{encoding?: string, password?: string}} [options]
   * @returns {Promise<About>}
   */
  open(name, { encoding, password } = {}) {
    return this.#call("open", [name, encoding, password]);
  }

  /**
   * Finds all games of a text. Other databases have all games after opening.
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
   * Searches games; `rows` then returns the games found. A newer search cancels an older one, which
   * then returns `null`.
   * @param {Query} query
   * @param {string} [sort] a column; a leading `-` means descending order
   * @param {(found: Searched) => void} [tell]
   * @returns {Promise<Searched | null>}
   */
  search(query, sort = "", tell) {
    return this.#call("search", [query, sort], tell);
  }

  /**
   * Reads a spelling file of Scid: later searches take the spellings of one name in it for one name. The file counts
   * until another one, or `null`, is given.
   * @param {Blob | null} file
   * @returns {Promise<number>} the number of names in the file
   */
  spell(file) {
    return this.#call("spell", [file]);
  }

  /**
   * Sorts the games found; an empty text restores the database order.
   * @param {string} by
   * @returns {Promise<void>}
   */
  sort(by) {
    return this.#call("sort", [by]);
  }

  /**
   * @param {number} first from 0
   * @param {number} count
   * @param {{openings?: boolean}} [how] `openings`: with the names of openings, for which the moves are read
   * @returns {Promise<Row[]>}
   */
  rows(first, count, { openings = false } = {}) {
    return this.#call("rows", [first, count, openings]);
  }

  /**
   * Returns the row of a game.
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
   * Returns the part of a long game around a position.
   * @param {number} number
   * @param {number} at the index of the position
   * @returns {Promise<Part>}
   */
  moves(number, at) {
    return this.#call("moves", [number, at]);
  }

  /**
   * Counts the moves that were played in a position, in the games that the last search found.
   * @param {string} fen
   * @param {(progress: {looked: number}) => void} [tell]
   * @returns {Promise<Tree | null>} `null` if a newer count started
   */
  tree(fen, tell) {
    return this.#call("tree", [fen], tell);
  }

  /**
   * Returns the people whom the player of the last search means, if they are several.
   * @returns {Promise<{people: Person[], unclear: number} | null>} `unclear` counts games that can be of several of
   * them; `null` if a newer search started
   */
  people() {
    return this.#call("people");
  }

  /**
   * Opens an opening book beside the database: `.bin`, `.abk`, `.obk`, `.fbk`, or `.ctg` with `.cto` and `.ctb`. It stays
   * until another one, or no file, is given.
   * @param {import("./dropped.js").Named[]} files
   * @returns {Promise<{name: string, title: string, warnings: string[]} | null>}
   */
  book(files) {
    return this.#call("book", [files]);
  }

  /**
   * Returns the moves of the book in a position, the weightiest first; `null` without a book.
   * @param {string} fen
   * @returns {Promise<BookMoves | null>}
   */
  bookMoves(fen) {
    return this.#call("bookMoves", [fen]);
  }

  /**
   * @param {number} number
   * @returns {Promise<string>}
   */
  pgn(number) {
    return this.#call("pgn", [number]);
  }

  /**
   * Returns every byte of a game by field.
   * @param {number} number
   * @returns {Promise<{fields: Field[], damage: string | null}>}
   */
  dump(number) {
    return this.#call("dump", [number]);
  }

  /**
   * Checks all games for damage.
   * @param {(checked: Checked) => void} [tell]
   * @returns {Promise<Checked | null>} `null` if it was stopped, or a newer check started
   */
  check(tell) {
    return this.#call("check", [], tell);
  }

  /**
   * Returns the formats of the library, and whether `export` writes them.
   * @returns {Promise<Format[]>}
   */
  formats() {
    return this.#call("formats");
  }

  /**
   * Writes games to files for download.
   * @param {string} format its short name; a database of several files is packed into a zip archive
   * @param {string} name of the files, without extension
   * @param {number[]} [numbers] of games; without any, all rows
   * @param {(exported: Exported) => void} [tell]
   * @returns {Promise<Exported | null>} `null` if it was stopped
   */
  export(format, name, numbers = [], tell) {
    return this.#call("export", [format, name, numbers], tell);
  }

  /**
   * Stops a task.
   * @param {"grow" | "search" | "tree" | "people" | "check" | "export"} kind
   * @returns {Promise<void>}
   */
  stop(kind) {
    return this.#call("stop", [kind]);
  }

  /**
   * Returns the position after a move such as `e2e4`, or `null` if the move is illegal.
   * @param {string} fen
   * @param {string} move
   * @returns {Promise<{fen: string, san: string} | null>}
   */
  play(fen, move) {
    return this.#call("play", [fen, move]);
  }

  /**
   * Returns the error in a position to search for, or `null`.
   * @param {string} fen
   * @returns {Promise<string | null>}
   */
  fault(fen) {
    return this.#call("fault", [fen]);
  }

  /** Terminates the worker. */
  close() {
    this.#worker.terminate();
    for (const call of this.#waiting.values()) call.reject(new Error("the reader was closed"));
    this.#waiting.clear();
  }
}
