// The record of the moves of a ChessBase game. (docs/formats/cbh.md §4)

import { rows } from "./tables.mjs";
import {
  A_SIDE, BLACK, H_SIDE, NULL_MOVE, WHITE, Position, castlingTargets, colourOf, fenText, file, inCheck, isCastling, isLegal,
  kindOf, moveText, outermostRook, pieceOf, play, rank, squareAt, takenInPassing,
} from "./board.mjs";

/** What is wrong with a record; what was read before it stays. */
class Damage extends Error {}

/** The start position needs a right that it does not have: read again with it. // cbh §4.2.8 */
class NeedsRight extends Error {
  constructor(colour, side) {
    super("castling without the right");
    Object.assign(this, { colour, side });
  }
}

function damage(message) {
  throw new Damage(message);
}

/** The square of a number of ChessBase: eight times the file plus the rank. // cbh §2 */
export const fromCbh = (number) => squareAt(number >> 3, number & 7);

// Modes (§4.3)

/** The table of each mode, -1 where an entry is not known. */
const TABLES = new Map(rows("cbh-modes").map(([mode, entries]) => [+mode, entries.trim().split(" ").map((entry) => (entry === "?" ? -1 : +entry))]));
const tableOf = (mode) => TABLES.get(mode);

const AFTER = [4, 5, 10];
const WORDS = [1, 5];
const CHESS960 = 10;

/** The code of a byte. // cbh §4.3.1 */
function decode(reader, byte, count) {
  const after = AFTER.includes(reader.mode);
  const code = reader.table[after ? byte : (byte - count) & 255];
  if (code < 0) damage("a byte whose meaning is not known"); // cbh §4.3.5
  return after ? (code - count) & 255 : code;
}

// Start position (§4.2)

const KINDS = ["", "k", "q", "n", "b", "r", "p", ""];

/** Reads the board from a stream of bits. // cbh §4.2, offset 4 */
function readBoard(bytes, position) {
  let at = 0;
  const bit = () => {
    const value = at < bytes.length * 8 ? (bytes[at >> 3] >> (7 - (at & 7))) & 1 : 0; // cbh §4.2.3
    at++;
    return value;
  };
  for (let number = 0; number < 64; number++) {
    if (bit() === 0) continue;
    const colour = bit() ? BLACK : WHITE;
    const kind = KINDS[bit() * 4 + bit() * 2 + bit()];
    position.board[fromCbh(number)] = kind && pieceOf(kind, colour);
  }
}

/** The bits of castling with the side that each means; `rook`: where mode 10 names the rook. */
const RIGHTS = [
  { bit: 2, colour: WHITE, side: H_SIDE, rook: 30 },
  { bit: 1, colour: WHITE, side: A_SIDE, rook: 31 },
  { bit: 8, colour: BLACK, side: H_SIDE, rook: 32 },
  { bit: 4, colour: BLACK, side: A_SIDE, rook: 33 },
];

const homeRank = (colour) => (colour === WHITE ? 0 : 7);
const homeKing = (colour) => squareAt(4, homeRank(colour));
const homeRook = (colour, side) => squareAt(side === H_SIDE ? 7 : 0, homeRank(colour));

/** Whether king and rook stand at home. // cbh §4.2.4 */
function atHome(position, colour, side) {
  const { board } = position;
  if (position.onlyKing(colour) < 0) return false; // cbh §4.2.4
  return board[homeKing(colour)] === pieceOf("k", colour) && board[homeRook(colour, side)] === pieceOf("r", colour);
}

/** The rook of a right in mode 10, or -1. // cbh §4.2.5 */
function rook960(position, { colour, side }, named) {
  const king = position.onlyKing(colour);
  if (king < 0 || rank(king) !== homeRank(colour)) return -1;
  const right = position.board[named] === pieceOf("r", colour) && rank(named) === rank(king);
  if (right && named !== king && named > king === (side === H_SIDE)) return named;
  return outermostRook(position, colour, side, king);
}

