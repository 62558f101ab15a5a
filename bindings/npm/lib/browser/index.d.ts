import { ConvertOptions, OpenBase, ReadOptions, Summary } from "../types.js";

export * from "../types.js";

/** A file with a name of its own. */
export interface NamedFile {
  name: string;
  file: Blob;
}

/** One file, or all files of a database. */
export type Files = File | Iterable<File | NamedFile>;

export interface Written extends Summary {
  /** The new files; the first one names the database. */
  files: NamedFile[];
}

/** A database in files of the browser. */
export declare class Base extends OpenBase {
  /** Writes games to new files. The extension of `name` tells the format. */
  convert(name: string, options?: ConvertOptions): Promise<Written>;
}

/** Opens a database. `name` chooses one of several. */
export declare function open(files: Files, options?: ReadOptions & { name?: string }): Promise<Base>;

/** Converts a database to another format. */
export declare function convert(
  from: Files,
  to: string,
  options?: ConvertOptions & { read?: ReadOptions & { name?: string } },
): Promise<Written>;

/** Ends the worker. Open databases are closed. */
export declare function terminate(): void;
