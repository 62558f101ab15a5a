// Reads the bases of ChessBase: .cbh with its companions, and .cbv. (docs/formats/cbh.md)
//
// This file has the headers (§3, §7), the names (§6) and the tags (§10); cbh_moves.mjs has the moves (§4),
// cbh_annotations.mjs the annotations (§5), cbh_archive.mjs the archives (§9).

import { boundedEnd, boundsOf } from "./bounds.mjs";
import { filesOfArchive } from "./cbh_archive.mjs";
import { annotatedLine, rawTexts, readItems } from "./cbh_annotations.mjs";
import { readMoves } from "./cbh_moves.mjs";
import { textReader, usualPage, utf8 } from "./encodings.mjs";
import { Game, NoBase, dateText, ecoText } from "./model.mjs";
import { byNumber, rows } from "./tables.mjs";

const RECORD = 46;

// Headers (§3)

/** Reads the records of games, texts left out. // cbh §3.1, §3.3 */
function readHeaders(cbh) {
  const right = cbh.length >= RECORD && cbh.readUInt16BE(3) === RECORD;
  if (!right) throw new NoBase("the header of the .cbh is none"); // cbh §3.1.1
  const headers = [];
  for (let at = RECORD, number = 1; at + RECORD <= cbh.length; at += RECORD, number++) {
    if (!(cbh[at] & 2)) headers.push(readHeader(cbh.subarray(at, at + RECORD), number)); // cbh §3.3.1, §3.3.2
  }
  return headers;
}

/** Reads a game record. // cbh §3.2 */
function readHeader(bytes, number) {
  const u24 = (at) => bytes.readUIntBE(at, 3);
  return {
    number,
    deleted: (bytes[0] & 128) !== 0, // cbh §3.2.2
    moves: bytes.readUInt32BE(1),
    annotations: bytes.readUInt32BE(5),
    white: u24(9),
    black: u24(12),
    tournament: u24(15),
    annotator: u24(18),
    source: u24(21),
    date: splitDate(u24(24)),
    result: bytes[27],
    evaluation: bytes[28],
    round: bytes[29],
    subround: bytes[30],
    elo: [bytes.readUInt16BE(31), bytes.readUInt16BE(33)],
    eco: bytes.readUInt16BE(35),
    teams: [-1, -1],
    title: -1,
  };
}

/** A date; one with a month above 12 has its year alone. // cbh §2.3, §2.4 */
function splitDate(number) {
  const [year, month, day] = [(number >> 9) & 0xfff, (number >> 5) & 15, number & 31];
  return month > 12 ? { year, month: 0, day: 0 } : { year, month, day };
}

const textOfDate = ({ year, month, day }) => dateText(year, month, day);

/** Adds what the extended headers say. // cbh §7 */
function extendHeaders(headers, cbj) {
  if (!cbj || cbj.length < 12) return; // cbh §7.1
  const size = cbj.readUInt32LE(4);
  const count = cbj.readUInt32LE(8);
  for (const header of headers) {
    if (header.number > count) continue;
    const start = 32 + (header.number - 1) * size;
    const bytes = cbj.subarray(start, start + size);
    if (bytes.length >= 8) header.teams = [bytes.readInt32BE(0), bytes.readInt32BE(4)]; // cbh §7.2
    if (bytes.length >= 20) header.annotations = wholeOffset(bytes, 12, header.annotations);
    if (bytes.length >= 38) header.moves = wholeOffset(bytes, 30, header.moves);
    if (bytes.length >= 120) header.title = bytes.readInt32BE(116);
  }
}

/** An offset of 64 bits, if its lower half is that of the header. // cbh §7.4 */
function wholeOffset(bytes, at, offset) {
  const [high, low] = [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];
  return low === offset ? high * 2 ** 32 + low : offset;
}

// Names (§6)

const MAGIC = 1234567890;

