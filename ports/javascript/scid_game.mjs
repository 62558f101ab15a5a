// The record of a game of Scid: tags, flags, start position, moves, comments. (docs/formats/scid.md §4)

import {
  A_SIDE, H_SIDE, WHITE, Position, castlingTargets, file, kindOf, colourOf, moveText, parseFen, pieceOf, play,
  rank, squareAt, takenInPassing, NULL_MOVE,
} from "./board.mjs";

const NAG = 11, COMMENT = 12, BEGIN = 13, END = 14, GAME_END = 15; // scid §4.4.1-5

const TAGS = [
  "WhiteCountry", "BlackCountry", "Annotator", "PlyCount", "EventDate", "Opening", "Variation", "Setup", "Source", "SetUp",
];

/** What is wrong with a record; what was read before it stays. */
class Damage extends Error {}

function damage(message) {
  throw new Damage(message);
}

// The record

/**
 * Reads a record into `game`. `addTag` and `addOldEventDate` say what becomes of its tags, `text` decodes its texts.
 */
export function readRecord(bytes, { game, text, addTag, addOldEventDate }) {
  try {
    const reader = { bytes, at: 0, text };
    readTags(reader, addTag, addOldEventDate);
    const start = readStart(reader, game);
    readMoves(reader, game, start);
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    game.fail(error.message);
  }
}

function takeByte(reader, what) {
  if (reader.at >= reader.bytes.length) damage(`the record ends within ${what}`);
  return reader.bytes[reader.at++];
}

function takeBytes(reader, length, what) {
  const end = reader.at + length;
  if (end > reader.bytes.length) damage(`the record ends within ${what}`);
  const taken = reader.bytes.subarray(reader.at, end);
  reader.at = end;
  return taken;
}

/** Reads the tags. // scid §4.2 */
function readTags(reader, addTag, addOldEventDate) {
  const what = "its tags"; // scid §4.2.5
  for (;;) {
    const code = takeByte(reader, what);
    if (code === 0) return;
    if (code === 255) {
      addOldEventDate(takeBytes(reader, 3, what).readUIntBE(0, 3)); // scid §4.2.4
      continue;
    }
    const name = code <= 240 ? reader.text(takeBytes(reader, code, what)) : (TAGS[code - 241] ?? `ScidTag${code}`);
    const value = takeBytes(reader, takeByte(reader, what), what);
    addTag(name, reader.text(value));
  }
}

/** Reads the flags and the start position. Returns the state before the first move. // scid §4.3 */
function readStart(reader, game) {
  const flags = takeByte(reader, "its flags");
  if (!(flags & 1)) return usualStart(); // scid §4.3.1
  const end = reader.bytes.indexOf(0, reader.at);
  if (end < 0) damage("the start position is cut"); // scid §4.3.2
  const text = reader.text(reader.bytes.subarray(reader.at, end));
  reader.at = end + 1;
  const fen = parseFen(text);
  if (!fen) damage("the start position is no FEN"); // scid §4.3.2
  game.fen = text; // scid §4.3.4
  if (fen.variant) game.variant = "the start position is of another variant";
  const state = { position: fen.position, pieces: numberByFen(fen.position) };
  if (state.pieces.some((squares) => squares.length > 16)) damage("more than 16 pieces a side"); // scid §4.3.3
  return state;
}

// Piece numbers (§4.6): for each colour the squares of its pieces, by number

/** The numbers of the usual position. // scid §4.6.1 */
function usualStart() {
  const back = ["e", "a", "b", "c", "d", "f", "g", "h"].map((letter) => letter.charCodeAt(0) - 97);
  const number = (home, pawns) => [
    ...back.map((f) => squareAt(f, home)),
    ...[0, 1, 2, 3, 4, 5, 6, 7].map((f) => squareAt(f, pawns)),
  ];
  return { position: Position.initial(), pieces: [number(0, 1), number(7, 6)] };
}

/** The numbers of a position given as FEN. // scid §4.6.2, §4.6.3 */
function numberByFen({ board }) {
  const pieces = [[], []];
  for (let r = 7; r >= 0; r--) {
    for (let f = 0; f < 8; f++) {
      const square = squareAt(f, r);
      if (board[square] === "") continue;
      const squares = pieces[colourOf(board[square])];
      squares.push(square);
      if (kindOf(board[square]) !== "k") continue;
      const last = squares.length - 1;
      [squares[0], squares[last]] = [squares[last], squares[0]];
    }
  }
  return pieces;
}

/** Takes the piece on `square`: the one with the highest number takes its number. // scid §4.6.4 */
function takePiece(squares, square) {
  const number = squares.indexOf(square);
  const last = squares.pop();
  if (number < squares.length) squares[number] = last;
}

