// Drives the page over `scoresheet serve`: the server answers trees and searches with the numbers of the module.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { choose, filter, openPage, press, textOf, until } from "./page.mjs";
import { web } from "./server.mjs";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const OPEN = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
const QUERIES = [
  {}, { result: "1-0" }, { position: OPEN }, { position: OPEN.split(" ")[0], variations: true, result: "1-0" },
  { opening: "Sicilian" }, { white: "W1", result: "*" }, { position: OPEN, sort: "-white" },
];

/** Serves a base with the page, on a free port. Returns its process, the address of the page, and the log of requests. */
async function start(program, file) {
  const child = spawn(program, ["serve", file, "--page", join(web, "dist"), "--port", "0", "--verbose"]);
  let log = "";
  const address = await new Promise((resolve, reject) => {
    child.on("exit", (code) => reject(new Error(`serve ended with ${code}: ${log}`)));
    child.on("error", reject);
    child.stderr.on("data", (text) => {
      log += text;
      const found = /the page: (\S+)\n/.exec(log);
      if (found) resolve(found[1]);
    });
  });
  /** Returns how often a path was asked for. */
  const asked = (path) => log.split("\n").filter((line) => line.startsWith(`GET ${path} `)).length;
  return { child, address, asked };
}

/** Returns all that the reader of a page finds and counts. */
const answers = (page, queries, fens) =>
  page.evaluate(async (queries, fens) => {
    const { reader } = document.querySelector("scoresheet-viewer");
    const told = [];
    for (const { sort = "", ...query } of queries) {
      const { found, wrong } = await reader.search(query, sort);
      const rows = await reader.rows(0, 1000);
      const trees = [];
      for (const fen of fens) {
        const { done, ...tree } = await reader.tree(fen);
        trees.push(tree);
      }
      told.push({ query, found, wrong, rows, trees });
    }
    return told;
  }, queries, fens);

export async function testServed(browser, program, file, local) {
  await choose(local, [file]);
  const expected = await answers(local, QUERIES, [START, OPEN]);
  assert.ok(expected[2].found > 0 && expected[2].found < expected[0].found);
  const { child, address, asked } = await start(program, file);
  try {
    const page = await openPage(browser, address);
    await until(page, () => document.querySelector("scoresheet-viewer").about?.growing === false);
    assert.deepEqual(await answers(page, QUERIES, [START, OPEN]), expected);
    assert.deepEqual([asked("/served/tree"), asked("/served/list")], [2 * QUERIES.length, QUERIES.length - 1]);
    // By hand: the tree panel, and a filter in the form.
    await press(page, "[data-tab=tree]");
    const { found } = await filter(page, "result", "1-0");
    assert.equal(found, expected[1].found);
    const games = `${found} games`;
    await until(page, (games) => document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".tree .sum")?.textContent.startsWith(games), games);
    assert.match((await filter(page, "date", "when")).wrong.field, /date/);
    await filter(page, "date", "");
    const before = asked("/served/list");
    assert.ok(before > QUERIES.length - 1);
    assert.deepEqual(page.faults, []);
    // A base that changes is not answered from, and the page says so.
    appendFileSync(file, "\n1. e4 *\n");
    await page.evaluate(() => document.querySelector("scoresheet-viewer").searchPosition("8/8/8/8/8/8/8/8", false));
    assert.match(await textOf(page, ".message span"), /served has changed; start the server again/);
    await page.close();
    return `${asked("/served/tree")} trees and ${before} searches by the server`;
  } finally {
    child.removeAllListeners("exit");
    child.kill();
  }
}
