// Drives the opening tree with mouse and keyboard, and compares its counts with the program's.

import assert from "node:assert/strict";
import { choose, filter, press, textOf, until } from "./page.mjs";

/** Lines with their numbers of games. */
const LINES = [["1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", 10], ["1. e4 c5 2. Nf3 d6", 6], ["1. d4 d5 2. c4", 3], ["1. Nf3 d5 2. d4", 1]];
const RESULTS = ["1-0", "1/2-1/2", "0-1"];

/** Returns the text of the games. */
export function treeGames() {
  const lines = LINES.flatMap(([line, games]) => Array.from({ length: games }, () => line));
  return lines.map((line, n) => `[White "W${n}"]\n[Black "B${n}"]\n[Result "${RESULTS[n % 3]}"]\n\n${line} ${RESULTS[n % 3]}\n\n`).join("");
}

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** Waits until the tree shows the moves after a line. */
const treeAfter = (page, line) =>
  until(page, (line) => {
    const tree = document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".tree");
    return tree && !tree.hasAttribute("aria-busy") && (tree.querySelector(".played")?.textContent ?? "") === line && tree.querySelector(".sum");
  }, line);

/** Returns the number of games of the tree and of each move. */
const shownTree = (page) =>
  page.$eval("scoresheet-viewer >>> .tree", (tree) => {
    const number = (text) => Number(text.replace(/,/g, "").match(/^\d+/)?.[0] ?? 0);
    return {
      games: number(tree.querySelector(".sum").textContent),
      moves: [...tree.querySelectorAll(".branch")].map((branch) => [
        branch.querySelector(".move").textContent, number(branch.querySelector(".games").textContent),
      ]),
    };
  });

/** Returns what the program counts, in the form of `shownTree`. */
function counted(run, file, options) {
  const { games, moves } = JSON.parse(run("tree", file, "--quiet", "--json", ...options));
  return { games, moves: moves.map(({ move, games }) => [move, games]) };
}

/** The moves without their numbers. */
const bare = ({ games, moves }) => ({ games, moves: moves.map(([move, count]) => [move.split(" ").pop(), count]) });

/** `side` brings the board or the games to the front, where there is room for one of them. */
export async function testTree(page, file, run, side, check) {
  const about = await choose(page, [file]);
  await side("board");
  await press(page, "[data-tab=tree]");
  await treeAfter(page, "");
  const start = await shownTree(page);
  assert.deepEqual(start, { games: about.games, moves: [["1. e4", 16], ["1. d4", 3], ["1. Nf3", 1]] });
  if (run) assert.deepEqual(bare(start), counted(run, file, []));
  await check("start");

  // A click plays the move on the board, although the game does not have it.
  await page.$$eval("scoresheet-viewer >>> .branch", (all) => all[all.length - 1].click());
  await treeAfter(page, "1. Nf3");
  assert.deepEqual(await shownTree(page), { games: 1, moves: [["1... d5", 1]] });
  assert.match(await page.$eval("scoresheet-viewer >>> .board", (board) => board.getAttribute("aria-label")), /knight b1 f3/);
  await press(page, ".branch");
  await treeAfter(page, "1. Nf3 d5");
  await press(page, "[data-tree=back]");
  await treeAfter(page, "1. Nf3");
  await press(page, "[data-tree=home]");
  await treeAfter(page, "");

  // The keyboard: Down and Up choose, Right plays, Left goes back.
  await page.focus("scoresheet-viewer >>> .branch");
  for (const key of ["ArrowDown", "ArrowUp", "ArrowRight"]) await page.keyboard.press(key);
  const [first, games] = ["1. e4", 16];
  await treeAfter(page, first);
  const second = await shownTree(page);
  assert.equal(second.games, games);
  if (run) assert.deepEqual(bare(second), counted(run, file, ["--moves", first]));
  await page.keyboard.press("Enter");
  await until(page, (first) => document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".played")?.textContent.length > first.length, first);
  await page.keyboard.press("ArrowLeft");
  await treeAfter(page, first);
  const name = await textOf(page, ".treehead .name");
  assert.equal(name, "B00 King's Pawn Game");
  const queens = await page.evaluate((fen) => document.querySelector("scoresheet-viewer").reader.tree(fen),
    "rnbqkbnr/ppp1pppp/8/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R b KQkq - 1 2");
  assert.equal(queens.games, 1);

  // Another game leaves the tree where it is; a filter counts again.
  await side("games");
  await page.focus("scoresheet-viewer >>> .table");
  await page.keyboard.press("ArrowDown");
  await treeAfter(page, first);
  const found = await filter(page, "result", "1-0");
  await treeAfter(page, first);
  await until(page, (games) => !document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".sum").textContent.startsWith(games), `${games.toLocaleString("en")} `);
  const won = await shownTree(page);
  assert.equal(won.games, Array.from({ length: 16 }, (_, n) => n).filter((n) => n % 3 === 0).length);
  assert.equal(found.found, Array.from({ length: 20 }, (_, n) => n).filter((n) => n % 3 === 0).length);
  await filter(page, "result", "");
  await until(page, (games) => document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".sum").textContent.startsWith(games), `${games.toLocaleString("en")} `);

  // The games of the position, in the table.
  await side("board");
  await press(page, "[data-tree=find]");
  await until(page, (games) => document.querySelector("scoresheet-viewer").shadowRoot.querySelector("#count").textContent.startsWith(`${games} of`), games.toLocaleString("en"));
  await side("board");
  await check("after a move");
  const answer = await page.evaluate((fen) => document.querySelector("scoresheet-viewer").reader.tree(fen), START);
  assert.equal(answer.games, games, "the games of the table only");
  return `${start.games} games, ${start.moves.length} moves from the start, ${name}`;
}
