// The files that the reader uses, by number. It reads slices of them, so that a large database is never
// completely in memory. The most recently used blocks are cached, up to a limit.

const BLOCK = 64 * 1024;
const MOST_BLOCKS = 1024;
/** The number of bytes that are read ahead of a reader that goes through a file in order. */
const AHEAD = 4 * 1024 * 1024;
/** The distance from the last read, in bytes, at which a read goes on with it; and how many make an order. */
const [NEAR, STREAK] = [256 * 1024, 4];

/** A file on a server that sends ranges. @typedef {{url: string, size: number}} Remote */

/** @type {Map<number, Blob | Remote>} */
const files = new Map();
/** @type {Map<number, Uint8Array<ArrayBuffer>[]>} */
const parts = new Map();
/** @type {Map<number, {bytes: Uint8Array<ArrayBuffer>, size: number}>} Files that are written at any offset. */
const drafts = new Map();
/** @type {Map<string, Uint8Array>} Blocks, least recently used first. */
const blocks = new Map();
let next = 1;
/** @type {number[]} The files added or created from now on. */
let owned = [];
/** The most bytes of a request. */
const MOST_FETCHED = 8 << 20;
/** @type {FileReaderSync | undefined} */
let reader;
/** The end of the last read of each file, and how many reads went on with the one before. @type {Map<number, {last: number, streak: number}>} */
const passed = new Map();
/** The bytes that were read ahead. @type {{number: number, start: number, bytes: Uint8Array} | null} */
let ahead = null;

function number() {
  owned.push(next);
  return next++;
}

/**
 * Lists the files that are added or created from now on in `list`.
 * @param {number[]} list
 */
export function owner(list) {
  owned = list;
}

/**
 * Registers a file. Returns its number.
 * @param {Blob | Remote} file
 */
export function add(file) {
  files.set(next, file);
  return number();
}

/**
 * Returns a file that was added or written.
 * @param {number} number
 */
export function file(number) {
  const found = files.get(number);
  if (!found) throw "the file is not there any more";
  return found;
}

/** Removes a file. @param {number} number */
export function remove(number) {
  files.delete(number);
  parts.delete(number);
  drafts.delete(number);
  for (const key of [...blocks.keys()]) if (key.startsWith(`${number}/`)) blocks.delete(key);
}

/** Removes all files. */
export function clear() {
  owned = [];
  files.clear();
  parts.clear();
  drafts.clear();
  blocks.clear();
  passed.clear();
  ahead = null;
}

/** @param {number} number */
export function size(number) {
  const draft = drafts.get(number);
  if (draft) return draft.size;
  const written = parts.get(number);
  return written ? written.reduce((sum, part) => sum + part.length, 0) : file(number).size;
}

/**
 * @param {number} number
 * @param {number} start
 * @param {number} end
 */
function slice(number, start, end) {
  const found = file(number);
  if ("url" in found) return fetched(found, start, end);
  reader ??= new FileReaderSync();
  try {
    return new Uint8Array(reader.readAsArrayBuffer(found.slice(start, end)));
  } catch (error) {
    throw `the browser cannot read the file: ${error instanceof Error ? error.message : error}`;
  }
}

/**
 * Returns a range of a file on a server. A worker may wait for it.
 * @param {Remote} remote
 * @param {number} start
 * @param {number} end
 */
function fetched({ url }, start, end) {
  const bytes = new Uint8Array(end - start);
  for (let from = start; from < end; from += MOST_FETCHED) {
    const request = new XMLHttpRequest();
    request.open("GET", url, false);
    request.responseType = "arraybuffer";
    const last = Math.min(from + MOST_FETCHED, end);
    request.setRequestHeader("Range", `bytes=${from}-${last - 1}`);
    try {
      request.send();
    } catch {
      throw "the server does not answer any more";
    }
    if (request.status !== 206 || request.response.byteLength !== last - from) {
      throw `the server answers ${request.status} ${request.statusText}`;
    }
    bytes.set(new Uint8Array(request.response), from - start);
  }
  return bytes;
}

/**
 * @param {number} number
 * @param {number} index
 */
