// The program of the package: output, messages and exit codes, beside those of the native program.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { root } from "../../web/test/server.mjs";

const native = process.env.SCORESHEET_PROGRAM;
const script = join(root, "bindings/npm/dist/bin/scoresheet.js");
/** Fails where there is none: two programs agree that a missing file is missing. */
const fixture = (name) => {
  const path = join(root, "fixtures", name);
  assert.ok(existsSync(path), path);
  return path;
};
const plain = fixture("scid/plain/base.si4");
let folder;
before(() => (folder = mkdtempSync(join(tmpdir(), "scoresheet-test-"))));
after(() => rmSync(folder, { recursive: true }));

const end = ({ status, signal, stdout, stderr }) => ({ code: signal ?? status, out: stdout, err: stderr });
const ours = (...words) => end(spawnSync(process.execPath, [script, ...words], { encoding: "utf8", cwd: folder }));
const theirs = (...words) => end(spawnSync(native, words, { encoding: "utf8", cwd: folder }));

test("output_for_programs_equals_that_of_the_native_program", () => {
  for (const extension of ["si4", "sg4", "sn4"]) {
    copyFileSync(plain.replace(/si4$/, extension), join(folder, `copy.${extension}`));
  }
  const cells = ["-12.5", "+-", "-a", "+1,5", "=?", "@x", "- 5", "-5e3", "+\u0663", "-\u00e9", "-.5", "+5.", "-e3", "-inf", "=1+1"];
  writeFileSync(join(folder, "cells.pgn"), cells.map((cell) => `[White "${cell}"]\n\n1. e4 *\n\n`).join(""));
  writeFileSync(join(folder, "names.ssp"), '@PLAYER "., -_*"\nAlder, Nora\n  = Oldar, N\n');
  writeFileSync(join(folder, "latin.ssp"), Buffer.from('@PLAYER "., -_*"\nAlder, Nora\n  = Olmüller, N\n', "latin1"));
  const lines = [
    ["list", "--csv", "cells.pgn"],
    ["list", "--csv", plain],
    ["list", "--json", plain],
    ["list", "--count", plain],
    ["list", "--csv", "--player", "alder", "--date=2019", plain],
    ["list", "--csv", "--deleted=no", "--limit", "2", plain],
    ["list", "--json", fixture("cbh/annotations/base.cbh")],
    ["list", "--csv", fixture("cbf/annotated/base.cbf")],
    ["list", plain],
    // Files of one database, however their folder is spelt; a file that is named twice is read twice.
    ["list", "--count", "copy.si4", "./copy.sg4", join(folder, "copy.sn4")],
    ["list", "--count", "./copy.si4", "./copy.si4"],
    ["list", "--count", plain, fixture("cbh/annotations/base.cbh")],
    ["list", "--csv", "--limit", "7", plain, fixture("cbh/annotations/base.cbh")],
    ["list", "--json", plain, fixture("cbh/annotations/base.cbh")],
    ["list", plain, fixture("cbh/annotations/base.cbh")],
    ["list", "--count", "--player", "oldar", "--spelling", "names.ssp", plain],
    ["list", "--count", "--player", "oldar", plain],
    ["list", "--csv", "--white", "olmuller", "--spelling", "latin.ssp", plain],
    ["list", fixture("cbh/bad_annotations_more/base.cbh")],
    ["convert", "--to", "jsonl", plain, "-"],
    ["convert", "--to=pgn", "--games", "2-3", plain, "-"],
  ];
  for (const words of lines) {
    const [one, other] = [ours(...words), theirs(...words)];
    assert.equal(one.out, other.out, words.join(" "));
    assert.equal(one.code, other.code, words.join(" "));
  }
});

