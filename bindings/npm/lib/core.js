// Answers the calls of client.js with the module: in the process of Node, or in a browser's worker.
// A task over all games runs in steps, and other work of the thread goes on between the steps.

/** The intended duration of a step in milliseconds. */
const STEP = 20;
/** The least and the most games of a step that writes or checks. Each step has a cost of its own, also where the processor is busy. */
const LEAST = 128;
const MOST = 4096;

/**
 * @typedef {typeof import("./browser/scoresheet.js")} Module
 * @typedef {object} Host the files of the environment, by number
 * @property {(list: number[]) => void} owner files added or created from now on belong to `list`
 * @property {(file: any) => number} add
 * @property {(number: number) => any} file
 * @property {(number: number) => void} remove
 * @property {<T>(folder: string, call: () => T) => T} [inFolder] creates the files of a call in a folder
 *
 * @typedef {object} Open an open database
 * @property {import("./browser/scoresheet.js").Session} session
 * @property {number[]} files the numbers of its files
 * @property {object | null} broken the error that ended a text
 * @property {Promise<unknown>} last the last check or conversion: the session has one of each at a time
 *
 * @typedef {(value: unknown) => void} Tell
 */

/**
 * Serves a module.
 * @param {Module} module
 * @param {Host} host
 * @param {() => Promise<void>} turn lets other work of the thread go on
 * @returns {Record<string, (tell: Tell, ...args: any[]) => any>}
 */
