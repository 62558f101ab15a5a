// The options of the program, and the parsing of a command line.

import { readFileSync } from "node:fs";
import { ScoresheetError } from "../client.js";

/** The command line is wrong. */
export class UsageError extends Error {}

/**
 * @typedef {object} Option
 * @property {string} help
 * @property {string} [value] what the value is; without it the option is a flag
 * @property {string} [short]
 * @property {boolean} [optional] whether the value may be missing; it then is `yes`
 */

/** @type {Record<string, Option>} */
export const FILTERS = {
  games: { value: "RANGES", help: "Numbers from 1: 1-100,205" },
  player: { value: "NAME", help: "Name of either player: 'Adams, M'" },
  against: { value: "NAME", help: "Name of the player's opponent" },
  white: { value: "NAME", help: "Name of White" },
  black: { value: "NAME", help: "Name of Black" },
  event: { value: "TEXT", help: "Part of the event" },
  site: { value: "TEXT", help: "Part of the site" },
  exact: { help: "Match whole names and texts exactly" },
  spelling: { value: "FILE", help: "Spelling file of Scid: all spellings of a name in it are one name" },
  date: { value: "RANGES", help: "Date: 1990, 1990-05..1995, ..2000" },
  eco: { value: "RANGES", help: "ECO codes: B90..B99, C, D8" },
  opening: { value: "WORDS", help: "Opening by the moves: najdorf, E97..E99" },
  elo: { value: "RANGES", help: "Elo of both players: 2500.., 2000-2200" },
  "elo-diff": { value: "RANGES", help: "Difference between both ratings: 200.." },
  "time-class": { value: "CLASSES", help: "bullet, blitz, rapid, classical, correspondence, unknown" },
  result: { value: "RESULTS", help: "1-0, 0-1, 1/2-1/2, *, or white, black, draw, unknown" },
  length: { value: "RANGES", help: "Number of moves: 20..40" },
  where: { value: "TEST", help: "Tag: 'TimeControl=^180', 'Round<5'; if repeated, \"and\"" },
  "tag-missing": { value: "TAG", help: "Tag that is not there, or unknown" },
  moves: { value: "MOVES", help: "First moves: '1. e4 c5 2. Nf3'" },
  position: { value: "FEN", help: "Position on the main line" },
  variations: { help: "Search variations for the position too" },
  material: { value: "PIECES", help: "Material: KRP-KR, QP*-RR" },
  pattern: { value: "SQUARES", help: "Squares: 'Pd4 pd5 @20..'" },
  comment: { value: "REGEX", help: "Comment that matches a regular expression" },
  deleted: { value: "YES|NO", optional: true, help: "Games marked as deleted: only these, or none" },
  annotated: { value: "YES|NO", optional: true, help: "Games with comments, glyphs or variations" },
};

/** @type {Record<string, Option>} */
export const READING = {
  encoding: { value: "LABEL", help: "Encoding of the texts: utf-8, windows-1252, cp437, ..." },
  option: { value: "NAME=VALUE", help: "Option of the format that is read; `formats NAME` lists them" },
  "max-unpacked": { value: "SIZE", help: "Most bytes to unpack: 500M, 4G" },
  password: { value: "TEXT", help: "Password of an encrypted archive (.cbz)" },
};

/** @type {Record<string, Option>} */
export const COMMON = {
  quiet: { short: "q", help: "Print errors only" },
  verbose: { short: "v", help: "Report every deviation and loss, game by game" },
  "fail-on": { value: "KINDS", help: "Exit with code 4 on these too: loss, damage" },
  help: { short: "h", help: "Print help" },
};

/**
 * Parses the words after a command.
 * @param {string[]} words
 * @param {Record<string, Option>} known
 * @returns {{files: string[], given: Map<string, string[]>}}
 */
export function parse(words, known) {
  /** @type {string[]} */
  const files = [];
  /** @type {Map<string, string[]>} */
  const given = new Map();
  const wrong = (/** @type {string} */ text) => new UsageError(text);
  const queue = [...words];
  for (let onlyFiles = false; queue.length; ) {
    const word = /** @type {string} */ (queue.shift());
    if (onlyFiles || word === "-" || !word.startsWith("-")) {
      files.push(word);
      continue;
    }
    if (word === "--") {
      onlyFiles = true;
      continue;
    }
    const [, long, attached] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    const name = long ?? Object.keys(known).find((name) => word === `-${known[name].short}`);
    const option = name !== undefined && Object.hasOwn(known, name) ? known[name] : undefined;
    if (!option) throw wrong(`unexpected argument '${word}' found`);
    /** @type {string | undefined} */
    let value = attached;
    if (!option.value && value !== undefined) throw wrong(`unexpected value '${value}' for '--${name}' found`);
    if (option.value && value === undefined) {
      value = option.optional ? "yes" : queue.shift();
      if (value === undefined) throw wrong(`a value is required for '--${name} <${option.value}>' but none was supplied`);
    }
    given.set(/** @type {string} */ (name), [...(given.get(/** @type {string} */ (name)) ?? []), value ?? "yes"]);
  }
  return { files, given };
}

/**
 * Returns the filter among the options.
 * @param {Map<string, string[]>} given
 * @returns {Record<string, string[]>}
 */
export function filterOf(given) {
  const filter = Object.fromEntries([...given].filter(([name]) => Object.hasOwn(FILTERS, name)));
  if (!filter.spelling) return filter;
  const [file, ...others] = filter.spelling;
  if (others.length) throw new UsageError("the argument '--spelling <FILE>' cannot be used multiple times");
  // The package takes the text of the file.
  return { ...filter, spelling: [textOf(file)] };
}

/** Returns the text of a spelling file, in UTF-8 or Windows-1252. @param {string} path */
function textOf(path) {
  /** @type {Buffer} */
  let bytes;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const isMissing = /** @type {any} */ (error).code === "ENOENT";
    throw new ScoresheetError(`${path}: ${isMissing ? "No such file or directory" : /** @type {Error} */ (error).message}`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/**
 * Returns options of a format: `name=value`.
 * @param {string[]} [words]
 */
export function pairs(words = []) {
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf("=");
      if (at < 1) throw new UsageError(`invalid value '${word}': write NAME=VALUE`);
      return [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}

/**
 * Returns how the inputs are read.
 * @param {Map<string, string[]>} given
 */
export function readingOf(given) {
  const last = (/** @type {string} */ name) => given.get(name)?.at(-1);
  const size = last("max-unpacked");
  const parts = size === undefined ? undefined : /^(\d+)([KMGT]?)$/i.exec(size);
  if (parts === null) throw new UsageError(`invalid value '${size}' for '--max-unpacked <SIZE>': write 500M or 4G`);
  const power = parts ? ["", "K", "M", "G", "T"].indexOf(parts[2].toUpperCase()) : 0;
  return {
    encoding: last("encoding"),
    password: last("password"),
    maxUnpacked: parts && Number(parts[1]) * 1024 ** power,
    formatOptions: pairs(given.get("option")),
  };
}

/**
 * Returns the help of options.
 * @param {string} title
 * @param {Record<string, Option>} options
 */
export function described(title, options) {
  const words = Object.entries(options).map(([name, { value, short, optional }]) => {
    const shown = value ? (optional ? `[=<${value}>]` : ` <${value}>`) : "";
    return `${short ? `-${short}, ` : "    "}--${name}${shown}`;
  });
  const width = Math.max(...words.map((word) => word.length));
  const lines = Object.values(options).map(({ help }, index) => `  ${words[index].padEnd(width)}  ${help}`);
  return `${title}:\n${lines.join("\n")}\n`;
}
