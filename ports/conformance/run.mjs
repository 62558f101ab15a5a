// Runs a port over the cases of the bundle. (README.md)
//
//     node run.mjs                              are the files of the bundle intact?
//     node run.mjs FORMAT|all PORT [WORD ...]   does `PORT WORD ... FILE [--encoding E] [--option O]` print the lines?
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});
const crc32 = (bytes) => {
  const crc = ~bytes.reduce((crc, byte) => table[(crc ^ byte) & 255] ^ (crc >>> 8), ~0) >>> 0;
  return crc.toString(16).padStart(8, "0");
};
/** A line with `"error"` asks for an error in words of your own. */
const withoutWording = (line) =>
  line.startsWith('{"error":"') && line.includes('","game":') ? "error" + line.slice(line.indexOf('","game":')) : line;
const comparable = (bytes) => bytes.toString("latin1").split("\n").map(withoutWording).join("\n");

const root = dirname(fileURLToPath(import.meta.url));
const [wanted = "all", ...port] = process.argv.slice(2);
let [passed, failed] = [0, 0];
for (const { name, open, files, encoding, expected, covers } of JSON.parse(readFileSync(join(root, "manifest.json"))).cases) {
  if (wanted !== "all" && wanted !== name.split("/")[0]) continue;
  const file = (last) => join(root, "fixtures", name, last);
  for (const { option, lines, crc32: sum } of expected) {
    let good = [{ name: lines, crc32: sum }, ...files].every(({ name, crc32: sum }) => crc32(readFileSync(file(name))) === sum);
    if (good && port.length) {
      const words = [...port.slice(1), file(open), ...(encoding ? ["--encoding", encoding] : []), ...(option ? ["--option", option] : [])];
      const { stdout } = spawnSync(port[0], words, { stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 30 });
      good = comparable(stdout ?? Buffer.alloc(0)) === comparable(readFileSync(file(lines)));
    }
    good ? passed++ : failed++;
    if (!good) console.log("differs:", name, lines, "rules", covers.join(", "));
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
