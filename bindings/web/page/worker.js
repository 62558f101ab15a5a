// The worker of the reader. It answers calls in order. A task over all games runs in steps, and newer
// calls are answered between steps. A newer search cancels an older one.

import init, { Session, list_formats, play, position_fault, version } from "./scoresheet.js";
import { HELPER, Team } from "./helper.js";
import * as host from "./host.js";

/** The duration of a step in milliseconds, which is the longest wait of a call. */
const STEP = 40;

/** The most and the least bytes of a section of a text. Each read costs some milliseconds; small ones at the end share the work evenly. */
const [MOST_SECTION, LEAST_SECTION] = [4 << 20, 1 << 20];

/** A text of fewer bytes is found before a helper is ready. */
const LEAST_HELPED = 8 << 20;

/** The most bytes of a spelling file. Those that people have are of 20 MB. */
const MOST_SPELLED = 256 << 20;

/** @type {Session} */
let session;
/** @type {WebAssembly.Memory} */
let memory;
/** The module. A helper gets that of the reader's worker, which is compiled already. @type {WebAssembly.Module} */
let module;
/** @type {(module: WebAssembly.Module) => void} */
let receive = () => {};
const arrival = self.name === HELPER ? new Promise((resolve) => (receive = resolve)) : compile();
const ready = arrival.then(async (compiled) => {
  module = compiled;
  memory = (await init({ module_or_path: module })).memory;
  session = new Session();
});

/** Compiles the module while it is fetched. */
async function compile() {
  const answer = await fetch(new URL("./scoresheet_bg.wasm", import.meta.url));
  if (!answer.ok) throw new Error(`scoresheet_bg.wasm: ${answer.status}`);
  // Some servers do not know the type.
  const isKnown = answer.headers.get("content-type") === "application/wasm";
  return isKnown ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

/** The running tasks by kind; a newer task cancels an older one of its kind. @type {Map<string, AbortController>} */
const current = new Map();

/** Cancels the running task of a kind. @param {string} kind */
function cancel(kind) {
  current.get(kind)?.abort();
  current.delete(kind);
}

function cancelAll() {
  for (const kind of [...current.keys()]) cancel(kind);
}

/** Begins a task of a kind. @param {string} kind */
function begin(kind) {
  cancel(kind);
  const own = new AbortController();
  current.set(kind, own);
  return own.signal;
}

/** @typedef {import("./dropped.js").Named} Named */

/** The files of the session. @type {Named[]} */
let given = [];

/** The arguments of the last `open`. @type {any[]} */
let opened = [];

/** The query of the games that are selected; `undefined` while they are being searched. @type {Record<string, any> | undefined} */
let selected = {};

/** Whether names are compared by a spelling file, which no server has. */
let isSpelt = false;

/** The helpers that find games of the text that is open. */
let team = new Team();

/**
 * Returns the common part of a database's file names: folder and stem, or only the folder of jose's MySQL tables.
 * @param {string} name
 */
function baseOf(name) {
  const lower = name.toLowerCase();
  return /\.(frm|myd|myi)$/.test(lower) ? lower.replace(/[^/]*$/, "") : lower.replace(/\.[^./]*$/, "");
}

/**
 * Starts a session with these files, and groups them into databases.
 * @param {Named[]} list
 * @returns {import("./reader.js").Found}
 */
function sorted(list) {
  const before = session;
  session = new Session();
  session.spell_as(before);
  before.free();
  host.clear();
  given = list;
  for (const { name, file } of list) session.add(name, host.add(file));
  openBook();
  return JSON.parse(session.bases());
}

/** Yields to waiting calls. */
const channel = new MessageChannel();
/** @type {(() => void)[]} */
const turns = [];
channel.port1.onmessage = () => turns.shift()?.();
function turn() {
  return new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
    turns.push(() => resolve());
    channel.port2.postMessage(null);
  });
}

/**
 * Runs steps until the last one. The size of a step adapts to the intended duration.
 * @template T
 * @param {string} kind
 * @param {number} count number of games in the first step
 * @param {(count: number) => {last: boolean, value: T, wait?: Promise<void>}} step the next one begins after `wait`
 * @param {(value: T) => void} tell
 * @returns {Promise<T | null>} the result of the last step; `null` if a newer task of the kind started
 */
async function steps(kind, count, step, tell) {
  const signal = begin(kind);
  let lastReport = 0;
  for (;;) {
    const begun = performance.now();
    const { last, value, wait } = step(Math.ceil(count));
    const now = performance.now();
    count = Math.min(Math.max((count * STEP) / Math.max(now - begun, 1), 1), count * 2);
    if (last) return value;
    if (now - lastReport > 100) {
      lastReport = now;
      tell(value);
    }
    await (wait ?? turn());
    if (signal.aborted) return null;
  }
}

