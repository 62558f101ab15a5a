// The package in Chromium: a worker reads the files, and new databases equal those of Node.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { test } from "node:test";
import { launch } from "../../web/test/page.mjs";
import { root } from "../../web/test/server.mjs";
import { convert } from "../dist/lib/node/index.js";

const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };
const sources = ["scid/variations", "cbh/annotations", "dcg/basic", "pgn/castling"];
const targets = ["new.pgn", "new.jsonl", "new.si4", "new.cbh", "new.2cbh", "new.dci", "new.cbf", "new.jose"];
const hash = (bytes) => createHash("sha256").update(bytes).digest("hex");

async function serve() {
  const server = createServer((request, answer) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://host").pathname));
    const file = path.startsWith("/fixtures/") ? join(root, path) : join(root, "bindings/npm/dist", path);
    const found = path === "/" ? undefined : existsSync(file);
    if (found === false) return void answer.writeHead(404).end();
    answer.writeHead(200, { "content-type": TYPES[extname(file)] ?? (found ? "application/octet-stream" : "text/html") });
    if (found) createReadStream(file).pipe(answer);
    else answer.end('<!doctype html><title>package</title><link rel="icon" href="data:,">');
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Runs in the page: converts databases, and returns games and hashes of files. */
async function inPage(bases, targets) {
  const { open, terminate } = await import("/lib/browser/index.js");
  const results = [];
  for (const { folder, names } of bases) {
    const files = await Promise.all(
      names.map(async (name) => new File([await (await fetch(`/fixtures/${folder}/${name}`)).blob()], name)),
    );
    const base = await open(files);
    const lines = [];
    for await (const game of base.games()) lines.push(JSON.stringify(game));
    const written = {};
    for (const target of targets) {
      for (const { name, file } of (await base.convert(target)).files) {
        const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
        written[name] = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      }
    }
    results.push({ count: await base.count({ result: "1-0" }), length: base.length, lines, written });
    await base.close();
  }
  const failed = await open(new File(["\u0000\u0001\u0002"], "noise.bin")).then(() => "opened", (error) => `${error.name}: ${error.message}`);
  terminate();
  return { results, failed };
}

test("files_converted_in_a_browser_equal_those_of_node", async () => {
  const bases = sources.map((folder) => ({
    folder,
    names: readdirSync(join(root, "fixtures", folder)).filter((name) => name.startsWith("base.")),
  }));
  const { address, close } = await serve();
  const browser = await launch();
  const scratch = mkdtempSync(join(tmpdir(), "scoresheet-test-"));
  try {
    const page = await browser.newPage();
    await page.goto(address);
    const { results, failed } = await page.evaluate(inPage, bases, targets);
    assert.match(failed, /^ScoresheetError: noise\.bin: /);
    for (const [index, { folder, names }] of bases.entries()) {
      const { lines, written, length } = results[index];
      const expected = readFileSync(join(root, "fixtures", folder, "expected.jsonl"), "utf8").trimEnd().split("\n");
      assert.deepEqual(lines, expected, folder);
      assert.equal(length, expected.length);
      let compared = 0;
      for (const target of targets) {
        const own = mkdtempSync(join(scratch, "own-"));
        const { files } = await convert(join(root, "fixtures", folder, names[0]), join(own, target));
        for (const path of files) {
          const name = path.slice(own.length + 1);
          assert.equal(written[name], hash(readFileSync(path)), `${folder} to ${name}`);
          compared++;
        }
      }
      assert.equal(Object.keys(written).length, compared);
    }
  } finally {
    await browser.close();
    close();
    rmSync(scratch, { recursive: true });
  }
});
