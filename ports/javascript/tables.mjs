// The tables of docs/formats/tables: a row a line, cells with tabs between, lines that begin with # say what the cells are.

import { readFileSync } from "node:fs";

const read = new Map();

/** The rows of a table as arrays of cells. */
export function rows(name) {
  if (!read.has(name)) {
    const text = readFileSync(new URL(`../../docs/formats/tables/${name}.tsv`, import.meta.url), "utf8");
    read.set(name, text.split("\n").filter((line) => line && line[0] !== "#").map((line) => line.split("\t")));
  }
  return read.get(name);
}

/** The rows of a table whose first cell is a number, as a map from it to the other cell `at`. */
export const byNumber = (name, at = 1) => new Map(rows(name).map((cells) => [+cells[0], cells[at]]));
