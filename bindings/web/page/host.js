// The files that the reader uses, by number. It reads slices of them, so that a large database is never
// completely in memory. The most recently used blocks are cached, up to a limit.

const BLOCK = 64 * 1024;
const MOST_BLOCKS = 1024;

/** @type {Map<number, Blob>} */
const files = new Map();
/** @type {Map<number, Uint8Array<ArrayBuffer>[]>} */
const parts = new Map();
/** @type {Map<string, Uint8Array>} Blocks, least recently used first. */
const blocks = new Map();
let next = 1;
/** @type {FileReaderSync | undefined} */
let reader;

/**
 * Registers a file. Returns its number.
 * @param {Blob} file
 */
export function add(file) {
  files.set(next, file);
  return next++;
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

/** Removes all files. */
export function clear() {
  files.clear();
  parts.clear();
  blocks.clear();
}

/** @param {number} number */
export function size(number) {
  return file(number).size;
}

/**
 * @param {number} number
 * @param {number} start
 * @param {number} end
 */
function slice(number, start, end) {
  reader ??= new FileReaderSync();
  try {
    return new Uint8Array(reader.readAsArrayBuffer(file(number).slice(start, end)));
  } catch (error) {
    throw `the browser cannot read the file: ${error instanceof Error ? error.message : error}`;
  }
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
    found = slice(number, index * BLOCK, Math.min((index + 1) * BLOCK, size(number)));
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
 * Reads up to the length of the buffer, or to the end of the file.
 * @param {number} number
 * @param {number} offset
 * @param {Uint8Array} buffer
 */
export function read(number, offset, buffer) {
  const length = Math.min(buffer.length, size(number) - offset);
  if (length <= 0) return 0;
  if (length > BLOCK) {
    buffer.set(slice(number, offset, offset + length));
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
  return next++;
}

/**
 * @param {number} number
 * @param {Uint8Array} bytes
 */
export function append(number, bytes) {
  parts.get(number)?.push(bytes.slice());
}

/**
 * Makes the written bytes a readable file. The browser stores it, on disk if it is large.
 * @param {number} number
 */
export function seal(number) {
  files.set(number, new Blob(parts.get(number) ?? []));
  parts.delete(number);
}
