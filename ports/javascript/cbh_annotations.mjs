// The annotations of a ChessBase game. (docs/formats/cbh.md §5)

import { boundedEnd } from "./bounds.mjs";
import { squareName } from "./board.mjs";
import { utf8 } from "./encodings.mjs";
import { evaluations, training } from "./cbh_commands.mjs";
import { fromCbh } from "./cbh_moves.mjs";
import { rows } from "./tables.mjs";

const HEAD = 14;
const ITEM_HEAD = 6;
const GAME = -1; // the position of items that belong to the game

// The record (§5.1)

/** Reads the items of the record at `offset`: { items, error }. An item is { position, type, data }. */
export function readItems(cba, offset, bounds) {
  if (offset === 0) return { items: [] }; // cbh §5.1.1
  const there = cba && offset + HEAD <= cba.length && cba[offset + 3] === 1 && cba[offset + 4] === 0;
  if (!there) return { items: [], error: "there are no annotations where the header says" }; // cbh §5.1.2
  const length = cba.readUInt32BE(offset + 10);
  const { end, shared } = boundedEnd({ offset, length }, bounds, cba.length);
  const { items, cut } = cutItems(cba.subarray(0, end), offset + HEAD);
  const error = shared ? "the annotations take in those of many games" : cut ? "an annotation is cut" : undefined;
  return { items, error };
}

function cutItems(bytes, start) {
  const items = [];
  let at = start;
  while (at < bytes.length) {
    if (at + ITEM_HEAD > bytes.length) return { items, cut: true }; // cbh §5.1.4
    const size = bytes.readUInt16BE(at + 4);
    if (size < ITEM_HEAD || at + size > bytes.length) return { items, cut: true };
    const data = bytes.subarray(at + ITEM_HEAD, at + size);
    items.push({ position: bytes.readIntBE(at, 3), type: bytes[at + 3], data });
    at += size;
  }
  return { items, cut: false };
}

/** Whether the item is a text as of §5.4, after its move (02) or before it (82). */
const isText = ({ type, data }) => (type === 0x02 || type === 0x82) && data.length >= 2 && data[0] === 0;

/** The raw texts among the items, to tell their encoding. // cbh §2.8 */
export const rawTexts = (items) => items.filter(isText).map(({ data }) => data.subarray(2));

// Texts (§5.4)

const LANGUAGES = new Map(rows("cbh-languages").map(([code, number]) => [+number, code]));
const FIGURINES = "♔♕♖♗♘";
const FIGURINE_BYTES = [0xa2, 0xa3, 0xa6, 0xa5, 0xa4];
const isAfterFigurine = (byte) => byte !== undefined && /[a-h1-8x]/.test(String.fromCharCode(byte));

/** Decodes a text with its figurines. // cbh §5.4.2, §5.4.3 */
function decodeText(bytes, text) {
  if (utf8(bytes) !== undefined) return text(bytes).replace(/[\ue024-\ue028]/g, (c) => FIGURINES[c.charCodeAt(0) - 0xe024]);
  let decoded = "";
  let start = 0;
  for (let at = 0; at < bytes.length; at++) {
    const piece = FIGURINE_BYTES.indexOf(bytes[at]);
    if (piece < 0 || !isAfterFigurine(bytes[at + 1]) || (bytes[at - 1] >= 0xc2 && bytes[at - 1] <= 0xdf)) continue;
    decoded += text.page(bytes.subarray(start, at)) + FIGURINES[piece];
    start = at + 1;
  }
  return decoded + text.page(bytes.subarray(start));
}

/** The text of an item, with its language, and in exact order its line ends. // cbh §5.4.1, §5.4.7 */
function itemText({ data }, { text, exact }) {
  const language = data[1] === 0 ? "" : `[%cbh lang ${LANGUAGES.get(data[1]) ?? data[1]}] `;
  const decoded = decodeText(data.subarray(2), text);
  if (exact && /(^|[^\r])\n|\r\r\n/.test(decoded)) return `${language}[%cbh lines] ${decoded}`;
  return language + decoded.replaceAll(/\r+\n/g, "\n");
}

// Items in a game (§5.3)

const two = (number, radix = 10) => number.toString(radix).padStart(2, "0");
const hundredthsText = (hundredths) => (hundredths ? "." + two(hundredths) : "");

