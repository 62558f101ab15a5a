// The program `scoresheet` of the package: the commands of the program that the module can do.

import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ScoresheetError, formats, open, validate, version } from "../node/index.js";
import { identity } from "../node/files.js";
import { COMMON, FILTERS, READING, UsageError, described, filterOf, pairs, parse, readingOf } from "./options.js";
import { clean, csv, json, table } from "./rows.js";

/** The exit codes of the program: docs/exit-codes.md. */
const CODE = { done: 0, nothing: 1, usage: 2, failed: 3, partly: 4, interrupted: 130 };

/**
 * @typedef {import("../node/index.js").Base} Base
 * @typedef {object} Run a command line
 * @property {string[]} files
 * @property {Map<string, string[]>} given
 * @property {boolean} quiet
 * @property {boolean} verbose
 * @property {Set<string>} failOn
 *
 * @typedef {object} Command
 * @property {string} about
 * @property {string} usage
 * @property {Record<string, import("./options.js").Option>} options
 * @property {boolean} [filters]
 * @property {boolean} [reads]
 * @property {string[]} [examples]
 * @property {(run: Run) => Promise<number>} run
 */

/** Writes a line to standard output. @param {string} text */
async function print(text) {
  if (!process.stdout.write(`${text}\n`)) await once(process.stdout, "drain");
}

/** @param {string} text */
const cleanLines = (text) => text.trimEnd().split("\n").map(clean).join("\n");

/** Writes a line to standard error. @param {string} text */
const say = (text) => void process.stderr.write(`${clean(text)}\n`);

/** @param {number} count @param {string} one @param {string} many */
const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;

/** The most messages without --verbose. */
const MOST_MESSAGES = 8;

/** Prints messages, and counts those beyond the first ones. @param {Run} run */
function messages(run) {
  let count = 0;
  return {
    /** @param {string} text */
    add(text) {
      count++;
      if (!run.quiet && (run.verbose || count <= MOST_MESSAGES)) say(text);
    },
    end() {
      const more = count - MOST_MESSAGES;
      if (!run.quiet && !run.verbose && more > 0) say(`... and ${more} more (--verbose shows all)`);
    },
  };
}

/**
 * Opens the database of a command.
 * @template T
 * @param {Run} run
 * @param {string} file
 * @param {(base: Base) => Promise<T>} call
 */
async function withBase(run, file, call) {
  const base = await open(file, readingOf(run.given));
  try {
    if (!run.quiet) {
      for (const warning of base.warnings) if (run.verbose) say(warning);
      if (base.damage) say(base.damage.message);
    }
    return await call(base);
  } finally {
    await base.close();
  }
}

/**
 * Opens one database after the other. Of several files of a database, as `base.*` names them, the first counts.
 * @param {Run} run
 * @param {(base: Base, file: string) => Promise<number>} each
 */
async function eachFile(run, each) {
  if (run.files.length === 0) throw new UsageError("the following required arguments were not provided: <FILE>...");
  let code = CODE.done;
  let failures = 0;
  /** @type {Map<string, string>} the file of each database that was named first */
  const first = new Map();
  for (const file of run.files) {
    try {
      await withBase(run, file, async (base) => {
        const key = identity(file, base.format);
        if (key !== undefined) {
          if (!first.has(key)) first.set(key, path.resolve(file));
          // As in the program, a file that is named twice is read twice.
          if (first.get(key) !== path.resolve(file)) return;
        }
        code = Math.max(code, await each(base, file));
      });
    } catch (error) {
      if (!(error instanceof ScoresheetError)) throw error;
      say(`scoresheet: ${error.message}`);
      failures++;
    }
  }
  if (failures === 0) return code;
  return failures === run.files.length ? CODE.failed : CODE.partly;
}

/** @param {Run} run @param {boolean} isDamaged @param {boolean} isLossy */
const byFailOn = (run, isDamaged, isLossy) =>
  (isDamaged && run.failOn.has("damage")) || (isLossy && run.failOn.has("loss")) ? CODE.partly : CODE.done;

/** A wrong filter is a wrong command line; a wrong spelling file is a wrong file. @param {Run} run */
async function checkedFilter({ given }) {
  const filter = filterOf(given);
  try {
    await validate(filter);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    const why = /^spelling: (.*)$/s.exec(message);
    throw why ? new ScoresheetError(`${given.get("spelling")?.[0]}: ${why[1]}`) : new UsageError(message);
  }
  return filter;
}

