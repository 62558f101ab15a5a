// The position: FEN, playing a move, legal moves. (docs/model.md §2 and §3)
//
// A square is a number: a1 = 0, b1 = 1, ... h8 = 63. A piece is its letter in FEN; "" is an empty square.
// A move is { from, to, promotion }; `promotion` is "" or a lower-case letter. Castling goes to the rook's square.

export const WHITE = 0;
export const BLACK = 1;

/** The two sides of the board that a king castles to, as indexes into `rights[colour]`. */
export const A_SIDE = 0;
export const H_SIDE = 1;

export const file = (square) => square & 7;
export const rank = (square) => square >> 3;
export const squareAt = (file, rank) => rank * 8 + file;
export const squareName = (square) => "abcdefgh"[file(square)] + (rank(square) + 1);
export const colourOf = (piece) => (piece === piece.toUpperCase() ? WHITE : BLACK);
export const kindOf = (piece) => piece.toLowerCase();
export const pieceOf = (kind, colour) => (colour === WHITE ? kind.toUpperCase() : kind.toLowerCase());

export const NULL_MOVE = { from: 0, to: 0, promotion: "" };

/** The move in the form of the canonical lines. (model §5) */
export function moveText({ from, to, promotion }) {
  return from === 0 && to === 0 ? "0000" : squareName(from) + squareName(to) + promotion;
}

export class Position {
  constructor() {
    this.board = new Array(64).fill("");
    this.side = WHITE;
    /** `rights[colour][A_SIDE or H_SIDE]`: the square of the rook to castle with, or -1. */
    this.rights = [[-1, -1], [-1, -1]];
    this.enPassant = -1;
    this.halfMoves = 0;
    this.moveNumber = 1;
  }

  static initial() {
    return parseFen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").position;
  }

  copy() {
    const other = new Position();
    other.board = this.board.slice();
    other.side = this.side;
    other.rights = this.rights.map((pair) => pair.slice());
    other.enPassant = this.enPassant;
    other.halfMoves = this.halfMoves;
    other.moveNumber = this.moveNumber;
    return other;
  }

  /** Whether a piece of `colour` stands on `square`. */
  has(square, colour) {
    const piece = this.board[square];
    return piece !== "" && colourOf(piece) === colour;
  }

  /** The square of the only king of `colour`; -1 if there is none, or more than one. */
  onlyKing(colour) {
    const king = pieceOf("k", colour);
    const first = this.board.indexOf(king);
    return first === this.board.lastIndexOf(king) ? first : -1;
  }
}

// FEN (model §3)

/** Reads one rank of the board; undefined if it does not make up eight squares. */
function parseRank(text) {
  const squares = [];
  for (const letter of text) {
    if ("PNBRQKpnbrqk".includes(letter)) squares.push(letter);
    else if ("12345678".includes(letter)) for (let n = +letter; n > 0; n--) squares.push("");
    else return undefined;
  }
  return squares.length === 8 ? squares : undefined;
}

/** Reads the board field into `position`. Returns whether it is one. // model §3 rule 1 */
function parseBoard(text, position) {
  const ranks = text.split("/");
  if (ranks.length !== 8) return false;
  for (let row = 0; row < 8; row++) {
    const squares = parseRank(ranks[row]);
    if (!squares) return false;
    squares.forEach((piece, file) => (position.board[squareAt(file, 7 - row)] = piece));
  }
  return true;
}

/** The outermost rook of `colour` on the king's rank, on the given side of the king; -1 if there is none. */
export function outermostRook(position, colour, side, king) {
  const step = side === H_SIDE ? -1 : 1;
  for (let f = side === H_SIDE ? 7 : 0; f !== file(king); f += step) {
    const square = squareAt(f, rank(king));
    if (position.board[square] === pieceOf("r", colour)) return square;
  }
  return -1;
}