test("exit_codes_equal_those_of_the_native_program", () => {
  writeFileSync(join(folder, "exists.pgn"), "");
  writeFileSync(join(folder, "noise.bin"), Buffer.alloc(100, 7));
  const damaged = fixture("cbh/bad_annotations_more/base.cbh");
  const lines = [
    [0, "list", plain],
    [1, "list", "--player", "nobody", plain],
    [1, "convert", "--player", "nobody", plain, "empty.pgn"],
    [2, "list", "--date", "19x", plain],
    [2, "list", "--colour", plain],
    [2, "list"],
    [2, "frobnicate"],
    [2, "convert", plain],
    [2, "list", "--player"],
    [3, "convert", "missing.pgn", "new.pgn"],
    [3, "convert", plain, "exists.pgn"],
    [2, "convert", plain, "new.xlsx"],
    [2, "convert", plain, plain],
    [3, "check", "noise.bin"],
    [3, "show", plain, "7"],
    [3, "list", "--spelling", "missing.ssp", plain],
    [3, "list", "--spelling", "noise.bin", plain],
    [2, "list", "--spelling", "noise.bin", "--spelling", "noise.bin", plain],
    [0, "check", plain],
    [1, "check", damaged],
    [0, "convert", damaged, "damaged.pgn"],
    [4, "convert", "--fail-on", "damage", damaged, "damaged-2.pgn"],
    [4, "convert", "--fail-on=loss", fixture("scid/variations/base.si4"), "lossy.csv"],
    [4, "list", "--fail-on", "damage", damaged],
    [4, "info", plain, "missing.pgn"],
  ];
  for (const [code, ...words] of lines) {
    assert.equal(theirs(...words).code, code, `native: ${words.join(" ")}`);
    for (const name of ["empty.pgn", "damaged.pgn", "damaged-2.pgn", "lossy.csv"]) rmSync(join(folder, name), { force: true });
    const said = ours(...words);
    assert.equal(said.code, code, `${words.join(" ")}: ${said.err}`);
    assert.doesNotMatch(said.err, /\bat .*\.js:/, "a stack is no message");
    if (code >= 2) assert.match(said.err, /^(error|scoresheet): |damaged|losses|game/m);
  }
});

test("messages_of_a_conversion_equal_those_of_the_native_program", () => {
  const damaged = fixture("cbh/bad_annotations_more/base.cbh");
  const [one, other] = [ours("convert", damaged, "m-1.pgn"), theirs("convert", damaged, "m-2.pgn")];
  const summary = ({ err }) => err.split("\n").find((line) => line.includes(" read, "));
  assert.equal(summary(one), summary(other));
  assert.equal(one.err.split("\n")[0], other.err.split("\n")[0]);
  assert.match(ours("convert", plain, "m-1.pgn").err, /m-1\.pgn: exists; --force replaces it/);
  assert.equal(ours("convert", "-f", "-q", plain, "m-1.pgn").err, "");
});

test("help_of_each_command_names_its_options", () => {
  const { out } = ours("--help");
  for (const name of ["convert", "list", "show", "info", "check", "formats"]) {
    assert.match(out, new RegExp(`^  ${name} `, "m"));
    const help = ours(name, "--help");
    assert.equal(help.code, 0);
    assert.match(help.out, new RegExp(`^Usage: scoresheet ${name} `, "m"));
    assert.equal(ours("help", name).out, help.out);
  }
  assert.match(ours("convert", "-h").out, /--player <NAME>/);
  assert.match(ours("--version").out, /^scoresheet \d+\.\d+\.\d+ \(npm\)$/m);
  assert.match(ours("formats").out, /^cbh .*read write/m);
  assert.match(ours("formats", "dcg").out, /write/);
});

test("reader_that_goes_away_is_no_error", () => {
  const line = `"${process.execPath}" "${script}" list --csv "${plain}" | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const { stdout } = spawnSync("bash", ["-c", line], { encoding: "utf8" });
  assert.match(stdout, /^Number,White,[\s\S]*\n0\n$/);
});

test("interrupted_conversion_leaves_no_files", async () => {
  const games = readFileSync(fixture("pgn/castling/base.pgn"), "utf8");
  writeFileSync(join(folder, "long.pgn"), games.repeat(Math.ceil(2e7 / games.length)));
  const before = readdirSync(folder);
  const { spawn } = await import("node:child_process");
  const child = spawn(process.execPath, [script, "convert", "long.pgn", "long.si4"], { cwd: folder, stdio: "ignore" });
  while (!readdirSync(folder).some((name) => name.endsWith(".tmp"))) {
    assert.equal(child.exitCode, null, "the conversion ended too soon");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  child.kill("SIGTERM");
  const code = await new Promise((resolve) => child.on("exit", resolve));
  assert.equal(code, 130);
  assert.deepEqual(readdirSync(folder), before);
});

test("control_characters_of_a_base_are_not_shown", () => {
  writeFileSync(join(folder, "evil.pgn"), '[White "A\u001b[2Jb\u009b"]\n\n{\u001b]0;x\u0007} 1. e4 *\n');
  for (const words of [["list", "evil.pgn"], ["show", "evil.pgn", "1"], ["check", "-v", "evil.pgn"], ["info", "evil.pgn"]]) {
    const { out, err } = ours(...words);
    assert.doesNotMatch(out + err, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/, words.join(" "));
  }
});
