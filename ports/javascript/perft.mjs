// Checks the legal moves of board.mjs against docs/formats/tables/perft.tsv, counts up to 10,000.
//
//     node perft.mjs

import { readFileSync } from "node:fs";
import { fenText, parseFen, perft } from "./board.mjs";

const LIMIT = 10_000;
const table = new URL("../../docs/formats/tables/perft.tsv", import.meta.url);

let [checked, wrong] = [0, 0];
for (const line of readFileSync(table, "utf8").split("\n")) {
  if (line === "" || line.startsWith("#")) continue;
  const [fen, counts] = line.split("\t");
  const { position } = parseFen(fen);
  counts.split(" ").forEach((count, index) => {
    if (+count > LIMIT) return;
    checked++;
    const found = perft(position, index + 1);
    if (found === +count) return;
    wrong++;
    console.log(`${fen} (read as ${fenText(position)}), depth ${index + 1}: ${found} moves, not ${count}`);
  });
}
console.log(`${checked} counts checked, ${wrong} wrong`);
process.exitCode = wrong ? 1 : 0;
