// The package in a browser: a worker reads slices of files, and new databases are files to download.

import { Base as Client, Game, Header, ScoresheetError, functions, named, request, settings, summary } from "../client.js";

export { Game, Header, ScoresheetError };

/** @typedef {{resolve: (value: any) => void, reject: (error: Error) => void, tell: (value: any) => void}} Waiting */

/** @type {Worker | undefined} */
let worker;
/** @type {Map<number, Waiting>} */
const waiting = new Map();
let next = 1;

function started() {
  if (worker) return worker;
  worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => {
    const one = waiting.get(data.id);
    if (!one) return;
    if ("progress" in data) return one.tell(data.progress);
    waiting.delete(data.id);
    if (data.error) one.reject(new ScoresheetError(data.error.message, data.error.place));
    else one.resolve(data.value);
  };
  worker.onerror = (event) => {
    const error = new ScoresheetError(event.message || "the worker of the package could not be loaded");
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
  };
  return worker;
}

/** @type {import("../client.js").Call} */
function call(name, args, tell = () => {}) {
  const id = next++;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject, tell });
    started().postMessage({ id, name, args });
  });
}

/** An open database. */
export class Base extends Client {
  /**
   * @param {string} target
   * @param {Record<string, any>} [options]
   */
  async convert(target, options = {}) {
    const { filter, onProgress, onMessage } = options;
    const { request: asked } = await request(call, target, options);
    const value = await this.call("convert", [asked, named(filter)], (progress) => {
      onProgress?.(progress.done, progress.total);
      for (const message of progress.messages) onMessage?.(message);
    });
    const files = value.files.map((/** @type {{name: string, file: Blob}} */ { name, file }) => ({ name, file }));
    return { ...summary(value, this.length), files };
  }
}

/**
 * Opens a database: one file, or all files of a database.
 * @param {File | Iterable<File | {name: string, file: Blob}>} given
 * @param {Record<string, any>} [options]
 */
export async function open(given, options = {}) {
  const list = given instanceof Blob ? [given] : [...given];
  const files = list.map((one) => (one instanceof Blob ? { name: one.webkitRelativePath || one.name, file: one } : one));
  const tell = (/** @type {any} */ about) => options.onProgress?.(about.position, about.size);
  const { id, about } = await call("open", [files, options.name, settings(options)], tell);
  return new Base(call, id, about);
}

export const { convert, formats, validate } = functions(call, open);

/** Ends the worker. Open databases are closed. */
export function terminate() {
  worker?.terminate();
  worker = undefined;
  for (const one of waiting.values()) one.reject(new ScoresheetError("the worker was ended"));
  waiting.clear();
}