function block(number, index) {
  const key = `${number}/${index}`;
  let found = blocks.get(key);
  if (found) {
    blocks.delete(key);
  } else {
    // A copy, so that a block does not keep all that was read ahead.
    found = part(number, index * BLOCK, Math.min((index + 1) * BLOCK, size(number))).slice();
    if (blocks.size >= MOST_BLOCKS) {
      for (const oldest of blocks.keys()) {
        blocks.delete(oldest);
        break;
      }
    }
  }
  blocks.set(key, found);
  return found;
}

/**
 * Returns the bytes of a part of a file. Each read costs the browser about a millisecond, so that a file which
 * is read in order is read ahead.
 * @param {number} number
 * @param {number} start
 * @param {number} end
 */
function part(number, start, end) {
  if (ahead?.number !== number || start < ahead.start || end > ahead.start + ahead.bytes.length) {
    const { last = -1, streak = 0 } = passed.get(number) ?? {};
    const goesOn = Math.abs(start - last) <= NEAR;
    passed.set(number, { last: end, streak: goesOn ? streak + 1 : 0 });
    if (streak < STREAK || !goesOn || end - start > AHEAD) return slice(number, start, end);
    // The parts of a file may overlap.
    const from = Math.max(start - NEAR, 0);
    ahead = { number, start: from, bytes: slice(number, from, Math.min(start + AHEAD, size(number))) };
  }
  passed.set(number, { last: end, streak: STREAK });
  return ahead.bytes.subarray(start - ahead.start, end - ahead.start);
}

/**
 * Reads up to the length of the buffer, or to the end of the file.
 * @param {number} number
 * @param {number} offset
 * @param {Uint8Array} buffer
 */
export function read(number, offset, buffer) {
  const draft = drafts.get(number);
  if (draft) {
    const there = draft.bytes.subarray(offset, Math.min(offset + buffer.length, draft.size));
    buffer.set(there);
    return there.length;
  }
  const length = Math.min(buffer.length, size(number) - offset);
  if (length <= 0) return 0;
  if (length > BLOCK) {
    buffer.set(part(number, offset, offset + length));
    return length;
  }
  let done = 0;
  while (done < length) {
    const at = offset + done;
    const from = block(number, Math.floor(at / BLOCK));
    const piece = from.subarray(at % BLOCK, (at % BLOCK) + length - done);
    if (piece.length === 0) break;
    buffer.set(piece, done);
    done += piece.length;
  }
  return done;
}

/** Creates a file for writing. */
export function create() {
  parts.set(next, []);
  return number();
}

/**
 * @param {number} number
 * @param {Uint8Array} bytes
 */
export function append(number, bytes) {
  parts.get(number)?.push(bytes.slice());
}

/**
 * Writes bytes at an offset. Extends the file if needed.
 * @param {number} number
 * @param {number} offset
 * @param {Uint8Array} bytes
 */
export function write(number, offset, bytes) {
  resize(number, Math.max(drafts.get(number)?.size ?? 0, offset + bytes.length));
  drafts.get(number)?.bytes.set(bytes, offset);
}

/**
 * Truncates or extends a file that is being written.
 * @param {number} number
 * @param {number} size
 */
export function resize(number, size) {
  parts.delete(number);
  const draft = drafts.get(number) ?? { bytes: new Uint8Array(0), size: 0 };
  if (size > draft.bytes.length) {
    const larger = new Uint8Array(Math.max(size, draft.bytes.length * 2, BLOCK));
    larger.set(draft.bytes.subarray(0, draft.size));
    draft.bytes = larger;
  }
  draft.bytes.fill(0, size, draft.size);
  draft.size = size;
  drafts.set(number, draft);
}

/**
 * Creates an error with its location.
 * @param {string} message
 * @param {string} place JSON, or empty
 */
export function failure(message, place) {
  return Object.assign(new Error(message), { place: place ? JSON.parse(place) : null });
}

/**
 * Makes the written bytes a readable file. The browser stores it, on disk if it is large.
 * @param {number} number
 */
export function seal(number) {
  const draft = drafts.get(number);
  files.set(number, new Blob(draft ? [draft.bytes.subarray(0, draft.size)] : (parts.get(number) ?? [])));
  parts.delete(number);
  drafts.delete(number);
}
