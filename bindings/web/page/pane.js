// The game beside the table: board, moves, tags, bytes; and what is damaged in the base.

import { boardSvg, drawingsOf, fenOf, inWords, squareAt, squaresOf } from "./board.js";
import { bytesElement } from "./bytes.js";
import { besideGame, glyphWords, inGame, lineTo, movesElement, openingOf, plainComment, treeOf } from "./line.js";
import { pieceName, pieceShape } from "./pieces.js";
import { OpeningTree } from "./tree.js";

/** @typedef {import("./reader.js").About} About */
/** @typedef {import("./reader.js").Game} Game */
/** @typedef {import("./line.js").Node} Node */

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/** What stands in place of a game where there is none. */
const NO_GAME = { first: 0, total: 1, last: 0, nodes: [{ parent: null, fen: START, nags: [], before: [], comments: [] }] };
const EMPTY = "8/8/8/8/8/8/8/8 w - - 0 1";
/** The maximum number of findings in the list. */
const LISTED = 500;

export class GamePane {
  /** The position of the current search: games open at it. */
  #wanted = "";
  /** Whether no game was shown since the search began. */
  #isNew = false;
  /** @type {Game | null} */
  #game = null;
  /** The positions of the game; of a long game, those of a part. @type {Node[]} */
  #nodes = [];
  /** @type {Node | null} */
  #at = null;
  /** Whether a part of a long game is being loaded. */
  #loading = false;
  #tab = "moves";
  #flipped = false;
  /** The position being set up, with the selected piece. @type {{squares: Map<string, string>, piece: string, from: string} | null} */
  #setting = null;
  /** @type {About | null} */
  #base = null;
  /** The report of a check of this database. @type {HTMLElement | null} */
  #report = null;

