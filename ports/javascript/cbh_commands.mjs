// Commands that ChessBase's own PGN has for lists of values and for training questions. (docs/formats/cbh.md §5.3, §5.5)

import { squareName } from "./board.mjs";
import { fromCbh } from "./cbh_moves.mjs";
import { utf8, windows1252 } from "./encodings.mjs";

/** Evaluations and depths of a whole game; undefined if they have another form. // cbh §5.3.20, §5.3.21 */
export function evaluations(data) {
  if (data.length < 2 || data.length !== 2 + 4 * data.readUInt16BE(0)) return undefined;
  const entries = [];
  for (let at = 2; at < data.length; at += 4) entries.push([data[at], data[at + 1], data.readInt16BE(at + 2)]);
  const first = entries.findIndex(([kind, depth, value]) => kind !== 255 || depth !== 0 || value !== 0);
  if (first < 0) return undefined;
  const told = entries.slice(first);
  const values = told.map(([kind, , value]) => {
    if (kind === 0 && Math.abs(value) < 29000) return value;
    if (kind === 1 && Math.abs(value) >= 1 && Math.abs(value) <= 1000) return value > 0 ? 30000 - value : -30000 - value;
    return kind === 255 && value === 0 ? 32767 : undefined;
  });
  if (values.includes(undefined)) return undefined;
  const command = `[%evp ${[first, entries.length - 1, ...values].join(",")}]`;
  return told.every(([, depth]) => depth === 0) ? command : `${command} [%cbh depths ${runs(told.map(([, depth]) => depth))}]`;
}

function runs(depths) {
  const found = [];
  for (const depth of depths) {
    if (found.at(-1)?.[0] === depth) found.at(-1)[1]++;
    else found.push([depth, 1]);
  }
  return found.map(([depth, times]) => (times > 1 ? `${depth}*${times}` : depth)).join(",");
}

const LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pt", "any"];
const languageName = (number) => LANGUAGES[number] ?? "#" + number;
const BYTE_OF = new Map([...Array(256).keys()].map((byte) => [windows1252(Buffer.of(byte)), byte]));

class Malformed extends Error {}

/** Reads numbers and texts, and throws where they end. */
class Fields {
  constructor(data, at) {
    [this.data, this.at] = [data, at];
  }

  take(size) {
    if (this.at + size > this.data.length) throw new Malformed();
    this.at += size;
    return this.data.subarray(this.at - size, this.at);
  }

  texts() {
    const count = this.take(2).readUInt16LE(0);
    const found = [];
    for (let number = 0; number < count; number++) {
      const head = this.take(4);
      found.push([head.readUInt16LE(0), trainingText(this.take(head.readUInt16LE(2)))]);
    }
    return found;
  }
}

/** A text in Windows-1252, or in UTF-8 if that code page lacks a letter, its bytes would be UTF-8, or three in a row are beyond ASCII. */
function trainingText(raw) {
  const text = utf8(raw) ?? windows1252(raw);
  if (utf8(raw) !== undefined) {
    const page = [...text].map((letter) => BYTE_OF.get(letter));
    const isPage = !page.includes(undefined) && utf8(Buffer.from(page)) === undefined && !/[\x80-\xff]{3}/.test(String.fromCharCode(...page));
    if (isPage) throw new Malformed();
  }
  if (/[\x00-\x1f\x7f-\x9f"\]{}]/.test(text)) throw new Malformed();
  return text;
}

/** A training question; undefined if it has another form. // cbh §5.3.22, §5.5 */
export function training(data) {
  try {
    return trainingCommand(data);
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

function trainingCommand(data) {
  const fields = new Fields(data, 0);
  const head = fields.take(11);
  if (head[0] !== 1 || head[1] !== 0 || head[2] !== 1 || head.readUInt16LE(3) !== data.length - 3) return undefined;
  const [seconds, points] = [head.readInt32LE(5), head.readInt16LE(9)];
  const [question, wrong, one, two] = [fields.texts(), fields.texts(), fields.texts(), fields.texts()];
  const solutions = [];
  for (let left = fields.take(1)[0]; left > 0; left--) {
    const [begin, end, unknown, worth] = fields.take(4);
    const texts = fields.texts();
    if (begin > 63 || end > 63) return undefined;
    solutions.push({ move: squareName(fromCbh(begin)) + squareName(fromCbh(end)), unknown, worth, texts });
  }
  if (fields.at !== data.length) return undefined;
  const language = question.length === 1 ? question[0][0] : 7;
  const fits = (texts) => texts.length < 2 && texts.every(([of, text]) => text && of === language);
  const isPlain = seconds === 0 && wrong.length === 0 && solutions.length > 0 && language < 7
    && [one, two, ...solutions.map(({ texts }) => texts)].every(fits)
    && points === Math.max(...solutions.map(({ worth }) => worth)) && solutions.every(({ unknown }) => unknown === 0);
  if (isPlain) {
    const name = LANGUAGES[language][0].toUpperCase() + LANGUAGES[language].slice(1);
    const words = [name, question[0][1], one[0]?.[1] ?? "", two[0]?.[1] ?? ""].map((word) => `"${word}"`);
    for (const { move, worth, texts } of solutions) words.push(`"${move}"`, `"${texts[0]?.[1] ?? ""}"`, worth);
    return `[%tqu ${words.join(",")}]`;
  }
  const words = (texts) => texts.map(([of, text]) => ` ${languageName(of)} "${text}"`).join("");
  const lists = [wrong, one, two].map((texts) => " |" + words(texts));
  const moves = solutions.map(({ move, unknown, worth, texts }) => ` | ${move} ${unknown} ${worth}${words(texts)}`);
  return `[%cbh training ${seconds} ${points}${words(question)}${lists.join("")}${moves.join("")}]`;
}
