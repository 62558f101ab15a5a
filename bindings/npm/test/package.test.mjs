// The interface of the package in Node: filters, conversions, errors, several bases at once.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, createReadStream, existsSync, lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { root } from "../../web/test/server.mjs";
import { ScoresheetError, convert, formats, open, validate } from "../dist/lib/node/index.js";

const program = process.env.SCORESHEET_PROGRAM;
const plain = join(root, "fixtures/scid/plain/base.si4");
let folder;
before(() => (folder = mkdtempSync(join(tmpdir(), "scoresheet-test-"))));
after(() => rmSync(folder, { recursive: true }));

/** Returns what a call rejects with. */
async function failure(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  assert.fail("the call did not fail");
}

test("program_is_named", () => assert.ok(program && existsSync(program), "SCORESHEET_PROGRAM"));

test("filters_choose_as_many_games_as_the_program", async () => {
  const base = await open(plain);
  const filters = [
    {},
    { player: "alder" },
    { white: "alder", result: ["draw", "1-0"] },
    { date: "2019..", eco: "C" },
    { moves: "1. e4 e5" },
    { position: "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -" },
    { position: "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -", variations: true },
    { tagMissing: "ECO" },
    { eloDiff: "..50" },
    { games: "2-3,5" },
    { annotated: false },
    { player: "nobody" },
  ];
  for (const filter of filters) {
    const words = Object.entries(filter).flatMap(([key, value]) => {
      const name = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
      if (value === true) return [name];
      if (value === false) return [`${name}=no`];
      return [value].flat().flatMap((one) => [name, one]);
    });
    let said;
    try {
      said = execFileSync(program, ["list", "--count", plain, ...words], { encoding: "utf8", stdio: "pipe" });
    } catch (error) {
      assert.equal(error.status, 1, error.stderr);
      said = error.stdout;
    }
    const wanted = Number(said);
    let found = 0;
    for await (const game of base.games(filter)) found += game.number > 0 ? 1 : 0;
    assert.equal(found, wanted, JSON.stringify(filter));
    assert.equal(await base.count(filter), wanted, JSON.stringify(filter));
    let headers = 0;
    for await (const header of base.headers(filter)) headers += header.tags.length > 6 ? 1 : 0;
    assert.equal(headers, wanted, JSON.stringify(filter));
  }
  await base.close();
});

test("filter_with_wrong_value_is_error_with_its_name", async () => {
  assert.match((await failure(validate({ date: "19x" }))).message, /^date: "19x" is not a date/);
  assert.match((await failure(validate({ colour: "white" }))).message, /^no filter is called "colour"/);
  const base = await open(plain);
  assert.ok((await failure(base.count({ elo: "strong" }))) instanceof ScoresheetError);
  assert.ok((await failure(base.games({ elo: "strong" }).next())) instanceof ScoresheetError);
  await base.close();
});

test("each_written_format_has_the_bytes_of_the_program", async () => {
  const written = (await formats()).filter((format) => format.written);
  assert.ok(written.length >= 11, written.map(({ name }) => name).join());
  const sources = ["scid/variations/base.si4", "pgn/castling/base.pgn", "cbh/annotations/base.cbh", "cbh/chess960/base.cbh"];
  let compared = 0;
  for (const source of sources.map((name) => join(root, "fixtures", name))) {
    for (const { name, extensions } of written) {
      const [ours, theirs] = [mkdtempSync(join(folder, "ours-")), mkdtempSync(join(folder, "theirs-"))];
      const file = `new.${extensions[0]}`;
      const done = await convert(source, join(ours, file), { format: name });
      let code = 0;
      try {
        execFileSync(program, ["convert", "-q", "--to", name, source, join(theirs, file)], { stdio: "pipe" });
      } catch (error) {
        code = error.status;
      }
      assert.equal(code, done.refused ? 4 : 0, `${source} to ${name}`);
      assert.deepEqual(readdirSync(ours).sort(), readdirSync(theirs).sort(), `${source} to ${name}`);
      assert.deepEqual(done.files.map((path) => basename(path)).sort(), readdirSync(ours).sort());
      for (const file of readdirSync(theirs)) {
        const [one, other] = [readFileSync(join(ours, file)), readFileSync(join(theirs, file))];
        assert.ok(one.equals(other), `${source} to ${name}: ${file} differs`);
        compared++;
      }
    }
  }
  assert.ok(compared > 60, `${compared} files`);
});

