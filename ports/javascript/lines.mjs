// Prints the canonical line of each game of the base that FILE belongs to.
//
//     node lines.mjs FILE [--encoding LABEL] [--option NAME=VALUE]

import { writeSync } from "node:fs";
import { extname } from "node:path";
import { filesOf } from "./files.mjs";
import { NoBase, canonicalLine, unopened } from "./model.mjs";
import { readScid } from "./scid.mjs";
import { readCbh } from "./cbh.mjs";

const USAGE = "usage: node lines.mjs FILE [--encoding LABEL] [--option NAME=VALUE]";

/** Reads the words of the command line. Returns undefined if they are wrong. */
function parseWords(words) {
  const wanted = { path: undefined, encoding: undefined, options: {} };
  for (let at = 0; at < words.length; at++) {
    if (words[at] === "--encoding") {
      wanted.encoding = words[++at];
    } else if (words[at] === "--option") {
      const [name, value] = (words[++at] ?? "").split("=");
      wanted.options[name] = value;
    } else if (wanted.path === undefined && !words[at].startsWith("--")) {
      wanted.path = words[at];
    } else {
      return undefined;
    }
  }
  return wanted.path === undefined ? undefined : wanted;
}

/** Whether `label` names an encoding, or is left out. */
function isEncoding(label) {
  try {
    return label === undefined || new TextDecoder(label) !== undefined;
  } catch {
    return false;
  }
}

function* games({ path, encoding, options }) {
  const extension = extname(path).toLowerCase();
  const read = /^\.s[ign]\d?$/.test(extension) ? readScid : readCbh;
  try {
    yield* read(filesOf(path), extension, { encoding, options });
  } catch (error) {
    if (!(error instanceof NoBase)) throw error;
    yield* unopened(error.message);
  }
}

function print(text) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code === "EPIPE") process.exit(); // the reader of the pipe has gone
      if (error.code !== "EAGAIN") throw error; // a pipe that is full
    }
  }
}

const wanted = parseWords(process.argv.slice(2));
if (wanted && !isEncoding(wanted.encoding)) {
  console.error(`${wanted.encoding}: this encoding is not known; name one of the Encoding Standard, such as windows-1251`);
  process.exitCode = 2;
} else if (wanted) {
  for (const game of games(wanted)) print(canonicalLine(game) + "\n");
} else {
  console.error(USAGE);
  process.exitCode = 2;
}
