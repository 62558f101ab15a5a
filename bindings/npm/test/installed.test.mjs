// The packed package, installed into an empty folder: its content, the examples of README.md and the types.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { root } from "../../web/test/server.mjs";

const dist = join(root, "bindings/npm/dist");
let folder;
let installed;

/** Runs a program in the folder of the user, who has only node. */
function run(program, words, { input } = {}) {
  const env = { PATH: process.env.PATH, HOME: folder, npm_config_cache: join(folder, "cache"), npm_config_offline: "true" };
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: join(folder, "user"), encoding: "utf8", env, input });
  assert.equal(status, 0, `${program} ${words.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

before(() => {
  folder = mkdtempSync(join(tmpdir(), "scoresheet-npm-"));
  mkdirSync(join(folder, "user"));
  writeFileSync(join(folder, "user/package.json"), '{ "private": true, "type": "module" }');
  const packed = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", folder, dist]));
  installed = packed[0];
  run("npm", ["install", "--no-audit", "--no-fund", join(folder, installed.filename)]);
  const plain = join(root, "fixtures/scid/plain");
  for (const name of readdirSync(plain).filter((name) => name.startsWith("base."))) {
    copyFileSync(join(plain, name), join(folder, "user", name.replace("base", "old")));
  }
});
after(() => rmSync(folder, { recursive: true }));

test("pack_holds_what_is_needed_and_no_more", () => {
  const names = installed.files.map(({ path }) => path);
  const wanted = ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "lib/browser/scoresheet_bg.wasm", "package.json"];
  assert.deepEqual(wanted.filter((name) => !names.includes(name)), []);
  const others = names.filter((name) => !wanted.includes(name) && !/^lib\/.*\.(js|d\.ts)$/.test(name));
  assert.deepEqual(others, []);
  assert.equal(names.filter((name) => name.endsWith(".wasm")).length, 1);
  const { dependencies, devDependencies, scripts } = JSON.parse(readFileSync(join(dist, "package.json"), "utf8"));
  assert.deepEqual([dependencies, devDependencies, scripts], [undefined, undefined, undefined]);
  assert.deepEqual(readdirSync(join(folder, "user/node_modules")).filter((name) => !name.startsWith(".")), ["scoresheet"]);
  assert.ok(installed.size < 2.45e6, `${installed.size} bytes`);
});

test("readme_examples_run", () => {
  const readme = readFileSync(join(dist, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(([, language, text]) => ({ language, text }));
  const scripts = blocks.filter(({ language }) => language === "js");
  assert.ok(scripts.length >= 3, `${scripts.length} scripts`);
  const said = scripts.map(({ text }, index) => {
    writeFileSync(join(folder, "user", `example-${index}.js`), text);
    return run(process.execPath, [`example-${index}.js`]);
  });
  assert.match(said[0], /^Scid 4, 6 games\nAlder, Nora Birch, Tom \d+\nBirch, Tom Alder, Nora \d+\n$/);
  assert.match(said[1], /^2 of 6 games/);
  assert.match(said[2], /^\d+\n$/);
});

test("types_hold_under_strict", () => {
  const compiler = process.env.SCORESHEET_TSC;
  assert.ok(compiler, "SCORESHEET_TSC");
  for (const name of ["node", "browser"]) {
    copyFileSync(join(root, `bindings/npm/test/types/${name}.ts`), join(folder, "user", `${name}.ts`));
  }
  const strict = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--types", ""];
  const lib = ["--target", "es2022", "--lib", "es2022,dom,dom.iterable", "--module", "nodenext", "--moduleResolution", "nodenext"];
  run(compiler, [...strict, ...lib, "node.ts"]);
  run(compiler, [...strict, "--target", "es2022", "--lib", "es2022,dom,dom.iterable", "--module", "esnext", "--moduleResolution", "bundler", "browser.ts"]);
});
