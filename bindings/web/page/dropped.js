// Files from wherever a page gets them, under names with their folders.

/** @typedef {import("./host.js").Remote} Remote */
/**
 * @typedef {object} Named
 * @property {string} name
 * @property {File | Blob | Remote} file
 * @property {string} [server] where the program that serves the file answers questions about its base
 */

/** A larger file is read by ranges, if its server sends them. */
const LEAST_REMOTE = 8 << 20;

/**
 * Takes the files of an opening book out of files. A book of old ChessBase, `.fbk`, is one only beside a base; by itself
 * it is a base.
 * @param {Named[]} files
 * @param {boolean} hasBase whether a base is open
 * @returns {{files: Named[], books: Named[][]}}
 */
export function withoutBooks(files, hasBase) {
  const isBook = (/** @type {Named} */ { name }) => /\.(bin|abk|obk|ctg|cto|ctb)$/i.test(name);
  const isOld = (/** @type {Named} */ { name }) => /\.fbk$/i.test(name);
  const old = hasBase || files.some((file) => !isBook(file) && !isOld(file));
  /** @type {Map<string, Named[]>} */
  const books = new Map();
  const others = files.filter((file) => {
    if (!isBook(file) && !(old && isOld(file))) return true;
    const name = file.name.toLowerCase();
    const key = /\.ct[gob]$/.test(name) ? name.slice(0, -4) : name;
    books.set(key, [...(books.get(key) ?? []), file]);
    return false;
  });
  return { files: others, books: [...books.values()] };
}

/**
 * Returns the files and folders that were dropped.
 * @param {DataTransfer} transfer
 * @returns {Promise<Named[]>}
 */
export async function fromDrop(transfer) {
  // Entries must be requested before the first await.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry !== null);
  if (entries.length === 0) return fromList(transfer.files);
  /** @type {Named[]} */
  const named = [];
  /** @type {FileSystemEntry[]} */
  const waiting = [...entries];
  for (let entry = waiting.shift(); entry; entry = waiting.shift()) {
    if (entry.isFile) {
      const file = /** @type {FileSystemFileEntry} */ (entry);
      const name = entry.fullPath.replace(/^\//, "");
      named.push({ name, file: await new Promise((resolve, reject) => file.file(resolve, reject)) });
      continue;
    }
    const folder = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
    for (;;) {
      /** @type {FileSystemEntry[]} */
      const some = await new Promise((resolve, reject) => folder.readEntries(resolve, reject));
      if (some.length === 0) break;
      waiting.push(...some);
    }
  }
  return named;
}

/**
 * Returns the files that were chosen, as files or as a folder.
 * @param {Iterable<File>} files
 * @returns {Named[]}
 */
export function fromList(files) {
  return [...files].map((file) => ({ name: file.webkitRelativePath || file.name, file }));
}

/**
 * Returns a large file whose server sends ranges of it as it is.
 * @param {URL} url
 * @param {Response} head
 * @returns {Remote | null}
 */
function inRanges(url, { ok, headers }) {
  const size = Number(headers.get("content-length"));
  const isPlain = ok && headers.get("accept-ranges") === "bytes" && !headers.has("content-encoding");
  return isPlain && size >= LEAST_REMOTE ? { url: url.href, size } : null;
}

/**
 * Fetches files from a server, and the companion files of the same database.
 * @param {string} src addresses, separated by blanks
 * @param {string} base
 * @param {import("./reader.js").Format[]} formats
 * @returns {Promise<Named[]>}
 */
export async function fromServer(src, base, formats) {
  /** @type {Named[]} */
  const named = [];
  const get = async (/** @type {URL} */ url, /** @type {boolean} */ needed) => {
    const head = await fetch(url, { method: "HEAD" });
    const remote = inRanges(url, head);
    const name = decodeURIComponent(url.pathname.split("/").pop() || "base");
    const answers = head.headers.get("scoresheet-answers");
    const server = answers ? new URL(answers, url).href : undefined;
    if (remote) {
      named.push({ name, file: remote, server });
      return;
    }
    const answer = await fetch(url);
    if (!answer.ok) {
      if (needed) throw new Error(`${url.pathname}: ${answer.status} ${answer.statusText}`);
      return;
    }
    // Many servers answer with an HTML page for a missing file.
    if (!needed && answer.headers.get("content-type")?.startsWith("text/html")) return;
    named.push({ name, file: await answer.blob(), server });
  };
  for (const one of src.trim().split(/\s+/)) {
    const url = new URL(one, base);
    await get(url, true);
    const extension = url.pathname.split(".").pop() ?? "";
    const format = formats.find(({ extensions }) => extensions.includes(extension.toLowerCase()));
    const beside = format?.extensions.filter((other) => other !== extension.toLowerCase()) ?? [];
    const upper = extension !== extension.toLowerCase();
    await Promise.all(
      beside.map((other) => {
        const there = new URL(url);
        there.pathname = url.pathname.slice(0, -extension.length) + (upper ? other.toUpperCase() : other);
        return get(there, false).catch(() => {});
      }),
    );
  }
  return named;
}
