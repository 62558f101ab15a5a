// The texts of a base. (scid §1.4, §3.3.5; cbh §2)

import { rows } from "./tables.mjs";

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of `bytes` if they are valid UTF-8, else undefined. */
export function utf8(bytes) {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

// TextDecoder is not used for Windows-1252: in some versions of Node it decodes Latin-1.
const WINDOWS_1252 = rows("code-pages").find(([name]) => name === "windows-1252")[2].split(" ").map((letter) => String.fromCharCode(parseInt(letter, 16)));

export const windows1252 = (bytes) => bytes.toString("latin1").replace(/[\x80-\xff]/g, (c) => WINDOWS_1252[c.charCodeAt(0) - 0x80]);

const SEQUENCES =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g;

/** Sequences of UTF-8 as such, other bytes in Windows-1252. // scid §1.4 */
const mixed = (bytes) =>
  bytes.toString("latin1").replace(SEQUENCES, (c) => (c.length > 1 && utf8(Buffer.from(c, "latin1"))) || windows1252(Buffer.from(c, "latin1")));

/** The function that reads bytes in the code page `label`. */
function pageReader(label) {
  const page = new TextDecoder(label, { ignoreBOM: true });
  return page.encoding === "windows-1252" ? windows1252 : (bytes) => page.decode(bytes);
}

/**
 * Makes the function that reads the texts of a base. An encoding that the user names holds for all texts;
 * else a text is UTF-8 if it is valid, and in the code page `usual` if not. Its member `page` reads what is not UTF-8.
 */
export function textReader(named, usual = "windows-1252") {
  const page = named === undefined && usual === "windows-1252" ? mixed : pageReader(named ?? usual);
  const text = named !== undefined ? page : (bytes) => utf8(bytes) ?? page(bytes);
  return Object.assign(text, { page });
}

const LETTERS = {
  "windows-1251": (byte) => byte >= 0xc0 || byte === 0xa8 || byte === 0xb8,
  ibm866: (byte) => (byte >= 0x80 && byte <= 0xaf) || (byte >= 0xe0 && byte <= 0xf1),
};

/** Adds the bytes of the runs of three letters or more in `bytes` to `seen`. */
function countRuns(bytes, isLetter, seen) {
  let start = 0;
  for (let at = 0; at <= bytes.length; at++) {
    if (at < bytes.length && isLetter(bytes[at])) continue;
    if (at - start >= 3) {
      seen.count += at - start;
      for (let i = start; i < at; i++) seen.values.add(bytes[i]);
    }
    start = at + 1;
  }
}

/** The Cyrillic code page that `texts` are in, else Windows-1252. // scid §3.3.5, cbh §2.8 */
export function usualPage(texts) {
  const found = Object.keys(LETTERS).map((page) => ({ page, count: 0, values: new Set() }));
  let high = 0;
  for (const bytes of texts) {
    if (bytes.every((byte) => byte < 0x80) || utf8(bytes) !== undefined) continue;
    high += bytes.filter((byte) => byte >= 0x80).length;
    for (const seen of found) countRuns(bytes, LETTERS[seen.page], seen);
  }
  const sure = found.filter(({ count, values }) => count >= 24 && values.size >= 8 && count * 2 > high);
  sure.sort((a, b) => b.count - a.count);
  return sure[0]?.page ?? "windows-1252";
}