/** Gives the right that one letter of the castling field names. // model §3 rule 4 */
function parseRight(letter, position) {
  const colour = colourOf(letter);
  const king = position.onlyKing(colour);
  if (king < 0 || rank(king) !== (colour === WHITE ? 0 : 7)) return;
  const kind = letter.toLowerCase();
  if (kind === "k" || kind === "q") {
    const side = kind === "k" ? H_SIDE : A_SIDE;
    const rook = outermostRook(position, colour, side, king);
    if (rook >= 0) position.rights[colour][side] = rook;
  } else if (kind >= "a" && kind <= "h") {
    const rook = squareAt(kind.charCodeAt(0) - 97, rank(king));
    if (position.board[rook] !== pieceOf("r", colour)) return;
    position.rights[colour][rook > king ? H_SIDE : A_SIDE] = rook;
  }
}

const counter = (text, otherwise) => (/^\d+$/.test(text ?? "") && +text <= 65535 ? +text : otherwise);

/**
 * Reads a FEN. Returns undefined if it is none, else the position, and whether a field says that the game is of another
 * variant.
 */
export function parseFen(text) {
  const all = text.split(/[ \t\r\n]+/).filter((field) => field !== "");
  const fields = all.filter((field) => !/^\+?\d+\+\d+$/.test(field)); // model §3 rule 7
  const boardText = fields[0] ?? "";
  const plain = boardText.replace(/\[.*\]$/, "").replaceAll("~", "");
  const ranks = plain.split("/");
  const board = ranks.length === 9 && /^[PNBRQKpnbrqk]*$/.test(ranks[8]) ? ranks.slice(0, 8).join("/") : plain;
  const variant = board !== boardText || fields.length < all.length;
  const position = new Position();
  if (!parseBoard(board, position)) return undefined;
  const side = fields[1] ?? "w";
  if (!/^[wb]$/i.test(side)) return undefined; // model §3 rule 2
  position.side = side.toLowerCase() === "w" ? WHITE : BLACK;
  const castling = fields[2] ?? "-";
  for (const letter of castling) parseRight(letter, position);
  const passant = fields[3] ?? "-";
  if (new RegExp(`^[a-h]${position.side === WHITE ? 6 : 3}$`).test(passant)) {
    position.enPassant = squareAt(passant.charCodeAt(0) - 97, +passant[1] - 1); // model §3 rule 5
  }
  position.halfMoves = counter(fields[4], 0);
  position.moveNumber = counter(fields[5], 1) || 1; // model §3 rule 6
  return { position, variant };
}

/** The letter of a right: `K` and `Q` where the rook is the outermost one, else that of its file. */
function rightText(position, colour, side) {
  const rook = position.rights[colour][side];
  if (rook < 0) return "";
  const outermost = outermostRook(position, colour, side, position.onlyKing(colour));
  const letter = rook === outermost ? "qk"[side] : "abcdefgh"[file(rook)];
  return pieceOf(letter, colour);
}

/** Writes all six fields. */
export function fenText(position) {
  const ranks = [];
  for (let r = 7; r >= 0; r--) {
    const row = position.board.slice(r * 8, r * 8 + 8).map((piece) => piece || "1").join("");
    ranks.push(row.replace(/1+/g, (ones) => ones.length));
  }
  const rights = [[WHITE, H_SIDE], [WHITE, A_SIDE], [BLACK, H_SIDE], [BLACK, A_SIDE]];
  const castling = rights.map(([colour, side]) => rightText(position, colour, side)).join("") || "-";
  const passant = position.enPassant < 0 ? "-" : squareName(position.enPassant);
  const side = position.side === WHITE ? "w" : "b";
  return [ranks.join("/"), side, castling, passant, position.halfMoves, position.moveNumber].join(" ");
}

// Playing a move (model §2.1)

/** Whether the move is a king that goes onto a rook of its own. // model §2.1 rule 2 */
export function isCastling(position, { from, to }) {
  const king = position.board[from];
  if (kindOf(king) !== "k" || from === to) return false;
  return position.board[to] === pieceOf("r", colourOf(king));
}