/** The state after a move that is no castling. */
function playState({ position, pieces }, move) {
  const lists = pieces.map((squares) => squares.slice());
  if (move.from !== move.to) {
    const colour = position.side;
    // The mover goes first: if its own piece is taken, the numbers of the side change. // scid §4.5.18
    const number = lists[colour].indexOf(move.from);
    const passed = takenInPassing(position, move);
    const taken = passed >= 0 ? passed : move.to;
    lists[colour][number] = -1;
    if (position.board[taken] !== "") takePiece(lists[colourOf(position.board[taken])], taken);
    lists[colour][lists[colour].indexOf(-1)] = move.to;
  }
  return { position: play(position, move), pieces: lists };
}

// Move codes (§4.5)

const KING = [-9, -8, -7, -1, 1, 7, 8, 9]; // codes 1 to 8
const KNIGHT = [-17, -15, -10, -6, 6, 10, 15, 17]; // codes 1 to 8
const PAWN = [7, 8, 9]; // code % 3
const PROMOTIONS = ["", "q", "r", "b", "n"]; // code / 3

/** The target of a step, or damage if it is off the board. // scid §4.5.13 */
function step(from, steps) {
  const to = from + steps;
  if (to < 0 || to > 63) damage("a move leaves the board");
  return to;
}

/** The target of a rook's code. // scid §4.5.4 */
const alongLines = (from, code) => (code < 8 ? squareAt(code, rank(from)) : squareAt(file(from), code - 8));

/** The target of a queen's code, which may need a second byte. // scid §4.5.5, §4.5.15 */
function queenTarget(from, code, reader) {
  if (code !== file(from)) return alongLines(from, code);
  const second = takeByte(reader, "a queen's move");
  if (second < 64 || second > 127) damage("the second byte of a queen's move is none");
  return second - 64;
}

/** The target of a bishop's code. // scid §4.5.6, §4.5.13 */
function bishopTarget(from, code) {
  const files = (code & 7) - file(from);
  const r = rank(from) + (code < 8 ? files : -files);
  if (r < 0 || r > 7) damage("a bishop leaves the board");
  return squareAt(code & 7, r);
}

function pawnMove(from, code, colour) {
  const way = colour === WHITE ? 1 : -1; // scid §4.5.10
  if (code === 15) return { from, to: step(from, 16 * way), promotion: "" };
  const to = step(from, PAWN[code % 3] * way);
  return { from, to, promotion: PROMOTIONS[Math.floor(code / 3)] };
}

/** Decodes the code of the piece on `from`. // scid §4.5.1-10 */
function decodeMove(position, from, code, reader) {
  const quiet = (to) => ({ from, to, promotion: "" });
  switch (kindOf(position.board[from])) {
    case "k":
      if (code >= 1 && code <= 8) return quiet(step(from, KING[code - 1]));
      return damage("a king has no such code"); // scid §4.5.12
    case "n":
      if (code >= 1 && code <= 8) return quiet(step(from, KNIGHT[code - 1]));
      return damage("a knight has no such code"); // scid §4.5.12
    case "r":
      return quiet(alongLines(from, code));
    case "q":
      return quiet(queenTarget(from, code, reader));
    case "b":
      return quiet(bishopTarget(from, code));
    default:
      return pawnMove(from, code, position.side);
  }
}

/** Plays a byte of the stream that is a move. Returns the move and the state after it. */
function readMove(state, byte, reader) {
  const { position, pieces } = state;
  const from = pieces[position.side][byte >> 4];
  const code = byte & 15;
  if (from === undefined) damage("there is no piece of this number"); // scid §4.5.11
  if (kindOf(position.board[from]) === "k") {
    if (code === 0) return { move: NULL_MOVE, after: playState(state, NULL_MOVE) };
    if (code === 9 || code === 10) return castle(state, from, code === 9 ? A_SIDE : H_SIDE);
  }
  const move = decodeMove(position, from, code, reader);
  checkTarget(position, move);
  return { move, after: playState(state, move) };
}

function checkTarget({ board, side }, { from, to }) {
  if (to === from) damage("a move to its own square"); // scid §4.5.14
  if (kindOf(board[to]) === "k") damage("a king is taken"); // scid §4.5.16
  if (kindOf(board[from]) === "k" && board[to] === pieceOf("r", side)) damage("a king takes its own rook"); // scid §4.5.17
}

/** Castles. // scid §4.5.22-24 */
function castle({ position, pieces, rooks }, from, side) {
  const colour = position.side;
  const corner = squareAt(side === A_SIDE ? 0 : 7, colour === WHITE ? 0 : 7);
  const to = rooks[colour][side] >= 0 ? rooks[colour][side] : corner;
  const right = position.board[to] === pieceOf("r", colour) && rank(to) === rank(from) && to > from === (side === H_SIDE);
  if (!right) damage("there is no rook to castle with"); // scid §4.5.23
  const targets = castlingTargets({ from, to });
  const free = (square) => position.board[square] === "" || square === from || square === to;
  if (!free(targets.king) || !free(targets.rook)) damage("there is no room to castle"); // scid §4.5.24
  const move = { from, to, promotion: "" };
  const lists = pieces.map((squares) => squares.slice());
  const [king, rook] = [from, to].map((square) => lists[colour].indexOf(square)); // scid §4.6.5
  lists[colour][king] = targets.king;
  lists[colour][rook] = targets.rook;
  return { move, after: { position: play(position, move), pieces: lists } };
}

