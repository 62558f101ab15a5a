// The files of the module in Node. Slices are read and written with synchronous calls, so no file is
// completely in memory.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { randomBytes } from "node:crypto";

/**
 * @typedef {object} HostFile
 * @property {string} path
 * @property {number | undefined} fd opened at first use
 * @property {number} size
 * @property {boolean} temporary whether it is deleted when the module needs it no longer
 * @property {Uint8Array} [bytes] the contents, if the file is in memory
 */

/** @type {Map<number, HostFile>} */
const files = new Map();
/** @type {number[]} */
let owned = [];
/** The folder for new files. */
let folder = "";
let next = 1;

/** @param {number[]} list */
export function owner(list) {
  owned = list;
}

/** @param {HostFile} file */
function register(file) {
  files.set(next, file);
  owned.push(next);
  return next++;
}

/**
 * Registers a file: by its path, in memory, or as `spooled` made it.
 * @param {string | Uint8Array | HostFile} given
 */
export function add(given) {
  if (given instanceof Uint8Array) {
    return register({ path: "", fd: undefined, size: given.length, temporary: false, bytes: given });
  }
  if (typeof given !== "string") return register(given);
  const { size } = fs.statSync(given);
  return register({ path: given, fd: undefined, size, temporary: false });
}

/**
 * Copies a stream into a temporary file.
 * @param {AsyncIterable<Uint8Array | string>} stream
 * @returns {Promise<HostFile>}
 */
export async function spooled(stream) {
  const own = temporary();
  try {
    for await (const chunk of stream) put(own, own.size, typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    return own;
  } catch (error) {
    discard(own);
    throw error;
  }
}

/** @param {number} number */
export function file(number) {
  const found = files.get(number);
  if (!found) throw "the file is not there any more";
  return found;
}

/** Closes a file. A temporary file is deleted. @param {number} number */
export function remove(number) {
  const found = files.get(number);
  files.delete(number);
  if (found) discard(found);
}

/** @param {HostFile} own */
export function discard(own) {
  if (own.fd !== undefined) fs.closeSync(own.fd);
  if (own.temporary) fs.rmSync(own.path, { force: true });
}

process.on("exit", () => {
  for (const number of [...files.keys()]) remove(number);
});

/**
 * Creates the files of a call in a folder instead of the folder for temporary files.
 * @template T
 * @param {string} name
 * @param {() => T} call
 * @returns {T}
 */
export function inFolder(name, call) {
  folder = name;
  try {
    return call();
  } finally {
    folder = "";
  }
}

/**
 * Describes an error of the system: `permission denied (EACCES)`.
 * @param {any} error
 * @returns {string}
 */
export function reason(error) {
  const parts = /^([A-Z][A-Z0-9]+): (.*?), /.exec(error?.message ?? "");
  return parts ? `${parts[2]} (${parts[1]})` : String(error?.message ?? error);
}

/** @template T @param {() => T} call @returns {T} */
function told(call) {
  try {
    return call();
  } catch (error) {
    throw typeof error === "string" ? error : reason(error);
  }
}

/** @param {HostFile} file */
function descriptor(file) {
  file.fd ??= fs.openSync(file.path, "r");
  return file.fd;
}

/** @param {number} number */
export function size(number) {
  return file(number).size;
}

/**
 * Reads up to the length of the buffer, or to the end of the file.
 * @param {number} number
 * @param {number} offset
 * @param {Uint8Array} buffer
 */
export function read(number, offset, buffer) {
  return told(() => {
    const own = file(number);
    if (own.bytes) {
      const part = own.bytes.subarray(offset, offset + buffer.length);
      buffer.set(part);
      return part.length;
    }
    const fd = descriptor(own);
    let done = 0;
    while (done < buffer.length) {
      const count = fs.readSync(fd, buffer, done, buffer.length - done, offset + done);
      if (count === 0) break;
      done += count;
    }
    return done;
  });
}

/** Creates a file for writing. */
export function create() {
  return register(temporary());
}

/** @returns {HostFile} */
function temporary() {
  const name = path.join(folder || os.tmpdir(), `.scoresheet-${process.pid}-${randomBytes(6).toString("hex")}.tmp`);
  const fd = fs.openSync(name, "wx+");
  return { path: name, fd, size: 0, temporary: true };
}

/**
 * Writes bytes at an offset. Extends the file if needed.
 * @param {number} number
 * @param {number} offset
 * @param {Uint8Array} bytes
 */
export function write(number, offset, bytes) {
  told(() => put(file(number), offset, bytes));
}

/** @param {HostFile} own @param {number} offset @param {Uint8Array} bytes */
function put(own, offset, bytes) {
  let done = 0;
  while (done < bytes.length) {
    done += fs.writeSync(descriptor(own), bytes, done, bytes.length - done, offset + done);
  }
  own.size = Math.max(own.size, offset + bytes.length);
}

/**
 * Appends bytes to a file.
 * @param {number} number
 * @param {Uint8Array} bytes
 */
export function append(number, bytes) {
  write(number, size(number), bytes);
}

/**
 * Truncates or extends a file that is being written.
 * @param {number} number
 * @param {number} size
 */
export function resize(number, size) {
  told(() => {
    fs.ftruncateSync(descriptor(file(number)), size);
    file(number).size = size;
  });
}

/** Ends writing; nothing is buffered here. */
export function seal() {}

/**
 * Creates an error with its location.
 * @param {string} message
 * @param {string} place JSON, or empty
 */
export function failure(message, place) {
  return Object.assign(new Error(message), { place: place ? JSON.parse(place) : null });
}