/**
 * Asks the server of the base, which has all cores and an index of positions.
 * @param {"tree" | "search"} kind
 * @param {string} path
 * @param {Record<string, any>} query
 * @returns {Promise<any>} `undefined` if the base has no server, or one with other games; `null` if a newer task started
 */
async function ask(kind, path, query) {
  const server = given.find(({ name }) => name === opened[0])?.server;
  if (!server || isSpelt) return undefined;
  const url = new URL(path, server);
  for (const [field, value] of Object.entries(query)) {
    const name = field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const text = typeof value === "boolean" ? (value ? "yes" : "no") : value?.trim();
    if (text) url.searchParams.append(name, text);
  }
  const signal = begin(kind);
  let answer;
  try {
    const got = await fetch(url, { signal });
    answer = await got.text();
    if (!got.ok) throw new Error(answer.trim() || `the server answers ${got.status}`);
    answer = JSON.parse(answer);
  } catch (error) {
    if (signal.aborted) return null;
    throw error instanceof TypeError ? new Error("the server does not answer any more") : error;
  }
  if (signal.aborted) return null;
  return answer.looked === JSON.parse(session.about()).games ? answer : undefined;
}

/**
 * Returns the text that is open as a file, if it is large enough for helpers.
 * @returns {Named | undefined}
 */
function largeText() {
  const [{ format, size }, name, spooled] = [JSON.parse(session.about()), opened[0], session.spooled()];
  if (size < LEAST_HELPED) return undefined;
  if (spooled !== undefined) return { name: `${name}.${format}`, file: host.file(spooled) };
  // A text in an archive has no file of its own.
  return given.find((one) => one.name === name);
}

/** The files of the opening book. @type {Named[]} */
let bookFiles = [];

/** Opens the book in the session. */
function openBook() {
  for (const { name, file } of bookFiles) session.add_book(name, host.add(file));
  return JSON.parse(session.open_book());
}

