// Tests databases that are not part of the project: drops every database below a folder in the form that users
// have, and compares its games with those of the program.

import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { dirname, extname, join, relative, resolve } from "node:path";
import { drop, until } from "./page.mjs";

/** The extensions of the main files that the program takes. */
const MAIN = new Set([".si3", ".si4", ".si5", ".dci", ".cbf", ".cbh", ".2cbh", ".cbv", ".cdp", ".jose", ".pgn", ".fbk"]);
/** Use `--big` to measure larger databases. */
const LARGEST = 4 << 20;

function below(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? below(path) : [path];
  });
}

const stem = (path) => path.slice(0, path.length - extname(path).length).toLowerCase();

/** Returns the files of a database: the files in its folder with its name. */
function filesOf(path) {
  const beside = readdirSync(dirname(path)).map((name) => join(dirname(path), name));
  if ([".pgn", ".jose", ".cbv"].includes(extname(path).toLowerCase())) return [path];
  return beside.filter((one) => stem(one) === stem(path) && extname(one).toLowerCase() !== ".pgn" && statSync(one).isFile());
}

/** Returns the page's export as JSON lines, or the reason why it cannot open the database. */
async function exported(page, path) {
  try {
    await drop(page, filesOf(path));
  } catch (error) {
    return { refused: error.message };
  }
  return page.evaluate(async () => {
    const { reader } = document.querySelector("scoresheet-viewer");
    try {
      await reader.grow();
    } catch {
      // The games before the damage are available.
    }
    return { text: await (await reader.export("jsonl", "x")).files[0].file.text() };
  });
}

/**
 * @param {(path: string) => {code: number, text: string}} read gives the games as the program reads them
 */
export async function testSamples(page, folder, read) {
  let [same, games, refused] = [0, 0, 0];
  for (const path of below(resolve(folder)).sort()) {
    if (!MAIN.has(extname(path).toLowerCase())) continue;
    if (filesOf(path).some((one) => statSync(one).size > LARGEST)) continue;
    const name = relative(folder, path);
    const own = read(path);
    if (own.code === 3) {
      const message = await refusal(page, filesOf(path));
      assert.ok(message, `${name}: the program refuses it, the page does not`);
      refused++;
      continue;
    }
    const there = await exported(page, path);
    assert.equal(there.refused, undefined, name);
    assert.equal(there.text, own.text, name);
    same++;
    games += own.text.split("\n").filter(Boolean).length;
  }
  assert.ok(same > 0, `${folder}: no base`);
  return `${same} bases with ${games} games as the program reads them, ${refused} refused by both`;
}

/** Returns the page's message for files that are not a database. */
async function refusal(page, files) {
  const input = await page.waitForSelector("scoresheet-viewer >>> #files");
  await page.evaluate(() => (document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".message").hidden = true));
  await input.uploadFile(...files);
  await until(page, () => !document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".message").hidden);
  return page.evaluate(() => document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".message").textContent.trim());
}
