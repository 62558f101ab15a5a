// Opens opening books beside a base, and compares the moves in the tree with the program's.

import assert from "node:assert/strict";
import { join } from "node:path";
import { choose, during, press, textOf, until } from "./page.mjs";
import { root } from "./server.mjs";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const fixture = (path) => join(root, "crates", "books", "fixtures", path);

/** The files of books, one of each format. */
const BOOKS = [
  [["polyglot/weights/base.bin"], "Polyglot"], [["abk/lines/base.abk"], "Arena"], [["obk/lines/base.obk"], "ChessMaster"],
  [["ctg/lines/base.ctb", "ctg/lines/base.ctg", "ctg/lines/base.cto"], "ChessBase"],
  [["../../../fixtures/cbf/book/base.fbk"], "old ChessBase"],
];

/** Files that are no sound book, with what the page says. */
const DAMAGED = [
  ["polyglot/bad_tail/base.bin", /ends inside an entry/], ["polyglot/bad_empty/base.bin", /no move in the book/],
  ["obk/bad_count/base.obk", /another number of moves/], ["obk/bad_magic/base.obk", /base\.obk/], ["abk/bad_header/base.abk", /base\.abk/],
  ["ctg/lines/base.ctb", /the \.ctg of the book is missing/],
];

/** Waits until the tree shows the moves after a line, with those of a book of this name. */
const bookAfter = (page, line, name = "") =>
  until(page, (line, name) => {
    const tree = document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".tree");
    return tree?.querySelector(".book h3")?.textContent.includes(name) && !tree.hasAttribute("aria-busy") && (tree.querySelector(".played")?.textContent ?? "") === line;
  }, line, name);

const open = async (page, files) => {
  const input = await page.waitForSelector("scoresheet-viewer >>> #files");
  return during(page, "scoresheet-book", () => input.uploadFile(...files.map(fixture)));
};

/** Returns the moves of the book, without their numbers. */
const shown = (page) =>
  page.$$eval("scoresheet-viewer >>> .book .branch .move", (all) => all.map((move) => move.textContent.split(" ").pop().replace(/[!?]+$/, "")));

/** `side` brings the board or the games to the front, where there is room for one of them. */
export async function testBook(page, games, run, side, check) {
  await choose(page, [games]);
  await side("board");
  await press(page, "[data-tab=tree]");
  for (const [files, title] of BOOKS) {
    const about = await open(page, files);
    assert.ok(about.title.startsWith(title), about.title);
    assert.deepEqual(about.warnings, [], files[0]);
    await bookAfter(page, "", about.name.split("/").pop());
    const own = await shown(page);
    assert.ok(own.length > 0, files[0]);
    if (run) {
      const file = fixture(files.find((name) => name.endsWith(".ctg")) ?? files[0]);
      const lines = run("book", "show", file, "--fen", START, "--json").trim().split("\n");
      const sans = lines.map((line) => JSON.parse(line).san).filter(Boolean);
      assert.deepEqual(own.sort(), sans.sort(), files[0]);
    }
  }
  await check("start");

  // A move of the book that no game has can be played, and the book goes on.
  const [files] = BOOKS[1];
  await open(page, files);
  await bookAfter(page, "", "base.abk");
  const played = await page.$$eval("scoresheet-viewer >>> .branches:not(.book .branches) .move", (all) => all.map((one) => one.textContent));
  const place = await page.$$eval("scoresheet-viewer >>> .book .branch", (all, played) => {
    const place = all.findIndex((one) => !played.includes(one.querySelector(".move").textContent.replace(/[!?]+$/, "")));
    all[place]?.click();
    return place;
  }, played);
  assert.ok(place >= 0, `all moves of the book are played: ${played}`);
  await until(page, () => /^0 games/.test(document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".sum")?.textContent ?? ""));
  assert.ok(await page.$("scoresheet-viewer >>> .book"));

  // Damage is told, and the base stays open.
  const base = await textOf(page, ".about");
  for (const [file, said] of DAMAGED) {
    await press(page, ".message button");
    const input = await page.waitForSelector("scoresheet-viewer >>> #files");
    await input.uploadFile(fixture(file));
    await until(page, () => !document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".message").hidden);
    assert.match(await textOf(page, ".message span"), said, file);
    assert.equal(await textOf(page, ".about"), base, file);
  }
  await press(page, ".message button");

  // A book that comes with a base, and is closed.
  const input = await page.waitForSelector("scoresheet-viewer >>> #files");
  await during(page, "scoresheet-book", () => input.uploadFile(games, fixture(BOOKS[0][0][0])));
  await until(page, () => document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".tree .book"));
  await press(page, "[data-tree=close]");
  await until(page, () => !document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".tree .book"));
  return `${BOOKS.length} formats`;
}