/** @param {Run} run */
async function convert(run) {
  const { given } = run;
  const asked = given.get("output")?.at(-1);
  const files = [...run.files];
  const output = asked ?? files.pop();
  if (output === undefined || files.length === 0) throw new UsageError("name a base to read and a base to write");
  if (files.length > 1) throw new UsageError("this package converts one base at a time; the program joins several");
  const isStream = output === "-";
  const format = given.get("to")?.at(-1) ?? (isStream ? "pgn" : undefined);
  const filter = await checkedFilter(run);
  const encoding = given.get("to-encoding")?.at(-1);
  const overwrite = given.has("force");
  const formatOptions = pairs(given.get("to-option"));
  const folder = isStream ? fs.mkdtempSync(path.join(os.tmpdir(), "scoresheet-")) : undefined;
  try {
    return await withBase(run, files[0], async (base) => {
      const found = messages(run);
      const target = folder ? path.join(folder, `output.${format}`) : output;
      const options = { filter, format, encoding, overwrite, formatOptions };
      const done = await base.convert(target, { ...options, onMessage: found.add });
      found.end();
      if (folder) {
        if (done.files.length > 1) throw new ScoresheetError("-: a base of several files cannot be written to a stream");
        for await (const piece of fs.createReadStream(done.files[0])) {
          if (!process.stdout.write(piece)) await once(process.stdout, "drain");
        }
      }
      if (!run.quiet) {
        const chosen = done.written + done.refused;
        const more = [
          [done.read - chosen, "not chosen"],
          [done.damaged, "damaged"],
          [done.refused, "refused"],
          [done.lossy, "with losses"],
        ];
        const shown = more.filter(([count]) => count).map(([count, word]) => `, ${count} ${word}`);
        say(`${counted(done.read, "game", "games")} read, ${done.written} written${shown.join("")}`);
        for (const [kind, count] of Object.entries(done.losses)) say(`  lost   ${kind.padEnd(12)} ${String(count).padStart(7)}`);
      }
      if (done.written + done.refused === 0) return CODE.nothing;
      if (done.refused > 0 || done.damaged === done.written + done.refused) return CODE.partly;
      return byFailOn(run, done.damaged > 0 || base.damage !== null, done.lossy > 0);
    });
  } finally {
    if (folder) fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Bases of up to this many games are read whole by `list`, so that damage is seen: docs/exit-codes.md. */
const READ_WHOLE = 10_000;

/** @param {Run} run */
async function list(run) {
  const { given } = run;
  const filter = await checkedFilter(run);
  const rows = given.has("json") ? json : given.has("csv") ? csv : table;
  const limit = Number(given.get("limit")?.at(-1) ?? Infinity);
  if (Number.isNaN(limit) || limit < 0) throw new UsageError("invalid value for '--limit <N>': write a number");
  let chosen = 0;
  let games = 0;
  let isDamaged = false;
  let isFirst = true;
  const several = run.files.length > 1;
  const code = await eachFile(run, async (base, file) => {
    isDamaged ||= base.damage !== null;
    games += base.length;
    const isWhole = base.length <= READ_WHOLE || run.failOn.has("damage");
    if (given.has("count") && !isWhole) {
      chosen += await base.count(filter);
      return CODE.done;
    }
    const found = messages(run);
    for await (const header of isWhole ? base.games(filter) : base.headers(filter)) {
      if (chosen === limit) break;
      if (header.damage) {
        isDamaged = true;
        found.add(header.damage.message);
      }
      chosen++;
      if (given.has("count")) continue;
      const head = isFirst ? rows.head(several) : undefined;
      isFirst = false;
      if (head !== undefined) await print(head);
      await print(rows.row(header, several ? file : undefined));
    }
    found.end();
    return CODE.done;
  });
  if (code === CODE.failed) return code;
  if (given.has("count")) await print(String(chosen));
  else if (rows === table && !run.quiet) say(`${chosen} of ${counted(games, "game", "games")}`);
  return code || (chosen === 0 ? CODE.nothing : byFailOn(run, isDamaged, false));
}

/** @param {Run} run */
const info = (run) =>
  eachFile(run, async (base, file) => {
    if (run.given.has("json")) {
      const { format, length: games, facts, warnings } = base;
      const about = Object.fromEntries(facts);
      await print(JSON.stringify({ file, format, about, games, warnings, damage: base.damage?.message ?? null }));
    } else {
      const line = (/** @type {string} */ name, /** @type {string} */ value) => print(`${name.padEnd(12)} ${clean(value)}`);
      await line("file", file);
      await line("format", base.title);
      for (const [name, value] of base.facts) await line(name, value);
      await line("games", String(base.length));
      for (const warning of base.warnings) await line("deviation", warning);
    }
    if (base.length === 0) return CODE.nothing;
    return byFailOn(run, base.damage !== null, false);
  });

/** @param {Run} run */
const check = (run) =>
  eachFile(run, async (base, file) => {
    const found = messages(run);
    const { games, damaged, deviating, findings } = await base.check();
    const isStrict = run.given.has("strict");
    for (const finding of findings) {
      if (run.given.has("json")) await print(JSON.stringify({ file, ...finding }));
      else if (finding.kind === "damage" || isStrict || run.verbose) found.add(finding.text);
    }
    found.end();
    const isDamaged = findings.some(({ kind }) => kind === "damage") || (isStrict && findings.length > 0);
    const more = [damaged && `${damaged} damaged`, deviating && `${deviating} with deviations`].filter(Boolean);
    const counts = [counted(games, "game", "games"), ...more].join(", ");
    if (!run.quiet) say(`${file}: ${isDamaged ? "damaged" : "sound"}; ${counts}`);
    return isDamaged ? CODE.nothing : CODE.done;
  });

/** @param {Run} run */
async function show(run) {
  const [file, number, ...rest] = run.files;
  if (file === undefined || number === undefined || rest.length) throw new UsageError("name a base and the number of a game");
  if (!/^[1-9]\d*$/.test(number)) throw new UsageError(`invalid value '${number}' for '<GAME>': write a number from 1`);
  return withBase(run, file, async (base) => {
    if (Number(number) > base.length) throw new ScoresheetError(`${file}: has ${counted(base.length, "game", "games")}`);
    const game = await base.game(Number(number), { pgn: true });
    await print(run.given.has("json") ? JSON.stringify(game) : cleanLines(game.pgn ?? ""));
    if (game.damage && !run.quiet) say(game.damage.message);
    return byFailOn(run, game.damage !== null, false);
  });
}

/** @param {Run} run */
async function listFormats(run) {
  const all = await formats();
  if (run.given.has("json")) {
    await print(JSON.stringify(all));
    return CODE.done;
  }
  const [wanted] = run.files;
  const shown = wanted === undefined ? all : all.filter(({ name }) => name === wanted);
  if (shown.length === 0) throw new UsageError(`${wanted}: no format has this name`);
  for (const { name, title, extensions, read, written, readOptions, writeOptions } of shown) {
    const can = `${read ? "read" : "    "} ${written ? "write" : "     "}`;
    await print(`${name.padEnd(14)} ${can}  ${extensions.map((one) => `.${one}`).join(" ")}  ${title}`);
    if (wanted === undefined) continue;
    for (const [when, options] of /** @type {const} */ ([["read", readOptions], ["write", writeOptions]])) {
      for (const { name, values, help } of options) await print(`  ${when.padEnd(5)}  ${name}=${values.join("|") || "TEXT"}  ${help}`);
    }
  }
  return CODE.done;
}

/** @type {Record<string, Command>} */
const COMMANDS = {
  convert: {
    about: "Copies games to another base",
    usage: "scoresheet convert [OPTIONS] <IN> <OUT>",
    options: {
      output: { value: "OUT", short: "o", help: "Base to write" },
      to: { value: "FORMAT", help: "Format of the output, if not by extension" },
      force: { short: "f", help: "Replace an existing output of one file" },
      "to-encoding": { value: "LABEL", help: "Encoding of the texts written" },
      "to-option": { value: "NAME=VALUE", help: "Option of the format that is written" },
    },
    filters: true,
    reads: true,
    examples: ["scoresheet convert old.cbh new.pgn", "scoresheet convert big.pgn karpov.si4 --player karpov --result 1-0"],
    run: convert,
  },
  list: {
    about: "Lists games as a table",
    usage: "scoresheet list [OPTIONS] <FILE>...",
    options: {
      json: { help: "Print one JSON object for each game: its number and tags" },
      csv: { help: "Print comma-separated values, with a line of names" },
      count: { help: "Print the number of games only" },
      limit: { value: "N", help: "Take at most N games of each base" },
    },
    filters: true,
    reads: true,
    examples: ["scoresheet list old.si4 --player karpov --date 1970..1979"],
    run: list,
  },
  show: {
    about: "Shows one game",
    usage: "scoresheet show [OPTIONS] <FILE> <GAME>",
    options: { json: { help: "Print the canonical line of the game" } },
    reads: true,
    run: show,
  },
  info: {
    about: "Describes a base: format, games, what it says about itself",
    usage: "scoresheet info [OPTIONS] <FILE>...",
    options: { json: { help: "Print one JSON object for each base" } },
    reads: true,
    run: info,
  },
  check: {
    about: "Reads everything and reports damage",
    usage: "scoresheet check [OPTIONS] <FILE>...",
    options: {
      json: { help: "Print one JSON object for each finding" },
      strict: { help: "Count tolerated deviations as damage" },
    },
    reads: true,
    run: check,
  },
  formats: {
    about: "Lists the formats that can be read and written, or the options of one",
    usage: "scoresheet formats [OPTIONS] [NAME]",
    options: { json: { help: "Print the formats as JSON" } },
    run: listFormats,
  },
};

function usage() {
  const commands = Object.entries(COMMANDS).map(([name, { about }]) => `  ${name.padEnd(9)} ${about}`);
  return `Reads, filters and converts chess databases

Usage: scoresheet <COMMAND> [OPTIONS]

Commands:
${commands.join("\n")}

Options:
  -h, --help     Print help; after a command, its options
  -V, --version  Print version

Name any file of a base; the other files are found beside it. Games are numbered from 1.

Exit codes:
  0    done; losses and damage are reported, see --fail-on
  1    no game was found; for \`check\`: something is damaged
  2    the command line is wrong; nothing was done
  3    not done: a file cannot be read or written
  4    done in part: a game was refused, an input cannot be read, or what --fail-on names happened
  130  interrupted`;
}

/** @param {Command} command */
function helpOf({ about, usage, options, filters, reads, examples }) {
  const parts = [`${about}\n\nUsage: ${usage}\n`, described("Options", { ...options, ...COMMON })];
  if (filters) parts.push(described('Choosing games (repeat an option to mean "or"; different options must all hold)', FILTERS));
  if (reads) parts.push(described("Reading", READING));
  if (examples) parts.push(`Examples:\n${examples.map((line) => `  ${line}`).join("\n")}\n`);
  return parts.join("\n").trimEnd();
}

/**
 * Runs a command line. Returns the exit code.
 * @param {string[]} words
 */
export async function main(words) {
  // A reader of standard output that goes away is no error.
  process.stdout.on("error", (error) => process.exit(/** @type {any} */ (error).code === "EPIPE" ? CODE.done : CODE.failed));
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => {
      say("scoresheet: interrupted; nothing was changed");
      process.exit(CODE.interrupted);
    });
  }
  const [name, ...rest] = words;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    const command = name === "help" && rest[0] !== undefined ? COMMANDS[rest[0]] : undefined;
    await print(command ? helpOf(command) : usage());
    return name === undefined ? CODE.usage : CODE.done;
  }
  if (name === "--version" || name === "-V") {
    await print(`scoresheet ${version} (npm)`);
    return CODE.done;
  }
  try {
    if (!Object.hasOwn(COMMANDS, name)) throw new UsageError(`unrecognized subcommand '${name}'`);
    const command = COMMANDS[name];
    if (rest.includes("--help") || rest.includes("-h")) {
      await print(helpOf(command));
      return CODE.done;
    }
    const known = { ...command.options, ...COMMON, ...(command.filters && FILTERS), ...(command.reads && READING) };
    const { files, given } = parse(rest, known);
    const failOn = new Set((given.get("fail-on") ?? []).flatMap((kinds) => kinds.split(",")));
    for (const kind of failOn) {
      if (!["loss", "damage", "refusal"].includes(kind)) throw new UsageError(`invalid value '${kind}' for '--fail-on <KINDS>'`);
    }
    return await command.run({ files, given, quiet: given.has("quiet"), verbose: given.has("verbose"), failOn });
  } catch (error) {
    if (error instanceof UsageError) {
      say(`error: ${error.message}`);
      process.stderr.write("\nFor more information, try '--help'.\n");
      return CODE.usage;
    }
    if (!(error instanceof ScoresheetError)) throw error;
    const { code } = /** @type {any} */ (error);
    say(`scoresheet: ${error.message}${code === "ERR_EXISTS" ? "; --force replaces it" : ""}`);
    return code === "ERR_TARGET" ? CODE.usage : CODE.failed;
  }
}
