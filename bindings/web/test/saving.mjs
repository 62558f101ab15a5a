// What the page saves, in every format; and spelling files.

import assert from "node:assert/strict";
import { choose, during, filter, press, textOf, until } from "./page.mjs";

/**
 * The menu has every format that the library writes, and what the page saves reads back.
 * @param {import("puppeteer-core").Page} page
 * @param {string[]} files of a database
 * @param {{table: Function, written: Function}} helpers of drive.mjs
 */
export async function testSaving(page, files, { table, written }) {
  const { games } = await choose(page, files);
  await table(page);
  const { menu, formats } = await page.evaluate(async () => {
    const viewer = document.querySelector("scoresheet-viewer");
    const formats = (await viewer.reader.formats()).filter(({ written }) => written);
    return { formats, menu: [...viewer.shadowRoot.querySelector("#format").options].map(({ value }) => value) };
  });
  assert.deepEqual([...menu].sort(), formats.map(({ name }) => name).sort());
  assert.deepEqual(menu.slice(0, 4), ["pgn", "si4", "jsonl", "csv"]);
  for (const { name: format, read } of formats) {
    const saved = await page.evaluate(async (format) => {
      const viewer = document.querySelector("scoresheet-viewer");
      viewer.shadowRoot.querySelector("#format").value = format;
      const done = new Promise((resolve) => {
        viewer.addEventListener("scoresheet-export", ({ detail }) => resolve(detail), { once: true });
      });
      viewer.shadowRoot.querySelector("#export").click();
      const { files, refused } = await done;
      const [{ name, file }] = files;
      return { count: files.length, refused, name, bytes: [...new Uint8Array(await file.arrayBuffer())] };
    }, format);
    assert.equal(saved.count, 1, format);
    assert.ok(saved.bytes.length > 0, format);
    // An opening book has positions in place of games.
    if (!read || format === "fbk") continue;
    const about = await choose(page, [written(`${format}-${saved.name}`, Buffer.from(saved.bytes))]);
    assert.equal(about.format, format);
    await until(page, () => !document.querySelector("scoresheet-viewer").about.growing);
    assert.equal(about.games + saved.refused, games, format);
    await choose(page, files);
    await table(page);
  }
  assert.deepEqual(page.faults, []);
  return `${menu.length} formats, as the library lists them; those that are read have the games again`;
}

/**
 * A spelling file makes the spellings of a name one name, in this base and the next, as in the program.
 * @param {import("puppeteer-core").Page} page
 * @param {((...words: string[]) => string) | undefined} run the program, if there is one to compare with
 * @param {{table: Function, written: Function}} helpers of drive.mjs
 */
export async function testSpelling(page, run, { table, written }) {
  const game = (white) => `[Event "A"]\n[White "${white}"]\n[Black "Tal, M"]\n\n1. e4 *\n\n`;
  const path = written("spelt.pgn", game("Korchnoi, Viktor") + game("Keller, V") + game("Karpov, A"));
  const names = written("names.ssp", '@PLAYER "., -_*"\nKorchnoi, Viktor #gm\n  = Keller, V\n');
  await choose(page, [path]);
  await table(page);
  assert.equal((await filter(page, "player", "keller")).found, 1);
  const input = await page.waitForSelector("scoresheet-viewer >>> #spelling");
  const upload = (file) => during(page, "scoresheet-search", () => input.uploadFile(file));
  assert.equal((await upload(names)).found, 2);
  if (run) assert.equal(run("list", path, "--count", "--player", "keller", "--spelling", names), "2\n");
  assert.equal(await textOf(page, "#spelt span"), "names.ssp: 1 name");
  await choose(page, [written("more.pgn", game("Korchnoi, Viktor") + game("Spassky, B"))]);
  await table(page);
  assert.equal((await filter(page, "player", "keller")).found, 1, "the next base");
  // A file that is none says so, and the one before stays.
  assert.equal((await upload(path)).found, 1);
  assert.match(await textOf(page, ".message span"), /spelt\.pgn: line 1: .*@PLAYER/);
  assert.equal((await during(page, "scoresheet-search", () => press(page, "#spelt button"))).found, 0);
  assert.equal(await page.$eval("scoresheet-viewer >>> #spelt", (chip) => chip.hidden), true);
  assert.deepEqual(page.faults, []);
  return "a name in two spellings, in this base and the next; a wrong file; without one again";
}
