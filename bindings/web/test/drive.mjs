// Drives the page in a real browser: `node test/drive.mjs [--program PATH] [--samples FOLDER] [--big BASE] [--only WORD]`.
//
// `--program` is the program to compare with, `--samples` a folder with more databases, `--big` a large
// database to measure. Screenshots are written to test/screenshots.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testBig } from "./big.mjs";
import { testBook } from "./book.mjs";
import { gzipSync } from "node:zlib";
import { testAgreement } from "./agreement.mjs";
import { testFixtures } from "./fixtures.mjs";
import { testHelpers, testWithoutHelpers } from "./helpers.mjs";
import { longGame, testLong } from "./long.mjs";
import { testHost } from "./host.mjs";
import { assertHoverReads, assertMoveInView, assertNothingCovered, assertNothingCut, box } from "./looks.mjs";
import { choose, drop, during, filter, launch, openPage, press, textOf, until } from "./page.mjs";
import { testSamples } from "./samples.mjs";
import { testSaving, testSpelling } from "./saving.mjs";
import { RANGED, root, serve, web } from "./server.mjs";
import { testServed } from "./served.mjs";
import { testTree, treeGames } from "./tree.mjs";

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
// A folder of its own: a file that another test wrote would be taken for a download.
const downloads = mkdtempSync(join(scratch, "downloads-"));

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