export function serve(module, host, turn) {
  /** @type {Map<number, Open>} */
  const bases = new Map();
  /** @type {Map<number, {base: Open, walk: import("./browser/scoresheet.js").Walk, count: number}>} */
  const walks = new Map();
  let next = 1;

  /** @param {number} id */
  function get(id) {
    const base = bases.get(id);
    if (!base) throw new Error("the database is closed");
    host.owner(base.files);
    return base;
  }

  /**
   * Runs steps until the last one. The size of a step adapts to the intended duration.
   * @template T
   * @param {(count: number) => T | undefined} step returns a value when it was the last one
   * @returns {Promise<T>}
   */
  async function steps(step) {
    let count = LEAST;
    for (;;) {
      const begun = performance.now();
      const value = step(Math.ceil(count));
      if (value !== undefined) return value;
      const taken = Math.max(performance.now() - begun, 0.1);
      count = Math.min(Math.max((count * STEP) / taken, LEAST), count * 2, MOST);
      await turn();
    }
  }

  /**
   * Runs a task after the one before it.
   * @template T
   * @param {number} id
   * @param {(base: Open) => Promise<T>} task
   * @returns {Promise<T>}
   */
  function inTurn(id, task) {
    const base = get(id);
    const own = base.last.then(() => task(get(id)));
    base.last = own.catch(() => {});
    return own;
  }

  /** @param {Open} base */
  function free(base) {
    base.session.free();
    for (const number of base.files) host.remove(number);
  }

  return {
    /**
     * Opens the database to which the file `wanted` belongs, or the first one.
     * @param {Tell} tell
     * @param {{name: string, file: unknown}[]} files
     * @param {string | undefined} wanted
     * @param {{first?: number}} settings
     */
    async open(tell, files, wanted, { first = Infinity, ...settings }) {
      /** @type {Open} */
      const base = { session: new module.Session(), files: [], broken: null, last: Promise.resolve() };
      try {
        host.owner(base.files);
        for (const { name, file } of files) base.session.add(name, host.add(file));
        const found = JSON.parse(base.session.bases());
        const inside = (/** @type {string} */ name) => name === wanted || name.startsWith(`${wanted}/`);
        const chosen = found.bases.find((/** @type {{files: string[]}} */ one) => !wanted || one.files.some(inside));
        // A file of a database is opened by its own name, and what is no database is refused by the module.
        const name = chosen?.files.includes(wanted) ? wanted : (chosen?.name ?? wanted ?? files[0]?.name);
        if (name === undefined) throw new Error("no file was given");
        let about = JSON.parse(base.session.open_as(name, JSON.stringify({ ...settings, partly: first < Infinity })));
        try {
          await steps((count) => {
            host.owner(base.files);
            for (let n = 0; n < count; n++) {
              if (!base.session.grow()) return true;
              if (first < Infinity && JSON.parse(base.session.about()).games >= first) return true;
            }
            tell(JSON.parse(base.session.about()));
          });
        } catch (error) {
          about = JSON.parse(base.session.about());
          if (!about.games) throw error;
          base.broken = plain(error);
        }
        about = { ...JSON.parse(base.session.about()), broken: base.broken };
        const id = next++;
        bases.set(id, base);
        return { id, about };
      } catch (error) {
        free(base);
        throw error;
      }
    },

    /** @param {Tell} _ @param {number} id */
    close(_, id) {
      const base = bases.get(id);
      if (!base) return;
      bases.delete(id);
      for (const [number, { base: owner, walk }] of walks) {
        if (owner !== base) continue;
        walk.free();
        walks.delete(number);
      }
      free(base);
    },

    /** Starts a pass over games. @param {Tell} _ @param {number} id @param {[string, string][]} filter */
    walk(_, id, filter) {
      const walk = { base: get(id), walk: new module.Walk(JSON.stringify(filter)), count: 4 };
      walks.set(next, walk);
      return next++;
    },

    /**
     * Returns the next games of a pass: at least one, except at the end.
     * @param {Tell} _ @param {number} number @param {string} what
     */
    step(_, number, what) {
      return steps(() => {
        const walk = walks.get(number);
        if (!walk) throw new Error("the database is closed");
        host.owner(walk.base.files);
        const begun = performance.now();
        const step = JSON.parse(walk.walk.step(walk.base.session, walk.count, what));
        // Large games take long, and a batch of them much memory.
        const isLong = performance.now() - begun > STEP;
        walk.count = isLong ? Math.max(walk.count >> 1, 1) : Math.min(walk.count * 2, 512);
        if (step.done || step.games.length) return step;
      });
    },

    /** Ends a pass. @param {Tell} _ @param {number} number */
    end(_, number) {
      walks.get(number)?.walk.free();
      walks.delete(number);
    },

    /** @param {Tell} _ @param {number} id @param {number} number @param {string} what */
    one: (_, id, number, what) => JSON.parse(get(id).session.one(number, what)),

    /** @param {Tell} _ @param {number} id @param {[string, string][]} filter */
    async count(_, id, filter) {
      const walk = new module.Walk(JSON.stringify(filter));
      try {
        let found = 0;
        return await steps((count) => {
          const step = JSON.parse(walk.count(get(id).session, count * 4));
          found += step.found;
          return step.done ? found : undefined;
        });
      } finally {
        walk.free();
      }
    },

    /** Fails if a filter is invalid. @param {Tell} _ @param {[string, string][]} filter */
    filter(_, filter) {
      new module.Walk(JSON.stringify(filter)).free();
    },

    /** Each call of `tell` gets the findings since the last one. @param {Tell} tell @param {number} id */
    check(tell, id) {
      return inTurn(id, (base) => {
        base.session.check();
        return steps((count) => {
          const value = JSON.parse(get(id).session.check_more(count));
          tell(value);
          return value.done ? { ...value, findings: [] } : undefined;
        });
      });
    },

    /**
     * Writes the games that a filter selects. `files` of the result are files of the host.
     * @param {Tell} tell @param {number} id @param {object} request @param {[string, string][]} filter
     * @param {string} [folder] for the new files, where the host has folders
     */
    convert(tell, id, request, filter, folder) {
      return inTurn(id, async (base) => {
        // Other tasks add files in the meantime, so the files of this one have a list of their own.
        /** @type {number[]} */
        const own = [];
        const create = () => {
          host.owner(own);
          base.session.convert(JSON.stringify(request), JSON.stringify(filter));
        };
        try {
          if (host.inFolder && folder !== undefined) host.inFolder(folder, create);
          else create();
          return await steps((count) => {
            const { session } = get(id);
            host.owner(own);
            const value = JSON.parse(session.export_more(count));
            tell(value);
            if (!value.files.length) return undefined;
            const files = value.files.map((/** @type {{file: number}} */ one) => ({ ...one, file: host.file(one.file) }));
            return { ...value, files };
          });
        } finally {
          if (bases.has(id)) base.session.give_up();
          for (const number of own) host.remove(number);
        }
      });
    },

    formats: () => JSON.parse(module.list_formats()),
    /** @param {Tell} _ @param {string} path @param {string | undefined} format */
    outputFormat: (_, path, format) => JSON.parse(module.output_format(path, format)),
    version: () => module.version(),
  };
}

/**
 * Returns the parts of an error that a message to another thread can carry.
 * @param {any} error
 */
export function plain(error) {
  if (!(error instanceof Error)) return { message: String(error), place: null };
  return { message: error.message, place: /** @type {any} */ (error).place ?? null };
}
