// The package in Node: files by path, slices of files, new files beside their target.

import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Base as Client, Game, Header, ScoresheetError, functions, named, request, settings, summary } from "../client.js";
import { plain, serve } from "../core.js";
import { commit, companions, mayWrite, resolved } from "./files.js";
import * as host from "./host.js";
import * as module from "./scoresheet.js";

export { Game, Header, ScoresheetError };

module.initSync({ module: fs.readFileSync(new URL("../browser/scoresheet_bg.wasm", import.meta.url)) });

const turn = () => /** @type {Promise<void>} */ (new Promise((resolve) => setImmediate(resolve)));
const calls = serve(module, host, turn);

/** @type {import("../client.js").Call} */
async function call(name, args, tell = () => {}) {
  try {
    return await calls[name](tell, ...args);
  } catch (error) {
    if (error instanceof ScoresheetError) throw error;
    const { message, place } = plain(error);
    throw new ScoresheetError(message, place);
  }
}

/** @param {string | URL} given */
const pathOf = (given) => (given instanceof URL ? fileURLToPath(given) : String(given));

/** An open database. */
export class Base extends Client {
  #files;

  /** @param {number} id @param {any} about @param {string[]} files */
  constructor(id, about, files) {
    super(call, id, about);
    this.#files = files;
  }

  /**
   * @param {string | URL} target
   * @param {Record<string, any>} [options]
   */
  async convert(target, options = {}) {
    const { filter, overwrite = false, onProgress, onMessage } = options;
    const output = resolved(pathOf(target));
    if (/\.(gz|bz2|xz|zst)$/i.test(output)) {
      throw Object.assign(new ScoresheetError(`${output}: packed files are not written`), { code: "ERR_TARGET" });
    }
    const { chosen, request: asked } = await request(call, output, options);
    mayWrite(output, chosen, this.#files, overwrite);
    /** @type {string[]} */
    let files = [];
    const value = await this.call("convert", [asked, named(filter), path.dirname(output)], (progress) => {
      onProgress?.(progress.done, progress.total);
      for (const message of progress.messages) onMessage?.(message);
      if (!progress.files.length) return;
      // The files get their names before the module gives them up.
      const written = progress.files.map((/** @type {any} */ one) => ({ ...one, file: host.file(one.file) }));
      files = commit(output, written, overwrite);
    });
    return { ...summary(value, this.length), files };
  }
}

/**
 * Returns the contents of a file in a form that the host takes.
 * @param {any} data
 * @returns {Promise<Uint8Array | host.HostFile>}
 */
async function contents(data) {
  if (data instanceof Uint8Array) return data;
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  const stream = data instanceof Blob ? data.stream() : data;
  if (typeof stream?.[Symbol.asyncIterator] === "function") return host.spooled(stream);
  throw new ScoresheetError("no file: a path, bytes, a Blob or a stream is needed");
}

/**
 * Returns the files of a database that is not on disk: one, or several with their names.
 * @param {any} given
 * @param {string} name of a single file that has none
 */
async function loaded(given, name) {
  const isList = Array.isArray(given);
  const list = isList ? given : [{ name: (given instanceof Blob && /** @type {any} */ (given).name) || name, file: given }];
  const files = [];
  try {
    for (const one of list) files.push({ name: one.name, file: await contents(one.file) });
  } catch (error) {
    for (const { file } of files) if (!(file instanceof Uint8Array)) host.discard(file);
    throw error;
  }
  return files;
}

/**
 * Opens a database by the path of one of its files, or from its contents.
 * @param {any} given
 * @param {Record<string, any>} [options]
 */
export async function open(given, options = {}) {
  const isPath = typeof given === "string" || given instanceof URL;
  const files = isPath ? companions(pathOf(given)) : await loaded(given, options.name ?? "games");
  const wanted = isPath ? files[0].name : options.name;
  const tell = (/** @type {any} */ about) => options.onProgress?.(about.position, about.size);
  const { id, about } = await call("open", [files, wanted, settings(options)], tell);
  return new Base(id, about, files.flatMap(({ file }) => (typeof file === "string" ? [file] : [])));
}

export const { convert, formats, validate } = functions(call, open);

export const version = module.version();
