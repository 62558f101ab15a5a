// Compiled against the installed package: each call with its types, and calls that must be refused.
import { Base, Game, Header, ScoresheetError, convert, formats, open, version, type Filter, type Place } from "scoresheet";

const filter: Filter = { player: ["carlsen", "adams"], elo: 2500, date: "2019..", deleted: false };
const base: Base = await open("a.si4", { encoding: "utf-8", onProgress: (done, total) => void (done / total) });
for await (const game of base.games(filter, { pgn: true })) {
  const first: Game = game;
  const white: string | undefined = first.tag("White");
  const place: Place | null | undefined = first.damage?.place;
  const moves: string[] = first.moves;
  const comment = first.line.find((token) => typeof token !== "string")?.comment;
  const text: string | undefined = comment ?? first.pgn ?? white ?? moves[0] ?? String(place?.game);
  void text;
}
for await (const header of base.headers()) {
  const own: Header = header;
  void own.number.toFixed();
}
for await (const { fen } of base) void fen?.length;
const { written, losses, files } = await base.convert(new URL("file:///b.pgn"), { filter, overwrite: true });
const path: string | undefined = files[0];
void [written + (losses["comment"] ?? 0), path, version.length];
const { findings } = await base.check();
void findings.map(({ number, kind, text }) => `${number ?? "base"} ${kind} ${text}`);
await base.close();
void (await formats()).filter(({ written }) => written).map(({ extensions }) => extensions[0]);
try {
  await convert("a.pgn", "b.cbh", { read: { password: "x" } });
} catch (error) {
  if (error instanceof ScoresheetError) void error.place?.offset;
}

await open(new Uint8Array(3), { name: "a.pgn" });
await open(new Blob([]).stream());
await open([{ name: "a.si4", file: new ArrayBuffer(3) }]);
await convert(new Blob([]), "b.pgn", { read: { name: "a.pgn" } });

// @ts-expect-error: no filter has this name.
await base.count({ colour: "white" });
// @ts-expect-error: files are needed.
await open();
// @ts-expect-error: what was read cannot be changed.
base.length = 3;
