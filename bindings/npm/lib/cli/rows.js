// Games as rows: a table for people, comma-separated values, JSON lines.

const TAGS = ["White", "WhiteElo", "Black", "BlackElo", "Result", "Date", "ECO", "Event"];
const TITLES = ["White", "Elo", "Black", "Elo", "result", "date", "ECO", "event"];
/** The widths of the columns in a line of 100 characters, as the native program shares them out. */
const WIDTHS = [14, 4, 14, 4, 7, 10, 5, 19];
/** The widths where the file comes before them. */
const WIDTHS_BESIDE_FILE = [13, 10, 4, 10, 4, 7, 10, 5, 13];
const CSV_TAGS = [...TAGS, "Site", "Round", "Deleted"];

/** @typedef {import("../client.js").Header} Header */

/** Removes characters that control a terminal. @param {string} text */
export function clean(text) {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, "\ufffd");
}

/** Returns whether a character takes two columns. @param {number} code */
const isWide = (code) =>
  (code >= 0x1100 && code <= 0x115f) ||
  (code >= 0x2e80 && code <= 0xa4cf) ||
  (code >= 0xac00 && code <= 0xd7a3) ||
  (code >= 0xf900 && code <= 0xfaff) ||
  (code >= 0xfe30 && code <= 0xfe6f) ||
  (code >= 0xff00 && code <= 0xff60) ||
  (code >= 0x1f300 && code <= 0x1f9ff);

/**
 * Cuts or fills a text to a number of columns.
 * @param {string} text
 * @param {number} width
 */
function fit(text, width) {
  const letters = [...clean(text)];
  const of = (/** @type {string} */ letter) =>
    /\p{Mark}/u.test(letter) ? 0 : isWide(letter.codePointAt(0) ?? 0) ? 2 : 1;
  const whole = letters.reduce((sum, letter) => sum + of(letter), 0);
  if (whole <= width) return clean(text) + " ".repeat(width - whole);
  let [cut, used] = ["", 0];
  for (const letter of letters) {
    if (used + of(letter) > width - 1) break;
    cut += letter;
    used += of(letter);
  }
  return `${cut}…${" ".repeat(width - 1 - used)}`;
}

// With several databases, rows name the file.

/** @param {string | undefined} file */
const named = (file) => (file === undefined ? [] : [file]);

/** @param {string[]} cells @param {string | undefined} file @param {string} first @param {string} mark */
function line(cells, file, first, mark) {
  const widths = file === undefined ? WIDTHS : WIDTHS_BESIDE_FILE;
  const fitted = [...named(file), ...cells].map((cell, index) => {
    const isRating = widths[index] === 4;
    return `${isRating ? " " : "  "}${isRating ? cell.padStart(4) : fit(cell, widths[index])}`;
  });
  return (first.padStart(7) + (mark ? mark + fitted.join("").slice(1) : fitted.join(""))).trimEnd();
}

export const table = {
  /** @param {boolean} several */
  head: (several) => line(TITLES, several ? "file" : undefined, "no.", ""),
  /** @param {Header} header @param {string} [file] */
  row: (header, file) =>
    line(TAGS.map((tag) => header.tag(tag) ?? ""), file, String(header.number), header.deleted ? "×" : ""),
};

const NUMBER = /^[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf|infinity|nan)$/i;

/** Returns whether a spreadsheet would run a cell, as the native program decides. @param {string} text */
const isFormula = (text) => /^[=+\-@\t\r]/.test(text) && /[\p{Alphabetic}\p{N}]/u.test(text) && !NUMBER.test(text);

/** Quotes a cell by RFC 4180. A formula gets an apostrophe. @param {string} text */
function cell(text) {
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csv = {
  /** @param {boolean} several */
  head: (several) => ["Number", ...named(several ? "File" : undefined), ...CSV_TAGS].join(","),
  /** @param {Header} header @param {string} [file] */
  row: (header, file) =>
    [String(header.number), ...named(file), ...CSV_TAGS.map((tag) => (tag === "Deleted" ? (header.deleted ? "1" : "") : (header.tag(tag) ?? "")))]
      .map(cell)
      .join(","),
};

export const json = {
  head: () => undefined,
  /** @param {Header} header @param {string} [file] */
  row(header, file) {
    /** @type {Map<string, string>} */
    const first = new Map();
    for (const [name, value] of header.tags) if (!first.has(name)) first.set(name, value);
    // By bytes, as the native program sorts them. An object would put names that are numbers first.
    const names = [...first.keys()].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
    const tags = names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(first.get(name))}`);
    const start = file === undefined ? "" : `"file":${JSON.stringify(file)},`;
    return `{${start}"game":${header.number},"tags":{${tags.join(",")}}}`;
  },
};
