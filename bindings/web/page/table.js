// The table of games. Only the visible rows are in the document, however many games there are.

/** @typedef {import("./reader.js").Row} Row */

export const COLUMNS = [
  ["Number", "No."], ["White", "White"], ["WhiteElo", "Elo"], ["Black", "Black"], ["BlackElo", "Elo"],
  ["Result", "Result"], ["Date", "Date"], ["ECO", "ECO"], ["Opening", "Opening"],
  ["Event", "Event"], ["Round", "Rd"],
];
/** The index of each column's value in a row. */
const CELLS = new Map([
  ["White", 0], ["WhiteElo", 1], ["Black", 2], ["BlackElo", 3], ["Result", 4], ["Date", 5], ["ECO", 6],
  ["Event", 7], ["Round", 9], ["Opening", 10],
]);
const NUMBERS = new Set(["Number", "WhiteElo", "BlackElo"]);
/** The widths of columns in rem: with values, and with only the title. Names share the remaining width. */
const WIDTHS = new Map([
  ["WhiteElo", [3, 2.5]], ["BlackElo", [3, 2.5]], ["Result", [3.8, 3.8]], ["Date", [5.6, 3.2]], ["ECO", [2.8, 2.7]],
]);
/** The widths of the round, and of a digit of the number, in rem. */
const [ROUND, DIGIT] = [[2.6, 2.1], 0.57];
/** The minimum width of a name, of one beside an event, of an event and of an opening, in rem; and the width of a name that is read whole mostly. */
const [NAME, BESIDE, EVENT, OPENING, WHOLE] = [8.5, 6.4, 3.8, 9, 10];
/** The least width of the date by the length of the longest, in rem. Fonts with wide digits need more. */
const DATES = [[4, 3.4], [7, 4.7], [10, 5.6]];

/** The number of rows in a request. */
const PAGE = 100;
/** The number of cached pages. */
const MOST_PAGES = 40;
/** The maximum scroll height of browsers; beyond it, the scroll position is scaled. */
const MOST_HEIGHT = 8_000_000;

/**
 * Formats a value for the table; an unknown value is empty.
 * @param {string} name
 * @param {string} value
 */
function shown(name, value) {
  if (value === "?" || value === "????.??.??" || value === "0") return "";
  if (name === "Result") return value.replace("1/2-1/2", "½–½").replace("-", "–");
  if (name === "Date") return value.replace(/(\.\?\?)+$/, "");
  return value;
}

/** Scrolls, renders and selects rows. */
export class Table {
  /** The number of rows. */
  count = 0;
  /** The selected row, or -1. */
  chosen = -1;
  /** Numbers of games that are marked. @type {Set<number>} */
  marked = new Set();
  /** @type {Map<number, Row[] | null>} */
  #pages = new Map();
  #version = 0;
  #drawn = false;
  /** Columns in which a value was seen. @type {Set<string>} */
  #filled = new Set();
  /** Whether the column of openings is wanted; `null` where there is room. @type {boolean | null} */
  openings = null;
  #showsOpenings = false;
  /** The lengths of the longest date and number seen. */
  #dateLength = 0;
  #numberLength = 0;
  #laid = "";
  #sort = "";