/** Where king and rook land. */
export function castlingTargets({ from, to }) {
  const right = file(to) > file(from);
  return { king: squareAt(right ? 6 : 2, rank(from)), rook: squareAt(right ? 5 : 3, rank(from)) };
}

/** The square of the pawn that the move takes in passing; -1 if it takes none. // model §2.1 rule 4 */
export function takenInPassing(position, { from, to }) {
  const pawn = position.board[from];
  if (kindOf(pawn) !== "p" || file(from) === file(to) || position.board[to] !== "") return -1;
  const beside = squareAt(file(to), rank(from));
  return position.board[beside] === pieceOf("p", 1 - colourOf(pawn)) ? beside : -1;
}

/** Takes the rights that hang on a king or rook on `square`. // model §2.1 rule 6 */
function dropRights(position, square) {
  const piece = position.board[square];
  if (piece === "") return;
  const rights = position.rights[colourOf(piece)];
  if (kindOf(piece) === "k") rights.fill(-1);
  if (kindOf(piece) === "r") rights.forEach((rook, side) => rook === square && (rights[side] = -1));
}

/** Sets the en passant square after a step of two squares by the pawn now on `to`. // model §2.1 rule 7 */
function setEnPassant(position, { from, to }) {
  const pawn = position.board[to];
  if (kindOf(pawn) !== "p" || file(from) !== file(to)) return;
  const colour = colourOf(pawn);
  if (rank(from) !== (colour === WHITE ? 1 : 6) || rank(to) !== (colour === WHITE ? 3 : 4)) return;
  const enemy = pieceOf("p", 1 - colour);
  const ready = [-1, 1].some((step) => {
    const f = file(to) + step;
    return f >= 0 && f < 8 && position.board[squareAt(f, rank(to))] === enemy;
  });
  if (ready) position.enPassant = (from + to) / 2;
}

/** The position after `move`, which need not be legal. */
export function play(before, move) {
  const { from, to, promotion } = move;
  const position = before.copy();
  const piece = position.board[from];
  position.side = 1 - before.side;
  position.enPassant = -1;
  if (piece === "" || from === to) return position; // model §2.1 rule 1
  dropRights(position, from);
  if (isCastling(before, move)) {
    const targets = castlingTargets(move);
    const rook = position.board[to];
    position.board[from] = position.board[to] = "";
    position.board[targets.king] = piece;
    position.board[targets.rook] = rook;
    return position;
  }
  dropRights(position, to);
  const passed = takenInPassing(before, move);
  if (passed >= 0) position.board[passed] = "";
  position.board[from] = "";
  position.board[to] = piece;
  setEnPassant(position, move);
  if (promotion) position.board[to] = pieceOf(promotion, colourOf(piece)); // model §2.1 rule 5
  return position;
}

// Legal moves (model §2.2)

const STRAIGHT = [[0, 1], [1, 0], [0, -1], [-1, 0]];
const DIAGONAL = [[1, 1], [1, -1], [-1, -1], [-1, 1]];
const KNIGHT = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]];
const STEPS = { k: [...STRAIGHT, ...DIAGONAL], q: [...STRAIGHT, ...DIAGONAL], r: STRAIGHT, b: DIAGONAL, n: KNIGHT };
const SLIDES = "qrb";
const forward = (colour) => (colour === WHITE ? 1 : -1);

/** The square `[files, ranks]` away, or -1 beyond the edge. */
function offset(square, [files, ranks]) {
  const f = file(square) + files;
  const r = rank(square) + ranks;
  return f < 0 || f > 7 || r < 0 || r > 7 ? -1 : squareAt(f, r);
}

/** The squares that the piece (no pawn) on `from` attacks. */
function reach(position, from) {
  const kind = kindOf(position.board[from]);
  const squares = [];
  for (const step of STEPS[kind]) {
    let to = offset(from, step);
    while (to >= 0) {
      squares.push(to);
      if (!SLIDES.includes(kind) || position.board[to] !== "") break;
      to = offset(to, step);
    }
  }
  return squares;
}

