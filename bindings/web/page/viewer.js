// <scoresheet-viewer>: files are dropped on it, or named by `src`, and their games are seen.
//
// Attributes: src (addresses of files, separated by blanks; companion files are fetched too),
// page (files may be dropped anywhere on the page), theme (light or dark; the default is the system's theme).
// Events: scoresheet-open (detail: properties of the database), scoresheet-game (detail: the game).

import { Reader } from "./reader.js";
import { fromDrop, fromList, fromServer, withoutBooks } from "./dropped.js";
import { GamePane } from "./pane.js";
import { Table } from "./table.js";
import { template } from "./template.js";

/** @typedef {import("./reader.js").About} About */
/** @typedef {import("./reader.js").Query} Query */

/** The delay between the last key press and the search, in milliseconds. */
const PAUSE = 160;
/** The number of databases that are tried to find one with games. */
const MOST_TRIED = 16;
/** The number of people that are offered. */
const MOST_PEOPLE = 12;

export class ScoresheetViewer extends HTMLElement {
  static observedAttributes = ["src"];

  /** The reader of the base that is open. @type {Reader} */
  reader = new Reader();
  /** @type {About | null} */
  about = null;
  /** The opening book that is open beside the base. @type {{name: string, title: string} | null} */
  book = null;
  /** @type {Table} */
  #table;
  /** @type {GamePane} */
  #pane;
  #position = "";
  #inVariations = false;
  #timer = 0;
  /** @type {AbortController | null} */
  #connected = null;
  /** The serial number of the latest `open` call, to ignore stale ones. */
  #opening = 0;
  /** The serial number of the latest game request, to ignore stale ones. */
  #asked = 0;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.append(template(new URL("./viewer.css", import.meta.url).href));
    this.#table = new Table(this.#get(".table"), (first, count, openings) => this.reader.rows(first, count, { openings }), {
      choose: (number) => this.#game(number),
      sort: (by) => this.#sort(by),
      mark: () => this.#marks(),
      enter: () => this.#side("board"),
      laid: (openings) => this.#get("#openings").setAttribute("aria-pressed", String(openings)),
    });
    this.#pane = new GamePane(root, this, {
      search: (fen, inVariations) => this.searchPosition(fen, inVariations),
      go: (number) => this.show(number),
      step: (by) => this.#table.choose(this.#table.chosen + by),
      closeBook: () => this.#openBook([]),
    });
    this.#listen();
    this.#offer();
  }

  /** Offers the formats that the library writes, after the usual ones. */
  async #offer() {
    const select = /** @type {HTMLSelectElement} */ (this.#get("#format"));
    try {
      const usual = new Set([...select.options].map(({ value }) => value));
      const others = (await this.reader.formats()).filter(({ name, written }) => written && !usual.has(name));
      others.sort((one, other) => one.title.localeCompare(other.title));
      for (const { name, title } of others) select.add(new Option(title[0].toUpperCase() + title.slice(1), name));
    } catch {
      // A reader that cannot be loaded says so when a file is opened.
    }
  }

  /**
   * @template {HTMLElement} T
   * @param {string} selector
   * @returns {T}
   */
  #get(selector) {
    return /** @type {T} */ (this.shadowRoot?.querySelector(selector));
  }

  connectedCallback() {
    this.#connected = new AbortController();
    const { signal } = this.#connected;
    const where = this.hasAttribute("page") ? document : this;
    where.addEventListener("dragover", (event) => {
      event.preventDefault();
      this.toggleAttribute("dropping", true);
    }, { signal });
    where.addEventListener("dragleave", () => this.toggleAttribute("dropping", false), { signal });
    where.addEventListener("drop", (event) => {
      event.preventDefault();
      this.toggleAttribute("dropping", false);
      const { dataTransfer } = /** @type {DragEvent} */ (event);
      if (dataTransfer) this.#take(fromDrop(dataTransfer));
    }, { signal });
    this.#get("[data-theme]").hidden = !this.hasAttribute("page");
  }

  disconnectedCallback() {
    this.#connected?.abort();
  }

  /** @param {string} name @param {string | null} _ @param {string | null} value */
  attributeChangedCallback(name, _, value) {
    if (name !== "src" || !value) return;
    this.#take(this.reader.formats().then((formats) => fromServer(value, document.baseURI, formats)));
  }

  #listen() {
    const files = /** @type {HTMLInputElement} */ (this.#get("#files"));
    const folder = /** @type {HTMLInputElement} */ (this.#get("#folder"));
    for (const input of [files, folder]) {
      input.addEventListener("change", () => {
        if (input.files?.length) this.open(fromList(input.files));
        input.value = "";
      });
    }
    for (const button of this.#all("[data-open]")) {
      button.addEventListener("click", () => (button.dataset.open === "folder" ? folder : files).click());
    }
    this.#get("#bases").addEventListener("change", ({ target }) => {
      this.#openBase(/** @type {HTMLSelectElement} */ (target).value);
    });
    // No inline handler in the template: a content security policy may forbid it.
    this.#get(".filters").addEventListener("submit", (event) => event.preventDefault());
    this.#get(".filters").addEventListener("input", () => this.#later());
    this.#get(".filters").addEventListener("change", () => this.#later());
    this.#get(".filters").addEventListener("focusin", ({ target }) => this.#explain(/** @type {HTMLElement} */ (target)));
    this.#get("#clear").addEventListener("click", () => this.clearFilters());
    this.#get("#more").addEventListener("click", () => this.#more(this.#get("#more").getAttribute("aria-expanded") !== "true"));
    this.#get("#openings").addEventListener("click", () => {
      this.#table.openings = this.#get("#openings").getAttribute("aria-pressed") !== "true";
      this.#table.draw();
    });
    this.#get("#export").addEventListener("click", () => this.#export());
    this.#get("#unmark").addEventListener("click", () => {
      this.#table.marked.clear();
      this.#table.draw();
      this.#marks();
    });
    const spelling = /** @type {HTMLInputElement} */ (this.#get("#spelling"));
    this.#get("#spell").addEventListener("click", () => spelling.click());
    // Not a filter by itself: the form would search with the spellings of before.
    spelling.addEventListener("input", (event) => event.stopPropagation());
    spelling.addEventListener("change", (event) => {
      event.stopPropagation();
      if (spelling.files?.length) this.spell(spelling.files[0]);
      spelling.value = "";
    });
    this.#get("#spelt button").addEventListener("click", () => this.spell(null));
    this.#get("#no-position").addEventListener("click", () => this.searchPosition("", false));
    this.#get(".message button").addEventListener("click", () => this.#say(""));
    for (const button of this.#all(".switch button")) {
      button.addEventListener("click", () => this.#side(button.dataset.side ?? "games"));
    }
    this.#get("[data-theme]").addEventListener("click", () => {
      const dark = this.getAttribute("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
      this.setAttribute("theme", dark === "dark" ? "light" : "dark");
      this.dispatchEvent(new CustomEvent("scoresheet-theme", { detail: this.getAttribute("theme"), bubbles: true }));
    });
  }

  /** @param {string} selector @returns {HTMLElement[]} */
  #all(selector) {
    return [...(this.shadowRoot?.querySelectorAll(selector) ?? [])].map((one) => /** @type {HTMLElement} */ (one));
  }

  /** @param {Promise<import("./dropped.js").Named[]>} files */
  async #take(files) {
    try {
      await this.open(await files);
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * Opens files, which replace the current ones. Current files of the same database stay, so that the files
   * of a database can be opened one after another. An opening book stands beside the base.
   * @param {import("./dropped.js").Named[]} all
   */
  async open(all) {
    const { files, books } = withoutBooks(all, this.about !== null);
    if (books.length > 0 && files.length === 0) {
      this.#say("");
      await this.#openBook(books);
      return;
    }
    await this.#openFiles(files);
    if (books.length > 0 && this.about) await this.#openBook(books);
  }

  /**
   * Opens the first of some books; no file closes the book.
   * @param {import("./dropped.js").Named[][]} books
   */
  async #openBook([files = [], ...others]) {
    this.book = null;
    const said = [this.#said];
    try {
      const about = await this.reader.book(files);
      this.book = about;
      if (about) {
        said.push(...about.warnings.map(plain));
        if (others.length > 0) said.push(`Of ${others.length + 1} books one is open: ${about.name}`);
        if (!this.about) said.push(`${about.name} is an opening book. Open a base, too: the moves of the book stand in its tree.`);
      }
    } catch (error) {
      said.push(error instanceof Error ? error.message : String(error));
    }
    this.#say(said.filter(Boolean).join("\n"));
    this.#pane.bookChanged();
    if (this.book) this.dispatchEvent(new CustomEvent("scoresheet-book", { detail: this.book, bubbles: true }));
  }

  /** @param {import("./dropped.js").Named[]} files */
  async #openFiles(files) {
    const opening = ++this.#opening;
    this.#say("");
    this.#close();
    this.#status("Looking at the files …");
    try {
      const { bases, others } = await this.reader.bases(files, { join: true });
      if (opening !== this.#opening) return;
      const select = /** @type {HTMLSelectElement} */ (this.#get("#bases"));
      select.replaceChildren(...bases.map((base) => new Option(`${base.name} (${base.title})`, base.name)));
      select.hidden = bases.length < 2;
      if (bases.length === 0) {
        const said = others.slice(0, 8).map(({ name, why }) => `${name}: ${why}`);
        this.#say(said.join("\n") || "There is no file in it.");
        this.#close();
        return;
      }
      await this.#openFirst(bases.map(({ name }) => name));
    } catch (error) {
      this.#close();
      this.#fail(error);
    }
  }

  /**
   * Opens the first database with games. If there is none, opens the first that can be opened. If none
   * can be opened, shows the error of the first.
   * @param {string[]} names
   */
  async #openFirst(names) {
    /** @type {string | undefined} */
    let empty;
    /** @type {string | undefined} */
    let said;
    for (const name of names.slice(0, MOST_TRIED)) {
      const opening = this.#opening + 1;
      await this.#openBase(name);
      if (opening !== this.#opening) return;
      if (this.about?.games) return;
      if (this.about) empty ??= name;
      else said ??= this.#said;
    }
    if (empty !== undefined && (names.length > 1 || !this.about)) await this.#openBase(empty);
    else if (said !== undefined) this.#say(said);
  }

  /** Clears the view, because no database is open. */
  #close() {
    this.about = null;
    this.#table.marked.clear();
    this.#table.sort = "";
    this.#table.reset(0);
    this.#asked++;
    this.#pane.close();
    this.#forget();
    this.#progress();
    this.#status("");
    this.#get(".about").textContent = "";
    this.#get(".welcome").hidden = false;
    this.#get(".work").hidden = true;
    this.#get(".switch").hidden = true;
    this.toggleAttribute("opened", false);
    this.#marks();
  }

  /**
   * @param {string} name
   * @param {string} [password]
   * @returns {Promise<void>}
   */
  async #openBase(name, password) {
    const opening = ++this.#opening;
    /** @type {HTMLSelectElement} */ (this.#get("#bases")).value = name;
    this.#say("");
    this.#close();
    try {
      let about = await this.reader.open(name, { password });
      if (opening !== this.#opening) return;
      this.#shown(about);
      if (about.growing) {
        const onProgress = (/** @type {About} */ now) => {
          if (opening !== this.#opening) return;
          this.about = now;
          this.#table.reset(now.games, { more: true });
          this.#progress(now.position, now.size);
          this.#status(`${count(now.games)} so far …`);
          if (this.#table.chosen < 0 && now.games > 0) this.#table.choose(0);
        };
        try {
          about = await this.reader.grow(onProgress);
        } catch (error) {
          this.#fail(error);
          about = await this.reader.about();
        }
        if (opening !== this.#opening) return;
      }
      if (about.blank) throw new Error(`${about.name}: nothing in it could be read as a game`);
      this.about = about;
      this.#progress();
      this.#table.reset(about.games, { more: true });
      this.#counts(about.games);
      if (about.games === 0 && !this.#said) this.#say(`${about.name}: no game in it`);
      if (about.games > 0 && this.#table.chosen < 0) this.#table.choose(0);
      this.#pane.base(about);
      this.#pane.selection();
      this.dispatchEvent(new CustomEvent("scoresheet-open", { detail: about, bubbles: true }));
    } catch (error) {
      if (/password/i.test(String(error)) && opening === this.#opening) {
        const given = prompt(`${String(/** @type {Error} */ (error).message)}\n\nPassword:`);
        if (given) return this.#openBase(name, given);
      }
      if (opening !== this.#opening) return;
      this.#close();
      this.#fail(error);
      this.#missing();
    }
  }

  /** @param {About} about */
  #shown(about) {
    this.about = about;
    this.toggleAttribute("opened", true);
    this.#get(".welcome").hidden = true;
    this.#get(".work").hidden = false;
    this.#get(".switch").hidden = false;
    for (const one of this.#all(".bar [data-open]")) one.hidden = false;
    const name = about.name.split("/").pop();
    this.#get(".about").textContent = `${name}, ${about.title}`;
    this.#get(".about").title = `${about.name}, ${about.title}`;
    this.#table.reset(about.games);
    const warnings = about.warnings.map(plain);
    if (warnings.length) this.#say(warnings.join("\n"));
    this.#missing();
  }

  /** Explains what to do if a file of the database is missing. */
  #missing() {
    if (/\bmissing\b/.test(this.#said)) this.#say(`${this.#said}\nOpen the other files of the base too: they are put together.`);
  }

  /**
   * Shows a game.
   * @param {number} number
   */
  async show(number) {
    const place = await this.reader.place(number);
    if (place !== undefined) await this.#table.choose(place, false);
    await this.#game(number);
    this.#side("board");
  }

  /** Shows no game, and ignores a pending request. */
  #noGame() {
    this.#asked++;
    this.#pane.clear();
  }

  /** @param {number} number */
  async #game(number) {
    const asked = ++this.#asked;
    try {
      const game = await this.reader.game(number);
      // Another request was made while this game was read.
      if (asked !== this.#asked) return;
      this.#pane.show(game);
      this.dispatchEvent(new CustomEvent("scoresheet-game", { detail: game, bubbles: true }));
    } catch (error) {
      if (asked === this.#asked) this.#fail(error);
    }
  }

  /** What the filters ask for. @returns {Query} */
  #query() {
    /** @type {Record<string, string | boolean>} */
    const query = {};
    for (const field of this.#all(".filters [name]")) {
      const input = /** @type {HTMLInputElement} */ (field);
      if (input.type === "checkbox") {
        if (input.checked) query[input.name] = true;
      } else if (input.value.trim()) query[input.name] = input.value;
    }
    if (this.#position) {
      query.position = this.#position;
      query.variations = this.#inVariations;
    }
    return query;
  }

  #forget() {
    for (const field of this.#all(".filters [name]")) {
      const input = /** @type {HTMLInputElement} */ (field);
      input.value = input.type === "checkbox" ? input.value : "";
      input.checked = false;
      input.removeAttribute("aria-invalid");
    }
    this.#position = "";
    this.#get(".wrong").hidden = true;
    this.#get(".people").hidden = true;
    this.#get(".hint").hidden = true;
    delete this.#get(".hint").dataset.of;
    this.#more(this.#get("#more").getAttribute("aria-expanded") === "true");
    this.#get(".chip").hidden = true;
    this.#get("#clear").hidden = true;
  }

  /** Shows all games again. */
  clearFilters() {
    this.#forget();
    return this.search();
  }

  /**
   * Takes all spellings of a name in a spelling file of Scid for one name, until another file or `null` is given.
   * @param {File | null} file
   */
  async spell(file) {
    this.#say("");
    try {
      const names = await this.reader.spell(file);
      this.#get("#spelt").hidden = !file;
      this.#get("#spelt span").textContent = file ? `${file.name}: ${names.toLocaleString("en")} ${names === 1 ? "name" : "names"}` : "";
    } catch (error) {
      this.#say(`${file?.name}: ${error instanceof Error ? error.message : error}`);
    }
    await this.search();
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.search(), PAUSE);
  }

  /** Searches the games that match the filters. */
  async search() {
    clearTimeout(this.#timer);
    if (!this.about) return;
    const all = this.about.games;
    const query = this.#query();
    this.#get(".people").hidden = true;
    this.#get("#clear").hidden = Object.keys(query).length === 0;
    let begun = false;
    try {
      const found = await this.reader.search(query, this.#table.sort, (now) => {
        this.#table.reset(now.found, { more: begun });
        begun = true;
        this.#counts(now.found, true);
        this.#progress(now.looked, all);
      });
      if (!found) return;
      this.#wrong(found.wrong);
      this.#hint(query);
      this.#progress();
      if (found.wrong) {
        // No search ran, and rows of the previous search would look like its result.
        this.#table.reset(0);
        this.#noGame();
        this.#status("Nothing was searched");
        this.#pane.selection();
        this.#marks();
      }
      this.dispatchEvent(new CustomEvent("scoresheet-search", { detail: found, bubbles: true }));
      if (found.wrong) return;
      this.#table.reset(found.found, { more: begun && !this.#table.sort });
      this.#counts(found.found);
      if (found.found > 0 && this.#table.chosen < 0) this.#table.choose(0);
      if (found.found === 0) this.#noGame();
      this.#pane.selection();
      if (query.player && found.found > 0) await this.#askPerson();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Asks which person is meant, if the *Player* filter means several. */
  async #askPerson() {
    const asked = await this.reader.people();
    if (!asked || asked.people.length < 2) return;
    const line = this.#get(".people");
    const range = (/** @type {[number, number] | null} */ ends) => (ends ? [...new Set(ends)].join("–") : "");
    const buttons = asked.people.slice(0, MOST_PEOPLE).map(({ ask, name, games, years, ratings }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = `${name} (${games.toLocaleString("en")})`;
      const facts = [range(years), ratings && `Elo ${range(ratings)}`, count(games)];
      button.title = facts.filter(Boolean).join(", ");
      button.onclick = () => {
        const field = /** @type {HTMLInputElement} */ (this.#get("[name=player]"));
        field.value = ask;
        field.focus();
        this.search();
      };
      return button;
    });
    const more = asked.people.length - buttons.length;
    const rest = [more > 0 ? `and ${more} more` : "", asked.unclear ? `${count(asked.unclear)} may be of either` : ""];
    line.replaceChildren(`The name means ${asked.people.length} people: `, ...buttons, rest.filter(Boolean).join("; "));
    line.hidden = false;
    this.dispatchEvent(new CustomEvent("scoresheet-people", { detail: asked, bubbles: true }));
  }

  /** Shows all filters, or those for which there is always room and those with a value. @param {boolean} all */
  #more(all) {
    const button = this.#get("#more");
    button.setAttribute("aria-expanded", String(all));
    button.textContent = all ? "Fewer filters" : "More filters";
    this.#get(".filters").toggleAttribute("data-all", all);
    for (const field of this.#all(".filters label")) {
      field.toggleAttribute("data-filled", Boolean(field.querySelector("input")?.value.trim()));
    }
  }

  /** Says what a filter takes, while it has the focus. @param {HTMLElement} target */
  #explain(target) {
    const line = this.#get(".hint");
    if (!target.matches("[name]") || line.dataset.of === "elo") return;
    line.hidden = false;
    line.textContent = target.title;
  }

  /** Says what a rating means that is no range. @param {Query} query */
  #hint(query) {
    const elo = (query.elo ?? "").trim();
    const alone = /^\d+$/.test(elo);
    const line = this.#get(".hint");
    if (alone) {
      line.dataset.of = "elo";
      line.hidden = false;
      line.textContent = `Elo ${elo} is exactly ${elo} for both players; ${elo}.. is ${elo} or more.`;
    } else if (line.dataset.of) {
      delete line.dataset.of;
      line.hidden = true;
    }
  }

  /** @param {{field: string, why: string}} [wrong] */
  #wrong(wrong) {
    const line = this.#get(".wrong");
    line.hidden = !wrong;
    line.textContent = wrong ? wrong.why : "";
    for (const field of this.#all(".filters [name]")) {
      const bad = wrong?.field === /** @type {HTMLInputElement} */ (field).name;
      if (bad) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
    }
  }

  /**
   * Searches games with a position. An empty FEN clears the position.
   * @param {string} fen
   * @param {boolean} inVariations
   */
  async searchPosition(fen, inVariations) {
    this.#say("");
    const fault = fen ? await this.reader.fault(fen) : null;
    if (fault) {
      this.#say(fault);
      return;
    }
    this.#position = fen;
    this.#inVariations = inVariations;
    this.#pane.wanted = fen;
    this.#get(".chip").hidden = !fen;
    if (fen) this.#side("games");
    await this.search();
  }

  /** @param {string} by */
  async #sort(by) {
    this.#status("Sorting …");
    try {
      await this.reader.sort(by);
      this.#table.reset(this.#table.count);
      this.#counts(this.#table.count);
      await this.#table.choose(0);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #export() {
    if (!this.about) return;
    const select = /** @type {HTMLSelectElement} */ (this.#get("#format"));
    const [format, title] = [select.value, select.selectedOptions[0].text];
    const marked = [...this.#table.marked].sort((one, other) => one - other);
    const name = (this.about.name.split("/").pop() ?? "games").replace(/\.[^.]*$/, "");
    // The message of an earlier export does not apply.
    this.#say("");
    try {
      const written = await this.reader.export(format, name, marked, (now) => {
        this.#progress(now.done, now.total);
        this.#status(`Writing ${count(now.done)} of ${count(now.total)}`);
      });
      this.#progress();
      this.#counts(this.#table.count);
      if (!written) return;
      for (const { name, file } of written.files) this.#download(name, file);
      const lost = Object.entries(written.losses).map(([kind, number]) => `${kind} (${number.toLocaleString("en")} times)`);
      const said = [
        written.refused ? `${title} cannot hold ${count(written.refused)}: not written.` : "",
        written.damaged ? `${count(written.damaged)} damaged: written as far as could be read.` : "",
        lost.length ? `${title} has no place for these, which were left out: ${lost.join(", ")}.` : "",
      ];
      if (said.some(Boolean)) this.#say(said.filter(Boolean).join("\n"));
      this.dispatchEvent(new CustomEvent("scoresheet-export", { detail: written, bubbles: true }));
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param {string} name @param {Blob} file */
  #download(name, file) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  /** Labels the save button with what it writes. */
  #marks() {
    const [marked, shown] = [this.#table.marked.size, this.#table.count];
    this.#get("#unmark").hidden = marked === 0;
    const button = /** @type {HTMLButtonElement} */ (this.#get("#export"));
    button.textContent = marked ? `Save ${marked.toLocaleString("en")} marked` : `Save ${shown ? count(shown) : ""}`.trim();
    button.disabled = marked + shown === 0;
  }

  /** @param {number} found @param {boolean} [more] */
  #counts(found, more = false) {
    const all = this.about?.games ?? 0;
    const words = found === all && !more ? count(all) : `${found.toLocaleString("en")} of ${count(all)}`;
    this.#status(this.about ? (more ? `${words} …` : words) : "");
    this.#marks();
  }

  /** @param {string} text */
  #status(text) {
    this.#get("#count").textContent = text;
  }

  /** @param {number} [done] @param {number} [total] */
  #progress(done, total) {
    const bar = /** @type {HTMLProgressElement} */ (this.#get("progress"));
    bar.hidden = done === undefined;
    if (done === undefined) return;
    if (total) bar.value = done / total;
    else bar.removeAttribute("value");
  }

  /** @param {string} side */
  #side(side) {
    this.#get(".work").dataset.side = side;
    for (const button of this.#all(".switch button")) {
      button.setAttribute("aria-pressed", String(button.dataset.side === side));
    }
    this.#table.draw();
  }

  /** Returns the text of the message. */
  get #said() {
    return this.#get(".message").hidden ? "" : (this.#get(".message span").textContent ?? "");
  }

  /** @param {string} text */
  #say(text) {
    this.#get(".message").hidden = !text;
    this.#get(".message span").textContent = text;
  }

  /** @param {unknown} error */
  #fail(error) {
    this.#progress();
    this.#counts(this.#table.count);
    this.#say(error instanceof Error ? error.message : String(error));
    if (/** @type {any} */ (error)?.broken) {
      // The state of a reader that failed is unreliable.
      this.reader.close();
      this.reader = new Reader();
      this.book = null;
      this.#get("#spelt").hidden = true;
      this.#close();
      this.#say("The reader broke off on this base. That is a fault of ours: please report it. Open the files again to go on.");
    }
  }
}

/**
 * Returns a warning without its place, its name and options of the program, which are not for the page.
 * @param {string} warning
 */
function plain(warning) {
  return warning.replace(/byte \d+: | \[[a-z0-9-]+\]$/g, "").replace(/; [^;]*--[^;]*$/, "");
}

/** @param {number} games */
function count(games) {
  return games === 1 ? "1 game" : `${games.toLocaleString("en")} games`;
}

customElements.define("scoresheet-viewer", ScoresheetViewer);