test("convert_existing_file_is_kept_unless_overwritten", async () => {
  const target = join(folder, "kept.pgn");
  writeFileSync(target, "mine");
  assert.match((await failure(convert(plain, target))).message, /kept\.pgn: exists$/);
  assert.equal(readFileSync(target, "utf8"), "mine");
  await convert(plain, target, { overwrite: true });
  assert.match(readFileSync(target, "utf8"), /^\[Event /);
  const base = join(folder, "kept.si4");
  await convert(plain, base);
  assert.match((await failure(convert(plain, base, { overwrite: true }))).message, /is not replaced/);
  assert.match((await failure(convert(base, base, { overwrite: true }))).message, /is an input too$/);
  assert.match((await failure(convert(base, join(folder, "kept.sg4"), { overwrite: true }))).message, /is an input too$/);
  assert.deepEqual(readdirSync(folder).filter((name) => name.includes("tmp")), []);
});

test("conversions_of_one_base_at_once_take_turns", async () => {
  const base = await open(plain);
  const names = ["a.pgn", "b.si4", "c.pgn", "d.cbh"].map((name) => join(folder, `turns-${name}`));
  const [done, checked] = await Promise.all([Promise.all(names.map((name) => base.convert(name))), base.check()]);
  assert.deepEqual(done.map(({ written }) => written), [6, 6, 6, 6]);
  assert.equal(checked.games, 6);
  assert.equal(readFileSync(names[0], "utf8"), readFileSync(names[2], "utf8"));
  const again = await open(names[1]);
  assert.equal(again.length, 6);
  await again.close();
  const late = base.convert(join(folder, "late.pgn"));
  await base.close();
  assert.ok((await failure(late)) instanceof ScoresheetError);
  assert.equal(existsSync(join(folder, "late.pgn")), false);
});

test("convert_link_writes_its_target_and_device_is_refused", { skip: process.platform === "win32" && "needs links" }, async () => {
  const [target, link] = [join(folder, "linked.pgn"), join(folder, "link.pgn")];
  writeFileSync(target, "mine");
  symlinkSync(target, link);
  assert.match((await failure(convert(plain, link))).message, /exists$/);
  await convert(plain, link, { overwrite: true });
  assert.match(readFileSync(target, "utf8"), /^\[Event /);
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.match((await failure(convert(plain, "/dev/null", { format: "pgn", overwrite: true }))).message, /is not a file$/);
  assert.ok(!lstatSync("/dev/null").isFile());
});

test("open_text_ignores_archive_of_the_same_name", async () => {
  const own = mkdtempSync(join(folder, "beside-"));
  copyFileSync(join(root, "fixtures/pgn/castling/base.pgn"), join(own, "games.pgn"));
  for (const extension of ["si4", "sg4", "sn4"]) copyFileSync(plain.replace("si4", extension), join(own, `games.${extension}`));
  writeFileSync(join(own, "games.zip"), Buffer.from("PK\u0003\u0004 no archive"));
  for (const [name, format] of [["games.pgn", "pgn"], ["games.si4", "si4"], ["games.sn4", "si4"]]) {
    const base = await open(join(own, name));
    assert.equal(base.format, format);
    await base.close();
  }
});

test("convert_failed_leaves_no_files", async () => {
  const own = mkdtempSync(join(folder, "failed-"));
  for (const [name, options] of [
    ["x.xlsx", {}],
    ["x.pgn.gz", {}],
    ["x.pgn", { encoding: "no-such-encoding" }],
    ["x.pgn", { formatOptions: { colour: "red" } }],
    ["x.pgn", { format: "no-such-format" }],
    ["x.pgn", { filter: { date: "never" } }],
    ["no-folder/x.pgn", {}],
  ]) {
    assert.ok((await failure(convert(plain, join(own, name), options))) instanceof ScoresheetError, name);
    assert.deepEqual(readdirSync(own), [], name);
  }
});

test("open_unreadable_file_is_error_with_name_and_reason", async () => {
  const missing = await failure(open(join(folder, "missing.pgn")));
  assert.match(missing.message, /missing\.pgn: no such file or directory \(ENOENT\)$/);
  writeFileSync(join(folder, "picture.png"), Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]));
  assert.match((await failure(open(join(folder, "picture.png")))).message, /picture\.png: /);
  assert.match((await failure(open(folder))).message, /a folder; name a file/);
  writeFileSync(join(folder, "cut.si4"), readFileSync(plain).subarray(0, 20));
  const cut = await failure(open(join(folder, "cut.si4")));
  assert.ok(cut instanceof ScoresheetError && cut.place, cut.message);
});

test("several_bases_and_passes_at_once_do_not_mix", async () => {
  const [one, other] = await Promise.all([open(plain), open(join(root, "fixtures/pgn/castling/base.pgn"))]);
  const first = one.games();
  const second = other.games();
  const again = one.games();
  for (let number = 1; number <= Math.min(one.length, other.length); number++) {
    const games = [await first.next(), await second.next(), await again.next()].map(({ value }) => value);
    assert.deepEqual(games.map((game) => game.number), [number, number, number]);
    assert.equal(JSON.stringify(games[0]), JSON.stringify(games[2]));
    assert.equal(JSON.stringify(games[1]), JSON.stringify(await other.game(number)));
  }
  await one.close();
  assert.ok((await failure(one.count())) instanceof ScoresheetError);
  assert.ok((await other.count()) > 0);
  await other.close();
  await other.close();
});

