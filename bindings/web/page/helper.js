// Further workers for a large text that the reader has open. They find the games of some of its sections, while
// the reader's worker finds those of others.

/** The most helpers. The module of each takes some 22 MiB. */
const MOST = 3;

/** The sections that a helper has at most, so that it need not wait for the next. */
const MOST_SECTIONS = 2;

/** The name of the worker of a helper. */
export const HELPER = "helper";

/**
 * @typedef {object} Task
 * @property {WebAssembly.Module} module
 * @property {import("./dropped.js").Named} text
 * @property {string[]} how further arguments of `open`
 * @property {(found: Uint8Array | undefined) => void} take gets the games of each section; `undefined` if they were not found
 */

class Helper {
  #worker;
  #sections = 0;
  #isLost = false;
  /** @type {(() => void)[]} */
  #waiting = [];

  /** @param {Task} task */
  constructor({ module, text, how, take }) {
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: HELPER });
    this.#worker.onmessage = ({ data: { id, value, error } }) => {
      if (error !== undefined) return this.#lose(take);
      if (id !== "find") return;
      this.#sections -= 1;
      take(value);
      this.#wake();
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#lose(take);
    };
    this.#call("module", module);
    this.#call("bases", [text]);
    this.#call("open", text.name, ...how);
  }

  /** @param {string} call @param {any[]} args */
  #call(call, ...args) {
    this.#worker.postMessage({ id: call, call, args });
  }

  #wake() {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** @param {Task["take"]} take */
  #lose(take) {
    if (this.isBusy) take(undefined);
    this.close();
  }

  get isFree() {
    return !this.#isLost && this.#sections < MOST_SECTIONS;
  }

  get isBusy() {
    return !this.#isLost && this.#sections > 0;
  }

  /** @param {BigUint64Array} section */
  find(section) {
    this.#sections += 1;
    this.#call("find", section);
  }

  /** Waits for its next answer, or for its end. @returns {Promise<void>} */
  answer() {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  close() {
    this.#isLost = true;
    this.#worker.onmessage = null;
    this.#worker.terminate();
    this.#wake();
  }
}

/** The helpers of a text: one for each processor but that of the reader's worker. */
export class Team {
  /** @type {Helper[]} */
  #helpers = [];

  get size() {
    return this.#helpers.length;
  }

  /** @param {Task} task */
  start(task) {
    const count = Math.min((navigator.hardwareConcurrency || 1) - 1, MOST);
    this.#helpers = Array.from({ length: count }, () => new Helper(task));
  }

  /**
   * Gives a section to each helper that can take another.
   * @param {() => BigUint64Array | undefined} split returns the next section
   */
  give(split) {
    for (const helper of this.#helpers) {
      while (helper.isFree) {
        const section = split();
        if (!section) return;
        helper.find(section);
      }
    }
  }

  get isBusy() {
    return this.#helpers.some(({ isBusy }) => isBusy);
  }

  /** Waits for an answer of a helper that is busy. @returns {Promise<void>} */
  answer() {
    return Promise.race(this.#helpers.filter(({ isBusy }) => isBusy).map((helper) => helper.answer()));
  }

  /** Ends the helpers. What they were asked for is of no use any more. */
  close() {
    for (const helper of this.#helpers.splice(0)) helper.close();
  }
}
