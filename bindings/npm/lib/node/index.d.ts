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

/** Opens a database by the path of one of its files; the others are found beside it. */
export declare function open(path: string | URL, options?: ReadOptions): Promise<Base>;

/** Converts a database to another format. */
export declare function convert(
  from: string | URL,
  to: string | URL,
  options?: WriteOptions & { read?: ReadOptions },
): Promise<Written>;

/** The version of the package. */
export declare const version: string;