test("pass_ended_early_is_released", async () => {
  const base = await open(plain);
  for await (const game of base) {
    assert.equal(game.number, 1);
    break;
  }
  assert.equal((await base.game(1, { pgn: true })).pgn.startsWith("[Event "), true);
  assert.match((await failure(base.game(99))).message, /no such game/);
  assert.match((await failure(base.game(0))).message, /no such game/);
  await base.close();
});

test("first_games_of_text_come_before_it_is_looked_through", async () => {
  const game = '[White "A"]\n\n1. e4 e5 *\n\n';
  const text = new TextEncoder().encode(game.repeat(100_000));
  const some = await open(text, { first: 3 });
  assert.ok(some.length >= 3 && some.length < 100_000 && !some.isWhole, `${some.length}`);
  assert.equal((await some.game(3)).number, 3);
  await some.close();
  for (const options of [{}, { first: 200_000 }]) {
    const whole = await open(text, options);
    assert.deepEqual([whole.length, whole.isWhole], [100_000, true]);
    await whole.close();
  }
  const packed = gzipSync(game.repeat(400_000));
  for (const [first, isWhole] of [[3, false], [200_000, false], [500_000, true]]) {
    const part = await open(packed, { first });
    assert.ok(part.length >= Math.min(first, 400_000) && part.isWhole === isWhole, `${first}: ${part.length}`);
    assert.equal((await part.game(part.length, { pgn: true })).pgn.endsWith("\n\n1. e4 e5 *\n\n"), true);
    await part.close();
  }
  const database = await open(join(root, "fixtures/cbh/bad_annotations_more/base.cbh"), { first: 1 });
  assert.deepEqual([database.length, database.isWhole], [23, true]);
  await database.close();
});

test("check_damaged_base_reports_each_finding", async () => {
  const base = await open(join(root, "fixtures/cbh/bad_annotations_more/base.cbh"));
  const { games, damaged, findings } = await base.check();
  assert.deepEqual([games, damaged], [23, 11]);
  assert.ok(findings.some(({ kind, number }) => kind === "damage" && number === 3));
  const messages = [];
  const target = join(folder, "damaged.csv");
  const done = await base.convert(target, { onMessage: (message) => messages.push(message) });
  assert.deepEqual([done.written, done.damaged, messages.length], [23, 11, 11]);
  assert.match(messages[0], /base\.cba: byte 50, game 3: the header points to annotations/);
  await base.close();
});

test("database_opens_from_bytes_blobs_and_streams", async () => {
  const path = join(folder, "games.pgn");
  await convert(plain, path);
  const bytes = readFileSync(path);
  const onDisk = await open(path);
  const wanted = JSON.stringify(await onDisk.game(1));
  const { length } = onDisk;
  await onDisk.close();
  const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`.scoresheet-${process.pid}-`));
  const all = [
    [bytes],
    [new Uint8Array(bytes)],
    [bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)],
    [new Blob([bytes])],
    [createReadStream(path)],
    [Readable.from([bytes.toString()])],
    [new Blob([bytes]).stream()],
    [gzipSync(bytes)],
    [gzipSync(bytes), { name: "games.pgn.gz" }],
    [[{ name: "games.pgn", file: bytes }]],
  ];
  for (const [given, options] of all) {
    const base = await open(given, options);
    assert.equal(base.length, length);
    assert.equal(JSON.stringify(await base.game(1)), wanted);
    await base.close();
  }
  assert.deepEqual(left(), []);
});

test("database_of_several_files_opens_from_memory", async () => {
  const files = ["si4", "sg4", "sn4"].map((extension) => {
    return { name: `base.${extension}`, file: readFileSync(plain.replace(/si4$/, extension)) };
  });
  const base = await open(files);
  const onDisk = await open(plain);
  assert.equal(base.length, onDisk.length);
  assert.equal(JSON.stringify(await base.game(2)), JSON.stringify(await onDisk.game(2)));
  const output = join(folder, "memory.pgn");
  assert.equal((await base.convert(output)).written, base.length);
  await base.close();
  await onDisk.close();
});

test("contents_that_cannot_be_read_are_errors", async () => {
  const broken = Readable.from((async function* () {
    yield "[Event ";
    throw new Error("the line is cut");
  })());
  assert.match((await failure(open(broken))).message, /the line is cut/);
  for (const given of [undefined, 5, {}, [{ name: "a.pgn", file: 5 }]]) {
    assert.match((await failure(open(given))).message, /no file/);
  }
  assert.deepEqual(readdirSync(tmpdir()).filter((name) => name.startsWith(`.scoresheet-${process.pid}-`)), []);
});