/** Reads the start position. // cbh §4.2 */
function readSetup(bytes, mode) {
  const size = mode === CHESS960 ? 36 : 28;
  if (bytes.length < size || bytes[0] !== 1) damage("the start position is cut or none"); // cbh §4.2.2
  const position = new Position();
  readBoard(bytes.subarray(4, 28), position);
  position.side = bytes[1] & 16 ? BLACK : WHITE;
  position.moveNumber = bytes[3] || 1; // cbh §4.2.7
  for (const right of RIGHTS) {
    if (!(bytes[2] & right.bit)) continue;
    const { colour, side } = right;
    if (mode === CHESS960) position.rights[colour][side] = rook960(position, right, fromCbh(bytes[right.rook] & 63));
    else if (atHome(position, colour, side)) position.rights[colour][side] = homeRook(colour, side);
  }
  const passant = (bytes[1] & 15) - 1; // cbh §4.2.6
  const pawn = squareAt(passant, position.side === WHITE ? 4 : 3);
  if (passant >= 0 && passant < 8 && position.board[pawn] === pieceOf("p", 1 - position.side)) {
    position.enPassant = squareAt(passant, position.side === WHITE ? 5 : 2);
  }
  return { position, size };
}

// Numbers of pieces (§4.5): numbers[colour][kind] is a list of squares

const MOST = { k: 1, q: 3, r: 3, b: 3, n: 3, p: 8 };

/** Numbers the pieces of the start position. // cbh §4.5.1 */
function numberPieces({ board }) {
  const numbers = [WHITE, BLACK].map(() => ({ k: [], q: [], r: [], b: [], n: [], p: [] }));
  for (let number = 0; number < 64; number++) {
    const square = fromCbh(number);
    if (board[square] === "") continue;
    const squares = numbers[colourOf(board[square])][kindOf(board[square])];
    if (squares.length < MOST[kindOf(board[square])]) squares.push(square);
  }
  return numbers;
}

const copyNumbers = (numbers) =>
  numbers.map((kinds) => Object.fromEntries(Object.entries(kinds).map(([kind, squares]) => [kind, squares.slice()])));

/** Takes the number of the piece on `square`. // cbh §4.5.2 */
function dropNumber(numbers, piece, square) {
  const squares = numbers[colourOf(piece)][kindOf(piece)];
  const index = squares.indexOf(square);
  if (index < 0) return;
  if (kindOf(piece) === "p") squares[index] = -1;
  else squares.splice(index, 1);
}

function moveNumber(numbers, piece, from, to) {
  const squares = numbers[colourOf(piece)][kindOf(piece)];
  const index = squares.indexOf(from);
  if (index >= 0) squares[index] = to;
}

/** The state after a legal move, or a null move. */
function playState({ position, numbers }, move) {
  const after = { position: play(position, move), numbers: copyNumbers(numbers) };
  const { from, to, promotion } = move;
  const piece = position.board[from];
  if (from === to) return after;
  if (isCastling(position, move)) {
    const targets = castlingTargets(move);
    moveNumber(after.numbers, piece, from, targets.king); // cbh §4.5.4
    moveNumber(after.numbers, position.board[to], to, targets.rook);
    return after;
  }
  const passed = takenInPassing(position, move);
  const taken = passed >= 0 ? passed : to;
  if (position.board[taken] !== "") dropNumber(after.numbers, position.board[taken], taken);
  if (promotion) {
    dropNumber(after.numbers, piece, from); // cbh §4.5.3
    const squares = after.numbers[position.side][promotion];
    if (squares.length < MOST[promotion]) squares.push(to);
  } else {
    moveNumber(after.numbers, piece, from, to);
  }
  return after;
}

// Codes of one byte (§4.4)

/** The piece, its number and its step of each code; a pawn of Black steps the other way. */
const CODES = new Map(rows("cbh-codes").map(([code, kind, ...numbers]) => [+code, [kind.toLowerCase(), ...numbers.map(Number)]]));

/** The piece that a code moves, and its step. // cbh §4.4.1 */
function pieceAndStep(code, { position, numbers }) {
  const [kind, number, files, ranks] = CODES.get(code);
  const turned = kind === "p" && position.side !== WHITE;
  return { from: numbers[position.side][kind][number], step: turned ? [-files, -ranks] : [files, ranks] };
}