// The stream (§4.4)

/**
 * Builds the line. A node is a place that a comment may belong to: { texts }, which stands in the line where its
 * comment will. // scid §4.4.16
 */
class Line {
  constructor() {
    this.items = [];
    this.nodes = [];
    this.markers = [];
    /** The number of the node that a marker would belong to now. */
    this.current = 0;
    /** For each open variation: the number of the node of the move that it replaces. */
    this.replaced = [];
    this.addNode();
  }

  addNode() {
    const node = { texts: [] };
    this.current = this.nodes.push(node) - 1;
    this.items.push(node);
  }

  addMove(move) {
    this.items.push(moveText(move));
    this.addNode();
  }

  /** Adds an item of the current node, before the text that the node may get without a marker. // scid §4.4.19 */
  add(item) {
    const last = this.items.length - 1;
    if (this.items[last] === this.nodes[this.current]) this.items.splice(last, 0, item);
    else this.items.push(item);
  }

  addNag(number) {
    this.add("$" + number);
  }

  addMarker() {
    const marker = { texts: [], number: this.current };
    this.markers.push(marker);
    this.add(marker);
  }

  begin() {
    this.replaced.push(this.current);
    this.items.push("(");
    this.addNode();
  }

  end() {
    this.addNode();
    this.items.push(")");
    this.current = this.replaced.pop(); // a marker behind a variation belongs to the move before it
  }

  /** The line of the model: nodes become the comments that they have got. */
  finished() {
    return this.items.flatMap((item) => (typeof item === "string" ? [item] : item.texts.map((comment) => ({ comment }))));
  }
}

/** Reads the stream and the comments. */
function readMoves(reader, game, start) {
  const line = new Line();
  const rooks = start.position.rights.map((pair) => pair.slice()); // scid §4.5.22: those of the FEN
  const texts = readTexts(reader);
  let open = { depth: 0 };
  let error;
  try {
    readStream(reader, line, start, rooks, open);
  } catch (caught) {
    if (!(caught instanceof Damage)) throw caught;
    error = caught;
  }
  for (; open.depth > 0; open.depth--) line.end(); // scid §4.4.10
  const enough = placeTexts(line, texts, error === undefined);
  game.line = line.finished();
  if (error) throw error;
  if (!enough) damage("there are too few comments"); // scid §4.4.12
}

function readStream(reader, line, start, rooks, open) {
  const levels = [];
  let state = { ...start, rooks };
  let before; // the state before the last move of this level
  for (;;) {
    const byte = takeByte(reader, "its moves");
    if (byte === NAG) {
      line.addNag(takeByte(reader, "a NAG"));
    } else if (byte === COMMENT) {
      line.addMarker();
    } else if (byte === BEGIN) {
      if (!before) damage("a variation before the first move"); // scid §4.4.9
      levels.push({ state, before });
      [state, before] = [before, undefined]; // scid §4.4.7
      line.begin();
      open.depth++;
    } else if (byte === END) {
      if (levels.length === 0) damage("the end of a variation that did not begin"); // scid §4.4.9
      ({ state, before } = levels.pop());
      line.end();
      open.depth--;
    } else if (byte === GAME_END) {
      if (levels.length > 0) damage("the game ends within a variation"); // scid §4.4.9
      return;
    } else {
      const { move, after } = readMove(state, byte, reader);
      before = state;
      state = { ...after, rooks };
      line.addMove(move);
    }
  }
}

// Comments (§4.4)

/** The texts behind the first end marker that is not the NAG of an 11. // scid §4.4.6 */
function readTexts({ bytes, at, text }) {
  while (at < bytes.length && bytes[at] !== GAME_END) at += bytes[at] === NAG ? 2 : 1;
  const texts = [];
  let start = at + 1;
  for (let end = bytes.indexOf(0, start); end >= 0; end = bytes.indexOf(0, start)) { // scid §4.4.20: no zero, no text
    texts.push(text(bytes.subarray(start, end)).replaceAll(/\r+\n/g, "\n")); // scid §4.4.18
    start = end + 1;
  }
  return texts;
}

/** Gives each marker, then each node behind the last one, its text. Returns whether all markers got one. */
function placeTexts(line, texts, whole) {
  const { markers, nodes } = line;
  markers.forEach((marker, index) => index < texts.length && marker.texts.push(texts[index])); // scid §4.4.6
  const rest = texts.slice(markers.length);
  if (!whole) return true;
  const first = markers.length === 0 ? 0 : markers.at(-1).number + 1; // scid §4.4.16
  rest.forEach((comment, index) => {
    if (comment !== "") (nodes[first + index] ?? surplusNode(line)).texts.push(comment);
  });
  return markers.length <= texts.length;
}

/** The end of the game, where texts go that find no node. // scid §4.4.19 */
function surplusNode(line) {
  if (!line.surplus) line.items.push((line.surplus = { texts: [] }));
  return line.surplus;
}
