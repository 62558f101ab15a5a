/** The type of what Node and browsers share. */

/** A place in the files of a database. Games, plies, lines and columns count from 1, bytes from 0. */
export interface Place {
  /** Extension of the file. */
  file?: string;
  offset?: number;
  game?: number;
  ply?: number;
  line?: number;
  column?: number;
}

/** Why a game or a text could not be read to its end. */
export interface Damage {
  /** One line: file, place and reason. */
  message: string;
  place: Place | null;
}

/** A failure. The message says what happened, and where. */
export declare class ScoresheetError extends Error {
  constructor(message: string, place?: Place | null);
  readonly place: Place | null;
  /** `ERR_EXISTS`: the target exists. `ERR_TARGET`: the target has no format that is written, or is an input. */
  readonly code?: "ERR_EXISTS" | "ERR_TARGET";
}

type Value = string | number | readonly (string | number)[];

/**
 * Chooses games. Each value has the syntax of the program's option of that name; several values of an
 * option mean "or", and different options must all hold.
 */
export interface Filter {
  /** Numbers from 1: `"1-100,205"`. */
  games?: Value;
  /** Either player: `"Adams, M"`. */
  player?: Value;
  /** The opponent of `player`. */
  against?: Value;
  white?: Value;
  black?: Value;
  event?: Value;
  site?: Value;
  /** Match whole names and texts exactly. */
  exact?: boolean;
  /** The text of a spelling file of Scid: all spellings of a name in it are one name. */
  spelling?: string;
  /** `"1990"`, `"1990-05..1995"`, `"..2000"` */
  date?: Value;
  /** `"B90..B99"` */
  eco?: Value;
  /** The opening by the moves: `"najdorf"`. */
  opening?: Value;
  /** Both ratings: `"2500.."`. */
  elo?: Value;
  eloDiff?: Value;
  /** `"blitz"`, `"rapid"`, ... */
  timeClass?: Value;
  baseSeconds?: Value;
  increment?: Value;
  /** `"1-0"`, `"draw"`, ... */
  result?: Value;
  /** How the game ended for `player`: `"won"`, `"drew"`, `"lost"`. */
  outcome?: Value;
  /** Number of moves: `"20..40"`. */
  length?: Value;
  /** A tag: `"TimeControl=^180"`. */
  where?: Value;
  tagMissing?: Value;
  /** First moves: `"1. e4 c5"`. */
  moves?: Value;
  /** A FEN, or its first fields. */
  position?: Value;
  /** Search variations for the position too. */
  variations?: boolean;
  /** `"KRP-KR"` */
  material?: Value;
  pattern?: Value;
  /** Find position, pattern and material mirrored too: `"colors"`, `"files"`, or `true` for both. */
  mirrored?: Value | boolean;
  /** How the game ends on the board: `"mate"`. */
  ends?: Value;
  /** A motif: `"underpromotion"`. */
  has?: Value;
  /** A query in CQL: `"mate"`, `"line --> check --> mate"`. */
  cql?: Value;
  /** A repertoire as PGN, which the game follows, or leaves. */
  inRepertoire?: Value;
  leavesRepertoire?: Value;
  /** A regular expression. */
  comment?: Value;
  deleted?: boolean;
  annotated?: boolean;
}

/** The tags of a game. */
export declare class Header {
  /** From 1. */
  readonly number: number;
  /** All tags, in the order of the database. */
  readonly tags: [name: string, value: string][];
  /** Whether the database marks the game as deleted. */
  readonly deleted: boolean;
  /** Why the game could not be read to its end. */
  readonly damage: Damage | null;
  /** Deviations that were tolerated. */
  readonly warnings: string[];
  /** Returns the value of a tag. */
  tag(name: string): string | undefined;
}

/** A token of a game: a move in UCI notation, `"("`, `")"`, a glyph such as `"$1"`, or a comment. */
export type Token = string | { comment: string };

/** A game. A damaged game holds what comes before the damage. */
export declare class Game extends Header {
  /** The start position; `null` is the usual one. */
  readonly fen: string | null;
  /** The moves with glyphs, comments and variations, in PGN order. */
  readonly line: Token[];
  /** The game as PGN, if it was asked for. */
  readonly pgn?: string;
  /** The moves of the main line in UCI notation. */
  readonly moves: string[];
  /** The canonical JSON: one line of the format `jsonl`. */
  toJSON(): { tags: [string, string][]; fen: string | null; line: Token[] };
}

