// Compiled against the installed package, with the types for browsers.
import { open, convert, terminate, type Base, type NamedFile } from "scoresheet/browser";

declare const input: HTMLInputElement;
const base: Base = await open(input.files ?? [], { name: "games.si4" });
const { files } = await base.convert("games.cbh", { filter: { white: "adams" } });
const saved: NamedFile | undefined = files[0];
void saved?.file.size;
await convert(new File([], "a.pgn"), "b.si4");
await base.close();
terminate();

// @ts-expect-error: files of a browser have no path.
await open("games.si4");
