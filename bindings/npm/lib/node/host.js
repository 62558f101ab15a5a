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
 * Registers a file by its path.
 * @param {string} name
 */
export function add(name) {
  const { size } = fs.statSync(name);
  return register({ path: name, fd: undefined, size, temporary: false });
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
  if (!found) return;
  if (found.fd !== undefined) fs.closeSync(found.fd);
  if (found.temporary) fs.rmSync(found.path, { force: true });
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
    const fd = descriptor(file(number));
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
  const name = path.join(folder || os.tmpdir(), `.scoresheet-${process.pid}-${randomBytes(6).toString("hex")}.tmp`);
  const fd = fs.openSync(name, "wx+");
  return register({ path: name, fd, size: 0, temporary: true });
}

/**
 * Writes bytes at an offset. Extends the file if needed.
 * @param {number} number
 * @param {number} offset
 * @param {Uint8Array} bytes
 */
export function write(number, offset, bytes) {
  told(() => {
    const own = file(number);
    let done = 0;
    while (done < bytes.length) {
      done += fs.writeSync(descriptor(own), bytes, done, bytes.length - done, offset + done);
    }
    own.size = Math.max(own.size, offset + bytes.length);
  });
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