export interface ReadOptions {
  /** Encoding of the texts: `"windows-1252"`, `"cp437"`, ... */
  encoding?: string;
  /** Password of an encrypted archive. */
  password?: string;
  /** The most bytes that a packed database may unpack to. */
  maxUnpacked?: number;
  /**
   * Stops looking through a text when this number of games is found. The database then has these games, and perhaps
   * some more: see {@link Base.isWhole}. A packed text is unpacked as far as needed.
   */
  first?: number;
  /** Options of the format, see {@link FormatInfo.readOptions}. */
  formatOptions?: Record<string, string>;
  /** Called while the games of a text are found, with bytes. */
  onProgress?: (done: number, total: number) => void;
}

export interface GameOptions {
  /** Adds {@link Game.pgn}. */
  pgn?: boolean;
}

export interface ConvertOptions {
  /** The games to write; all games without a filter. */
  filter?: Filter;
  /** Name of the format, if the extension does not tell it. */
  format?: string;
  /** Encoding of the texts written, where the format has a choice. */
  encoding?: string;
  /** Options of the format, see {@link FormatInfo.writeOptions}. */
  formatOptions?: Record<string, string>;
  /** Called after each step, with games. */
  onProgress?: (done: number, total: number) => void;
  /** Called for damaged and refused games, with one line. */
  onMessage?: (message: string) => void;
}

/** The counts of a conversion. */
export interface Summary {
  /** Games of the database. */
  read: number;
  written: number;
  /** Games that were written up to their damage. */
  damaged: number;
  /** Games that the format refused. */
  refused: number;
  /** Games written with losses. */
  lossy: number;
  /** Number of losses by kind. */
  losses: Record<string, number>;
}

export interface Finding {
  /** Number of the game; `null` for the database. */
  number: number | null;
  kind: "damage" | "deviation" | "stale";
  text: string;
}

export interface Checked {
  games: number;
  damaged: number;
  deviating: number;
  findings: Finding[];
}

export interface FormatOption {
  name: string;
  /** The accepted values, the default first; empty if any text is accepted. */
  values: string[];
  help: string;
}

export interface FormatInfo {
  name: string;
  title: string;
  /** The first one names a database. */
  extensions: string[];
  read: boolean;
  written: boolean;
  readOptions: FormatOption[];
  writeOptions: FormatOption[];
}

/** An open database. Close it when it is no longer needed. */
export declare abstract class OpenBase implements AsyncIterable<Game> {
  /** The file that names the database. */
  readonly name: string;
  /** Short name of the format: `"si4"`. */
  readonly format: string;
  /** Full name of the format: `"Scid 4"`. */
  readonly title: string;
  /** Number of games. */
  readonly length: number;
  /** Whether all games are known: always, without {@link ReadOptions.first}. */
  readonly isWhole: boolean;
  /** Deviations of the database as a whole. */
  readonly warnings: string[];
  /** What the database says about itself. */
  readonly facts: [name: string, value: string][];
  /** Why a text or a packed file could not be read to its end. */
  readonly damage: Damage | null;
  /** Reads games in order, one batch at a time. */
  games(filter?: Filter, options?: GameOptions): AsyncGenerator<Game, void, undefined>;
  /** Reads the tags of games, without their moves. */
  headers(filter?: Filter): AsyncGenerator<Header, void, undefined>;
  [Symbol.asyncIterator](): AsyncGenerator<Game, void, undefined>;
  /** Reads one game; numbers count from 1. */
  game(number: number, options?: GameOptions): Promise<Game>;
  count(filter?: Filter): Promise<number>;
  /** Reads everything and reports damage. */
  check(options?: { onProgress?: (done: number, total: number) => void }): Promise<Checked>;
  close(): Promise<void>;
}

/** The formats of this package. */
export declare function formats(): Promise<FormatInfo[]>;
/** Fails if a filter is invalid. */
export declare function validate(filter: Filter): Promise<void>;
