// Reads the bases of Scid: .si3, .si4, .si5 with their names and games. (docs/formats/scid.md)
//
// This file has the index (§2, §5.2) and the tags (§6); scid_names.mjs has the names (§3, §5.3), scid_game.mjs the
// records (§4).

import { Game, NoBase, dateText, ecoText, isOtherVariant } from "./model.mjs";
import { textReader, usualPage } from "./encodings.mjs";
import { boundedEnd, boundsOf } from "./bounds.mjs";
import { readRecord } from "./scid_game.mjs";
import { noNames, readNames, readNames5 } from "./scid_names.mjs";
import { rows } from "./tables.mjs";

const MOST_MISSING = 1000; // scid §2.1.14
const RATINGS = ["Elo", "Rating", "Rapid", "ICCF", "USCF", "DWZ", "ECF"]; // scid §2.4.1-7
const FLAGS = "WBMENPTKQ!?U123456"; // scid §2.3.2: from bit 4
const RESULTS = new Map(rows("results").filter(([format]) => format === "scid").map(([, , code, result]) => [+code, result]));
const PLAYER = 0, EVENT = 1, SITE = 2, ROUND = 3;

const startsWith = (bytes, text) => bytes.subarray(0, text.length).equals(Buffer.from(text, "latin1"));

// Index, versions 3 and 4 (§2)

/** Reads the header. // scid §2.1 */
function readHeader(index) {
  if (!startsWith(index, "Scid.si\0")) throw new NoBase("the index does not begin with Scid.si"); // scid §2.1.8
  if (index.length < 10) throw new NoBase("the index ends within its header");
  const version = index.readUInt16BE(8);
  const old = version >= 300 && version <= 399; // scid §2.1.9
  if (!old && version !== 400) throw new NoBase(`version ${version} is not known`);
  const header = old ? { size: 128, entry: 46 } : { size: 182, entry: 47 };
  if (index.length < header.size) throw new NoBase("the index ends within its header"); // scid §2.1.10
  return { ...header, old, declared: index.readUIntBE(14, 3) };
}

/** Reads one entry. // scid §2.2 */
function readEntry(bytes, old) {
  const extra = old ? 0 : bytes[6]; // scid §5.1: version 3 lacks this byte
  const at = old ? 6 : 7;
  const u16 = (offset) => bytes.readUInt16BE(at + offset);
  const [players, others] = [bytes[at + 2], bytes[at + 7]];
  const dates = bytes.readUInt32BE(at + 18);
  const date = splitDate(dates & 0xfffff);
  return {
    offset: bytes.readUInt32BE(0),
    length: bytes.readUInt16BE(4) + (extra >> 7) * 0x10000,
    flags: u16(0) + (extra & 0x3f) * 0x10000,
    white: (players >> 4) * 0x10000 + u16(3),
    black: (players & 15) * 0x10000 + u16(5),
    event: (others >> 5) * 0x10000 + u16(8),
    site: ((others >> 2) & 7) * 0x10000 + u16(10),
    round: (others & 3) * 0x10000 + u16(12),
    result: u16(14) >> 12,
    eco: u16(16),
    date,
    eventDate: relativeDate(dates >>> 20, date.year),
    ratings: [u16(22), u16(24)].map((rating) => ({ value: rating & 0xfff, kind: rating >> 12 })),
  };
}

const splitDate = (number) => ({ year: number >> 9, month: (number >> 5) & 15, day: number & 31 });

/** An event date, whose year is stored as a distance from the game's. // scid §2.2.26 */
function relativeDate(bits, gameYear) {
  const distance = bits >> 9;
  const { month, day } = splitDate(bits & 0x1ff);
  if (distance === 0) return { year: 0, month: 0, day: 0 };
  let year = Math.max(0, gameYear + distance - 4);
  if (year > 2047) year -= 2048; // scid §2.2.30
  return { year, month, day };
}

// Index, version 5 (§5.2)

/** Reads one entry of version 5. // scid §5.2 */
function readEntry5(bytes) {
  const word = (n) => bytes.readUInt32LE(n * 4);
  const last = word(11);
  return {
    offset: (word(8) & 0x7fff) * 2 ** 32 + word(9),
    length: word(8) >>> 15,
    flags: word(7) & 0x3fffff,
    white: word(0) & 0xfffffff,
    black: word(1) & 0xfffffff,
    event: word(2) & 0xfffffff,
    site: word(3),
    round: word(4) & 0x7fffffff,
    result: (last >> 16) & 3,
    eco: last & 0xffff,
    date: splitDate(word(5) & 0xfffff),
    eventDate: splitDate(word(6) & 0xfffff),
    ratings: [
      { value: word(5) >>> 20, kind: (last >> 21) & 7 },
      { value: word(6) >>> 20, kind: (last >> 18) & 7 },
    ],
  };
}

/** Cuts the index into entries. `declared` is how many games the header counts. // scid §2.1.11 */
function readEntries(index, five) {
  const header = five ? { size: 0, entry: 56, declared: 0 } : readHeader(index);
  const entries = [];
  for (let at = header.size; at + header.entry <= index.length; at += header.entry) {
    const bytes = index.subarray(at, at + header.entry);
    entries.push(five ? readEntry5(bytes) : readEntry(bytes, header.old));
  }
  return { ...header, entries };
}

// Tags (§6)

const isSet = ({ year, month, day }) => year !== 0 || month !== 0 || day !== 0;

/** A date of the index. A month above 12 keeps the numbers as stored. // scid §2.2.28 */
function indexDate({ year, month, day }) {
  if (month <= 12) return dateText(year, month, day);
  const number = (value, digits) => String(value).padStart(digits, "0");
  return [number(year, 4), number(month, 2), number(day, 2)].join(".");
}

