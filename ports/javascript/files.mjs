// The files of a base: all that share the stem of one of them, with extensions in either case.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";

/** The files beside `path` with its stem: a map from the extension in lower case (".si4") to the path. */
function companions(path) {
  const stem = basename(path, extname(path)).toLowerCase();
  const files = new Map();
  const folder = existsSync(dirname(path)) ? readdirSync(dirname(path)) : [];
  for (const name of folder.sort()) {
    const extension = extname(name);
    if (basename(name, extension).toLowerCase() === stem) files.set(extension.toLowerCase(), join(dirname(path), name));
  }
  return files;
}

/** Returns a function that reads a companion of `path` by its extension; undefined for a file that is not there. */
export function filesOf(path) {
  const files = companions(path);
  return (extension) => {
    const found = files.get(extension);
    return found === undefined ? undefined : readFileSync(found);
  };
}
