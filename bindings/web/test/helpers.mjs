// Opens texts that helpers look through: plain, compressed, with damaged games, and while another is opened.

import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { choose, until } from "./page.mjs";

/** So many games that helpers start. */
const GAMES = 90_000;

/** Returns the text of game `n`. Every hundredth is damaged. */
function game(n, player) {
  const tags = `[Event "E${n % 11}"]\n[White "${player} ${n}"]\n[Black "B"]\n[Date "1990.05.12"]\n[Result "1-0"]\n\n`;
  return n % 100 === 57 ? `${tags}1. e4 e5 2. Ke4 1-0\n\n` : `${tags}1. e4 e5 2. Nf3 {${n}} Nc6 3. Bb5 1-0\n\n`;
}

const games = (player) => Array.from({ length: GAMES }, (_, n) => game(n, player)).join("");

/** Returns some games with their damage, and how many a search finds. */
const read = (page, player) =>
  page.evaluate(
    async (player, count) => {
      const { reader } = document.querySelector("scoresheet-viewer");
      const shown = [];
      for (let number = 1; number <= count; number += 4003) {
        const { tags, nodes, damage } = await reader.game(number);
        shown.push([number, tags.find(([name]) => name === "White")[1], nodes.length, damage]);
      }
      const last = await reader.game(count);
      const { damage } = await reader.game(count - 42);
      const found = await reader.search({ player: `${player} 7` });
      const position = await reader.search({ position: "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b" });
      return { shown, last: last.tags.find(([name]) => name === "White")[1], damage, found: found.found, position: position.found };
    },
    player,
    GAMES,
  );

function assertRead({ shown, last, damage, found, position }, player) {
  for (const [number, white, nodes, why] of shown) {
    const isDamaged = number % 100 === 58;
    assert.deepEqual([white, nodes, why !== null], [`${player} ${number - 1}`, isDamaged ? 3 : 6, isDamaged], `game ${number}`);
  }
  assert.equal(last, `${player} ${GAMES - 1}`);
  // The line is that of the whole text, not of a section.
  const line = 8 * (GAMES - 43) + 7;
  assert.match(damage, new RegExp(`line ${line}\\b`));
  assert.equal(position, GAMES - GAMES / 100);
  assert.ok(found > 0 && found < GAMES, `${found} found`);
}

export async function testHelpers(page, written) {
  // A worker that another worker started is no page's, but a target of the browser.
  let helpers = 0;
  page.browser().on("targetcreated", (target) => (helpers += target.url().endsWith("/worker.js") ? 1 : 0));
  const cores = await page.evaluate(() => navigator.hardwareConcurrency);
  const files = [written("many.pgn", games("A")), written("packed.pgn.gz", gzipSync(games("C"), { level: 1 }))];
  for (const [file, player] of [[files[0], "A"], [files[1], "C"]]) {
    const about = await choose(page, [file]);
    await until(page, (count) => document.querySelector("scoresheet-viewer").about.games === count, GAMES);
    assert.equal(about.growing, false);
    assertRead(await read(page, player), player);
  }
  assert.equal(helpers, 2 * Math.min(cores - 1, 3), `helpers on ${cores} cores`);
  // Another file while helpers work on the first: nothing of the first stays.
  const counts = await page.evaluate(async (text) => {
    const { reader } = document.querySelector("scoresheet-viewer");
    const begin = async (name, parts) => {
      await reader.bases([{ name, file: new Blob(parts) }]);
      await reader.open(name);
      let begun;
      const isBegun = new Promise((resolve) => (begun = resolve));
      const grown = reader.grow(begun);
      await isBegun;
      return () => grown;
    };
    const first = await begin("one.pgn", Array(6).fill(text));
    const second = await begin("two.pgn", [text, "\n1. e4 *\n"]);
    const about = await second();
    await first();
    return [about.games, (await reader.about()).games, (await reader.search({ player: "D 7" })).looked];
  }, games("D"));
  assert.deepEqual(counts, Array(3).fill(GAMES + 1));
  return `${GAMES} games, ${helpers} helpers`;
}

/** Opens a text on a page whose helpers cannot be loaded: the reader finds all games itself. */
export async function testWithoutHelpers(page, server, written) {
  const file = written("alone.pgn", games("F"));
  server.refuse("/worker.js");
  const about = await choose(page, [file]);
  const cores = await page.evaluate(() => navigator.hardwareConcurrency);
  assert.equal(server.refuse(""), Math.min(cores - 1, 3));
  assert.equal(about.games, GAMES);
  assertRead(await read(page, "F"), "F");
}