/** The ECO code of the index with its refinement: `B90k2`. // scid §2.2.24 */
function indexEco(eco) {
  const code = Math.floor((eco - 1) / 131);
  const refinement = (eco - 1) % 131;
  if (refinement === 0) return ecoText(code);
  const letter = "abcdefghijklmnopqrstuvwxyz"[Math.floor((refinement - 1) / 5)];
  const digit = (refinement - 1) % 5;
  return ecoText(code) + letter + (digit || "");
}

function setRating(game, colour, { value, kind }) {
  if (value === 0) return; // scid §2.4.8
  game.set(colour + (RATINGS[kind] ?? `RatingType${kind}`), String(value)); // scid §2.4.9
}

/** The letters of the flags from bit 4 on. // scid §2.3.2 */
function flagLetters(flags) {
  return [...FLAGS].filter((_, bit) => (flags >> (bit + 4)) & 1).join("");
}

/** Sets the tags that the entry says, in the order of §12. */
function setIndexTags(game, entry, base) {
  const name = (kind, id, tag) => {
    const bytes = base.names[kind].get(id);
    game.set(tag, bytes ? base.text(bytes) : "?"); // scid §3.3.1
    if (!bytes) game.missing = `there is no name number ${id} for ${tag}`;
  };
  name(EVENT, entry.event, "Event");
  name(SITE, entry.site, "Site");
  name(ROUND, entry.round, "Round");
  name(PLAYER, entry.white, "White");
  name(PLAYER, entry.black, "Black");
  game.set("Date", indexDate(entry.date));
  game.set("Result", RESULTS.get(entry.result) ?? "*"); // scid §2.2.22
  if (entry.eco !== 0) game.set("ECO", indexEco(entry.eco));
  if (isSet(entry.eventDate)) game.set("EventDate", indexDate(entry.eventDate)); // scid §2.2.27
  if ((entry.flags >> 3) & 1) game.set("Deleted", "1"); // scid §2.3.1
  if (entry.result > 3) game.set("ScidResult", String(entry.result));
  setRating(game, "White", entry.ratings[0]);
  setRating(game, "Black", entry.ratings[1]);
  const letters = flagLetters(entry.flags);
  if (letters) game.set("ScidFlags", letters);
}

const OF_INDEX = ["Event", "Site", "Date", "Round", "White", "Black", "Result", "Deleted", "FEN"];
const TYPED_TOO = ["WhiteElo", "BlackElo", "ECO", "EventDate"];

/** Adds one tag of the record. // scid §6.2 */
function addRecordTag(game, name, value) {
  if (OF_INDEX.includes(name)) return; // scid §6.2.3
  if (TYPED_TOO.includes(name) && game.has(name)) return; // scid §6.2.4
  game.set(name, value);
  if (name.toLowerCase() === "variant" && isOtherVariant(value)) game.variant = `variant "${value}" is not supported`; // model §4.1
}

/** Takes the event date of Scid 2. // scid §4.2.6 */
function addOldEventDate(game, number) {
  const date = splitDate(number & 0xfffff);
  if (!game.has("EventDate") && isSet(date) && date.month <= 12) game.set("EventDate", indexDate(date));
}

// Games

function readGame(entry, base) {
  const game = new Game();
  setIndexTags(game, entry, base);
  if (!base.games) return fail(game, "there is no games file"); // scid §1.3
  if (entry.length === 0) return fail(game, "the record has length 0"); // scid §4.1.3
  const { end, cut } = boundedEnd(entry, base.bounds, base.games.length);
  readRecord(base.games.subarray(entry.offset, Math.max(entry.offset, end)), {
    game,
    text: base.text,
    addTag: (name, value) => addRecordTag(game, name, value),
    addOldEventDate: (number) => addOldEventDate(game, number),
  });
  if (cut) game.fail("the record ends beyond the file, or beyond its bound"); // scid §4.1.4, §4.1.7
  if (game.variant) game.fail(game.variant);
  if (game.missing) game.fail(game.missing); // scid §11
  return game;
}

function fail(game, message) {
  game.fail(message);
  return game;
}

/** A game that the header counts and that has no entry. // scid §2.1.12 */
const missingGame = (number) => fail(new Game(), `game ${number} has no entry`);

/** The extension of the index that FILE belongs to: .si3, .si4 or .si5. */
function generation(extension, open) {
  const digit = extension.slice(-1);
  if ("345".includes(digit)) return digit;
  return ["4", "5", "3"].find((digit) => open(".si" + digit)) ?? "4";
}

/** Yields the games of the base that the file with `extension` belongs to. `open` reads a companion. */
export function* readScid(open, extension, { encoding } = {}) {
  const digit = generation(extension, open);
  const [index, games, namesFile] = ["si", "sg", "sn"].map((kind) => open(`.${kind}${digit}`));
  if (!index) throw new NoBase("there is no index");
  if (!games && !namesFile) throw new NoBase("there are neither games nor names"); // scid §1.3
  const five = digit === "5";
  const { entries, declared } = readEntries(index, five);
  const names = !namesFile ? noNames() : five ? readNames5(namesFile) : readNames(namesFile);
  const some = names.flatMap((list) => [...list.values()].slice(0, 20_000));
  const base = {
    games,
    names,
    bounds: boundsOf(entries.map((entry) => entry.offset)),
    text: textReader(encoding, usualPage(some)), // scid §1.4, §3.3.5
  };
  for (const entry of entries) yield readGame(entry, base);
  const listed = Math.min(declared, entries.length + MOST_MISSING); // scid §2.1.14
  for (let number = entries.length + 1; number <= listed; number++) yield missingGame(number);
}