/** The NAGs of an item of type 03, or undefined if it is of another shape. // cbh §5.3.3 */
function nagsOf({ position, type, data }) {
  const right = type === 0x03 && position !== GAME && data.length >= 1 && data.length <= 3 && data.at(-1) !== 0;
  return right ? [...data].filter((nag) => nag !== 0).map((nag) => "$" + nag) : undefined;
}

/** The tag of a clock, or undefined. // cbh §5.3.6 */
function clockOf({ position, type, data }) {
  if ((type !== 0x16 && type !== 0x17) || position !== GAME || data.length !== 4) return undefined;
  const all = data.readUInt32BE(0);
  const seconds = Math.floor(all / 100);
  const clock = `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return [type === 0x16 ? "WhiteClock" : "BlackClock", clock + hundredthsText(all % 100)];
}

const COLOURS = { 2: "G", 3: "Y", 4: "R", 7: "B" };

/** Squares or arrows: entries of a colour and `size` squares; undefined if one is odd. // cbh §5.3.4 */
function marks(name, data, size) {
  if (data.length === 0 || data.length % (size + 1) !== 0) return undefined;
  const entries = [];
  for (let at = 0; at < data.length; at += size + 1) {
    const colour = COLOURS[data[at]];
    const squares = [...data.subarray(at + 1, at + 1 + size)];
    if (!colour || squares.some((square) => square < 1 || square > 64)) return undefined;
    entries.push(colour + squares.map((square) => squareName(fromCbh(square - 1))).join(""));
  }
  return `[%${name} ${entries.join(",")}]`;
}

function timeSpent(data) {
  const [hours, minutes, seconds, hundredths] = data;
  if (data.length !== 4 || minutes > 59 || seconds > 59 || hundredths > 99) return undefined;
  return `[%emt ${hours}:${two(minutes)}:${two(seconds)}${hundredthsText(hundredths)}]`; // cbh §5.3.5
}

function critical(data) {
  const phase = ["opening", "middlegame", "endgame"][data[0] - 1];
  return data.length === 1 && phase ? `[%cbh critical ${phase}]` : undefined; // cbh §5.3.7
}

function link(data) {
  if (data.length < 4 || data.readUInt16LE(0) !== data.length) return undefined;
  const addressEnd = 3 + data[2];
  if (addressEnd >= data.length || addressEnd + 1 + data[addressEnd] !== data.length) return undefined;
  const [address, caption] = [data.subarray(3, addressEnd), data.subarray(addressEnd + 1)].map((b) => b.toString("latin1"));
  if (!/^[\x21-\x7e]+$/.test(address) || !/^([\x21-\x7e][\x20-\x7e]*)?$/.test(caption)) return undefined;
  if (/[\]{}]/.test(address + caption)) return undefined;
  return `[%cbh link ${address}${caption && " " + caption}]`; // cbh §5.3.8
}

function evaluation(data) {
  if (data.length !== 6) return undefined;
  const [value, kind, depth] = [0, 2, 4].map((at) => data.readInt16LE(at));
  if (kind !== 0 && kind !== 1) return undefined;
  const said = kind === 1 ? `#${value}` : (value / 100).toFixed(2);
  return `[%eval ${said}${depth ? "," + depth : ""}]`; // cbh §5.3.9
}

function colourOfVariation(data) {
  if (data.length !== 4) return undefined;
  const [flags, blue, green, red] = data;
  const colour = [red, green, blue].map((part) => two(part, 16)).join("");
  return `[%cbh colour ${colour}${flags ? " " + flags : ""}]`; // cbh §5.3.11
}

const COMMANDS = {
  0x04: (data) => marks("csl", data, 1),
  0x05: (data) => marks("cal", data, 2),
  0x07: timeSpent,
  0x09: training,
  0x18: critical,
  0x1c: link,
  0x21: evaluation,
  0x22: (data) => (data.length === 4 ? `[%mdl ${data.readUInt32BE(0)}]` : undefined), // cbh §5.3.10
  0x23: colourOfVariation,
  0x26: evaluations,
};

/** An item that no rule knows. // cbh §5.3.12 */
function unknown({ type, data }) {
  return `[%cbh ${two(type, 16)}${data.length ? " " + data.toString("hex") : ""}]`;
}