  /**
   * @param {ShadowRoot} root
   * @param {{reader: import("./reader.js").Reader, book: {name: string} | null}} owner
   * @param {{search: (fen: string, inVariations: boolean) => void, go: (number: number) => void, step: (by: number) => void, closeBook: () => void}} actions
   */
  constructor(root, owner, actions) {
    this.owner = owner;
    this.actions = actions;
    this.element = /** @type {HTMLElement} */ (root.querySelector(".pane"));
    this.board = this.#get(".board");
    this.panel = this.#get(".panel");
    this.search = this.#get(".search");
    this.fen = /** @type {HTMLInputElement} */ (this.#get(".fen"));
    this.turn = /** @type {HTMLSelectElement} */ (this.#get(".turn"));
    for (const button of this.#all("[data-go]")) button.onclick = () => this.#go(button.dataset.go ?? "");
    for (const button of this.#all("[data-set]")) button.onclick = () => this.#set(button.dataset.set ?? "");
    for (const tab of this.#all("[data-tab]")) tab.onclick = () => this.#open(tab.dataset.tab ?? "moves");
    this.#get(".tabs").addEventListener("keydown", (event) => this.#tabKey(event));
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.panel.addEventListener("click", ({ target }) => this.#click(/** @type {Element} */ (target)));
    this.board.addEventListener("pointerdown", (event) => this.#down(event));
    this.board.addEventListener("pointermove", (event) => this.#drag(event));
    this.board.addEventListener("pointerup", (event) => this.#up(event));
    this.board.addEventListener("pointercancel", () => this.#drop());
    this.board.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.fen.addEventListener("input", () => {
      if (this.#setting) this.#setting.squares = squaresOf(this.fen.value);
      this.#tellFault(null);
      this.#drawBoard();
    });
    this.fen.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.#set("find");
    });
    this.turn.addEventListener("change", () => this.#writeFen());
    this.tree = new OpeningTree(owner, {
      play: (branch) => this.#playBranch(branch),
      back: () => this.#go("back"),
      find: () => this.actions.search(this.#at?.fen ?? START, false),
      home: () => this.#visit(this.#gameNode()),
      closeBook: () => this.actions.closeBook(),
    });
    this.#palette();
    this.#drawBoard();
  }

  /** @param {string} selector */
  #get(selector) {
    return /** @type {HTMLElement} */ (this.element.querySelector(selector));
  }

  /** @param {string} selector */
  #all(selector) {
    return [...this.element.querySelectorAll(selector)].map((one) => /** @type {HTMLElement} */ (one));
  }

  /** @param {string} fen */
  set wanted(fen) {
    this.#wanted = fen;
    this.#isNew = fen !== "";
  }

  /** Shows that no game is selected. */
  clear() {
    this.#game = null;
    this.#nodes = [];
    this.#at = null;
    this.#get(".title h2").textContent = "";
    this.#get(".title p").textContent = "";
    this.#get(".title .opening").textContent = "";
    this.#get(".notes").replaceChildren();
    this.#drawBoard();
    this.#drawPanel();
  }

  /** Shows that no database is open. */
  close() {
    this.#base = null;
    this.#report = null;
    this.clear();
  }

  /** Shows an open database. @param {About} about */
  base(about) {
    this.#base = about;
    this.#report = null;
    this.#get("[data-tab=bytes]").hidden = !about.dumps;
    if (this.#tab === "bytes" && !about.dumps) this.#open("moves");
    if (this.#tab === "damage") this.#drawPanel();
  }

  /** Counts the opening tree again, because other games are selected. */
  selection() {
    this.tree.forget();
    if (this.#tab === "tree") this.#drawTree();
  }

  /** Shows the moves of another book, or of none. */
  bookChanged() {
    if (this.#tab === "tree") this.#drawTree();
  }

  /** @param {Game} game */
  show(game) {
    const before = this.#tab === "tree" && !this.#isNew ? this.#at : null;
    this.#isNew = false;
    this.#game = game;
    this.#nodes = treeOf(game);
    this.#at = this.#nodes[0];
    const wanted = (before?.fen ?? this.#wanted).split(" ", 1)[0];
    const found = wanted ? this.#nodes.find((node) => node.fen.split(" ", 1)[0] === wanted) : undefined;
    // The tree stays at its position, whether the game has it or not.
    this.#at = found ?? (before ? inGame(this.#nodes[0], before) : this.#nodes[0]);
    const tag = (/** @type {string} */ name) => game.tags.find(([own]) => own === name)?.[1] ?? "";
    const player = (/** @type {string} */ name) => {
      const elo = tag(`${name}Elo`);
      return `${tag(name) || "?"}${elo ? ` (${elo})` : ""}`;
    };
    const known = (/** @type {string} */ value) => value && !/^[?.]+$/.test(value);
    const round = known(tag("Round")) ? `round ${tag("Round")}` : "";
    const { opening } = game;
    const eco = known(tag("ECO")) ? tag("ECO") : (opening?.eco ?? "");
    const facts = [tag("Event"), tag("Site"), round, tag("Date").replace(/(\.\?\?)+$/, ""), eco];
    this.#get(".title h2").textContent = `${player("White")} – ${player("Black")}  ${tag("Result").replace("1/2-1/2", "½–½")}`;
    this.#get(".title p").textContent = [`Game ${game.number}`, ...facts.filter(known)].join(" · ");
    const name = known(tag("Opening")) ? tag("Opening") : (opening?.name ?? "");
    this.#get(".title .opening").textContent = name;
    this.#get(".title .opening").title = name;
    const notes = [];
    if (game.damage) notes.push(this.#note(`Damaged: ${game.damage}`, "damage"));
    if (game.warnings.length) notes.push(this.#deviations(game.warnings));
    this.#get(".notes").replaceChildren(...notes);
    this.#drawBoard();
    this.#drawPanel();
  }

  /** @param {string} text @param {string} kind */
  #note(text, kind) {
    const note = document.createElement("p");
    note.className = kind;
    note.textContent = text;
    return note;
  }

  /** Shows the warnings in one line that expands. @param {string[]} warnings */
  #deviations(warnings) {
    const details = document.createElement("details");
    details.className = "damage odd";
    const line = document.createElement("summary");
    line.textContent = warnings.length === 1 ? "1 deviation from the format" : `${warnings.length} deviations from the format`;
    const list = document.createElement("ul");
    for (const warning of warnings.slice(0, LISTED)) {
      const item = document.createElement("li");
      item.textContent = warning;
      list.append(item);
    }
    details.append(line, list);
    return details;
  }

  /** @param {Node | null | undefined} node @param {boolean} [announce] */
  #visit(node, announce = true) {
    if (!node) return;
    this.#at = node;
    this.#drawBoard();
    if (this.#tab === "tree") this.#drawTree();
    else this.#mark(true);
    if (!announce) return;
    const words = [
      node.san ? `${node.number} ${node.san}` : "Beginning",
      ...node.nags.map(glyphWords),
      ...node.comments.map(plainComment),
      node.next.length > 1 ? `${node.next.length - 1} variations follow` : "",
    ];
    this.#get("#said").textContent = words.filter(Boolean).join(". ");
  }

  #drawBoard() {
    const fen = this.#setting ? fenOf(this.#setting.squares) : (this.#at?.fen ?? START);
    const marks = this.#setting ? [this.#setting.from] : (this.#at?.marks ?? []);
    const comments = this.#at ? [...this.#at.comments, ...this.#at.before] : [];
    const drawings = this.#setting ? [] : drawingsOf(comments);
    this.board.innerHTML = boardSvg({ fen, flipped: this.#flipped, marks, drawings });
    this.board.setAttribute("aria-label", `Board. ${inWords(fen)}`);
  }

  /** Highlights the current move. @param {boolean} scroll */
  #mark(scroll) {
    for (const old of this.panel.querySelectorAll('[aria-current="true"]')) {
      old.removeAttribute("aria-current");
      /** @type {HTMLElement} */ (old).tabIndex = -1;
    }
    const now = /** @type {HTMLElement | null} */ (this.panel.querySelector(`[data-node="${this.#at?.id}"]`));
    const tabbed = now ?? /** @type {HTMLElement | null} */ (this.panel.querySelector(".mv"));
    if (tabbed) tabbed.tabIndex = 0;
    if (!now) {
      if (scroll && this.#tab === "moves") this.panel.scrollTop = 0;
      return;
    }
    now.setAttribute("aria-current", "true");
    if (!scroll) return;
    const { top, bottom } = now.getBoundingClientRect();
    const view = this.panel.getBoundingClientRect();
    if (top < view.top || bottom > view.bottom) {
      this.panel.scrollTop += top - view.top - view.height / 3;
    }
    // A pane too low for board and moves scrolls as well.
    const [line, pane] = [now.getBoundingClientRect(), this.element.getBoundingClientRect()];
    if (line.bottom > pane.bottom) this.element.scrollTop += line.bottom - pane.bottom;
    else if (line.top < pane.top) this.element.scrollTop += line.top - pane.top;
  }

  /** @param {string} name */
  #open(name) {
    this.#tab = name;
    for (const tab of this.#all("[data-tab]")) {
      const chosen = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
    this.panel.setAttribute("aria-labelledby", `tab-${name}`);
    this.#drawPanel();
  }

  async #drawPanel() {
    const [game, tab] = [this.#game, this.#tab];
    if (tab === "tree") {
      // An element that is put in again loses the focus.
      if (this.panel.firstElementChild !== this.tree.element) this.panel.replaceChildren(this.tree.element);
      this.#drawTree();
      return;
    }
    if (tab === "damage") {
      this.#report ??= this.#checkElement();
      if (this.panel.firstElementChild === this.#report) return;
      this.panel.replaceChildren(this.#report);
      this.panel.scrollTop = 0;
      return;
    }
    this.panel.scrollTop = 0;
    if (!game) {
      this.panel.replaceChildren();
      return;
    }
    if (tab === "moves") {
      const result = game.tags.find(([name]) => name === "Result")?.[1] ?? "";
      this.panel.replaceChildren(movesElement(this.#nodes, game.total, result, document));
      this.#mark(this.#at !== this.#nodes[0]);
    } else if (tab === "tags") {
      this.panel.replaceChildren(this.#tagsElement(game));
    } else {
      try {
        const dump = await this.owner.reader.dump(game.number);
        if (this.#game === game && this.#tab === tab) this.panel.replaceChildren(bytesElement(dump));
      } catch (error) {
        this.panel.replaceChildren(this.#note(String(error instanceof Error ? error.message : error), "damage"));
      }
    }
  }

  #drawTree() {
    const at = this.#at;
    const isStart = !at?.parent && (at?.parentId ?? null) === null;
    this.tree.show(at?.fen ?? START, {
      opening: openingOf(at), line: at ? lineTo(at) : "", isOff: at?.id === -1, isStart,
    });
  }

  /** Plays a move of the tree or of the board, which the game may not have. @param {import("./line.js").Beside} branch */
  #playBranch(branch) {
    const at = this.#at ?? treeOf({ ...NO_GAME })[0];
    const board = branch.fen.split(" ", 1)[0];
    this.#visit(at.next.find((node) => node.fen.split(" ", 1)[0] === board) ?? besideGame(at, branch));
  }

  /** Returns the last position of the line on the board that the game has. */
  #gameNode() {
    let node = this.#at;
    while (node && node.id === -1) node = node.parent;
    return node ?? this.#nodes[0];
  }

  /**
   * Loads the part of a long game that has a position, and returns the position.
   * @param {number} id
   * @returns {Promise<Node | undefined>}
   */
  async #reach(id) {
    const game = this.#game;
    const first = this.#nodes[0]?.id ?? 0;
    const known = this.#nodes[id - first];
    if (known || !game) return known;
    this.#loading = true;
    const part = await this.owner.reader.moves(game.number, id).finally(() => (this.#loading = false));
    if (game !== this.#game) return undefined;
    this.#nodes = treeOf(part);
    if (this.#tab === "moves") await this.#drawPanel();
    return this.#nodes[id - part.first];
  }

  /** @param {Game} game */
  #tagsElement(game) {
    const table = document.createElement("table");
    table.className = "plain";
    const body = table.createTBody();
    for (const [name, value] of game.tags) {
      const row = body.insertRow();
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = name;
      row.append(head);
      row.insertCell().textContent = value;
    }
    return table;
  }

  #checkElement() {
    const report = document.createElement("div");
    report.className = "report";
    const text = document.createElement("p");
    report.append(text);
    if (!this.#base) {
      text.textContent = "The database can be checked as soon as all of its games are found.";
      return report;
    }
    text.textContent = "Reads every game of the database and reports damage and deviations.";
    const button = document.createElement("button");
    button.textContent = "Check the base";
    button.className = "main";
    button.onclick = () => this.#check(report);
    const facts = document.createElement("table");
    facts.className = "plain";
    const body = facts.createTBody();
    for (const [name, value] of this.#base.facts) {
      const row = body.insertRow();
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = name;
      row.append(head);
      row.insertCell().textContent = value;
    }
    report.append(button, facts);
    return report;
  }

  /** @param {HTMLElement} report */
  async #check(report) {
    const base = this.#base;
    const summary = (/** @type {import("./reader.js").Checked} */ { looked, damaged, odd }) =>
      `${looked.toLocaleString("en")} games read, ${damaged} damaged, ${odd} with deviations`;
    const text = document.createElement("p");
    text.setAttribute("role", "status");
    report.replaceChildren(text);
    let checked;
    try {
      checked = await this.owner.reader.check((now) => {
        text.textContent = `${summary(now)} …`;
      });
    } catch (error) {
      report.replaceChildren(this.#note(String(error instanceof Error ? error.message : error), "damage"));
      return;
    }
    if (!checked || base !== this.#base) return;
    const sound = checked.findings.length === 0;
    text.textContent = sound ? `Sound: ${checked.looked.toLocaleString("en")} games.` : summary(checked);
    const list = document.createElement("ul");
    for (const { number, kind, text } of checked.findings.slice(0, LISTED)) {
      const item = document.createElement("li");
      const word = document.createElement("span");
      word.className = `kind ${kind === "damage" ? "damage-kind" : kind}`;
      word.textContent = { damage: "Damage", deviation: "Deviation", stale: "Index" }[kind];
      item.append(word);
      if (number !== null) {
        const link = document.createElement("button");
        link.className = "link";
        link.textContent = `game ${number}`;
        link.onclick = () => this.actions.go(number);
        item.append(link, " ");
      }
      item.append(text);
      list.append(item);
    }
    report.append(list);
    if (checked.findings.length > LISTED) {
      const note = document.createElement("p");
      note.textContent = `These are the first ${LISTED}.`;
      report.append(note);
    }
  }

  /** @param {Element} target */
  #click(target) {
    const move = /** @type {HTMLElement | null} */ (target.closest("[data-node]"));
    if (move) this.#reach(Number(move.dataset.node)).then((node) => this.#visit(node));
    const beside = /** @type {HTMLElement | null} */ (target.closest("[data-part]"));
    if (beside) this.#reach(Number(beside.dataset.part)).then((node) => this.#visit(node));
  }

  /** @param {string} where */
  #go(where) {
    if (where === "flip") {
      this.#flipped = !this.#flipped;
      this.#drawBoard();
      return;
    }
    if (where === "search") {
      this.#setUp(!this.#setting);
      return;
    }
    const at = this.#at;
    if (!at || this.#setting || this.#loading) return;
    const { total = 0, last = 0 } = this.#game ?? {};
    const end = (this.#nodes[0]?.id ?? 0) + this.#nodes.length;
    let node = at;
    if (where === "first") this.#reach(0).then((first) => this.#visit(first));
    else if (where === "back" && !at.parent && at.parentId !== null) {
      this.#reach(at.parentId).then((before) => this.#visit(before));
    } else if (where === "back") this.#visit(at.parent ?? at);
    else if (where === "on" && !at.next[0] && at.id >= 0 && end < total) {
      // The move may be in the next part.
      this.#reach(end).then(() => this.#reach(at.id)).then((same) => this.#visit(same?.next[0] ?? same));
    } else if (where === "on") this.#visit(at.next[0] ?? at);
    else if (end < total) this.#reach(last).then((node) => this.#visit(node));
    else {
      while (node.next[0]) node = node.next[0];
      this.#visit(node);
    }
  }

  /** Goes to a sibling variation of this move. @param {number} by */
  #aside(by) {
    const lines = this.#at?.parent?.next ?? [];
    const place = lines.findIndex((node) => node === this.#at) + by;
    if (lines[place]) this.#visit(lines[place]);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (target.matches("input, select, textarea, [role=tab]")) return;
    const inMoves = this.#tab === "moves" || !this.panel.contains(target);
    const go = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", f: "flip" }[event.key];
    if (go && inMoves) this.#go(go);
    else if (event.key === "ArrowUp" && inMoves && target !== this.panel) this.#aside(-1);
    else if (event.key === "ArrowDown" && inMoves && target !== this.panel) this.#aside(1);
    else if (event.key === "n") this.actions.step(1);
    else if (event.key === "p") this.actions.step(-1);
    else if (event.key === "Escape" && this.#setting) this.#setUp(false);
    else return;
    event.preventDefault();
    const now = /** @type {HTMLElement | null} */ (this.panel.querySelector('[aria-current="true"]'));
    if (target.matches(".mv") && now) now.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  #tabKey(event) {
    const tabs = this.#all("[data-tab]").filter((tab) => !tab.hidden);
    const place = tabs.findIndex((tab) => tab.dataset.tab === this.#tab);
    const to = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined || !tabs[to]) return;
    event.preventDefault();
    this.#open(tabs[to].dataset.tab ?? "moves");
    tabs[to].focus();
  }

  /** The start of a gesture. @type {{x: number, y: number, square: string | null} | null} */
  #touch = null;
  /** The piece that the mouse drags. @type {SVGGElement | null} */
  #dragged = null;

  /** @param {PointerEvent} event */
  #down(event) {
    const square = squareAt(this.board, event, this.#flipped);
    this.#touch = { x: event.clientX, y: event.clientY, square };
    // A finger that moves over the board goes through the moves.
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    this.#dragged = this.board.querySelector(`[data-square="${square}"]`);
    if (this.#dragged) this.board.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    const [piece, began] = [this.#dragged, this.#touch];
    if (!piece || !began || Math.hypot(event.clientX - began.x, event.clientY - began.y) < 4) return;
    const box = this.board.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top].map((at) => (at / box.width) * 360 - 22.5);
    piece.setAttribute("transform", `translate(${x} ${y})`);
    piece.parentNode?.append(piece);
  }

  #drop() {
    this.#touch = null;
    this.#dragged = null;
    this.#drawBoard();
  }

  /** Plays a move on the board, which the game may not have. @param {string} from @param {string} to */
  async #playMove(from, to) {
    const at = this.#at ?? treeOf({ ...NO_GAME })[0];
    const piece = squaresOf(at.fen).get(from);
    const promotes = piece?.toLowerCase() === "p" && /[18]/.test(to);
    const played = await this.owner.reader.play(at.fen, from + to + (promotes ? "q" : ""));
    if (!played || at !== (this.#at ?? at)) return;
    const [, turn, , , , number] = at.fen.split(" ");
    this.#playBranch({ ...played, number: `${number}${turn === "b" ? "..." : "."}`, marks: [from, to] });
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    if (event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    this.#go(event.deltaY > 0 ? "on" : "back");
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const [began, dragged] = [this.#touch, this.#dragged];
    if (!began) return;
    this.#drop();
    const square = squareAt(this.board, event, this.#flipped);
    if (this.#setting) {
      this.#place(began.square, square);
      return;
    }
    if (dragged && began.square !== square) {
      if (began.square && square) this.#playMove(began.square, square).catch(() => {});
      return;
    }
    const [dx, dy] = [event.clientX - began.x, event.clientY - began.y];
    if (Math.abs(dx) > 40 && Math.abs(dx) > 2 * Math.abs(dy)) this.#go(dx < 0 ? "on" : "back");
    else if (Math.hypot(dx, dy) < 12) {
      const box = this.board.getBoundingClientRect();
      this.#go(event.clientX - box.left > box.width / 3 ? "on" : "back");
    }
  }

  #palette() {
    const palette = this.#get(".palette");
    for (const letter of ["K", "Q", "R", "B", "N", "P", "k", "q", "r", "b", "n", "p", ""]) {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.piece = letter;
      button.setAttribute("aria-pressed", "false");
      button.setAttribute("aria-label", letter ? pieceName(letter) : "take pieces away");
      const shape = letter
        ? pieceShape(letter)
        : '<path d="M12 12l21 21M33 12l-21 21" stroke="#fff" stroke-width="4" stroke-linecap="round"/>';
      button.innerHTML = `<svg viewBox="0 0 45 45" aria-hidden="true">${shape}</svg>`;
      button.onclick = () => this.#take(button.getAttribute("aria-pressed") === "true" ? "move" : letter);
      palette.append(button);
    }
  }

  /** Selects a tool: a piece letter, an empty text to remove a piece, `move` to move one. @param {string} piece */
  #take(piece) {
    if (!this.#setting) return;
    this.#setting.piece = piece;
    this.#setting.from = "";
    for (const button of this.#all("[data-piece]")) {
      button.setAttribute("aria-pressed", String(button.dataset.piece === piece));
    }
    this.#drawBoard();
  }

  /** @param {string | null} began @param {string | null} square */
  #place(began, square) {
    const setting = this.#setting;
    if (!setting || !square) return;
    const { squares, piece } = setting;
    const from = began && began !== square ? began : setting.from;
    if (piece === "move") {
      const moved = from && squares.get(from);
      if (moved && from !== square) {
        squares.delete(from);
        squares.set(square, moved);
        setting.from = "";
      } else {
        setting.from = squares.has(square) && from !== square ? square : "";
      }
    } else if (piece && squares.get(square) !== piece) squares.set(square, piece);
    else squares.delete(square);
    this.#writeFen();
  }

  #writeFen() {
    if (!this.#setting) return;
    this.fen.value = [fenOf(this.#setting.squares), this.turn.value].filter(Boolean).join(" ");
    this.#tellFault(null);
    this.#drawBoard();
  }

  /** Says beside the field why its position cannot be read. @param {string | null} fault */
  #tellFault(fault) {
    const line = this.#get("#fenwrong");
    line.hidden = !fault;
    line.textContent = fault ?? "";
    if (fault) this.fen.setAttribute("aria-invalid", "true");
    else this.fen.removeAttribute("aria-invalid");
  }

  /** @param {boolean} on */
  #setUp(on) {
    const fen = this.#at?.fen ?? START;
    this.#setting = on ? { squares: squaresOf(fen), piece: "move", from: "" } : null;
    this.search.hidden = !on;
    this.#get("[data-go=search]").setAttribute("aria-expanded", String(on));
    if (on) {
      this.turn.value = fen.split(" ")[1] ?? "";
      this.#take("move");
      this.#writeFen();
      this.fen.focus({ preventScroll: true });
    } else this.#drawBoard();
  }

  /** @param {string} what */
  async #set(what) {
    if (!this.#setting) return;
    if (what === "find") {
      const deep = /** @type {HTMLInputElement} */ (this.#get(".deep")).checked;
      const fen = this.fen.value.trim();
      const fault = fen ? await this.owner.reader.fault(fen) : null;
      this.#tellFault(fault);
      // A position that cannot be read stays, to be corrected.
      if (fault) {
        this.fen.focus({ preventScroll: true });
        return;
      }
      this.actions.search(fen, deep);
      this.#setUp(false);
    } else if (what === "cancel") this.#setUp(false);
    else {
      this.#setting.squares = squaresOf(what === "start" ? START : EMPTY);
      this.#writeFen();
    }
  }
}
