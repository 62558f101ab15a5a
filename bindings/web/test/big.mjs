// Measures a large database, a Scid base or a text: the time of its table, filters, searches, sorting, the opening tree and an export,
// compared with the program; and the memory.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { choose, during, filter, textOf, until } from "./page.mjs";

/** Returns the memory of this browser's page processes in bytes; shared pages count in proportion. */
function memory(browser) {
  const root = browser.process().pid;
  const parents = new Map();
  for (const name of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
    } catch {
      // The process has ended in the meantime.
    }
  }
  const isOurs = (pid) => pid === root || (parents.has(pid) && parents.get(pid) > 1 && isOurs(parents.get(pid)));
  let most = 0;
  for (const pid of [...parents.keys()].filter(isOurs)) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer")) continue;
      const pss = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))[1];
      most = Math.max(most, Number(pss) * 1024);
    } catch {
      // As above.
    }
  }
  return most;
}

const mib = (bytes) => `${Math.round(bytes / 2 ** 20)} MiB`;

/** Returns the time of a program command in milliseconds. */
function timed(run, ...args) {
  const begun = performance.now();
  const text = run(...args);
  return [Math.round(performance.now() - begun), text];
}

export async function testBig(browser, page, base, run, picture) {
  const stem = basename(base, extname(base));
  const isScid = /\.si4$/.test(base);
  const files = isScid ? readdirSync(dirname(base)).filter((name) => name.startsWith(`${stem}.`) && /\.s[ign]4$/.test(name)) : [basename(base)];
  const before = memory(browser);
  let begun = performance.now();
  const about = await choose(page, files.map((name) => join(dirname(base), name)));
  await until(page, () => document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".body .row")?.textContent.trim());
  const table = performance.now() - begun;
  const told = { lines: [], push: (line) => told.lines.push(line) && console.log(`  ${line}`) };
  told.push(`${about.games} games, all known and shown after ${Math.round(table)} ms`);
  // Scrolls to the last row.
  begun = performance.now();
  await page.focus("scoresheet-viewer >>> .table");
  await page.keyboard.press("End");
  await until(page, (last) => document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".title p").textContent.startsWith(`Game ${last} `), about.games);
  told.push(`to the last game ${Math.round(performance.now() - begun)} ms`);
  const ask = async (query) => {
    begun = performance.now();
    const found = await page.evaluate((query) => document.querySelector("scoresheet-viewer").reader.search(query), query);
    return [Math.round(performance.now() - begun), found.found];
  };
  const QUERIES = [
    ["player", { player: "kasparov" }, ["--player", "kasparov"]],
    ["date and ECO", { date: "1990..1995", eco: "B90..B99" }, ["--date", "1990..1995", "--eco", "B90..B99"]],
    ["position after 1. e4 c5 2. Nf3", { position: "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b" }, null],
    ["opening", { opening: "najdorf" }, ["--opening", "najdorf"]],
    ["rare position", { position: "r1bqk2r/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N2/PP1P1PPP/RNBQR1K1 b" }, null],
  ];
  for (const [name, query, args] of QUERIES) {
    const [time, found] = await ask(query);
    let beside = "";
    if (run) {
      const options = args ?? ["--position", query.position];
      const [own, text] = timed(run, "list", base, ...options, "--json");
      assert.equal(found, text.split("\n").filter(Boolean).length, name);
      beside = `, program ${own} ms with all its output`;
    }
    told.push(`${name}: ${found} in ${time} ms${beside}`);
  }
  const typed = await filter(page, "player", "kasparov");
  assert.ok(typed.found > 0);
  await picture("big");
  await page.evaluate(() => document.querySelector("scoresheet-viewer").clearFilters());
  const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  for (const [name, fen] of [["at the start", START], ["after 1. e4 c5 2. Nf3", "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"]]) {
    begun = performance.now();
    const tree = await page.evaluate((fen) => document.querySelector("scoresheet-viewer").reader.tree(fen), fen);
    told.push(`opening tree ${name}: ${tree.games} games, ${tree.branches.length} moves in ${Math.round(performance.now() - begun)} ms`);
  }
  begun = performance.now();
  const size = await page.evaluate(async () => {
    const written = await document.querySelector("scoresheet-viewer").reader.export("pgn", "all");
    return written.files[0].file.size;
  });
  told.push(`all as PGN, ${mib(size)}, in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  for (const by of ["-whiteelo", "white", "event", "date"]) {
    begun = performance.now();
    await page.evaluate((by) => document.querySelector("scoresheet-viewer").reader.sort(by), by);
    told.push(`sorted by ${by.replace("-", "")} in ${Math.round(performance.now() - begun)} ms`);
  }
  const own = (await page.evaluate(() => document.querySelector("scoresheet-viewer").reader.about())).memory;
  told.push(`memory of the tab ${mib(memory(browser))} (${mib(before)} before), of that the reader's ${mib(own)}`);
  assert.ok(await textOf(page, "#count"));
  return `${told.lines.length} figures`;
}
