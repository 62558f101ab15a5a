// Files from wherever a page gets them, under names with their folders.

/** @typedef {import("./host.js").Remote} Remote */
/** @typedef {{name: string, file: File | Blob | Remote}} Named */

/** A larger file is read by ranges, if its server sends them. */
const LEAST_REMOTE = 8 << 20;

/** The file extensions of a database, by the extension of its main file. */
const COMPANIONS = new Map([
  ["si4", ["sg4", "sn4"]],
  ["si5", ["sg5", "sn5"]],
  ["si3", ["sg3", "sn3"]],
  ["cbf", ["cbi"]],
  ["cbh", ["cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbj", "cbe", "cbl", "cbtt", "cbm"]],
  ["2cbh", ["2cbg", "2cba", "2lid", "2lgd", "2lcd"]],
  ["dci", ["dcg", "dcn", "dcs", "dce"]],
  ["d00", ["a02", "d02", "cdp", "emb"]],
  ["cdp", ["d00", "a02", "d02", "emb"]],
]);

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
 * @returns {Promise<Remote | null>}
 */
async function inRanges(url) {
  const { ok, headers } = await fetch(url, { method: "HEAD" });
  const size = Number(headers.get("content-length"));
  const isPlain = ok && headers.get("accept-ranges") === "bytes" && !headers.has("content-encoding");
  return isPlain && size >= LEAST_REMOTE ? { url: url.href, size } : null;
}

/**
 * Fetches files from a server, and the companion files of the same database.
 * @param {string} src addresses, separated by blanks
 * @param {string} base
 * @returns {Promise<Named[]>}
 */
export async function fromServer(src, base) {
  /** @type {Named[]} */
  const named = [];
  const get = async (/** @type {URL} */ url, /** @type {boolean} */ needed) => {
    const remote = await inRanges(url);
    const name = decodeURIComponent(url.pathname.split("/").pop() || "base");
    if (remote) {
      named.push({ name, file: remote });
      return;
    }
    const answer = await fetch(url);
    if (!answer.ok) {
      if (needed) throw new Error(`${url.pathname}: ${answer.status} ${answer.statusText}`);
      return;
    }
    // Many servers answer with an HTML page for a missing file.
    if (!needed && answer.headers.get("content-type")?.startsWith("text/html")) return;
    named.push({ name, file: await answer.blob() });
  };
  for (const one of src.trim().split(/\s+/)) {
    const url = new URL(one, base);
    await get(url, true);
    const extension = url.pathname.split(".").pop() ?? "";
    const beside = COMPANIONS.get(extension.toLowerCase()) ?? [];
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