  /**
   * @param {HTMLElement} element the container
   * @param {(first: number, count: number, openings: boolean) => Promise<Row[]>} rows
   * @param {{choose: (number: number) => void, sort: (by: string) => void, mark: () => void, enter: () => void, laid: (openings: boolean) => void}} actions
   */
  constructor(element, rows, actions) {
    this.element = element;
    this.rows = rows;
    this.actions = actions;
    element.tabIndex = 0;
    element.setAttribute("role", "grid");
    element.setAttribute("aria-label", "Games");
    element.setAttribute("aria-multiselectable", "true");
    element.innerHTML = `<div role="rowgroup"><div class="head" role="row" aria-rowindex="1"></div></div><div class="body" role="rowgroup"></div>`;
    this.head = /** @type {HTMLElement} */ (element.querySelector(".head"));
    this.body = /** @type {HTMLElement} */ (element.querySelector(".body"));
    for (const [name, title] of COLUMNS) {
      const cell = document.createElement("div");
      cell.setAttribute("role", "columnheader");
      cell.dataset.c = name;
      if (NUMBERS.has(name)) cell.className = "num";
      const button = document.createElement("button");
      const whose = { WhiteElo: "White’s ", BlackElo: "Black’s " }[name] ?? "";
      button.innerHTML = `${whose && `<span class="vh">${whose}</span>`}${title}`;
      button.title = `Sort by ${{ Round: "round", Number: "number" }[name] ?? whose + title}`;
      button.tabIndex = -1;
      button.onclick = () => this.#sortBy(name);
      cell.append(button);
      this.head.append(cell);
    }
    element.addEventListener("scroll", () => this.draw(), { passive: true });
    element.addEventListener("keydown", (event) => this.#key(event));
    this.body.addEventListener("click", (event) => this.#click(event));
    new ResizeObserver(() => this.draw()).observe(element);
  }

  get rowHeight() {
    return this.element.clientWidth <= 900 && getComputedStyle(this.head).gridTemplateColumns.split(" ").length <= 4 ? 44 : 30;
  }

  /** @param {string} name */
  #sortBy(name) {
    const by = name.toLowerCase();
    this.sort = this.#sort === by ? `-${by}` : this.#sort === `-${by}` ? "" : by;
    this.actions.sort(this.#sort);
  }

  get sort() {
    return this.#sort;
  }

  set sort(by) {
    this.#sort = by;
    for (const cell of this.head.children) {
      const name = /** @type {HTMLElement} */ (cell).dataset.c?.toLowerCase();
      if (by === name) cell.setAttribute("aria-sort", "ascending");
      else if (by === `-${name}`) cell.setAttribute("aria-sort", "descending");
      else cell.removeAttribute("aria-sort");
    }
  }

  /**
   * Replaces the rows, or adds more.
   * @param {number} count
   * @param {{more?: boolean, keep?: boolean}} [how] `more`: the earlier rows are unchanged
   */
  reset(count, { more = false, keep = false } = {}) {
    const grown = more && count >= this.count;
    this.count = count;
    if (grown) {
      // The last page may have been incomplete.
      for (const [page, rows] of this.#pages) if (rows && rows.length < PAGE) this.#pages.delete(page);
    } else {
      this.#version++;
      this.#pages.clear();
      this.#filled.clear();
      this.#dateLength = 0;
      this.#numberLength = 0;
      // Old rows must not stay visible for a frame beside the new count.
      this.body.replaceChildren();
      if (!keep) {
        this.chosen = -1;
        this.element.scrollTop = 0;
      }
    }
    this.element.setAttribute("aria-rowcount", String(count + 1));
    this.draw();
  }

  /** Schedules a redraw at the next frame. */
  draw() {
    if (this.#drawn) return;
    this.#drawn = true;
    requestAnimationFrame(() => {
      this.#drawn = false;
      this.#draw();
    });
  }

  /** Returns the first visible row, and its position. */
  #place() {
    const height = this.rowHeight;
    const view = Math.max(this.element.clientHeight - this.head.offsetHeight, height);
    const total = Math.min(this.count * height, MOST_HEIGHT);
    const top = this.element.scrollTop;
    if (total === this.count * height) return { height, view, total, first: top / height };
    const share = Math.min(top / Math.max(total - view, 1), 1);
    return { height, view, total, first: share * (this.count - view / height) };
  }

  /** Returns the width of the longest date with its padding, in the font of the rows, in pixels. */
  #widthOfDate() {
    const cell = this.body.querySelector("[data-c=Date]");
    const context = document.createElement("canvas").getContext("2d");
    if (!cell || !context) return 0;
    const style = getComputedStyle(cell);
    context.font = style.font;
    const text = "0000.00.00".slice(0, this.#dateLength);
    return context.measureText(text).width + parseFloat(style.paddingLeft) + parseFloat(style.paddingRight) + 1;
  }

  /** Sets the column widths. Empty columns are narrow, and the event is hidden before names are unreadable. */
  #lay() {
    // The layout of the rows before stays until the values of the next are known.
    if (this.#laid && this.#filled.size === 0 && this.count > 0) return;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    const widthOf = (/** @type {string} */ name) => {
      if (name === "Date" && this.#filled.has(name)) {
        const least = DATES.find(([length]) => this.#dateLength <= length)?.[1] ?? 5.6;
        return Math.max(least, this.#widthOfDate() / rem);
      }
      if (name === "Number") return Math.max(2.4, 0.75 + DIGIT * this.#numberLength);
      return (name === "Round" ? ROUND : WIDTHS.get(name))?.[this.#filled.has(name) ? 0 : 1];
    };
    let rest = this.element.clientWidth / rem;
    for (const name of ["Number", ...WIDTHS.keys()]) rest -= widthOf(name) ?? 0;
    const named = this.#filled.has("White") || this.#filled.has("Black");
    const [name, beside] = named ? [NAME, BESIDE] : [EVENT, EVENT];
    const round = widthOf("Round") ?? 0;
    const fits = rest >= 2 * name + OPENING + round + (this.#filled.has("Event") ? EVENT : 0);
    const openings = this.openings ?? fits;
    if (openings) rest -= OPENING;
    const events = this.#filled.has("Event") && rest >= 2 * beside + EVENT;
    // The round gives way to names, to an event, and to an opening that is asked for.
    const rounds = rest - round >= (events ? 2 * name + EVENT : 2 * (named ? WHOLE : EVENT));
    const tight = openings && rest < 2 * name;
    const columns = COLUMNS.flatMap(([column]) => {
      const width = widthOf(column);
      if ((tight && column === "Number") || (!rounds && column === "Round")) return [];
      if (width) return `${width}rem`;
      if (column === "Opening") return openings ? `minmax(${tight ? EVENT : OPENING}rem, 1fr)` : [];
      if (column !== "Event") return `minmax(${events ? beside : EVENT}rem, ${openings ? 1.2 : 1}fr)`;
      return events ? "minmax(0, 0.8fr)" : [];
    }).join(" ");
    if (columns === this.#laid) return;
    this.#laid = columns;
    this.element.toggleAttribute("data-no-event", !events);
    this.element.toggleAttribute("data-no-opening", !openings);
    this.element.toggleAttribute("data-no-round", !rounds);
    this.element.toggleAttribute("data-no-number", tight);
    this.actions.laid(openings);
    if (openings && !this.#showsOpenings) {
      this.#pages.clear();
      this.#version++;
    }
    this.#showsOpenings = openings;
    this.element.style.setProperty("--columns", columns);
  }

  #draw() {
    this.#lay();
    const { height, view, total, first } = this.#place();
    this.body.style.height = `${total}px`;
    const from = Math.max(Math.floor(first) - 2, 0);
    const to = Math.min(Math.ceil(first + view / height) + 2, this.count);
    const fragment = document.createDocumentFragment();
    for (let index = from; index < to; index++) {
      const row = this.#row(index);
      row.style.top = `${this.element.scrollTop + (index - first) * height}px`;
      fragment.append(row);
    }
    this.body.replaceChildren(fragment);
    if (this.chosen >= from && this.chosen < to) this.element.setAttribute("aria-activedescendant", `row-${this.chosen}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  /** @param {number} index */
  #row(index) {
    const row = document.createElement("div");
    row.className = "row";
    row.id = `row-${index}`;
    row.dataset.row = String(index);
    row.setAttribute("role", "row");
    row.setAttribute("aria-rowindex", String(index + 2));
    row.setAttribute("aria-selected", String(index === this.chosen));
    const values = this.#values(index);
    for (const [name] of COLUMNS) {
      const cell = document.createElement("div");
      cell.setAttribute("role", "gridcell");
      cell.dataset.c = name;
      if (NUMBERS.has(name)) cell.className = "num";
      const place = CELLS.get(name);
      const text = values ? (place === undefined ? String(values[0]) : shown(name, values[1][place])) : "";
      cell.textContent = text;
      if (name === "Date" && text.length > 4) {
        // A narrow page shows the year only.
        const day = document.createElement("span");
        day.className = "day";
        day.textContent = text.slice(4);
        cell.replaceChildren(text.slice(0, 4), day);
      }
      if (text && (name === "White" || name === "Black" || name === "Event" || name === "Opening")) cell.title = text;
      row.append(cell);
    }
    if (values?.[2]) row.classList.add("deleted");
    if (values && this.marked.has(values[0])) row.classList.add("marked");
    return row;
  }

  /**
   * @param {number} index
   * @returns {Row | null | undefined}
   */
  #values(index) {
    const page = Math.floor(index / PAGE);
    const rows = this.#pages.get(page);
    if (rows !== undefined) return rows?.[index % PAGE];
    this.#pages.set(page, null);
    if (this.#pages.size > MOST_PAGES) {
      for (const oldest of this.#pages.keys()) {
        this.#pages.delete(oldest);
        break;
      }
    }
    const version = this.#version;
    this.rows(page * PAGE, PAGE, this.#showsOpenings).then(
      (rows) => {
        if (version !== this.#version) return;
        this.#pages.set(page, rows);
        for (const [number, values] of rows) {
          this.#numberLength = Math.max(this.#numberLength, String(number).length);
          for (const [name, place] of CELLS) if (shown(name, values[place])) this.#filled.add(name);
          this.#dateLength = Math.max(this.#dateLength, shown("Date", values[5]).length);
        }
        this.draw();
      },
      () => this.#pages.delete(page),
    );
    return undefined;
  }

  /**
   * Selects a row and scrolls to it.
   * @param {number} index
   * @param {boolean} [tell]
   */
  async choose(index, tell = true) {
    if (this.count === 0) return;
    this.chosen = Math.min(Math.max(index, 0), this.count - 1);
    const chosen = this.chosen;
    this.#show(chosen);
    this.draw();
    if (!tell) return;
    const values = this.#values(chosen) ?? (await this.rows(chosen, 1, false))[0];
    if (values && chosen === this.chosen) this.actions.choose(values[0]);
  }

  /** @param {number} index */
  #show(index) {
    const { height, view, total, first } = this.#place();
    if (index >= first && index + 1 <= first + view / height) return;
    const wanted = index < first ? index : index + 1 - view / height;
    const whole = total === this.count * height;
    this.element.scrollTop = whole ? wanted * height : (wanted / (this.count - view / height)) * (total - view);
  }

  /** @param {number} index */
  async #mark(index) {
    const values = this.#values(index) ?? (await this.rows(index, 1, false))[0];
    if (!values) return;
    if (!this.marked.delete(values[0])) this.marked.add(values[0]);
    this.actions.mark();
    this.draw();
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const row = /** @type {HTMLElement | null} */ (target.closest(".row"));
    if (!row) return;
    const index = Number(row.dataset.row);
    if (event.ctrlKey || event.metaKey) {
      this.#mark(index);
      return;
    }
    this.choose(index);
    this.actions.enter();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.target !== this.element || event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(Math.floor(this.element.clientHeight / this.rowHeight) - 2, 1);
    const to = {
      ArrowDown: this.chosen + 1, ArrowUp: this.chosen - 1, PageDown: this.chosen + page,
      PageUp: this.chosen - page, Home: 0, End: this.count - 1,
    }[event.key];
    if (to !== undefined) this.choose(to);
    else if (event.key === " " && this.chosen >= 0) this.#mark(this.chosen);
    else if (event.key === "Enter" && this.chosen >= 0) this.actions.enter();
    else return;
    event.preventDefault();
  }
}
