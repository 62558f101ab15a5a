// The page and the program find the same games in every fixture of every format, including damaged ones,
// for several filters.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { extname, join } from "node:path";
import { cases } from "./fixtures.mjs";
import { root } from "./server.mjs";

/** Filters for the fields of the page and for the options with the same names. */
const FILTERS = [
  { player: "xyzzy" }, { player: "a", event: "e" }, { date: "1900..2030" }, { result: "1-0" }, { moves: "1. e4" },
  { position: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR" }, { opening: "C" }, { player: "a", against: "o" },
];
/** The number of parallel runs of the program. */
const AT_ONCE = 4;

/** Returns the number of games that the program finds, or `null` if it refuses the database. */
function counted(program, path, encoding, filter) {
  const options = Object.entries(encoding ? { ...filter, encoding } : filter);
  const args = ["list", path, "--count", ...options.flatMap(([name, value]) => [`--${name}`, value])];
  return new Promise((resolve) => {
    execFile(program, args, { maxBuffer: 1 << 26 }, (_, stdout) => resolve(/^\d+\s*$/.test(stdout) ? Number(stdout) : null));
  });
}

/** Opens a case in the page. Returns the number of games that each filter finds. */
function found({ name, files, open, encoding, address, filters }) {
  return (async () => {
    const { reader } = document.querySelector("scoresheet-viewer");
    const named = await Promise.all(
      files.map(async (file) => ({ name: file, file: await (await fetch(`${address}/fixtures/${name}/${file}`)).blob() })),
    );
    const { bases } = await reader.bases(named);
    const base = bases.find((base) => !open || base.files.includes(open)) ?? bases[0];
    if (!base) return null;
    try {
      await reader.open(open ?? base.name, { encoding });
      await reader.grow();
    } catch {
      return null;
    }
    const counts = [];
    for (const filter of filters) counts.push((await reader.search(filter)).found);
    return { path: open ?? base.name, counts };
  })();
}

/**
 * @param {import("puppeteer-core").Page} page
 * @param {string} address
 * @param {string} program
 */
export async function testAgreement(page, address, program) {
  const asked = [];
  for (const one of cases()) {
    if (!one.files.length) continue;
    const said = await page.evaluate(found, { ...one, address, filters: FILTERS });
    if (!said || extname(said.path) === ".zip") continue;
    const path = join(root, "fixtures", one.name, said.path);
    FILTERS.forEach((filter, place) => asked.push({ one, path, filter, count: said.counts[place] }));
  }
  let [same, some] = [0, 0];
  const differ = [];
  const next = async () => {
    for (let ask = asked.shift(); ask; ask = asked.shift()) {
      const { one, path, filter, count } = ask;
      const own = await counted(program, path, one.encoding, filter);
      if (own !== null && own !== count) differ.push(`${one.name} ${JSON.stringify(filter)}: page ${count}, program ${own}`);
      if (own === count) same++;
      if (count > 0) some++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  assert.deepEqual(differ, []);
  assert.ok(same > 1500 && some > 500, `${same} answers, ${some} with games`);
  return `${same} answers as the program gives them, ${some} of them with games`;
}
