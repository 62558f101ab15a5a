// Archives of ChessBase bases: .cbv. (docs/formats/cbh.md §9) Encrypted ones are refused.

import { NoBase } from "./model.mjs";

const MOST_TIMES = 1024;

/** What is wrong with a file of an archive. */
class Damage extends Error {}

function damage(message) {
  throw new Damage(message);
}

// Directory (§9.1)

function readDirectory(bytes) {
  const size = bytes.length > 4 ? bytes[4] : 0;
  const archive = bytes.length >= 8 && bytes.readUInt16LE(0) === 8 && (size === 173 || size === 149);
  if (!archive) throw new NoBase("this is no archive, or an encrypted one"); // cbh §9.1.1
  const count = bytes.readUInt16LE(2);
  if (8 + count * size > bytes.length) throw new NoBase("the directory of the archive is cut"); // cbh §9.1.2
  const entries = [];
  for (let n = 0; n < count; n++) entries.push(readEntry(bytes.subarray(8 + n * size, 8 + (n + 1) * size)));
  return entries;
}

/** Reads one entry. // cbh §9.1.3 */
function readEntry(bytes) {
  const end = bytes.subarray(0, 128).indexOf(0);
  const name = bytes.subarray(0, end < 0 ? 128 : end).toString("latin1");
  const long = bytes.length === 173;
  const number = (index) => (long ? Number(bytes.readBigUInt64LE(149 + index * 8)) : bytes.readUInt32LE(128 + index * 4));
  return { name, offset: number(0), packed: number(1), size: number(2) };
}

// Blocks (§9.2)

/** The sum of the words of a payload. */
function sumOf(payload) {
  let sum = 0;
  for (let at = 0; at + 1 < payload.length; at += 2) sum = (sum + payload.readUInt16LE(at)) & 0xffff;
  return sum;
}

/** Unpacks a file. // cbh §9.2 */
function unpack(bytes, { offset, packed, size }) {
  const end = offset + packed;
  const out = new Output(size);
  for (let at = offset; at < end; ) {
    if (at + 4 > bytes.length) damage("a block is cut");
    const length = bytes.readUInt16LE(at);
    const payload = bytes.subarray(at + 4, at + 4 + length);
    if (length === 0 || payload.length < length) damage("a block is cut or empty");
    if (sumOf(payload) !== bytes.readUInt16LE(at + 2)) damage("the sum of a block is another");
    unpackBlock(payload, out);
    at += 4 + length;
  }
  if (out.length !== size) damage("the size is another"); // cbh §9.2.1
  return out.bytes();
}

const COPIES = 1;
const HUFFMAN = 2;

function unpackBlock(payload, out) {
  const mode = payload[0];
  if (mode & ~(COPIES | HUFFMAN)) damage("the mode of a block is not known");
  let bytes = payload.subarray(1);
  if (mode & HUFFMAN) bytes = unpackHuffman(bytes);
  if (mode & COPIES) unpackCopies(bytes, out);
  else for (const byte of bytes) out.push(byte);
}

/** The bytes of a file, never more than its size. */
class Output {
  constructor(size) {
    this.size = size;
    this.buffer = Buffer.alloc(Math.min(size, 1 << 16));
    this.length = 0;
  }

  push(byte) {
    if (this.length >= this.size) damage("the size is another");
    if (this.length === this.buffer.length) {
      this.buffer = Buffer.concat([this.buffer], Math.min(this.size, this.buffer.length * 2));
    }
    this.buffer[this.length++] = byte;
  }

  /** Copies `count` bytes from `distance` back; they may overlap what is written. // cbh §9.4.5 */
  copy(count, distance) {
    if (distance > this.length) damage("a copy from before the start of the file"); // cbh §9.4.7
    for (; count > 0; count--) this.push(this.buffer[this.length - distance]);
  }

  bytes() {
    return this.buffer.subarray(0, this.length);
  }
}

/** Unpacks Huffman codes. // cbh §9.3 */
function unpackHuffman(bytes) {
  let at = 0;
  const take = (count) => {
    let value = 0;
    for (; count > 0; count--, at++) {
      if (at >= bytes.length * 8) damage("there are too few bits");
      value = value * 2 + ((bytes[at >> 3] >> (7 - (at & 7))) & 1);
    }
    return value;
  };
  const size = take(16);
  const codes = new Map(); // from the code, with a 1 before it, to the byte
  for (let byte = 0; byte < 256; byte++) {
    const bits = take(4);
    if (bits > 0) codes.set((1 << bits) | take(bits), byte);
  }
  const out = Buffer.alloc(size);
  for (let n = 0; n < size; n++) {
    let code = 1;
    while (!codes.has(code)) {
      if (code >= 1 << 15) damage("bits that are no code");
      code = code * 2 + take(1);
    }
    out[n] = codes.get(code);
  }
  return out;
}

/** Unpacks copies. // cbh §9.4 */
function unpackCopies(bytes, out) {
  let at = 0;
  const take = () => (at < bytes.length ? bytes[at++] : damage("a token is cut"));
  while (at < bytes.length) {
    if (at + 1 === bytes.length) return out.push(bytes[at]); // cbh §9.4.6
    const control = bytes.readUInt16LE(at);
    at += 2;
    for (let bit = 15; bit >= 0 && at < bytes.length; bit--) {
      if ((control >> bit) & 1) readToken(take, out);
      else out.push(take());
    }
  }
}

/** Reads one token. // cbh §9.4.1-4 */
function readToken(take, out) {
  const token = take();
  const [high, low] = [token >> 4, token & 15];
  const repeat = (count, byte) => {
    for (; count > 0; count--) out.push(byte);
  };
  const first = take();
  if (high === 0) repeat(low + 3, first);
  else if (high === 1) repeat(low + 16 * first + 19, take());
  else if (high === 2) out.copy(take() + 16, 16 * first + low + 3);
  else out.copy(high, 16 * first + low + 3);
}

// The base in the archive (§9.1.4)

function splitName(name) {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? [name.toLowerCase(), ""] : [name.slice(0, dot).toLowerCase(), name.slice(dot).toLowerCase()];
}

/**
 * Returns a function that gives a file of the base in the archive by its extension, undefined for one that is missing
 * or damaged.
 */
export function filesOfArchive(bytes) {
  const entries = readDirectory(bytes);
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  if (total > bytes.length * MOST_TIMES) throw new NoBase("the archive cannot hold what it says"); // cbh §9.1.5
  const base = entries.find(({ name }) => splitName(name)[1] === ".cbh");
  if (!base) throw new NoBase("there is no base in the archive");
  const [stem] = splitName(base.name);
  const find = (extension) => entries.find(({ name }) => splitName(name).join() === [stem, extension].join());
  if (!find(".cbg")) throw new NoBase("the base in the archive has no moves");
  return (extension) => {
    const entry = find(extension);
    if (!entry) return undefined;
    try {
      return unpack(bytes, entry);
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      if (extension === ".cbh" || extension === ".cbg") throw new NoBase(error.message); // cbh §9.2.2
      return undefined; // cbh §9.2.3
    }
  };
}