/** The files of names: bytes of data, and the fields that are texts. // cbh §6.2 */
const ENTITIES = {
  ".cbp": { size: 58, texts: [[0, 30], [30, 20]] },
  ".cbt": { size: 90, texts: [[0, 40], [40, 30]] },
  ".cbc": { size: 53, texts: [[0, 45]] },
  ".cbs": { size: 59, texts: [[0, 25], [25, 16]] },
  ".cbe": { size: 63, texts: [[0, 45]] },
  ".cbl": { size: 1608, texts: [[0, 200]] },
};

/** Reads a file of names: the data of each record. // cbh §6.1 */
function readNames(file, { size }) {
  const names = [];
  if (!file || file.length < 28) return names; // cbh §6.1.1
  const extra = file.readInt32LE(24);
  if (file.readInt32LE(8) !== MAGIC || file.readInt32LE(12) !== size || extra < 0) return names;
  const count = file.readInt32LE(0);
  for (let at = 28 + extra; names.length < count && at + 9 + size <= file.length; at += 9 + size) {
    names.push(file.subarray(at + 9, at + 9 + size)); // cbh §6.1.2
  }
  return names;
}

/** The bytes of a field up to its first zero. // cbh §2.2 */
function fieldBytes(data, at, size) {
  const field = data.subarray(at, at + size);
  const end = field.indexOf(0);
  return end < 0 ? field : field.subarray(0, end);
}

/** How many bytes at the end of `bytes` are the beginning of a character in UTF-8. */
function unfinished(bytes) {
  for (let count = 1; count <= 3 && count <= bytes.length; count++) {
    const byte = bytes[bytes.length - count];
    if (byte >= 0x80 && byte < 0xc0) continue;
    const whole = byte >= 0xf0 && byte <= 0xf4 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 0;
    return byte <= 0xf4 && count < whole ? count : 0;
  }
  return 0;
}

/** The part of a text in UTF-8 that its field has cut; undefined if it is none. // cbh §6.2.1 */
function withoutCutCharacter(bytes) {
  const count = unfinished(bytes);
  const text = count > 0 ? utf8(bytes.subarray(0, bytes.length - count)) : undefined;
  if (text === undefined) return undefined;
  const last = bytes[bytes.length - 1];
  const single = last >= 0xc2 && last <= 0xdf && /[a-z]$/.test(text);
  return /[^\x00-\x7f]/.test(text) || count >= 2 || single ? text : undefined;
}

/** The text of a field. */
function fieldText(base, data, at, size) {
  const bytes = fieldBytes(data, at, size);
  const whole = base.encoding !== undefined || bytes.length < size || utf8(bytes) !== undefined;
  return (whole ? undefined : withoutCutCharacter(bytes)) ?? base.text(bytes);
}

/** The code page of texts that are not UTF-8. // cbh §2.8 */
function pageOf(base, headers) {
  const texts = [];
  for (const [extension, { texts: fields }] of Object.entries(ENTITIES)) {
    for (const data of base.names[extension].slice(0, 20_000)) {
      for (const [at, size] of fields) texts.push(fieldBytes(data, at, size));
    }
  }
  const start = base.cba?.subarray(0, 256 * 1024);
  for (const { annotations } of headers) {
    if (!start || annotations >= start.length) continue;
    texts.push(...rawTexts(readItems(start, annotations, base.annotationBounds).items));
  }
  return usualPage(texts);
}

// Tags (§10)

const RESULTS = byNumber("cbh-results");
const FORFEITS = byNumber("cbh-results", 2);
const NATIONS = byNumber("cbh-nations");

const nation = (number) => (number === 0 ? "" : (NATIONS.get(number) ?? `#${number}`)); // cbh §6.4

/** Sets the tags of one game, typed tags at their place, others in the order of §16.2. */
class Tags {
  constructor(base, header, game) {
    Object.assign(this, { base, header, game });
  }

  /** The data of a name; undefined, and an error of the game, if it is not there. // cbh §6.1.7 */
  find(extension, number) {
    const data = this.base.names[extension][number];
    if (!data) this.unknown ??= `there is no name number ${number} in the ${extension}`;
    return data;
  }