/** Returns the bytes of a file that the browser saves. */
async function downloaded(name) {
  for (let n = 0; n < 200; n++) {
    const names = readdirSync(downloads);
    const whole = names.includes(name) && !names.some((other) => other.endsWith(".crdownload"));
    const bytes = whole ? readFileSync(join(downloads, name)) : [];
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

/** Chooses files that cannot be opened. Returns the message. */
async function refused(page, files) {
  const input = await page.waitForSelector("scoresheet-viewer >>> #files");
  await press(page, ".message button");
  await input.uploadFile(...files);
  await until(page, () => !document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".message").hidden);
  return textOf(page, ".message span");
}

/** Returns what the page shows of a database: its label, count, rows, moves, and the label of the save button. */
async function shown(page) {
  await new Promise((resolve) => setTimeout(resolve, 100));
  const disabled = await page.$eval("scoresheet-viewer >>> #export", (button) => button.disabled);
  return {
    label: await textOf(page, ".about"), count: await textOf(page, "#count"), rows: (await rows(page)).length,
    title: await textOf(page, ".title h2"), moves: await textOf(page, ".panel"), save: disabled ? "" : await textOf(page, "#export"),
  };
}

/** Three games; the second is damaged. */
const DAMAGED = `[Event "A"]
[White "Alder"]
[Black "Birch"]
[Result "1-0"]

1. e4 e5 2. Nf3 1-0

[Event "B"]
[White "Cedar"]
[Black "Dogwood"]
[Result "0-1"]

1. e4 e5 2. Qxe1 0-1

[Event "C"]
[White "Elm"]
[Black "Fir"]
[Result "1/2-1/2"]

1. d4 d5 1/2-1/2
`;

/** Returns a file in the scratch folder. */
function written(name, content) {
  const path = join(scratch, name);
  writeFileSync(path, content);
  return path;
}

/** Databases in the forms that users drop: all files, a folder, an archive. */
const DROPPED = [
  ["cbf/annotated", ["."], "cbf"], ["cbh/variations", ["."], "cbh"], ["chessassistant/branches", ["."], "chessassistant"],
  ["dcg/variations", ["."], "dcg"], ["movecode/wrap_zip", null, "jose"], ["scid/variations", null, "si4"],
  ["scid/si5_rich", null, "si5"], ["scid/si3_craft", ["."], "si3"],
];

const tests = {
  host: testHost,

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
    // A position that cannot be read is told beside its field, which stays open; Enter searches.
    await press(page, "[data-go=search]");
    const state = () => page.evaluate(() => {
      const of = (selector) => document.querySelector("scoresheet-viewer").shadowRoot.querySelector(selector);
      return { open: !of(".search").hidden, said: of("#fenwrong").hidden ? "" : of("#fenwrong").textContent, invalid: of(".fen").hasAttribute("aria-invalid") };
    });
    const type = (text) => page.$eval("scoresheet-viewer >>> .fen", (input, text) => {
      input.value = text;
      input.dispatchEvent(new Event("input", { bubbles: true }));
      input.focus();
    }, text);
    for (const bad of ["nonsense", "rnbqkbnr/9/8", `${fen} x y z`]) {
      await type(bad);
      await page.keyboard.press("Enter");
      await until(page, () => !document.querySelector("scoresheet-viewer").shadowRoot.querySelector("#fenwrong").hidden);
      const told = await state();
      assert.ok(told.open && told.invalid && told.said.length > 10, `${bad}: ${JSON.stringify(told)}`);
      await type(`${bad} `);
      assert.deepEqual(await state(), { open: true, said: "", invalid: false });
    }
    await axe(page, "a position that cannot be read");
    await type(fen);
    const again = await during(page, "scoresheet-search", () => page.keyboard.press("Enter"));
    assert.equal(again.found, found.found);
    assert.equal((await state()).open, false);
    await press(page, "#no-position");
    const wrong = await filter(page, "date", "soon");
    assert.equal(wrong.wrong?.field, "date");
    assert.ok(await page.$("scoresheet-viewer >>> [name=date][aria-invalid=true]"));
    assert.deepEqual(page.faults, []);
    await page.close();
    return `${all}: ${found.found} with ${fen}`;
  },

  async agreement() {
    if (!program) return "not tried: no --program";
    const page = await openPage(browser, server.address);
    const told = await testAgreement(page, server.address, program);
    assert.deepEqual(page.faults, []);
    await page.close();
    return told;
  },

  /** A search finds the damaged games of a text by their tags, and a save writes them only if found. */
  async damagedGames() {
    const page = await openPage(browser, server.address);
    const file = written("damaged.pgn", DAMAGED);
    await choose(page, [file]);
    for (const [field, text, expected] of [
      ["player", "xyzzy", 0], ["player", "cedar", 1], ["elo", "2500..", 0], ["date", "1990", 0], ["eco", "B", 0],
      ["event", "C", 1], ["result", "1-0", 1], ["result", "0-1", 1], ["moves", "1. e4", 2],
    ]) {
      const found = await filter(page, field, text);
      assert.equal(found.found, expected, `${field} ${text}`);
      if (program) {
        const { stdout } = spawnSync(program, ["list", file, "--count", `--${field}`, text], { encoding: "utf8" });
        assert.equal(Number(stdout), expected, `the program: ${field} ${text}`);
      }
      const saved = await page.evaluate(async () => {
        const { reader } = document.querySelector("scoresheet-viewer");
        return (await reader.export("jsonl", "x")).files[0].file.text();
      });
      assert.equal(saved.split("\n").filter(Boolean).length, expected, `saved: ${field} ${text}`);
      await filter(page, field, "");
    }
    assert.deepEqual(page.faults, []);
    await page.close();
    return "found by what could be read of them";
  },

  /** The view is cleared if the last request has no answer. */
  async nothingStale() {
    const page = await openPage(browser, server.address);
    const gone = { label: "", count: "", rows: 0, title: "", moves: "", save: "" };
    for (const files of [
      [written("empty.pgn", "")], [written("notes.txt", "Dear Sir,\n\nno chess today.\n")],
      [written("noise.pgn", Buffer.from(Array.from({ length: 200_000 }, (_, n) => (n * n * 31 + (n >> 3) * 17 + (n % 251) * 7) & 255)))],
      [fixture("scid", "plain", "base.si4")], [fixture("cbh", "variations", "base.cbg")],
    ]) {
      await choose(page, filesOf("scid/tags"));
      await table(page);
      const message = await refused(page, files);
      assert.match(message, new RegExp(files[0].split("/").pop().replace(".", "\\.").replace(/\\.(si4|cbg)/, "\\.(sg4|cbh)")), message);
      assert.ok(!/--/.test(message), message);
      const left = await shown(page);
      // A text without games opens, and the page says so.
      if (/no game in it/.test(message)) Object.assign(left, { label: "", count: left.count.replace("0 games", "") });
      assert.deepEqual(left, gone, files[0]);
    }
    await choose(page, filesOf("scid/tags"));
    await table(page);
    for (const [field, text] of [["date", "90s"], ["elo", "high"], ["moves", "1. Ke5"], ["eco", "Z"]]) {
      assert.equal((await filter(page, field, text)).wrong?.field, field);
      const left = await shown(page);
      assert.deepEqual({ ...left, label: "" }, { ...gone, count: "Nothing was searched" }, `${field} ${text}`);
      assert.ok((await filter(page, field, "")).found > 0);
      await table(page);
    }
    // The losses of one export are not reported for the next.
    const save = async (format) => {
      await page.$eval("scoresheet-viewer >>> #format", (select, format) => (select.value = format), format);
      await during(page, "scoresheet-export", () => press(page, "#export"));
      return page.$eval("scoresheet-viewer >>> .message", (one) => (one.hidden ? "" : one.textContent));
    };
    await choose(page, [written("lossy.pgn", '[Event "A"]\n[White "B"]\n[Curious "C"]\n\n1. e4 {comment} *\n')]);
    await table(page);
    assert.match(await save("csv"), /CSV has no place for these/);
    assert.equal(await save("jsonl"), "");
    assert.deepEqual(page.faults, []);
    await page.close();
    return "rows, labels, counts and messages go with what they belong to";
  },

  /** The files of a database can be added one after another in any order. */
  async oneAfterAnother() {
    const page = await openPage(browser, server.address);
    const orders = [["si4", "sg4", "sn4"], ["sn4", "sg4", "si4"], ["sg4", "sn4", "si4"]];
    for (const order of orders) {
      // A different database in between is removed.
      await choose(page, filesOf("cbf/annotated"));
      const files = order.map((extension) => fixture("scid", "tags", `base.${extension}`));
      for (const file of files.slice(0, -1)) assert.match(await refused(page, [file]), /missing.*other files/s, file);
      const about = await choose(page, files.slice(-1));
      assert.deepEqual([about.format, about.games], ["si4", 1 * about.games], order.join());
      assert.ok(about.games > 0);
      await table(page);
      assert.equal(await textOf(page, ".message span").then((text) => text.trim()), "");
    }
    const folder = "cbh/variations";
    const cbh = filesOf(folder);
    const input = await page.waitForSelector("scoresheet-viewer >>> #files");
    await input.uploadFile(...cbh.filter((file) => file.toLowerCase().endsWith(".cbh")));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const about = await choose(page, cbh.filter((file) => !file.toLowerCase().endsWith(".cbh")));
    assert.equal(about.format, "cbh");
    // A text beside it is a different database.
    const other = await choose(page, [written("base.pgn", DAMAGED)]);
    assert.deepEqual([other.format, other.games], ["pgn", 3]);
    // The database with games comes first, whatever its name.
    const first = await choose(page, [written("a-empty.pgn", ""), written("noise.pgn", Buffer.alloc(50_000, 7)), written("z.pgn", DAMAGED)]);
    await until(page, () => document.querySelector("scoresheet-viewer").about?.games === 3);
    assert.deepEqual(page.faults, []);
    await page.close();
    return `${orders.length} orders of a Scid base; .cbh and then the rest; ${first.name} did not stay before z.pgn`;
  },

  /** A truncated compressed text shows the games before the break, and reports the break. */
  async brokenOff() {
    const page = await openPage(browser, server.address);
    const games = Array.from({ length: 4000 }, (_, n) =>
      `[White "W${(n * 7919) % 4001}"]\n[Black "B${(n * 104729) % 4001}"]\n\n1. e4 e5 {${(n * 2654435761) % 4294967296}} 1-0\n\n`);
    const [name, whole] = ["cut.pgn.gz", gzipSync(games.join(""))];
    const about = await choose(page, [written(name, whole.subarray(0, whole.length >> 1))]);
    assert.ok(about.games > 500 && about.games < 3500, `${about.games} games`);
    assert.match(await textOf(page, ".message span"), new RegExp(name.replace(".", "\\.")));
    const damage = await page.evaluate(async (games) => {
      const { reader } = document.querySelector("scoresheet-viewer");
      return [(await reader.game(1)).damage, (await reader.game(games)).damage, (await reader.check()).findings.map(({ kind }) => kind)];
    }, about.games);
    assert.equal(damage[0], null);
    assert.ok(damage[1], "the last game may be cut");
    assert.ok(damage[2].includes("damage"), "a check says that it is broken");
    assert.deepEqual(page.faults, []);
    await page.close();
    return "games before the break, and the break";
  },

  async looks() {
    const file = join(root, "xtask", "games.pgn");
    const many = Array.from({ length: 60 }, (_, n) => `${n + 1}. N${n % 2 ? "g1" : "f3"} N${n % 2 ? "g8" : "f6"}`).join(" ");
    const odd = written("odd.pgn", `[Event "RWE Gas Match"]\n[Site "Somewhere far away"]\n[White "Andersson, Ulf Long-Name"]\n[Black "Timman, Jan"]\n\n` +
      `1. e4 (1. d4) (1. c4) e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. 0-0 Be7 6. Re1 b5 7. Bb3 0-0 {Castling with zeros.}\n\n[Event "B"]\n[White "A"]\n\n${many} *\n`);
    const told = [];
    for (const [name, how] of [
      ["desktop", {}], ["desktop-dark", { theme: "dark" }], ["wide", { width: 1920, height: 1080 }],
      ["phone", { width: 390, height: 844, touch: true }], ["phone-small", { width: 360, height: 640, touch: true, theme: "dark" }],
    ]) {
      const page = await openPage(browser, server.address, how);
      await choose(page, [file]);
      await table(page);
      await filter(page, "elo", "2700");
      assert.match(await textOf(page, ".hint"), /exactly 2700.*2700\.\. is 2700 or more/);
      await filter(page, "elo", "");
      await assertNothingCut(page, `${name}, games`);
      const event = await page.$eval("scoresheet-viewer >>> .row [data-c=Event]", (cell) => cell.offsetWidth);
      assert.ok(how.touch ? event === 0 : event >= 60, `${name}: an event has ${event} pixels`);
      await choose(page, [odd]);
      await table(page);
      await assertNothingCut(page, `${name}, a game`);
      const bar = await box(page, ".bar");
      assert.ok(bar.height <= 52, `${name}: the head has ${bar.height} pixels`);
      if (how.touch) await press(page, ".switch [data-side=board]");
      else {
        const names = await box(page, ".row [data-c=White]");
        assert.ok(names.width >= 105, `${name}: a name has ${names.width} pixels`);
        const [board, moves] = [await box(page, ".board"), await box(page, ".mv")];
        assert.ok(moves.left >= board.right && moves.top < 400, `${name}: the moves are beside the board`);
      }
      await assertNothingCovered(page, name);
      // Any number of warnings takes one line.
      assert.ok((await box(page, ".notes")).height < 45, name);
      await assertMoveInView(page, 6, name);
      // A move number stays with its move.
      const split = await page.$$eval("scoresheet-viewer >>> .pair", (all) => all.filter((one) => one.getClientRects().length > 1).length);
      assert.equal(split, 0, `${name}: numbers away from their moves`);
      await picture(page, `${name}-moves`);
      await press(page, "[data-go=search]");
      await assertNothingCovered(page, `${name}, find position`);
      await assertNothingCut(page, `${name}, find position`);
      await picture(page, `${name}-position`);
      await press(page, "[data-set=cancel]");
      await page.evaluate(() => document.querySelector("scoresheet-viewer").show(2));
      await assertMoveInView(page, 110, `${name}, long game`);
      // With one more tab.
      await choose(page, filesOf("cbh/annotations"));
      await table(page);
      if (how.touch) await press(page, ".switch [data-side=board]");
      await assertNothingCut(page, `${name}, bytes`);
      if (!how.touch) {
        await refused(page, [fixture("scid", "plain", "base.si4")]);
        await page.evaluate(() => document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".work").removeAttribute("hidden"));
        told.push(await assertHoverReads(page, name));
      }
      assert.deepEqual(page.faults, [], name);
      await page.close();
    }
    return `nothing cut or covered, the move in view; ${told.join(", ")} buttons under the mouse`;
  },

  async tree() {
    const told = [];
    for (const [name, how] of [["desktop", {}], ["desktop-dark", { theme: "dark" }], ["phone", { width: 390, height: 844, touch: true }]]) {
      const page = await openPage(browser, server.address, how);
      const file = written("tree.pgn", treeGames());
      const side = (name) => how.touch && press(page, `.switch [data-side=${name}]`);
      told.push(await testTree(page, file, program ? run : null, side, async (what) => {
        await assertNothingCut(page, `${name}, tree, ${what}`);
        await picture(page, `${name}-tree-${what.replaceAll(" ", "-")}`);
        await axe(page, `${name}, tree, ${what}`);
      }));
      assert.deepEqual(page.faults, [], name);
      await page.close();
    }
    return told[0];
  },

  async book() {
    const told = [];
    for (const [name, how] of [["desktop", {}], ["phone", { width: 390, height: 844, touch: true }]]) {
      const page = await openPage(browser, server.address, how);
      const side = (name) => how.touch && press(page, `.switch [data-side=${name}]`);
      const file = written("tree.pgn", treeGames());
      told.push(await testBook(page, file, program ? run : null, side, async (what) => {
        await assertNothingCut(page, `${name}, book, ${what}`);
        await page.$eval("scoresheet-viewer >>> .book", (book) => book.scrollIntoView({ block: "center" }));
        await picture(page, `${name}-book-${what}`);
        await axe(page, `${name}, book, ${what}`);
      }));
      assert.deepEqual(page.faults, [], name);
      await page.close();
    }
    return told[0];
  },

  /** A name of several people offers them. */
  async people() {
    const told = [];
    for (const [name, how] of [["desktop", {}], ["phone", { width: 390, height: 844, touch: true }]]) {
      const page = await openPage(browser, server.address, how);
      const players = [["Polgar, Judit", 3], ["Polgar,Ju", 1], ["Polgar, Sofia", 2], ["Polgar", 1], ["Tal, M", 1]];
      const games = players.flatMap(([white, games]) => Array.from({ length: games }, () => `[White "${white}"]\n[Date "1990.01.01"]\n\n1. e4 *\n\n`));
      await choose(page, [written("people.pgn", games.join(""))]);
      const asked = await during(page, "scoresheet-people", () => filter(page, "player", "polgar"));
      assert.deepEqual(asked.people.map(({ name, games }) => [name, games]), [["Polgar, Judit", 4], ["Polgar, Sofia", 2]]);
      told.push(await textOf(page, ".people"));
      assert.match(told[0], /means 2 people: Polgar, Judit \(4\)Polgar, Sofia \(2\)1 game may be of either/);
      await picture(page, `${name}-people`);
      await axe(page, `${name}, people`);
      const found = await during(page, "scoresheet-search", () => press(page, ".people button"));
      assert.equal(found.found, 4);
      const hidden = () => page.$eval("scoresheet-viewer >>> .people", (line) => line.hidden);
      assert.ok(await hidden());
      await filter(page, "player", "tal");
      assert.ok(await hidden());
      assert.deepEqual(page.faults, [], name);
      await page.close();
    }
    return told[0];
  },

  async helpers() {
    const page = await openPage(browser, server.address);
    const told = await testHelpers(page, written);
    assert.deepEqual(page.faults, []);
    await page.close();
    // No service worker keeps the files of the embedding page.
    const embedded = await openPage(browser, `${server.address}/embedded.html`);
    await table(embedded);
    await testWithoutHelpers(embedded, server, written);
    await embedded.close();
    return `${told}; the same without`;
  },

  async longGame() {
    const page = await openPage(browser, server.address);
    const told = await testLong(page, written("long.pgn", longGame()));
    assert.deepEqual(page.faults, []);
    await page.close();
    return told;
  },

  /** The page obeys its own policy: no inline handler stands in it, and no inline script runs. */
  async policy() {
    const page = await openPage(browser, server.address);
    await choose(page, filesOf("cbh/annotations"));
    await table(page);
    for (const tab of ["tree", "tags", "bytes", "damage", "moves"]) await press(page, `[data-tab=${tab}]`);
    await press(page, "#more");
    assert.deepEqual(page.faults, [], "the page breaks its own policy");
    const told = await page.evaluate(async () => {
      const all = [...document.querySelectorAll("*"), ...document.querySelector("scoresheet-viewer").shadowRoot.querySelectorAll("*")];
      const inline = all.flatMap((one) => [...one.attributes].filter(({ name }) => name.startsWith("on")).map(({ name }) => `${one.tagName} ${name}`));
      const refused = new Promise((resolve, reject) => {
        document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => resolve(effectiveDirective), { once: true });
        setTimeout(() => reject(new Error("nothing was refused")), 30_000);
      });
      const script = document.createElement("script");
      script.textContent = "window.ran = true";
      document.body.append(script);
      return { inline, refused: await refused, ran: "ran" in window, elements: all.length };
    });
    assert.deepEqual({ ...told, elements: 0 }, { inline: [], refused: "script-src-elem", ran: false, elements: 0 });
    await page.close();
    return `${told.elements} elements without handlers; an inline script is refused`;
  },

  async saving() {
    const page = await openPage(browser, server.address);
    const said = await testSaving(page, filesOf("scid/variations"), { table, written });
    await page.close();
    return said;
  },

  async spelling() {
    const page = await openPage(browser, server.address);
    const said = await testSpelling(page, program && run, { table, written });
    await page.close();
    return said;
  },

  async exporting() {
    const page = await openPage(browser, server.address);
    const session = await browser.target().createCDPSession();
    await session.send("Browser.setDownloadBehavior", {
      behavior: "allow", downloadPath: downloads, browserContextId: page.browserContext().id,
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
    const about = await choose(page, [join(downloads, "base.zip")]);
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
    // The report is of the base: neither another game nor a search without a result removes it.
    await filter(page, "player", "nobody of this name");
    assert.equal(await textOf(page, ".title h2"), "");
    assert.equal(await textOf(page, ".report"), told);
    await press(page, "#clear");
    const sound = await choose(page, filesOf("scid/plain"));
    assert.ok(sound.games > 0);
    const nothing = await page.$("scoresheet-viewer >>> .report li");
    assert.equal(nothing, null, "a report of another base");
    // A base whose games are still being found has no button. This one is a single move.
    const early = await during(page, "scoresheet-open", () => page.evaluate(() => {
      const viewer = document.querySelector("scoresheet-viewer");
      viewer.open([{ name: "early.pgn", file: new File(["1. e4 *"], "early.pgn") }]);
      window.early = viewer.shadowRoot.querySelector(".report .main");
    }));
    assert.equal(early.games, 1);
    assert.equal(await page.evaluate(() => window.early), null, "a button before the games are found");
    assert.notEqual(await page.$("scoresheet-viewer >>> .report .main"), null, "no button afterwards");
    // A file that is not a database is reported, and the page still works.
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
    // Tab reaches every control in visual order, and continues after the last.
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

  /** A piece can be dragged to a move that the game does not have, and the wheel goes through the moves. */
  async hands() {
    const page = await openPage(browser, server.address);
    await choose(page, [written("one.pgn", '[White "A"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 Nc6 *\n')]);
    await table(page);
    await press(page, "[data-tab=tree]");
    const board = await page.waitForSelector("scoresheet-viewer >>> .pane .board");
    const { x, y, width } = await board.boundingBox();
    const middle = (square) => [x + ("abcdefgh".indexOf(square[0]) + 0.5) * (width / 8), y + (8.5 - square[1]) * (width / 8)];
    const drag = async (from, to) => {
      await page.mouse.move(...middle(from));
      await page.mouse.down();
      await page.mouse.move(...middle(to), { steps: 4 });
      await page.mouse.up();
    };
    const shows = (line) => until(page, (line) => document.querySelector("scoresheet-viewer").shadowRoot.querySelector(".tree").textContent.includes(line), line);
    await drag("d2", "d4");
    await shows("1. d4");
    await drag("g8", "f6");
    await shows("1. d4 Nf6");
    // An illegal move changes nothing.
    await drag("a1", "a8");
    await page.mouse.wheel({ deltaY: -100 });
    await shows("1. d4");
    await page.mouse.wheel({ deltaY: -100 });
    await page.mouse.wheel({ deltaY: 100 });
    await shows("1. e4");
    assert.deepEqual(page.faults, []);
    await page.close();
    return "moves by hand";
  },

  async ranges() {
    const page = await openPage(browser, `${server.address}/?src=ranges.pgn`);
    const count = `${RANGED.toLocaleString("en")} games`;
    await until(page, (count) => document.querySelector("scoresheet-viewer").shadowRoot.querySelector("#count").textContent.includes(count), count);
    const { found } = await filter(page, "player", `W${RANGED - 1}`);
    assert.equal(found, 1);
    assert.deepEqual(page.faults, []);
    await page.close();
    return `${count} by ranges`;
  },

  async served() {
    if (!program) return "not tried: no --program";
    const page = await openPage(browser, server.address);
    const told = await testServed(browser, program, written("served.pgn", treeGames()), page);
    await page.close();
    return told;
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