/** The move of a code that is neither null move, castling nor word. */
function stepMove(code, state) {
  const { from, step } = pieceAndStep(code, state);
  if (from === undefined || from < 0) damage("there is no piece of this number"); // cbh §4.10.1
  const to = squareAt((file(from) + step[0]) & 7, (rank(from) + step[1]) & 7); // cbh §4.4: modulo 8
  return noCastling(state, { from, to, promotion: "" });
}

/** A king that steps onto its own rook does not castle, though the model writes castling so. */
function noCastling({ position }, move) {
  if (isCastling(position, move)) damage("a king takes its own rook"); // cbh §4.10.1
  return move;
}

/** Castling to `side`, by the right. // cbh §4.4.3, §4.2.8 */
function castle(reader, { position }, side) {
  const colour = position.side;
  const rook = position.rights[colour][side];
  if (rook >= 0) return { from: position.onlyKing(colour), to: rook, promotion: "" };
  const start = reader.start;
  const old = reader.mode !== CHESS960 && atHome(position, colour, side) && atHome(start, colour, side);
  if (old && start.rights[colour][side] < 0) throw new NeedsRight(colour, side);
  return damage("castling without the right");
}

// Words (§4.6, §4.8)

const PROMOTIONS = ["q", "r", "b", "n"];

/** The move of the 14 low bits of a word. */
function wordMove(word, reader, state) {
  const { position } = state;
  const [from, to] = [fromCbh(word & 63), fromCbh((word >> 6) & 63)];
  if (from === to) return standingWord(from, reader, state);
  const piece = position.board[from];
  const own = position.has(from, position.side);
  if (own && kindOf(piece) === "p" && (rank(to) === 0 || rank(to) === 7)) {
    return { from, to, promotion: PROMOTIONS[(word >> 12) & 3] }; // cbh §4.6.1
  }
  const far = rank(from) === rank(to) && Math.abs(file(from) - file(to)) === 2 && [2, 6].includes(file(to));
  if (own && kindOf(piece) === "k" && far && reader.mode !== CHESS960) {
    return castle(reader, state, file(to) === 6 ? H_SIDE : A_SIDE); // cbh §4.6.3
  }
  return noCastling(state, { from, to, promotion: "" });
}

/** A word from a square to itself. */
function standingWord(square, reader, state) {
  const { position } = state;
  if (square === 0) {
    if (WORDS.includes(reader.mode)) return NULL_MOVE; // cbh §4.8.2
    if (reader.mode !== CHESS960 && position.board[0] !== "" && !inCheck(position, position.side)) return NULL_MOVE; // cbh §4.6.6
  }
  if (reader.mode !== CHESS960 || ![2, 6].includes(file(square))) damage("a move to its own square"); // cbh §4.6.4
  return castle(reader, state, file(square) === 6 ? H_SIDE : A_SIDE);
}

// The tree of moves (§4.7)

const MOST_MARKS = 4096;

/** A place in the tree; its continuations in stored order: { text, number, next }. */
const place = () => ({ moves: [] });

class Tree {
  constructor(start) {
    this.root = place();
    this.here = this.root;
    this.state = start;
    this.marks = [];
    this.count = 0;
  }

  play(move) {
    const legal = moveText(move) === "0000" || isLegal(this.state.position, move);
    if (!legal) damage(`the move ${moveText(move)} is illegal`); // cbh §4.10.1
    const next = place();
    this.here.moves.push({ text: moveText(move), number: this.count++, next });
    this.here = next;
    this.state = playState(this.state, move);
  }

  /** Marks the position to come back to. // cbh §4.7.1 */
  mark() {
    if (this.marks.length >= MOST_MARKS) damage("too many positions to come back to"); // cbh §4.7.5
    this.marks.push({ here: this.here, state: this.state });
  }

  /** Goes back to the last position marked. Returns whether there is one. // cbh §4.7.2 */
  back() {
    const mark = this.marks.pop();
    if (!mark) return false;
    Object.assign(this, mark);
    return true;
  }
}

