// Drives the page in a real browser: `node test/drive.mjs [--program PATH] [--samples FOLDER] [--big BASE] [--only WORD]`.
//
// `--program` is the program to compare with, `--samples` a folder with more bases, `--big` a large base to
// measure with. Pictures of what was seen are left in test/screenshots.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testBig } from "./big.mjs";
import { testFixtures } from "./fixtures.mjs";
import { choose, drop, during, filter, launch, openPage, press, textOf, until } from "./page.mjs";
import { testSamples } from "./samples.mjs";
import { root, serve, web } from "./server.mjs";

const option = (name) => process.argv[process.argv.indexOf(`--${name}`) + 1 || process.argv.length];
const program = option("program");
const only = option("only");
const pictures = join(web, "test", "screenshots");
const fixture = (...path) => join(root, "fixtures", ...path);
const filesOf = (folder) =>
  readdirSync(fixture(folder)).filter((name) => name.startsWith("base.")).map((name) => fixture(folder, name));

mkdirSync(pictures, { recursive: true });
let server = await serve();
const browser = await launch();
const scratch = mkdtempSync(join(tmpdir(), "scoresheet-web-"));

const picture = (page, name) => page.screenshot({ path: join(pictures, `${name}.png`) });
const board = (page) => page.$eval("scoresheet-viewer >>> .board", (element) => element.getAttribute("aria-label"));
const rows = (page) =>
  page.$$eval("scoresheet-viewer >>> .row[data-row]", (all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
const run = (...args) => execFileSync(program, args, { maxBuffer: 1 << 30, encoding: "utf8" });

/** Waits until the table shows games. */
async function table(page) {
  await until(page, () => {
    const first = document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".body .row");
    return first && first.textContent.trim();
  });
}

/** The bytes of a file that the browser saves. */
async function downloaded(name) {
  for (let n = 0; n < 200; n++) {
    const names = readdirSync(scratch);
    const whole = names.includes(name) && !names.some((other) => other.endsWith(".crdownload"));
    const bytes = whole ? readFileSync(join(scratch, name)) : [];
    if (bytes.length > 0) return bytes;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${name} was not saved`);
}

async function axe(page, what) {
  const source = readFileSync(join(web, "node_modules", "axe-core", "axe.min.js"), "utf8");
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const { violations } = await page.evaluate(() => window.axe.run());
  const told = violations.map(({ id, impact, help, nodes }) => `${impact} ${id}: ${help} (${nodes[0].html.slice(0, 160)})`);
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(serious.map(({ id }) => id), [], `${what}: ${told.join("\n")}`);
  return told;
}

/** The bases that are dropped as people have them: all files, a folder, an archive. */
const DROPPED = [
  ["cbf/annotated", ["."], "cbf"], ["cbh/variations", ["."], "cbh"], ["chessassistant/branches", ["."], "chessassistant"],
  ["dcg/variations", ["."], "dcg"], ["movecode/wrap_zip", null, "jose"], ["scid/variations", null, "si4"],
  ["scid/si5_rich", null, "si5"], ["scid/si3_craft", ["."], "si3"],
];

const tests = {
  async fixtures() {
    const page = await openPage(browser, server.address);
    const told = await testFixtures(page, server.address);
    assert.deepEqual(page.faults, []);
    return told;
  },

  async dropping() {
    const page = await openPage(browser, server.address);
    await picture(page, "welcome");
    for (const [folder, whole, format] of DROPPED) {
      const files = whole ? [fixture(folder)] : filesOf(folder);
      const about = await drop(page, files);
      const toml = readFileSync(fixture(folder, "case.toml"), "utf8");
      assert.equal(about.format, format, folder);
      assert.equal(about.games, Number(/^games = (\d+)/m.exec(toml)[1]), folder);
      await table(page);
      const lines = readFileSync(fixture(folder, "expected.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line));
      const shown = await rows(page);
      const tag = (game, name) => game.tags.find(([own]) => own === name)?.[1] ?? "";
      lines.slice(0, shown.length).forEach((line, index) => {
        const game = line.game ?? line;
        assert.equal(shown[index][1], tag(game, "White").replace(/^\?$/, ""), `${folder}, row ${index}`);
      });
    }
    assert.deepEqual(page.faults, []);
    await page.close();
    return DROPPED.map(([folder]) => folder).join(", ");
  },

  async playing() {
    const page = await openPage(browser, server.address);
    await choose(page, filesOf("cbh/annotations"));
    await until(page, () => document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".mv"));
    assert.match(await textOf(page, ".moves"), /1\. e4!.*Better.*1\. d4.*e5.*2\. Nf3.*Nc6.*3\. Bb5/s);
    await page.focus("scoresheet-viewer >>> .board");
    await page.keyboard.press("ArrowRight");
    assert.match(await board(page), /pawn a2 b2 c2 d2 e4 /);
    assert.match(await textOf(page, "#said"), /1\. e4\. good move/);
    assert.equal(await page.$eval("scoresheet-viewer >>> .board svg", (svg) => svg.querySelectorAll("g[opacity]").length), 1, "an arrow");
    await page.keyboard.press("ArrowDown");
    assert.match(await board(page), /pawn a2 b2 c2 d4 e2 /, "the variation");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("End");
    assert.match(await board(page), /bishop b5 c1/);
    await press(page, "[data-go=back]");
    assert.match(await board(page), /bishop c1 f1/);
    await press(page, "[data-go=first]");
    const variation = await page.$("scoresheet-viewer >>> .variation .mv");
    await variation.click();
    assert.match(await board(page), /pawn a2 b2 c2 d4 e2 /, "a click in the variation");
    await press(page, "[data-tab=tags]");
    assert.match(await textOf(page, ".panel"), /Result\*/);
    await press(page, "[data-tab=bytes]");
    await until(page, () => document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".hex .b"));
    const bytes = await page.$$eval("scoresheet-viewer >>> .hex .b", (all) => all.length);
    assert.ok(bytes > 100, `${bytes} bytes`);
    await picture(page, "bytes");
    const told = await axe(page, "bytes");
    assert.deepEqual(page.faults, []);
    await page.close();
    return `moves, variation, glyph, arrow; ${bytes} bytes named; ${told.length} lesser remarks of axe`;
  },

  async searching() {
    const page = await openPage(browser, server.address);
    const file = fixture("pgn", "..", "..", "xtask", "games.pgn");
    await choose(page, [file]);
    await table(page);
    const all = (await textOf(page, "#count")).trim();
    await page.focus("scoresheet-viewer >>> .board");
    await page.keyboard.press("ArrowRight");
    await press(page, "[data-go=search]");
    await axe(page, "setting up a position");
    const fen = await page.$eval("scoresheet-viewer >>> .fen", (input) => input.value);
    const found = await during(page, "scoresheet-search", () => press(page, "[data-set=find]"));
    assert.ok(found.found > 0 && found.done, JSON.stringify(found));
    if (program) assert.equal(found.found, run("list", file, "--position", fen, "--json").trim().split("\n").length, fen);
    const none = await during(page, "scoresheet-search", () => page.evaluate(() =>
      document.querySelector("scoresheet-viewer").searchPosition("8/8/8/3k4/8/3K4/8/8 w", false)));
    assert.equal(none.found, 0);
    await press(page, "#no-position");
    const wrong = await filter(page, "date", "soon");
    assert.equal(wrong.wrong?.field, "date");
    assert.ok(await page.$("scoresheet-viewer >>> [name=date][aria-invalid=true]"));
    assert.deepEqual(page.faults, []);
    await page.close();
    return `${all}: ${found.found} with ${fen}`;
  },

  async exporting() {
    const page = await openPage(browser, server.address);
    const session = await browser.target().createCDPSession();
    await session.send("Browser.setDownloadBehavior", {
      behavior: "allow", downloadPath: scratch, browserContextId: page.browserContext().id,
    });
    await choose(page, filesOf("scid/tags"));
    await table(page);
    const save = async (format) => {
      await page.$eval("scoresheet-viewer >>> #format", (select, format) => (select.value = format), format);
      const written = await during(page, "scoresheet-export", () => press(page, "#export"));
      assert.equal(written.refused, 0);
    };
    await save("pgn");
    const text = (await downloaded("base.pgn")).toString();
    assert.equal(text, readFileSync(fixture("scid/tags/expected.pgn"), "utf8"));
    if (program) assert.equal(text, run("convert", fixture("scid/tags/base.si4"), "--to", "pgn", "-"));
    await save("si4");
    await downloaded("base.zip");
    const about = await choose(page, [join(scratch, "base.zip")]);
    assert.equal(about.format, "si4");
    const again = await page.evaluate(async () => {
      const { reader } = document.querySelector("scoresheet-viewer");
      return (await reader.export("pgn", "again")).files[0].file.text();
    });
    assert.equal(again, text, "si4 and back");
    const one = await page.evaluate(async () => {
      const { reader } = document.querySelector("scoresheet-viewer");
      return (await reader.export("jsonl", "one", [1])).files[0].file.text();
    });
    assert.equal(one.trim().split("\n").length, 1);
    assert.deepEqual(page.faults, []);
    await page.close();
    return "PGN as the program writes it; si4 in a zip reads back; JSON lines of a marked game";
  },

  async damage() {
    const page = await openPage(browser, server.address);
    await choose(page, filesOf("scid/bad_illegal"));
    await table(page);
    await press(page, "[data-tab=damage]");
    await press(page, ".report .main");
    await until(page, () => document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".report li"));
    const told = await textOf(page, ".report");
    assert.match(told, /damaged/);
    await picture(page, "damage");
    await axe(page, "damage");
    await press(page, ".report .link");
    await until(page, () => document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".notes .damage"));
    const sound = await choose(page, filesOf("scid/plain"));
    assert.ok(sound.games > 0);
    const nothing = await page.$("scoresheet-viewer >>> .report li");
    assert.equal(nothing, null, "a report of another base");
    // A file of no base says what it is, and the page goes on.
    const input = await page.waitForSelector("scoresheet-viewer >>> #files");
    await input.uploadFile(join(root, "LICENSE-MIT"));
    await until(page, () => !document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".message").hidden);
    assert.deepEqual(page.faults, []);
    await page.close();
    return told.slice(0, 80);
  },

  async everywhere() {
    const told = [];
    const views = [
      ["desktop-light", {}], ["desktop-dark", { theme: "dark" }],
      ["phone-light", { width: 390, height: 844, touch: true }], ["phone-dark", { width: 390, height: 844, touch: true, theme: "dark" }],
    ];
    for (const [name, how] of views) {
      const page = await openPage(browser, server.address, how);
      await picture(page, `${name}-welcome`);
      told.push(...(await axe(page, `${name}, welcome`)));
      await choose(page, filesOf("cbf/annotated"));
      await table(page);
      await new Promise((resolve) => setTimeout(resolve, 200));
      await picture(page, `${name}-games`);
      told.push(...(await axe(page, `${name}, games`)));
      if (how.touch) {
        const row = await page.$("scoresheet-viewer >>> .row[data-row]");
        await row.tap();
        await press(page, '[data-go=on]');
        await picture(page, `${name}-board`);
        told.push(...(await axe(page, `${name}, board`)));
        const before = await board(page);
        await page.tap("scoresheet-viewer >>> .board");
        await new Promise((resolve) => setTimeout(resolve, 200));
        assert.notEqual(await board(page), before, "a touch plays a move");
        const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        assert.ok(!wide, "nothing is wider than the phone");
      }
      assert.deepEqual(page.faults, [], name);
      await page.close();
    }
    return `axe: nothing serious; ${new Set(told).size} lesser remarks: ${[...new Set(told)].join("; ")}`;
  },

  async keyboard() {
    const page = await openPage(browser, server.address);
    await choose(page, filesOf("scid/plain"));
    await table(page);
    await page.focus("scoresheet-viewer >>> .table");
    const title = await textOf(page, ".title h2");
    await page.keyboard.press("End");
    await until(page, (title) => document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".title h2").textContent !== title, title);
    await page.keyboard.press("Space");
    await until(page, () => /marked/.test(document.querySelector("scoresheet-viewer").shadowRoot.querySelector("#export").textContent));
    // Every control is reached by Tab, in the order in which it is seen, and the way goes on.
    const seen = [];
    await page.focus("scoresheet-viewer >>> [name=player]");
    for (let n = 0; n < 30; n++) {
      seen.push(await page.evaluate(() => {
        const now = document.querySelector("scoresheet-viewer").shadowRoot.activeElement;
        return now && (now.getAttribute("name") || now.id || now.dataset.go || now.dataset.tab || now.className);
      }));
      await page.keyboard.press("Tab");
    }
    const order = ["player", "moves", "format", "export", "table", "board", "first", "on", "tab-moves", "mv"];
    let at = -1;
    for (const one of order) {
      at = seen.findIndex((name, place) => place > at && name === one);
      assert.ok(at >= 0, `${one} in ${seen.join(" ")}`);
    }
    assert.deepEqual(page.faults, []);
    await page.close();
    return seen.filter(Boolean).join(" ");
  },

  async embedding() {
    const page = await openPage(browser, `${server.address}/embedded.html`);
    await table(page);
    const games = await page.evaluate(() => document.querySelector("scoresheet-viewer").about.games);
    assert.ok(games > 0);
    await picture(page, "embedded");
    await axe(page, "embedded");
    assert.deepEqual(page.faults, []);
    await page.close();
    return `${games} games by src`;
  },

  async offline() {
    const page = await openPage(browser, server.address);
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      if (!navigator.serviceWorker.controller) {
        await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve));
      }
    });
    await server.close();
    await page.reload();
    await page.waitForFunction(() => customElements.get("scoresheet-viewer"));
    const about = await choose(page, filesOf("scid/plain"));
    await table(page);
    assert.deepEqual(page.faults, []);
    await page.close();
    server = await serve();
    return `${about.games} games without a server`;
  },

  async samples() {
    const folder = option("samples");
    if (!folder || !program) return "not tried: no --samples";
    const page = await openPage(browser, server.address);
    const read = (path) => {
      const { status, stdout } = spawnSync(program, ["convert", path, "--to", "jsonl", "-"], { maxBuffer: 1 << 30, encoding: "utf8" });
      return { code: status, text: stdout };
    };
    const told = await testSamples(page, folder, read);
    assert.deepEqual(page.faults, []);
    await page.close();
    return told;
  },

  async big() {
    const base = option("big");
    if (!base) return "not measured: no --big";
    const page = await openPage(browser, server.address);
    const told = await testBig(browser, page, base, program ? run : null, (name) => picture(page, name));
    assert.deepEqual(page.faults, []);
    await page.close();
    return told;
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  if (only && only !== name) continue;
  const begun = Date.now();
  try {
    console.log(`${name}: ${await test()} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`${name}: FAILED: ${error.stack ?? error}`);
  }
}
await browser.close();
await server.close();
rmSync(scratch, { recursive: true, force: true });
process.exitCode = failed ? 1 : 0;
