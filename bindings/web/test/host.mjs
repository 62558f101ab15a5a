// Reads a file through host.js in many orders, and compares every byte. The browser's files are replaced by memory.

import assert from "node:assert/strict";

const MIB = 1024 * 1024;

/** Returns a file of bytes that differ from place to place, and counts the reads of it. */
function fakeFile(size) {
  const bytes = new Uint8Array(size);
  for (let n = 0; n < size; n++) bytes[n] = (n * 2654435761) >>> 24;
  const file = { size, bytes, reads: 0, slice: (start, end) => ({ take: () => (file.reads++, bytes.slice(start, end).buffer) }) };
  return file;
}

export async function testHost() {
  globalThis.FileReaderSync = class {
    readAsArrayBuffer(part) {
      return part.take();
    }
  };
  const host = await import("../page/host.js");
  const file = fakeFile(24 * MIB + 12_345);
  const number = host.add(file);
  const read = (start, length) => {
    const buffer = new Uint8Array(length);
    const count = host.read(number, start, buffer);
    const expected = file.bytes.subarray(start, start + length);
    assert.equal(count, expected.length, `${length} bytes at ${start}`);
    assert.ok(Buffer.from(buffer.buffer, 0, count).equals(Buffer.from(expected)), `${length} bytes at ${start}`);
  };
  // In order, as a text is read: parts that overlap, with small reads between them.
  for (let at = 0; at < file.size; at += 128 * 1024) {
    read(Math.max(at - 3000, 0), 131_072 + 5000);
    read(at + 100_000, 3000);
  }
  const inOrder = file.reads;
  assert.ok(inOrder < 40, `${inOrder} reads of a file of ${file.size} bytes`);
  // Anywhere, near the last read and far from it, up to the end and beyond.
  let random = 1;
  let at = 0;
  for (let n = 0; n < 3000; n++) {
    random = (random * 48271) % 0x7fffffff;
    at = n % 5 === 0 ? random % file.size : Math.max(0, Math.min(at + (random % 400_000) - 150_000, file.size));
    read(at, 1 + (random % (n % 7 === 0 ? 6 * MIB : 200_000)));
  }
  read(file.size - 10, 100);
  // Files of other numbers have their own bytes.
  const other = fakeFile(MIB);
  other.bytes.fill(7);
  const buffer = new Uint8Array(100_000);
  assert.equal(host.read(host.add(other), 5, buffer), buffer.length);
  assert.ok(buffer.every((byte) => byte === 7));
  host.clear();
  assert.throws(() => host.size(number));
  return `${inOrder} reads of 24 MiB in order`;
}
