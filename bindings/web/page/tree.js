// The opening tree: the moves that were played in the position on the board, in the games of the table.

import { glyph } from "./line.js";

/** @typedef {import("./reader.js").Tree} Tree */
/** @typedef {import("./reader.js").Branch} Branch */
/** @typedef {import("./reader.js").Opening} Opening */
/** @typedef {import("./reader.js").BookMove} BookMove */
/** @typedef {import("./reader.js").BookMoves} BookMoves */

/** The number of positions whose counts are kept. */
const MOST_KEPT = 200;

/** @param {number} part @param {number} all */
const percent = (part, all) => (all ? Math.round((100 * part) / all) : 0);

/** @param {number} games */
const gamesText = (games) => (games === 1 ? "1 game" : `${games.toLocaleString("en")} games`);

/**
 * Renders an element.
 * @param {string} name
 * @param {string} className
 * @param {(Node | string)[]} children
 */
function make(name, className, ...children) {
  const element = document.createElement(name);
  element.className = className;
  element.append(...children);
  return element;
}

/**
 * Describes the results in words.
 * @param {{white: number, draws: number, black: number}} counts
 */
export function resultsText({ white, draws, black }) {
  const all = white + draws + black;
  if (all === 0) return "no results";
  return `White won ${percent(white, all)} %, drawn ${percent(draws, all)} %, Black won ${percent(black, all)} %`;
}

/**
 * Renders a bar with the shares of White's wins, draws and Black's wins. Shares of a tenth and more have their number.
 * @param {{white: number, draws: number, black: number}} counts
 */
function bar(counts) {
  const { white, draws, black } = counts;
  const all = white + draws + black;
  const element = make("span", "score");
  element.setAttribute("aria-hidden", "true");
  for (const [part, className] of /** @type {[number, string][]} */ ([[white, "w"], [draws, "d"], [black, "b"]])) {
    if (part === 0) continue;
    const share = percent(part, all);
    const own = make("span", className, share >= 15 ? `${share}%` : "");
    own.style.flexGrow = String(part);
    element.append(own);
  }
  return element;
}

/** Describes what a book says of a move, as far as its format has it. @param {BookMove} move */
function bookWords({ weight, games, priority, class: own, score, recommended, deleted }) {
  return [
    weight !== null && `weight ${weight.toLocaleString("en")}`,
    games !== null && gamesText(games),
    score !== null && `scores ${Math.round(100 * score)} %`,
    priority !== null && `priority ${priority}`,
    own !== null && `class ${own}`,
    recommended === true && "to be played",
    recommended === false && "not to be played",
    deleted && "deleted",
  ].filter(Boolean).join(", ");
}

/** Counts and shows the moves that follow a position. */
export class OpeningTree {
  element = make("div", "tree");
  /** The counts by position. @type {Map<string, Tree>} */
  #known = new Map();
  /** The position that is asked for, to ignore answers for others. */
  #asked = "";
  #version = 0;

