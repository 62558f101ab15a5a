// The files of a database on disk: finding them, and giving new ones their names.

import fs from "node:fs";
import path from "node:path";
import { ScoresheetError } from "../client.js";
import { reason } from "./host.js";

/** @param {string} name */
const stem = (name) => path.parse(name).name.toLowerCase();
/** @param {string} name */
const extension = (name) => path.extname(name).slice(1).toLowerCase();
/** Extensions of databases in one file. They belong to no file beside them. */
const SINGLE = new Set(
  "pgn jsonl ndjson csv gz bz2 xz zst zip 7z rar cbv cbz jose fbk parquet arrow feather".split(" "),
);
/** Tables of MySQL: all tables of a folder are one database. @param {string} name */
const isTable = (name) => ["frm", "myd", "myi"].includes(extension(name));

/** @param {string} name @param {unknown} error @returns {ScoresheetError} */
export function failed(name, error) {
  return error instanceof ScoresheetError ? error : new ScoresheetError(`${name}: ${reason(error)}`);
}

/**
 * Returns a key that two files have in common if they belong to one database, or undefined for a database in one file.
 * @param {string} name
 * @param {string} format of the database
 */
export function identity(name, format) {
  if (SINGLE.has(format)) return undefined;
  const files = companions(name).map(({ file }) => file);
  return [format, ...files.map((file) => path.resolve(file)).sort()].join("\0");
}

/**
 * Returns a file and its companions: the files beside it with the same stem.
 * @param {string} name
 * @returns {{name: string, file: string}[]} names have slashes, as the module expects
 */
export function companions(name) {
  const folder = path.dirname(name);
  const own = path.basename(name);
  try {
    if (fs.statSync(name).isDirectory()) throw new Error("a folder; name a file of the database");
    fs.closeSync(fs.openSync(name, "r"));
    if (SINGLE.has(extension(own))) return [{ name: name.replaceAll("\\", "/"), file: name }];
    const isBeside = (/** @type {string} */ other) =>
      isTable(own) ? isTable(other) : stem(other) === stem(own) && extension(other) !== "" && !SINGLE.has(extension(other));
    const belongs = (/** @type {string} */ other) => other === own || isBeside(other);
    // The named file comes first, so that it decides where two files differ only in case.
    const names = fs.readdirSync(folder).filter(belongs);
    names.sort((one, other) => Number(other === own) - Number(one === own));
    // The folder as it is spelt, `./` too: the module finds companions by their names.
    const paths = names.map((other) => name.slice(0, name.length - own.length) + other);
    return paths
      .filter((path) => path === name || (fs.statSync(path, { throwIfNoEntry: false })?.isFile() ?? false))
      .map((path) => ({ name: path.replaceAll("\\", "/"), file: path }));
  } catch (error) {
    throw failed(name, error);
  }
}

/**
 * Resolves links in the folder of a path; the file itself need not exist.
 * @param {string} name
 */
function real(name) {
  try {
    return fs.realpathSync(name);
  } catch {
    return path.join(fs.realpathSync(path.dirname(name)), path.basename(name));
  }
}

/**
 * Follows a link to the file that it names. Fails for what is no file, such as a device.
 * @param {string} name
 */
export function resolved(name) {
  try {
    if (fs.lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink()) name = fs.realpathSync(name);
    const found = fs.statSync(name, { throwIfNoEntry: false });
    if (found && !found.isFile()) {
      throw Object.assign(new ScoresheetError(`${name}: is not a file`), { code: "ERR_TARGET" });
    }
    return name;
  } catch (error) {
    throw failed(name, error);
  }
}

/**
 * Fails if writing a database would replace a file that it must not.
 * @param {string} output
 * @param {{extensions: string[], several: boolean}} format
 * @param {string[]} inputs all files of the database that is read
 * @param {boolean} overwrite
 */
export function mayWrite(output, format, inputs, overwrite) {
  const folder = path.dirname(output);
  const { several, extensions } = format;
  const isPart = (/** @type {string} */ other) =>
    several && stem(other) === stem(output) && extensions.includes(extension(other));
  /** @type {string[]} */
  let there;
  try {
    there = fs.readdirSync(folder).filter((other) => other === path.basename(output) || isPart(other));
  } catch (error) {
    throw failed(folder, error);
  }
  const read = new Set(inputs.map(real));
  if (there.some((other) => read.has(real(path.join(folder, other))))) {
    throw Object.assign(new ScoresheetError(`${output}: is an input too`), { code: "ERR_TARGET" });
  }
  // Where case does not matter, the folder lists the file under another name.
  if (there.length === 0 && fs.existsSync(output)) there.push(path.basename(output));
  if (there.length === 0) return;
  const first = path.join(folder, there.includes(path.basename(output)) ? path.basename(output) : there[0]);
  if (!overwrite) throw Object.assign(new ScoresheetError(`${first}: exists`), { code: "ERR_EXISTS" });
  if (several) {
    throw new ScoresheetError(`${first}: exists; a database of several files is not replaced, so remove it first`);
  }
}

/**
 * Gives the files of a new database their names. The file that names the database comes last.
 * @param {string} output
 * @param {{extension: string, file: import("./host.js").HostFile}[]} files
 * @param {boolean} overwrite
 * @returns {string[]} their paths
 */
export function commit(output, files, overwrite) {
  const base = output.slice(0, output.length - path.extname(output).length);
  const name = (/** @type {string} */ own) => (files.length === 1 ? output : `${base}.${own}`);
  const placed = [];
  for (const { extension, file } of files.toReversed?.() ?? [...files].reverse()) {
    const target = name(extension);
    try {
      if (file.fd !== undefined) fs.fsyncSync(file.fd);
      // Windows renames no open file.
      if (file.fd !== undefined) fs.closeSync(file.fd);
      file.fd = undefined;
      if (!overwrite && fs.existsSync(target)) throw new ScoresheetError(`${target}: exists`);
      fs.renameSync(file.path, target);
    } catch (error) {
      for (const path of placed) fs.rmSync(path, { force: true });
      throw failed(target, error);
    }
    file.temporary = false;
    placed.push(target);
  }
  return placed.reverse();
}