/** The squares that the pawn of `colour` on `from` attacks. */
function pawnAttacks(from, colour) {
  return [-1, 1].map((side) => offset(from, [side, forward(colour)])).filter((to) => to >= 0);
}

/** Whether a piece of `colour` attacks `square`. */
export function attacked(position, square, colour) {
  for (let from = 0; from < 64; from++) {
    if (!position.has(from, colour)) continue;
    const pawn = kindOf(position.board[from]) === "p";
    if ((pawn ? pawnAttacks(from, colour) : reach(position, from)).includes(square)) return true;
  }
  return false;
}

/** Whether the only king of `colour` is attacked. */
export function inCheck(position, colour) {
  const king = position.onlyKing(colour);
  return king >= 0 && attacked(position, king, 1 - colour);
}

/** The squares from `a` to `b` on one rank, both included. */
function between(a, b) {
  const squares = [];
  for (let square = Math.min(a, b); square <= Math.max(a, b); square++) squares.push(square);
  return squares;
}

/** Whether the side to move may castle on `side`. The check after the move is tested as for any other move. */
function mayCastle(position, side) {
  const colour = position.side;
  const from = position.onlyKing(colour);
  const to = position.rights[colour][side];
  if (from < 0 || to < 0) return false;
  const targets = castlingTargets({ from, to });
  const free = (square) => position.board[square] === "" || square === from || square === to;
  if (![...between(from, targets.king), ...between(to, targets.rook)].every(free)) return false;
  return between(from, targets.king).every((square) => !attacked(position, square, 1 - colour));
}

/** The targets of the pawn on `from`, without regard to check. */
function pawnTargets(position, from) {
  const colour = position.side;
  const targets = pawnAttacks(from, colour).filter(
    (to) => position.has(to, 1 - colour) || (to === position.enPassant && takenInPassing(position, { from, to }) >= 0),
  );
  const one = offset(from, [0, forward(colour)]);
  if (one < 0 || position.board[one] !== "") return targets;
  targets.push(one);
  const two = offset(one, [0, forward(colour)]);
  if (rank(from) === (colour === WHITE ? 1 : 6) && position.board[two] === "") targets.push(two);
  return targets;
}

/** The moves of the piece on `from`, without regard to check. */
function pseudoMoves(position, from) {
  const piece = position.board[from];
  const colour = position.side;
  if (kindOf(piece) === "p") {
    const last = colour === WHITE ? 7 : 0;
    return pawnTargets(position, from).flatMap((to) =>
      (rank(to) === last ? ["q", "r", "b", "n"] : [""]).map((promotion) => ({ from, to, promotion })),
    );
  }
  const moves = reach(position, from)
    .filter((to) => !position.has(to, colour))
    .map((to) => ({ from, to, promotion: "" }));
  if (from === position.onlyKing(colour)) {
    for (const side of [A_SIDE, H_SIDE]) {
      if (mayCastle(position, side)) moves.push({ from, to: position.rights[colour][side], promotion: "" });
    }
  }
  return moves;
}

/** All legal moves, null moves apart. */
export function legalMoves(position, squares = position.board.keys()) {
  const moves = [];
  for (const from of squares) {
    if (!position.has(from, position.side)) continue;
    for (const move of pseudoMoves(position, from)) {
      if (!inCheck(play(position, move), position.side)) moves.push(move);
    }
  }
  return moves;
}

/** Whether `move` is legal. */
export function isLegal(position, move) {
  if (moveText(move) === "0000") return !inCheck(position, position.side);
  return legalMoves(position, [move.from]).some((other) => moveText(other) === moveText(move));
}

/** The number of leaves of the tree of legal moves. */
export function perft(position, depth) {
  const moves = legalMoves(position);
  if (depth === 1) return moves.length;
  return moves.reduce((sum, move) => sum + perft(play(position, move), depth - 1), 0);
}
