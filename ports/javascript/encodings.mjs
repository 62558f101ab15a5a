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

/** How many bytes of `text`, a byte a character, are in runs of three or more of `letters`. */
const inRuns = (text, letters) => [...text.matchAll(letters)].reduce((sum, [run]) => sum + run.length, 0);

/** The Cyrillic code page that `texts` are in, else Windows-1252. // scid §3.3.5, cbh §2.8 */
export function usualPage(texts) {
  const others = texts.filter((bytes) => bytes.some((byte) => byte >= 0x80) && utf8(bytes) === undefined);
  const all = others.map((bytes) => Buffer.from(bytes).toString("latin1")).join("\n");
  const high = all.match(/[\x80-\xff]/g) ?? [];
  const ibm866 = inRuns(all, /[\x80-\xaf\xe0-\xef]{3,}/g);
  const windows1251 = inRuns(all, /[\xc0-\xff]{3,}/g);
  const words = Math.max(ibm866, windows1251);
  if (words < 24 || new Set(high).size < 8 || words * 2 <= high.length) return "windows-1252";
  if (ibm866 > windows1251) return /[\x80-\x9f]/.test(all) ? "ibm866" : "windows-1252";
  const turns = (all.match(/[\xe0-\xff](?=[\xc0-\xdf])/g) ?? []).length;
  return /[\xc0-\xdf]/.test(all) && turns * 20 < windows1251 ? "windows-1251" : "windows-1252";
}
