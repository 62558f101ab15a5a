// The package in Node reads every fixture of every format, and returns the games of the program.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { cases } from "../../web/test/fixtures.mjs";
import { root } from "../../web/test/server.mjs";
import { open } from "../dist/lib/node/index.js";

const fixtures = join(root, "fixtures");

/** The place of an error as the program shows it. */
function shown(place) {
  const parts = [];
  if (place.file) parts.push(`.${place.file}`);
  if (place.line !== undefined) parts.push(`line ${place.line}`);
  if (place.column !== undefined) parts.push(`column ${place.column}`);
  if (place.offset !== undefined) parts.push(`byte ${place.offset}`);
  if (place.game !== undefined) parts.push(`game ${place.game}`);
  if (place.ply !== undefined) parts.push(`ply ${place.ply}`);
  return parts.length ? parts.join(", ") : "somewhere";
}

/** Compares a damage with the error in expected.jsonl: the same place and the same words. */
function assertSame(damage, error, name) {
  const message = damage.place ? error.replace(`${shown(damage.place)}: `, "") : error;
  if (damage.place) assert.notEqual(message, error, `${name}: ${error} is not at ${shown(damage.place)}`);
  assert.ok(damage.message.endsWith(message), `${name}: ${damage.message}, expected ${error}`);
}

/** Cases that hold no database, or whose main file the case does not name. */
const NOT_BASES = new Set(["movecode/row"]);

function main({ open, files, format }, extensions) {
  if (open) return open;
  const own = extensions.get(format) ?? [];
  const rank = (file) => {
    const at = own.findIndex((extension) => file.toLowerCase().endsWith(`.${extension}`));
    return at < 0 ? own.length : at;
  };
  return [...files].sort((one, other) => rank(one) - rank(other))[0];
}

test("games_of_each_fixture_equal_expected_lines", async () => {
  const { formats } = await import("../dist/lib/node/index.js");
  const extensions = new Map((await formats()).map(({ name, extensions }) => [name, extensions]));
  const folder = mkdtempSync(join(tmpdir(), "scoresheet-test-"));
  let [bases, games, damaged, closed] = [0, 0, 0, 0];
  for (const one of cases()) {
    if (NOT_BASES.has(one.name) || !one.files.length) continue;
    const path = join(fixtures, one.name, main(one, extensions));
    const lines = one.lines.map((line) => JSON.parse(line));
    let base;
    try {
      base = await open(path, { encoding: one.encoding });
    } catch (error) {
      assert.equal(error.name, "ScoresheetError", `${one.name}: ${error.stack}`);
      assert.ok(lines.length <= 1 && (lines.length === 0 || lines[0].error), `${one.name}: ${error.message}`);
      closed++;
      continue;
    }
    const read = [];
    for await (const game of base.games()) read.push(game);
    // An error of the whole text is a separate line without a game.
    if (read.length < lines.length) assertSame(base.damage, lines.pop().error, one.name);
    assert.equal(read.length, lines.length, one.name);
    assert.equal(base.length, lines.length, one.name);
    read.forEach((game, index) => {
      const name = `${one.name}, game ${index + 1}`;
      const line = lines[index];
      assert.equal(game.number, index + 1, name);
      const wanted = line.error ? JSON.stringify(line.game) : one.lines[index];
      assert.equal(JSON.stringify(game), wanted, name);
      assert.equal(Boolean(game.damage), Boolean(line.error), `${name}: ${game.damage?.message}`);
      if (line.error) assertSame(game.damage, line.error, name);
      damaged += line.error ? 1 : 0;
    });
    const pgn = join(folder, "out.pgn");
    const written = await base.convert(pgn, { overwrite: true });
    assert.deepEqual(written.files, [pgn]);
    assert.equal(written.written, lines.length, one.name);
    assert.equal(readFileSync(pgn, "utf8"), one.pgn, `${one.name}: PGN`);
    await base.close();
    bases++;
    games += read.length;
  }
  rmSync(folder, { recursive: true });
  assert.ok(bases > 250, `${bases} bases`);
  console.log(`${bases} bases with ${games} games, ${damaged} damaged; ${closed} refused`);
});
