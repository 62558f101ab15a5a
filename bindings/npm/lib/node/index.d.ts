import { ConvertOptions, OpenBase, ReadOptions, Summary } from "../types.js";

export * from "../types.js";

export interface WriteOptions extends ConvertOptions {
  /** Replace an existing file. A database of several files is never replaced. */
  overwrite?: boolean;
}

export interface Written extends Summary {
  /** The paths of the new files; the first one names the database. */
  files: string[];
}

/** A database on disk. */
export declare class Base extends OpenBase {
  /** Writes games to a new database. The extension of `target` tells the format. */
  convert(target: string | URL, options?: WriteOptions): Promise<Written>;
}

/** The contents of a file. A stream is copied into a temporary file. */
export type Contents = Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>;

/** A file with a name of its own. */
export interface NamedFile {
  name: string;
  file: Contents;
}

/** The path of a file of a database, its contents, or all files of a database by name. */
export type Files = string | URL | Contents | NamedFile[];

/**
 * Opens a database. The other files of a path are found beside it. `name` is the name of contents that have none
 * (`"games.pgn"`; without it the contents tell the format), or chooses one of several.
 */
export declare function open(files: Files, options?: ReadOptions & { name?: string }): Promise<Base>;

/** Converts a database to another format. */
export declare function convert(
  from: Files,
  to: string | URL,
  options?: WriteOptions & { read?: ReadOptions & { name?: string } },
): Promise<Written>;

/** The version of the package. */
export declare const version: string;