const isBefore = (item) => item.type === 0x82 && item.position !== GAME && isText(item);
const isAfter = (item) => item.type === 0x02 && isText(item);

/** Collects the parts of comments. // cbh §5.3.15 */
class Comments {
  constructor() {
    this.done = [];
    this.end();
  }

  add(part, { text = false, mark = false }) {
    if (text && this.hasText) this.end();
    const apart = this.comment === undefined || (mark && this.afterMark) ? "" : " ";
    this.comment = (this.comment ?? "") + apart + part;
    this.hasText ||= text;
    this.afterMark = mark;
  }

  end() {
    if (this.comment !== undefined) this.done.push({ comment: this.comment });
    this.comment = undefined;
    this.hasText = this.afterMark = false;
  }
}

/** What stands behind a move, or before the first: NAGs and comments. // cbh §5.3.14, §5.3.17 */
function after(items, how) {
  const comments = new Comments();
  const nags = [];
  for (const item of items) {
    const found = nagsOf(item);
    if (found && how.exact) {
      comments.end();
      comments.done.push(...found);
    } else if (found) {
      nags.push(...found);
    } else if (isAfter(item)) {
      comments.add(itemText(item, how), { text: true });
    } else if (!isBefore(item) && !clockOf(item)) {
      const command = COMMANDS[item.type]?.(item.data);
      const standsAlone = item.type === 0x26 && item.position === GAME && command !== undefined; // cbh §5.3.20
      if (standsAlone) comments.end();
      comments.add(command ?? unknown(item), { mark: command !== undefined && (item.type === 0x04 || item.type === 0x05) });
      if (standsAlone) comments.end();
    }
  }
  comments.end();
  return [...nags, ...comments.done];
}

/** The comments before a move. `behind`: whether a variation starts or ended right before it. // cbh §5.3.2, §5.3.17 */
function before(items, behind, how) {
  const others = items.filter((item) => !isBefore(item));
  const usual = others[0]?.type === 0x03 ? 1 : 0;
  const comments = [];
  let count = 0;
  for (const item of items) {
    if (!isBefore(item)) {
      count++;
      continue;
    }
    const number = how.exact && count !== usual ? " " + count : "";
    const word = behind && number === "" ? "" : `[%cbh before${number}] `;
    comments.push({ comment: word + itemText(item, how) });
  }
  return comments;
}

/** Groups the items, in the order of the bytes, by the position that they belong to. // cbh §5.1.5, §5.1.6 */
function placeItems(items, count, lastOfMainLine) {
  const placed = new Map();
  for (const item of items) {
    const there = item.position >= GAME && item.position < count;
    const position = there ? item.position : lastOfMainLine;
    if (!placed.has(position)) placed.set(position, []);
    placed.get(position).push({ ...item, position });
  }
  return placed;
}

function lastOfMainLine(root) {
  let last = GAME;
  for (let here = root; here.moves.length > 0; here = here.moves[0].next) last = here.moves[0].number;
  return last;
}

/**
 * Puts moves and items together. Returns the line in the order of PGN, and the tags that items give.
 * `how` has the reader of `text`, and whether the order of items is to be told: `exact`.
 */
export function annotatedLine({ root, count }, items, how) {
  const placed = placeItems(items, count, lastOfMainLine(root));
  const at = (position) => placed.get(position) ?? [];
  const tags = at(GAME).map(clockOf).filter((tag) => tag !== undefined); // cbh §5.3.16
  const line = after(at(GAME), how);
  const addMove = ({ text, number }) => {
    const behind = line.at(-1) === "(" || line.at(-1) === ")";
    line.push(...before(at(number), behind, how), text, ...after(at(number), how)); // cbh §5.3.13
  };
  // Variations nest without limit, so the tree is walked with a stack of what is yet to be done.
  const tasks = [{ rest: root }];
  while (tasks.length > 0) {
    const { rest, variation } = tasks.pop();
    if (rest) {
      const [main, ...others] = rest.moves;
      if (!main) continue;
      addMove(main);
      tasks.push({ rest: main.next });
      for (const other of others.reverse()) tasks.push({ variation: other }); // cbh §4.7.3
    } else if (variation) {
      line.push("(");
      addMove(variation);
      tasks.push({}, { rest: variation.next });
    } else {
      line.push(")");
    }
  }
  return { line, tags };
}