  text(data, at, size) {
    return data ? fieldText(this.base, data, at, size) : "";
  }

  /** Sets a tag unless its value is empty or 0. */
  maybe(name, value) {
    if (value) this.game.set(name, String(value));
  }

  all() {
    const { header, base } = this;
    const tournament = this.find(".cbt", header.tournament);
    const annotator = this.find(".cbc", header.annotator);
    const source = this.find(".cbs", header.source);
    this.maybe("Event", this.text(tournament, 0, 40)); // cbh §10.2
    this.maybe("Site", this.text(tournament, 40, 30));
    this.game.set("White", this.player(header.white));
    this.game.set("Black", this.player(header.black));
    this.ofHeader();
    if (tournament) this.ofTournament(tournament);
    this.maybe("Annotator", this.text(annotator, 0, 45)); // cbh §10.8
    if (source) this.ofSource(source);
    this.team("White", header.teams[0]);
    this.team("Black", header.teams[1]);
    const titled = header.title >= 0 && base.names[".cbl"].length > 0; // cbh §7.3
    const title = titled ? this.find(".cbl", header.title) : undefined;
    this.maybe("CbhTitle", this.text(title, 0, 200)); // cbh §10.14
  }

  player(number) {
    const data = this.find(".cbp", number);
    const [last, first] = [this.text(data, 0, 30), this.text(data, 30, 20)];
    return (first ? `${last}, ${first}` : last) || "?"; // cbh §10.1
  }

  ofHeader() {
    const { result, evaluation, round, subround, date, elo, eco, deleted } = this.header;
    this.game.set("Date", textOfDate(date));
    this.game.set("Result", RESULTS.get(result) ?? "*"); // cbh §3.2.4-7
    if (round || subround) this.game.set("Round", subround ? `${round}.${subround}` : String(round)); // cbh §3.2.9-11
    this.maybe("WhiteElo", elo[0]);
    this.maybe("BlackElo", elo[1]);
    this.eco(eco);
    this.maybe("Deleted", deleted ? 1 : 0);
    this.maybe("CbhResult", FORFEITS.get(result)); // cbh §3.2.5, cbh §3.2.6
    this.maybe("CbhEvaluation", evaluation); // cbh §3.2.8
  }

  /** Sets the ECO code. // cbh §3.2.13-15 */
  eco(value) {
    const [code, sub] = [(value >> 7) - 1, value & 127];
    if (code < 0 || code > 499 || sub > 99) return;
    this.game.set("ECO", ecoText(code) + (sub ? "/" + String(sub).padStart(2, "0") : ""));
  }

  ofTournament(data) {
    const date = data.readUInt32LE(70);
    if (date) this.game.set("EventDate", textOfDate(splitDate(date))); // cbh §10.3
    this.maybe("EventType", eventType(data[74], data[75]));
    this.maybe("EventRounds", data[80]); // cbh §10.6
    this.maybe("EventCountry", nation(data[76])); // cbh §10.7
    this.maybe("EventCategory", data[78]);
    this.maybe("CbhEventFlags", data[79]);
  }

  ofSource(data) {
    const [title, publisher] = [this.text(data, 0, 25), this.text(data, 25, 16)];
    const [publication, date] = [data.readUInt32LE(41), data.readUInt32LE(45)];
    this.maybe("SourceTitle", title);
    this.maybe("Source", publisher);
    const usual = !title && !publisher && publication === date; // cbh §10.10
    if (publication && !usual) this.game.set("SourceDate", textOfDate(splitDate(publication)));
    this.maybe("SourceVersion", data[49]); // cbh §10.11
    if (date) this.game.set("SourceVersionDate", textOfDate(splitDate(date)));
    this.maybe("SourceQuality", data[50]);
  }