/** Reads codes of one byte. // cbh §4.4 */
function readCodes(reader, tree) {
  const { bytes } = reader;
  for (let at = reader.at; at < bytes.length; ) {
    const code = decode(reader, bytes[at++], tree.count);
    if (code === 255) {
      if (!tree.back()) return; // cbh §4.10.4: what follows is ignored
    } else if (code === 254) {
      tree.mark();
    } else if (code === 0) {
      tree.play(NULL_MOVE); // cbh §4.4.2
    } else if (code === 9 || code === 10) {
      tree.play(castle(reader, tree.state, code === 9 ? H_SIDE : A_SIDE));
    } else if (code === 235) {
      if (at + 2 > bytes.length) damage("the record ends within a word"); // cbh §4.6.5
      const [high, low] = [bytes[at], bytes[at + 1]].map((byte) => decode(reader, byte, tree.count)); // cbh §4.3.2
      at += 2;
      tree.play(wordMove(high * 256 + low, reader, tree.state));
    } else if (code < 235) {
      tree.play(stepMove(code, tree.state));
    } // cbh §4.4.4: 236 to 253 are passed over
  }
}

/** Reads words. // cbh §4.8 */
function readWords(reader, tree) {
  const { bytes } = reader;
  for (let at = reader.at; at < bytes.length; at += 2) {
    if (at + 2 > bytes.length) damage("the record ends within a word"); // cbh §4.8.4
    const [high, low] = [bytes[at], bytes[at + 1]].map((byte) => decode(reader, byte, tree.count));
    const word = high * 256 + low;
    if (word & 0x8000) tree.mark(); // cbh §4.8.1
    tree.play(wordMove(word, reader, tree.state));
    if (word & 0x4000 && !tree.back()) return;
  }
}

// The record (§4.1)

/** Whether a record reads as a text between the games. // cbh §4.9.1 */
function isText(bytes) {
  try {
    let at = 4;
    const take = (size) => {
      const value = size === 1 ? bytes.readUInt8(at) : size === 2 ? bytes.readUInt16LE(at) : bytes.readUInt32LE(at);
      at += size;
      return value;
    };
    const skip = (size) => {
      at += size;
      if (at > bytes.length) throw new RangeError();
    };
    const version = take(2);
    for (let titles = take(2); titles > 0; titles--) {
      take(2);
      skip(take(2));
    }
    take(1);
    const lengthSize = version === 1 ? 2 : 4;
    for (let contents = take(2); contents > 0; contents--) {
      take(2);
      skip(take(lengthSize));
      skip(take(lengthSize));
    }
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Reads the moves, again with a right more as often as one is missing. // cbh §4.2.8 */
function readTree(reader) {
  for (;;) {
    const tree = new Tree({ position: reader.start, numbers: numberPieces(reader.start) });
    try {
      if (WORDS.includes(reader.mode)) readWords(reader, tree);
      else readCodes(reader, tree);
      return { tree };
    } catch (error) {
      if (error instanceof Damage) return { tree, error };
      if (!(error instanceof NeedsRight)) throw error;
      reader.start.rights[error.colour][error.side] = homeRook(error.colour, error.side);
    }
  }
}

/**
 * Reads a record. Returns the root of its tree of moves, the number of moves, the FEN or null, whether it is a game of
 * Chess960, and what is wrong with it.
 */
export function readMoves(bytes) {
  const result = { root: place(), count: 0, fen: null, chess960: false, error: undefined };
  try {
    const mode = bytes[0] & 63;
    if (bytes[0] & 128 && isText(bytes)) damage("the record is a text"); // cbh §4.1.5
    const table = tableOf(mode);
    if (!table) damage(`mode ${mode} is not known`); // cbh §4.3.4
    const reader = { bytes, at: 4, mode, table, start: Position.initial() };
    if (bytes[0] & 64) {
      const { position, size } = readSetup(bytes.subarray(4), mode);
      reader.start = position;
      reader.at += size;
    }
    const { tree, error } = readTree(reader);
    Object.assign(result, { root: tree.root, count: tree.count, chess960: mode === CHESS960, error: error?.message });
    if (bytes[0] & 64) result.fen = fenText(reader.start); // cbh §16.3
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    result.error = error.message;
  }
  return result;
}