  /**
   * @param {{reader: import("./reader.js").Reader, book: {name: string} | null}} owner
   * @param {{play: (branch: import("./line.js").Beside) => void, back: () => void, find: () => void, home: () => void, closeBook: () => void}} actions
   */
  constructor(owner, actions) {
    this.owner = owner;
    this.actions = actions;
    this.element.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Forgets all counts, because other games are selected. */
  forget() {
    this.#known.clear();
    this.#version++;
    this.#asked = "";
  }

  /**
   * Shows the moves after a position.
   * @param {string} fen
   * @param {{opening?: Opening, line: string, isOff: boolean, isStart: boolean}} about `line` are the moves that led to it; `isOff` says that they
   * are not those of the game
   */
  async show(fen, about) {
    const version = this.#version;
    const focused = this.element.matches(":focus-within");
    const known = this.#known.get(fen);
    this.#asked = fen;
    const inBook = this.#inBook(fen);
    if (known) {
      const book = inBook && (await inBook);
      if (version === this.#version && fen === this.#asked) this.#draw(known, about, focused, book);
      return;
    }
    this.element.setAttribute("aria-busy", "true");
    /** @type {Tree | null} */
    let tree;
    try {
      tree = await this.owner.reader.tree(fen);
    } catch (error) {
      if (version !== this.#version || fen !== this.#asked) return;
      this.element.removeAttribute("aria-busy");
      this.element.replaceChildren(make("p", "damage", error instanceof Error ? error.message : String(error)));
      return;
    }
    // `null`: a newer count has begun.
    if (!tree || version !== this.#version) return;
    this.#known.set(fen, tree);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_KEPT) break;
      this.#known.delete(oldest);
    }
    const book = inBook && (await inBook);
    if (version === this.#version && fen === this.#asked) this.#draw(tree, about, focused, book);
  }

  /**
   * Looks a position up in the book, if one is open.
   * @param {string} fen
   * @returns {Promise<BookMoves | null> | null}
   */
  #inBook(fen) {
    const { book, reader } = this.owner;
    if (!book) return null;
    const failed = (/** @type {unknown} */ error) =>
      ({ name: book.name, moves: [], warnings: [error instanceof Error ? error.message : String(error)] });
    return reader.bookMoves(fen).catch(failed);
  }

  /**
   * @param {Tree} tree
   * @param {{opening?: Opening, line: string, isOff: boolean, isStart: boolean}} about
   * @param {boolean} focused
   * @param {BookMoves | null} book
   */
  #draw(tree, { opening, line, isOff, isStart }, focused, book) {
    this.element.removeAttribute("aria-busy");
    const title = make("p", "name");
    if (opening) title.append(make("b", "", opening.eco), ` ${opening.name}`);
    else title.append(isStart ? "Starting position" : "No name");
    const head = make("div", "treehead", title);
    if (line) head.append(make("p", "played", line));
    const status = make("p", "sum", gamesText(tree.games), make("span", "vh", `. ${resultsText(tree)}`));
    status.setAttribute("role", "status");
    const buttons = make("div", "line", status);
    const button = (/** @type {string} */ text, /** @type {string} */ name, /** @type {() => void} */ act) => {
      const own = /** @type {HTMLButtonElement} */ (make("button", "", text));
      own.dataset.tree = name;
      own.onclick = act;
      buttons.append(own);
    };
    if (!isStart) button("← Back", "back", this.actions.back);
    if (!isStart && tree.games > 0) button("List these games", "find", this.actions.find);
    if (isOff) button("To the game", "home", this.actions.home);
    head.append(buttons);
    if (tree.games > 0) head.append(bar(tree));
    const list = make("ol", "branches");
    for (const branch of tree.branches) list.append(this.#branch(branch, tree.games));
    const parts = [head, list];
    const going = tree.branches.reduce((sum, { games }) => sum + games, 0);
    const ended = tree.games - going;
    if (ended > 0) parts.push(make("p", "ended", `${gamesText(ended)} ${ended === 1 ? "ends" : "end"} here`));
    if (book) parts.push(this.#book(book));
    this.element.replaceChildren(...parts);
    if (focused) {
      const first = this.element.querySelector(".branch") ?? this.element.querySelector("button");
      /** @type {HTMLElement | null} */ (first)?.focus({ preventScroll: true });
    }
  }

  /** @param {Branch} branch @param {number} all */
  #branch(branch, all) {
    const move = make("span", "move", make("span", "no", branch.number), ` ${branch.san}`);
    const share = percent(branch.games, all);
    const count = make("span", "games", branch.games.toLocaleString("en"), make("span", "share", ` ${share < 1 ? "<1" : share}%`));
    count.setAttribute("aria-hidden", "true");
    const words = [gamesText(branch.games), resultsText(branch), branch.elo ? `mean Elo ${branch.elo}` : ""];
    const button = /** @type {HTMLButtonElement} */ (
      make("button", "branch", move, count, bar(branch), make("span", "vh", `, ${words.filter(Boolean).join(", ")}. `))
    );
    if (branch.opening) button.append(make("span", "name", branch.opening.name));
    const years = branch.years ? `\n${branch.years[0] === branch.years[1] ? branch.years[0] : branch.years.join("–")}` : "";
    const performance = branch.performance ? `, performance ${branch.performance}` : "";
    button.title = `${gamesText(branch.games)}: ${resultsText(branch)}${branch.elo ? `\nMean Elo ${branch.elo}${performance}` : ""}${years}`;
    button.onclick = () => this.actions.play(branch);
    return make("li", "", button);
  }

  /** Renders the moves of the book. @param {BookMoves} book */
  #book({ name, moves, warnings }) {
    const file = name.split("/").pop() ?? name;
    const close = /** @type {HTMLButtonElement} */ (make("button", "", "✕"));
    close.dataset.tree = "close";
    close.setAttribute("aria-label", "Close the book");
    close.onclick = this.actions.closeBook;
    const part = make("section", "book", make("div", "line", make("h3", "", `Book: ${file}`), close));
    part.setAttribute("aria-label", `Book: ${file}`);
    for (const warning of warnings) part.append(make("p", "damage", warning));
    const list = make("ol", "branches");
    for (const move of moves) {
      const share = Math.round(100 * move.share);
      const words = bookWords(move);
      const percentage = make("span", "games", `${share < 1 && move.share > 0 ? "<1" : share}%`);
      const button = /** @type {HTMLButtonElement} */ (
        make("button", "branch", make("span", "move", make("span", "no", move.number), ` ${move.san}${move.nag === null ? "" : glyph(move.nag)}`), percentage)
      );
      if (move.white + move.draws + move.black > 0) button.append(bar(move));
      button.append(make("span", "vh", ", "), make("span", "name", words));
      button.title = words;
      button.onclick = () => this.actions.play(move);
      list.append(make("li", "", button));
    }
    part.append(moves.length > 0 ? list : make("p", "ended", "The book has no move here"));
    return part;
  }

  /** Up and Down choose a move, Right plays it, Left takes the last one back. @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const moves = /** @type {HTMLElement[]} */ ([...this.element.querySelectorAll(".branch")]);
    const place = moves.indexOf(/** @type {HTMLElement} */ (/** @type {Element} */ (event.target).closest(".branch")));
    if (event.key === "ArrowDown") (moves[place + 1] ?? moves[place])?.focus();
    else if (event.key === "ArrowUp") moves[Math.max(place - 1, 0)]?.focus();
    else if (event.key === "Home") moves[0]?.focus();
    else if (event.key === "End") moves[moves.length - 1]?.focus();
    else if (event.key === "ArrowRight") moves[Math.max(place, 0)]?.click();
    else if (event.key === "ArrowLeft" || event.key === "Backspace") this.actions.back();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
