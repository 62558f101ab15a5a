// The names of Scid: players, events, sites and rounds. (docs/formats/scid.md §3, §5.3)
//
// Each of the four lists is a map from the id to the bytes of the name.

export const noNames = () => [new Map(), new Map(), new Map(), new Map()];

// Versions 3 and 4 (§3)

const HEAD = 36;

/** The sizes of the numbers in the records of a list. // scid §3.1.5, §3.1.6 */
function listSizes(file, kind) {
  const count = file.readUIntBE(12 + 3 * kind, 3);
  const frequency = file.readUIntBE(24 + 3 * kind, 3);
  return { count, id: count >= 65536 ? 3 : 2, frequency: frequency >= 65536 ? 3 : frequency >= 256 ? 2 : 1 };
}

/** Reads the record at `at`; `before` is the name before, none for the first of a list. // scid §3.1.5-9 */
function readName(file, at, sizes, before) {
  const lengthAt = at + sizes.id + sizes.frequency;
  const rest = lengthAt + (before ? 2 : 1);
  if (rest > file.length) return undefined;
  const length = file[lengthAt];
  const shared = before ? file[lengthAt + 1] : 0;
  const end = rest + length - shared;
  if (shared > length || shared > (before?.length ?? 0) || end > file.length) return undefined;
  const name = Buffer.concat([before?.subarray(0, shared) ?? Buffer.alloc(0), file.subarray(rest, end)]);
  return { id: file.readUIntBE(at, sizes.id), name, end };
}

/** Whether `a` stands before `b`: the first byte as a number, the others as signed ones, the end as 0. // scid §3.2.1 */
function inOrder(a, b) {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const value = (byte = 0) => (at === 0 ? byte : (byte << 24) >> 24);
    const [x, y] = [value(a[at]), value(b[at])];
    if (x !== y) return x < y;
  }
  return false;
}

/**
 * Reads all names: { lists, damagedAt, odd }. `damagedAt` is where a record was found damaged, `odd` whether the names
 * differ in anything else from what a writer writes.
 */
function readLists(file) {
  const lists = noNames();
  let [at, odd] = [HEAD, false];
  for (let kind = 0; kind < 4; kind++) {
    const sizes = listSizes(file, kind);
    let before;
    for (let n = 0; n < sizes.count; n++) {
      const record = readName(file, at, sizes, before);
      if (!record) return { lists, damagedAt: at, odd }; // scid §3.1.12
      odd ||= record.id >= sizes.count || lists[kind].has(record.id) || (before && !inOrder(before, record.name));
      if (record.id < sizes.count) lists[kind].set(record.id, record.name); // scid §3.1.13, §3.1.14
      before = record.name;
      at = record.end;
    }
  }
  return { lists, damagedAt: undefined, odd: odd || at < file.length };
}

const MOST_PLACES = 64;
const [CR, LF] = [13, 10];

/** Tries a CR before each LF near the damage. Returns the lists if all names then verify. // scid §3.1.16 */
function restore(file, damagedAt) {
  // The record in which the damage shows is the last in which the byte can have been lost: at most 263 bytes.
  let at = Math.min(file.length, damagedAt + 263);
  for (let tried = 0; tried < MOST_PLACES; tried++) {
    at = at > HEAD ? file.lastIndexOf(LF, at - 1) : -1;
    if (at < HEAD) return undefined;
    const whole = Buffer.concat([file.subarray(0, at), Buffer.from([CR]), file.subarray(at)]);
    const { lists, damagedAt: still, odd } = readLists(whole);
    if (still === undefined && !odd) return lists;
  }
  return undefined;
}

/** Reads the names of versions 3 and 4. */
export function readNames(file) {
  if (file.length < HEAD) return noNames(); // scid §3.1.11
  const { lists, damagedAt } = readLists(file);
  return damagedAt === undefined ? lists : (restore(file, damagedAt) ?? lists);
}

// Version 5 (§5.3)

/** Reads a number of seven bits a byte; undefined if it has more than ten bytes or is cut. // scid §5.3.1, §5.3.5 */
function readNumber(file, at) {
  let value = 0;
  for (let n = 0; n < 10 && at + n < file.length; n++) {
    value += (file[at + n] & 0x7f) * 2 ** (7 * n);
    if (file[at + n] < 0x80) return { value, end: at + n + 1 };
  }
  return undefined;
}

/** Reads the names of version 5. // scid §5.3 */
export function readNames5(file) {
  const lists = noNames();
  let at = 0;
  while (at < file.length) {
    const number = readNumber(file, at);
    if (!number) break;
    const kind = number.value % 8;
    const end = number.end + Math.floor(number.value / 8);
    if (end > file.length) break; // scid §5.3.5
    if (kind < 4) lists[kind].set(lists[kind].size, file.subarray(number.end, end)); // scid §5.3.2
    at = end;
  }
  return lists;
}
