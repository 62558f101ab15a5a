// <scoresheet-viewer>: files are dropped on it, or named by `src`, and their games are seen.
//
// Attributes: src (addresses of files, blanks between them; companions are looked for beside them),
// page (files may be dropped anywhere on the page), theme (light or dark, else what the system says).
// Events: scoresheet-open (detail: what is known of the base), scoresheet-game (detail: the game).

import { Reader } from "./reader.js";
import { fromDrop, fromList, fromServer } from "./dropped.js";
import { GamePane } from "./pane.js";
import { Table } from "./table.js";
import { template } from "./template.js";

/** @typedef {import("./reader.js").About} About */
/** @typedef {import("./reader.js").Query} Query */

/** How long after the last key a filter is looked for, in milliseconds. */
const PAUSE = 160;

export class ScoresheetViewer extends HTMLElement {
  static observedAttributes = ["src"];

  /** The reader of the base that is open. @type {Reader} */
  reader = new Reader();
  /** @type {About | null} */
  about = null;
  /** @type {Table} */
  #table;
  /** @type {GamePane} */
  #pane;
  #position = "";
  #inVariations = false;
  #timer = 0;
  /** @type {AbortController | null} */
  #connected = null;
  /** Which opening is the last. */
  #opening = 0;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.append(template(new URL("./viewer.css", import.meta.url).href));
    this.#table = new Table(this.#get(".table"), (first, count) => this.reader.rows(first, count), {
      choose: (number) => this.#game(number),
      sort: (by) => this.#sort(by),
      mark: () => this.#marks(),
      enter: () => this.#side("board"),
    });
    this.#pane = new GamePane(root, this, {
      search: (fen, inVariations) => this.searchPosition(fen, inVariations),
      go: (number) => this.show(number),
      step: (by) => this.#table.choose(this.#table.chosen + by),
    });
    this.#listen();
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
    if (name === "src" && value) this.#take(fromServer(value, document.baseURI));
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
    this.#get(".filters").addEventListener("input", () => this.#later());
    this.#get(".filters").addEventListener("change", () => this.#later());
    this.#get("#clear").addEventListener("click", () => this.clearFilters());
    this.#get("#export").addEventListener("click", () => this.#export());
    this.#get("#unmark").addEventListener("click", () => {
      this.#table.marked.clear();
      this.#table.draw();
      this.#marks();
    });
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

  /** @param {Promise<{name: string, file: Blob}[]>} files */
  async #take(files) {
    try {
      await this.open(await files);
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * Opens files, which replace those before.
   * @param {{name: string, file: Blob}[]} files
   */
  async open(files) {
    const opening = ++this.#opening;
    this.#say("");
    this.#status("Looking at the files …");
    try {
      const { bases, others } = await this.reader.bases(files);
      if (opening !== this.#opening) return;
      const select = /** @type {HTMLSelectElement} */ (this.#get("#bases"));
      select.replaceChildren(...bases.map((base) => new Option(`${base.name} (${base.title})`, base.name)));
      select.hidden = bases.length < 2;
      if (bases.length === 0) {
        const said = others.slice(0, 8).map(({ name, why }) => `${name}: ${why}`);
        this.#say(said.join("\n") || "There is no file in it.");
        this.#status("");
        return;
      }
      await this.#openBase(bases[0].name);
      // A base of which the first name does not open is not the only one, perhaps.
      for (const base of bases.slice(1)) if (!this.about) await this.#openBase(base.name);
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * @param {string} name
   * @param {string} [password]
   * @returns {Promise<void>}
   */
  async #openBase(name, password) {
    const opening = ++this.#opening;
    /** @type {HTMLSelectElement} */ (this.#get("#bases")).value = name;
    this.about = null;
    this.#pane.clear();
    this.#table.marked.clear();
    this.#table.sort = "";
    this.#marks();
    this.#forget();
    try {
      let about = await this.reader.open(name, { password });
      this.#shown(about);
      if (about.growing) {
        const told = (/** @type {About} */ now) => {
          if (opening !== this.#opening) return;
          this.about = now;
          this.#table.reset(now.games, { more: true });
          this.#progress(now.position, now.size);
          this.#status(`${count(now.games)} so far …`);
          if (this.#table.chosen < 0 && now.games > 0) this.#table.choose(0);
        };
        try {
          about = await this.reader.grow(told);
        } catch (error) {
          this.#fail(error);
          about = await this.reader.about();
        }
        if (opening !== this.#opening) return;
      }
      this.about = about;
      this.#progress();
      this.#table.reset(about.games, { more: true });
      this.#counts(about.games);
      if (about.games > 0 && this.#table.chosen < 0) this.#table.choose(0);
      this.#pane.base(about);
      this.dispatchEvent(new CustomEvent("scoresheet-open", { detail: about, bubbles: true }));
    } catch (error) {
      if (/password/i.test(String(error)) && opening === this.#opening) {
        const given = prompt(`${String(/** @type {Error} */ (error).message)}\n\nPassword:`);
        if (given) return this.#openBase(name, given);
      }
      this.#fail(error);
    }
  }

  /** @param {About} about */
  #shown(about) {
    this.about = about;
    this.#get(".welcome").hidden = true;
    this.#get(".work").hidden = false;
    this.#get(".switch").hidden = false;
    for (const one of this.#all(".bar [data-open]")) one.hidden = false;
    this.#get(".about").textContent = `${about.name.split("/").pop()}, ${about.title}`;
    this.#table.reset(about.games);
    if (about.warnings.length) this.#say(about.warnings.join("\n"));
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

  /** @param {number} number */
  async #game(number) {
    try {
      const game = await this.reader.game(number);
      this.#pane.show(game);
      this.dispatchEvent(new CustomEvent("scoresheet-game", { detail: game, bubbles: true }));
    } catch (error) {
      this.#fail(error);
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
      query.inVariations = this.#inVariations;
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
    this.#get(".chip").hidden = true;
    this.#get("#clear").hidden = true;
  }

  /** Shows all games again. */
  clearFilters() {
    this.#forget();
    return this.search();
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.search(), PAUSE);
  }

  /** Looks for the games that the filters ask for. */
  async search() {
    clearTimeout(this.#timer);
    if (!this.about) return;
    const all = this.about.games;
    const query = this.#query();
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
      this.#progress();
      this.dispatchEvent(new CustomEvent("scoresheet-search", { detail: found, bubbles: true }));
      if (found.wrong) return;
      this.#table.reset(found.found, { more: begun && !this.#table.sort });
      this.#counts(found.found);
      if (found.found > 0 && this.#table.chosen < 0) this.#table.choose(0);
      if (found.found === 0) this.#pane.clear();
    } catch (error) {
      this.#fail(error);
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
   * Looks for games with a position; none for an empty FEN.
   * @param {string} fen
   * @param {boolean} inVariations
   */
  async searchPosition(fen, inVariations) {
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
    const format = /** @type {any} */ (this.#get("#format")).value;
    const marked = [...this.#table.marked].sort((one, other) => one - other);
    const name = (this.about.name.split("/").pop() ?? "games").replace(/\.[^.]*$/, "");
    try {
      const written = await this.reader.export(format, name, marked, (now) => {
        this.#progress(now.done, now.total);
        this.#status(`Writing ${count(now.done)} of ${count(now.total)}`);
      });
      this.#progress();
      this.#counts(this.#table.count);
      if (!written) return;
      for (const { name, file } of written.files) this.#download(name, file);
      const lost = Object.entries(written.losses).map(([kind, number]) => `${kind}: ${number}`);
      const said = [
        written.refused ? `${count(written.refused)} could not be stored in this format.` : "",
        written.damaged ? `${count(written.damaged)} damaged: as much of them as could be read was written.` : "",
        lost.length ? `What the format cannot hold: ${lost.join(", ")}.` : "",
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

  #marks() {
    const marked = this.#table.marked.size;
    this.#get("#unmark").hidden = marked === 0;
    this.#get("#export").textContent = marked ? `Save ${marked} marked` : "Save these";
  }

  /** @param {number} found @param {boolean} [more] */
  #counts(found, more = false) {
    const all = this.about?.games ?? 0;
    const words = found === all && !more ? count(all) : `${found.toLocaleString("en")} of ${count(all)}`;
    this.#status(more ? `${words} …` : words);
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
      // What a reader that broke off holds cannot be trusted.
      this.reader.close();
      this.reader = new Reader();
      this.about = null;
      this.#table.reset(0);
      this.#pane.clear();
      this.#say("The reader broke off on this base. That is a fault of ours: please report it. Open the files again to go on.");
    }
  }
}

/** @param {number} games */
function count(games) {
  return games === 1 ? "1 game" : `${games.toLocaleString("en")} games`;
}

customElements.define("scoresheet-viewer", ScoresheetViewer);