/** @type {Record<string, (...args: any[]) => any>} */
const calls = {
  /** @param {Named[]} list @param {boolean} [join] */
  bases(list, join = false) {
    cancelAll();
    team.close();
    const names = new Set(list.map(({ name }) => name));
    const keys = new Set(list.map(({ name }) => baseOf(name)));
    // A repeated file belongs to another database of the same name, or to a newer version of it.
    const lower = new Set(list.map(({ name }) => name.toLowerCase()));
    for (const { name } of given) if (lower.has(name.toLowerCase())) keys.delete(baseOf(name));
    const beside = join ? given.filter(({ name }) => keys.has(baseOf(name))) : [];
    const found = sorted([...list, ...beside]);
    if (beside.length === 0) return found;
    // Earlier files stay only if they belong to the same database as a newer file.
    const joined = found.bases.filter(({ files }) => files.some((name) => names.has(name)));
    const kept = new Set(joined.flatMap(({ files }) => files));
    const stay = beside.filter(({ name }) => kept.has(name));
    return stay.length === beside.length ? found : sorted([...list, ...stay]);
  },
  /** @param {string} name @param {string} [encoding] @param {string} [password] */
  open(name, encoding, password) {
    cancelAll();
    team.close();
    selected = {};
    opened = [name, encoding, password];
    return JSON.parse(session.open(name, encoding, password));
  },
  /** Finds all games of a text. Helpers find a part of them. */
  async grow(/** @type {(value: any) => void} */ tell) {
    const about = () => JSON.parse(session.about());
    team.close();
    const own = (team = new Team());
    let [isShared, isInside, end] = [true, false, 0];
    const split = () => {
      const even = Math.floor((about().size - end) / (own.size + 1) / 4);
      const section = session.split(Math.min(Math.max(even, LEAST_SECTION), MOST_SECTION));
      if (section) end = Number(section[1]);
      return section;
    };
    const take = (/** @type {Uint8Array | undefined} */ found) => {
      if (session.attach(found)) return;
      isShared = false;
      own.close();
    };
    /** Begins a section here, and gives others to the helpers. Returns `false` if there is no other. */
    const share = () => {
      const section = isShared ? split() : undefined;
      if (!section) return false;
      session.begin_section(section);
      if (own.size === 0) {
        const text = largeText();
        if (text) own.start({ module, text, how: opened.slice(1), take });
        isShared = own.size > 0;
      }
      own.give(split);
      return true;
    };
    const step = () => {
      const begun = performance.now();
      do {
        if (isInside || share()) isInside = session.step_section();
        else if (own.isBusy) return { last: false, value: about(), wait: own.answer() };
        else if (!session.grow()) return { last: true, value: about() };
      } while (performance.now() - begun < STEP / 2);
      return { last: false, value: about() };
    };
    try {
      await steps("grow", 1, step, tell);
    } finally {
      own.close();
    }
    return about();
  },
  /** @param {BigUint64Array} section */
  find: (section) => session.find(section),
  about: () => ({ ...JSON.parse(session.about()), memory: memory.buffer.byteLength }),
  /** @param {(value: any) => void} tell @param {object} query @param {string} sort */
  async search(tell, query, sort) {
    cancel("search");
    cancel("people");
    selected = undefined;
    const wrong = JSON.parse(session.query(JSON.stringify(query)));
    if (wrong) return { wrong };
    const slow = setTimeout(() => tell({ done: false, looked: 0, found: 0 }), 200);
    const asked = Object.keys(query).length ? ask("search", "list", query) : undefined;
    const answer = await Promise.resolve(asked).finally(() => clearTimeout(slow));
    if (answer === null) return null;
    if (answer) session.found(Uint32Array.from(answer.steps));
    const found = await steps(
      "search",
      500,
      (count) => {
        const value = JSON.parse(session.search(count));
        return { last: value === null || value.done, value };
      },
      tell,
    );
    if (!found) return null;
    selected = query;
    if (sort) session.sort(sort);
    return found;
  },
  /** @param {Blob | null} file */
  async spell(file) {
    if (file && file.size > MOST_SPELLED) throw new Error(`more than ${MOST_SPELLED >> 20} MB; this is not a spelling file`);
    const names = session.spell(file ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array());
    isSpelt = file !== null;
    return names;
  },
  /** @param {string} by */
  sort: (by) => session.sort(by),
  /** @param {number} first @param {number} count @param {boolean} openings */
  rows: (first, count, openings) => JSON.parse(session.rows(first, count, openings)),
  /** @param {number} number */
  place: (number) => session.place(number),
  /** @param {number} number */
  game: (number) => JSON.parse(session.game(number)),
  /** @param {number} number @param {number} at */
  moves: (number, at) => JSON.parse(session.moves(number, at)),
  /** @param {(value: any) => void} tell @param {string} fen */
  async tree(tell, fen) {
    const answer = selected && (await ask("tree", "tree", { ...selected, fen }));
    if (answer !== undefined) return answer;
    session.tree(fen);
    return steps(
      "tree",
      2000,
      (count) => {
        const value = JSON.parse(session.tree_more(count));
        return { last: value.done, value };
      },
      tell,
    );
  },
  /** @param {(value: any) => void} tell */
  people(tell) {
    session.people();
    return steps(
      "people",
      500,
      (count) => {
        const value = JSON.parse(session.people_more(count));
        return { last: value.done, value };
      },
      tell,
    );
  },
  /** @param {Named[]} files */
  book(files) {
    bookFiles = files;
    try {
      return openBook();
    } catch (error) {
      bookFiles = [];
      throw error;
    }
  },
  /** @param {string} fen */
  bookMoves: (fen) => JSON.parse(session.book_moves(fen)),
  /** @param {number} number */
  pgn: (number) => session.pgn(number),
  /** @param {number} number */
  dump: (number) => JSON.parse(session.dump(number)),
  /** @param {(value: any) => void} tell */
  check(tell) {
    session.check();
    /** @type {object[]} */
    const findings = [];
    return steps(
      "check",
      50,
      (count) => {
        const value = JSON.parse(session.check_more(count));
        for (const one of value.findings) if (findings.length < 5000) findings.push(one);
        return { last: value.done, value: { ...value, findings } };
      },
      (value) => tell({ ...value, findings: [] }),
    );
  },
  /** @param {(value: any) => void} tell @param {string} format @param {string} name @param {number[]} numbers */
  async export(tell, format, name, numbers) {
    session.export(format, name, new Uint32Array(numbers ?? []));
    const value = await steps(
      "export",
      100,
      (count) => {
        const value = JSON.parse(session.export_more(count));
        return { last: value.files.length > 0, value };
      },
      tell,
    );
    const files = value?.files.map((/** @type {{name: string, file: number}} */ one) => ({
      name: one.name,
      file: host.file(one.file),
    }));
    return value && { ...value, files };
  },
  /** @param {string} kind */
  stop: (kind) => cancel(kind),
  play: (/** @type {string} */ fen, /** @type {string} */ move) => JSON.parse(play(fen, move)),
  fault: (/** @type {string} */ fen) => position_fault(fen) ?? null,
  formats: () => JSON.parse(list_formats()),
  version: () => version(),
};

const LONG = new Set(["grow", "search", "tree", "people", "check", "export"]);

self.onmessage = async ({ data: { id, call, args } }) => {
  if (call === "module") return receive(args[0]);
  const tell = (/** @type {unknown} */ progress) => self.postMessage({ id, progress });
  try {
    await ready;
    const value = await (LONG.has(call) ? calls[call](tell, ...args) : calls[call](...args));
    self.postMessage({ id, value }, { transfer: value instanceof Uint8Array ? [value.buffer] : [] });
  } catch (error) {
    const broken = error instanceof WebAssembly.RuntimeError;
    const message = error instanceof Error ? error.message : String(error);
    self.postMessage({ id, error: message, broken });
  }
};
