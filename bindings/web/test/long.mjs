// Opens a game of two million half-moves: the page shows a part, and goes to the end and back.

import assert from "node:assert/strict";
import { choose, press, until } from "./page.mjs";

/** The number of half-moves. */
const PLIES = 2_000_000;
/** The most moves that are in the document at once. */
const MOST = 5000;

/** Returns the text of the game: both kings' knights go out and home again. */
export function longGame() {
  const line = "Nf3 Nf6 Ng1 Ng8\n";
  return `[White "A"]\n[Black "B"]\n[Result "*"]\n\n${line.repeat(PLIES / 4)}*\n`;
}

/** Waits until the board shows a move. */
const atMove = (page, text) =>
  until(page, (text) => document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".moves [aria-current=true]")?.closest(".pair").textContent.endsWith(text), text);

export async function testLong(page, file) {
  const about = await choose(page, [file]);
  assert.equal(about.games, 1);
  await until(page, () => document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".mv"));
  const drawn = () => page.$$eval("scoresheet-viewer >>> .mv", (all) => all.length);
  assert.ok((await drawn()) <= MOST, `${await drawn()} moves are drawn`);
  await press(page, "[data-go=on]");
  await atMove(page, "1. Nf3");
  await press(page, "[data-go=last]");
  await until(page, () => document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".moves .beside"));
  await atMove(page, "Ng8");
  assert.ok((await drawn()) <= MOST, `${await drawn()} moves are drawn`);
  await press(page, "[data-go=back]");
  await atMove(page, `${PLIES / 2}. Ng1`);
  // The part before, and on over its end.
  await press(page, ".moves .beside");
  await atMove(page, "Ng8");
  const before = await page.$eval("scoresheet-viewer >>> .moves [aria-current=true]", (move) => Number(move.dataset.node));
  assert.ok(before < PLIES - 1000 && before > PLIES - 3 * MOST, `${before}`);
  for (let n = 0; n < 3; n++) await press(page, "[data-go=on]");
  await until(page, (id) => Number(document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".moves [aria-current=true]")?.dataset.node) === id, before + 3);
  await press(page, "[data-go=first]");
  await until(page, () => document.querySelector("scoresheet-viewer").shadowRoot.querySelector('.moves [data-node="1"]'));
  await press(page, "[data-go=on]");
  await atMove(page, "1. Nf3");
  return `${PLIES.toLocaleString("en")} half-moves, ${await drawn()} in the document`;
}
