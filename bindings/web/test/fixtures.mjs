// The module in a browser reads every fixture of every format, and returns the expected games: the same
// as the program, as JSON and as PGN.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./server.mjs";

/** Cases without database files. */
const NOT_BASES = new Set(["movecode/row"]);

/** Parses a value of a case.toml; all values are simple. */
function value(toml, name) {
  return new RegExp(`^${name} = (?:"([^"]*)"|(\\d+))`, "m").exec(toml)?.slice(1).find((text) => text !== undefined);
}

function files(folder, under = "") {
  return readdirSync(join(folder, under)).flatMap((name) => {
    const path = under ? `${under}/${name}` : name;
    return statSync(join(folder, path)).isDirectory() ? files(folder, path) : [path];
  });
}

/** Returns the cases of all formats. */
export function cases() {
  const fixtures = join(root, "fixtures");
  return readdirSync(fixtures).flatMap((family) =>
    readdirSync(join(fixtures, family)).map((name) => {
      const folder = join(fixtures, family, name);
      const toml = readFileSync(join(folder, "case.toml"), "utf8");
      return {
        name: `${family}/${name}`,
        format: value(toml, "format"),
        games: Number(value(toml, "games")),
        encoding: value(toml, "encoding"),
        open: value(toml, "open"),
        files: files(folder).filter((file) => file !== "case.toml" && !file.startsWith("expected.")),
        lines: readFileSync(join(folder, "expected.jsonl"), "utf8").split("\n").filter(Boolean),
        pgn: existsSync(join(folder, "expected.pgn")) ? readFileSync(join(folder, "expected.pgn"), "utf8") : "",
      };
    }),
  );
}

/** Opens a case in the page. Returns everything that the page shows. */
function read({ name, files, open, encoding, address }) {
  return (async () => {
    const viewer = document.querySelector("scoresheet-viewer");
    const reader = viewer.reader;
    const named = await Promise.all(
      files.map(async (file) => ({ name: file, file: await (await fetch(`${address}/fixtures/${name}/${file}`)).blob() })),
    );
    const found = await reader.bases(named);
    const base = found.bases.find((base) => !open || base.files.includes(open)) ?? found.bases[0];
    if (!base) return { closed: JSON.stringify(found.others) };
    let about;
    let ended = null;
    try {
      about = await reader.open(open ?? base.name, { encoding });
      about = await reader.grow();
    } catch (error) {
      if (!about) return { closed: error.message };
      ended = error.message;
      about = await reader.about();
    }
    const written = async (format) => (await reader.export(format, "x")).files[0].file.text();
    const numbers = Array.from({ length: about.games }, (_, index) => index + 1);
    const damage = await Promise.all(numbers.map(async (number) => (await reader.game(number)).damage));
    return { games: about.games, ended, damage, jsonl: await written("jsonl"), pgn: await written("pgn") };
  })();
}

/** @param {import("puppeteer-core").Page} page */
export async function testFixtures(page, address) {
  let [bases, games, damaged, closed] = [0, 0, 0, 0];
  for (const one of cases()) {
    if (NOT_BASES.has(one.name) || !one.files.length) continue;
    const said = await page.evaluate(read, { ...one, address });
    const lines = one.lines.map((line) => JSON.parse(line));
    if (said.closed !== undefined) {
      assert.ok(lines.length <= 1 && (lines.length === 0 || lines[0].error), `${one.name}: ${said.closed}`);
      closed++;
      continue;
    }
    // An error of the whole text is a separate line without a game.
    if (said.ended !== null) assert.ok(lines.pop().error, one.name);
    assert.equal(said.games, lines.length, one.name);
    const got = said.jsonl.split("\n").filter(Boolean);
    lines.forEach((line, index) => {
      const wanted = line.error ? JSON.stringify(line.game) : one.lines[index];
      assert.equal(line.error ? JSON.stringify(JSON.parse(got[index])) : got[index], wanted, `${one.name}, game ${index + 1}`);
      assert.equal(Boolean(said.damage[index]), Boolean(line.error), `${one.name}, game ${index + 1}: ${said.damage[index]}`);
    });
    assert.equal(said.pgn, one.pgn, `${one.name}: PGN`);
    bases++;
    games += said.games;
    damaged += lines.filter((line) => line.error).length;
  }
  assert.ok(bases > 250, `${bases} bases`);
  return `${bases} bases with ${games} games, ${damaged} of them damaged, as expected; ${closed} refused, as expected`;
}
