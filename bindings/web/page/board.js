// A board that shows a position.

import { pieceName, pieceShape } from "./pieces.js";

const FILES = "abcdefgh";
/** The colours that programs abbreviate to a letter: [%csl Ge4] and [%cal Re2e4]. */
const COLOURS = { G: "#2e7d46", R: "#b3261e", Y: "#c79a00", B: "#1f5fa8", O: "#c76a00", C: "#00838f" };

/**
 * Returns the pieces of a FEN by square. An invalid FEN is read as far as possible.
 * @param {string} fen
 * @returns {Map<string, string>}
 */
export function squaresOf(fen) {
  const squares = new Map();
  const rows = fen.trim().split(/\s+/, 1)[0].split("/");
  rows.slice(0, 8).forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (/[1-8]/.test(letter)) file += Number(letter);
      else if (/[pnbrqk]/i.test(letter) && file < 8) squares.set(FILES[file++] + (8 - index), letter);
    }
  });
  return squares;
}

/**
 * Returns the first field of a FEN.
 * @param {Map<string, string>} squares
 */
export function fenOf(squares) {
  const rows = [];
  for (let rank = 8; rank >= 1; rank--) {
    let row = "";
    let empty = 0;
    for (const file of FILES) {
      const piece = squares.get(file + rank);
      if (!piece) empty++;
      else {
        row += (empty || "") + piece;
        empty = 0;
      }
    }
    rows.push(row + (empty || ""));
  }
  return rows.join("/");
}

/**
 * Describes a position in words, for screen readers.
 * @param {string} fen
 */
export function inWords(fen) {
  const squares = squaresOf(fen);
  const list = (/** @type {boolean} */ white) => {
    const named = [..."kqrbnp"].flatMap((role) => {
      const letter = white ? role.toUpperCase() : role;
      const on = [...squares].filter(([, piece]) => piece === letter).map(([square]) => square);
      return on.length ? [`${pieceName(letter).split(" ")[1]} ${on.sort().join(" ")}`] : [];
    });
    return named.join(", ") || "nothing";
  };
  const turn = fen.split(/\s+/)[1] === "b" ? "Black" : "White";
  return `White: ${list(true)}. Black: ${list(false)}. ${turn} to move.`;
}

/**
 * Returns the squares and arrows that comments draw.
 * @param {string[]} comments
 */
export function drawingsOf(comments) {
  /** @type {{colour: string, from: string, to?: string}[]} */
  const drawings = [];
  for (const comment of comments) {
    for (const [, , list] of comment.matchAll(/\[%(csl|cal) ([^\]]*)\]/g)) {
      for (const [, letter, from, to] of list.matchAll(/([A-Z])([a-h][1-8])([a-h][1-8])?/g)) {
        const colour = COLOURS[/** @type {keyof typeof COLOURS} */ (letter)] ?? COLOURS.G;
        drawings.push({ colour, from, to });
      }
    }
    // Scid's own commands, with a colour by name or in hexadecimal digits.
    for (const [, from, to, word = "red"] of comment.matchAll(
      /\[%(?:draw [^,\]]+,|arrow |mark )([a-h][1-8])(?:[ ,]([a-h][1-8]))?(?:[ ,](#[0-9a-f]{6}|[a-z]+))?\]/gi,
    )) {
      const letter = /** @type {keyof typeof COLOURS} */ (word.charAt(0).toUpperCase());
      drawings.push({ colour: word.startsWith("#") ? word : (COLOURS[letter] ?? COLOURS.G), from, to });
    }
  }
  return drawings;
}

/**
 * @typedef {object} Shown
 * @property {string} fen
 * @property {boolean} [flipped] whether Black is at the bottom
 * @property {string[]} [marks] squares of the last move
 * @property {{colour: string, from: string, to?: string}[]} [drawings]
 */

/**
 * Returns the board as SVG.
 * @param {Shown} shown
 */
export function boardSvg({ fen, flipped = false, marks = [], drawings = [] }) {
  const squares = squaresOf(fen);
  const place = (/** @type {string} */ square) => {
    const file = FILES.indexOf(square[0]);
    const rank = Number(square[1]) - 1;
    return flipped ? [(7 - file) * 45, rank * 45] : [file * 45, (7 - rank) * 45];
  };
  let below = "";
  let above = "";
  for (let rank = 1; rank <= 8; rank++) {
    for (let file = 0; file < 8; file++) {
      const square = FILES[file] + rank;
      const [x, y] = place(square);
      const kind = (file + rank) % 2 ? "dark" : "light";
      const other = kind === "dark" ? "light" : "dark";
      below += `<rect class="square ${kind}" x="${x}" y="${y}" width="45" height="45"/>`;
      if (marks.includes(square)) below += `<rect class="mark" x="${x}" y="${y}" width="45" height="45"/>`;
      if (y === 315) below += `<text class="coord ${other}" x="${x + 38.5}" y="${y + 42.5}">${FILES[file]}</text>`;
      if (x === 0) below += `<text class="coord ${other}" x="2" y="${y + 9}">${rank}</text>`;
      const piece = squares.get(square);
      if (piece) above += `<g data-square="${square}" transform="translate(${x} ${y})">${pieceShape(piece)}</g>`;
    }
  }
  let over = "";
  for (const { colour, from, to } of drawings) {
    const [x, y] = place(from).map((at) => at + 22.5);
    if (!to) {
      below += `<rect x="${x - 22.5}" y="${y - 22.5}" width="45" height="45" fill="${colour}" opacity=".45"/>`;
      continue;
    }
    const [x2, y2] = place(to).map((at) => at + 22.5);
    const length = Math.hypot(x2 - x, y2 - y) || 1;
    const [dx, dy] = [(x2 - x) / length, (y2 - y) / length];
    const [ex, ey] = [x2 - dx * 16, y2 - dy * 16];
    const tip = [[x2 - dx * 4, y2 - dy * 4], [ex - dy * 9, ey + dx * 9], [ex + dy * 9, ey - dx * 9]];
    over +=
      `<g opacity=".75"><path d="M${x + dx * 8} ${y + dy * 8}L${ex} ${ey}" stroke="${colour}" stroke-width="6.5" stroke-linecap="round"/>` +
      `<path d="M${tip.map((point) => point.join(" ")).join("L")}Z" fill="${colour}"/></g>`;
  }
  return `<svg viewBox="0 0 360 360" aria-hidden="true">${below}${above}${over}</svg>`;
}

/**
 * Returns the square under a point of an element that shows a board.
 * @param {Element} element
 * @param {{clientX: number, clientY: number}} point
 * @param {boolean} flipped
 * @returns {string | null}
 */
export function squareAt(element, { clientX, clientY }, flipped) {
  const box = element.getBoundingClientRect();
  let file = Math.floor(((clientX - box.left) / box.width) * 8);
  let rank = 7 - Math.floor(((clientY - box.top) / box.height) * 8);
  if (file < 0 || file > 7 || rank < 0 || rank > 7) return null;
  if (flipped) [file, rank] = [7 - file, 7 - rank];
  return FILES[file] + (rank + 1);
}