  /** The tags of a team. // cbh §10.12, §10.13 */
  team(colour, number) {
    const data = number >= 0 ? this.find(".cbe", number) : undefined; // cbh §7.3
    if (!data) return;
    this.maybe(`${colour}Team`, this.text(data, 0, 45));
    this.maybe(`${colour}TeamCountry`, nation(data[54]));
    const [count, season, year] = [data.readUInt32LE(45), data[49], data.readUInt32LE(50)];
    const usual = !count && !season && year === this.header.date.year;
    if (!usual) this.game.set(`Cbh${colour}Team`, `${count} ${season} ${year}`);
  }
}

/** The tag EventType. // cbh §10.4, §10.5 */
function eventType(type, team) {
  const kind = type & 31;
  if (kind > 8 || team > 1) return `#${type} #${team}`;
  const words = rows("cbh-event-types").filter(([bits, mask]) => (type & mask) === +bits).map(([, , word]) => word);
  const named = kind !== 0;
  if (team) words.splice(0, named ? 1 : 0, "team-" + (named ? words[0] : ""));
  return words.join(" ");
}

// Games

/** Reads the record of the moves. // cbh §4.1 */
function readRecord(base, offset) {
  const nothing = (error) => ({ root: { moves: [] }, count: 0, fen: null, chess960: false, error });
  const { cbg } = base;
  if (!cbg) return nothing("there is no .cbg"); // cbh §1.1
  if (offset + 4 > cbg.length) return nothing("the moves are beyond the end of the .cbg"); // cbh §4.1.2
  const length = cbg.readUIntBE(offset + 1, 3);
  if (length < 4) return nothing("the size of the record is below 4"); // cbh §4.1.3
  const { end, cut } = boundedEnd({ offset, length }, base.moveBounds, cbg.length);
  const record = readMoves(cbg.subarray(offset, end));
  if (cut) record.error ??= "the record ends beyond the file, or beyond its bound"; // cbh §4.1.4, §4.1.7
  return record;
}

function readGame(base, header) {
  const game = new Game();
  const tags = new Tags(base, header, game);
  tags.all();
  const record = readRecord(base, header.moves);
  if (record.error) game.fail(record.error);
  game.fen = record.fen;
  if (record.chess960) game.set("Variant", "Chess960"); // cbh §10.16
  const { items, error } = readItems(base.cba, header.annotations, base.annotationBounds);
  const annotated = annotatedLine(record, items, base);
  game.line = annotated.line;
  for (const [name, value] of annotated.tags) game.set(name, value); // cbh §10.17
  if (error) game.fail(error);
  if (tags.unknown) game.fail(tags.unknown);
  return game;
}

/** Yields the games of the base that the file with `extension` belongs to. `open` reads a companion. */
export function* readCbh(open, extension, { encoding, options }) {
  if (extension === ".cbv" || extension === ".cbz") {
    const archive = open(extension);
    if (!archive) throw new NoBase("there is no archive");
    open = filesOfArchive(archive);
  }
  const [cbh, cbg, cba] = [".cbh", ".cbg", ".cba"].map(open);
  const names = {};
  let players;
  for (const extension of Object.keys(ENTITIES)) {
    const file = open(extension);
    if (extension === ".cbp") players = file;
    names[extension] = readNames(file, ENTITIES[extension]);
  }
  if (!cbh) throw new NoBase("there is no .cbh");
  if (!cbg && !players) throw new NoBase("there are neither moves nor players"); // cbh §1.1
  const headers = readHeaders(cbh);
  extendHeaders(headers, open(".cbj"));
  const places = (name) => boundsOf(headers.map((header) => header[name]).filter((offset) => offset !== 0));
  const base = {
    cbg,
    cba,
    names,
    encoding,
    moveBounds: places("moves"), // cbh §4.1.7
    annotationBounds: places("annotations"), // cbh §5.1.9
    exact: options.annotations === "exact", // cbh §5.3.17
  };
  base.text = textReader(encoding, encoding === undefined ? pageOf(base, headers) : undefined);
  for (const header of headers) yield readGame(base, header);
}
