// Serves dist/, and the project's fixtures under /fixtures/.

import { createServer } from "node:http";
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
export const web = dirname(here);
export const root = dirname(dirname(web));

const TYPES = {
  ".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".wasm": "application/wasm",
  ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json",
};

/** The policy that docs/web.md asks of a page that embeds the element. */
const asked = /must allow (`[^.]+`)\./.exec(readFileSync(join(root, "docs", "web.md"), "utf8"))?.[1] ?? "";
const POLICY = ["default-src 'self'", ...[...asked.matchAll(/`([^`]+)`/g)].map(([, directive]) => directive)].join("; ");

/** A page of another site that embeds the element. */
const EMBEDDED = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Embedded</title><link rel="icon" href="icon.svg">
<script type="module" src="viewer.js"></script><h1>A tournament</h1>
<scoresheet-viewer src="fixtures/scid/variations/base.si4" style="height: 500px"></scoresheet-viewer></html>`;

/** A text that is sent by ranges only. */
export const RANGED = 40_000;
const TEXT = Buffer.from(
  Array.from({ length: RANGED }, (_, n) => `[White "W${n}"]\n[Black "${"B".repeat(200)}"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n\n`).join(""),
);

/** Answers a request for `TEXT`. */
function sendRange(request, answer) {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "")?.map(Number) ?? [];
  const size = { "accept-ranges": "bytes", "content-type": "application/octet-stream" };
  if (request.method === "HEAD") answer.writeHead(200, { ...size, "content-length": TEXT.length }).end();
  else if (first === undefined) answer.writeHead(416).end();
  else answer.writeHead(206, size).end(TEXT.subarray(first, last + 1));
}

/** Starts the server on a free port. */
export async function serve() {
  let [refused, refusals] = ["", 0];
  const server = createServer((request, answer) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://host").pathname));
    if (path === "/embedded.html") {
      answer.writeHead(200, { "content-type": "text/html", "content-security-policy": POLICY }).end(EMBEDDED);
      return;
    }
    if (path === "/ranges.pgn") {
      sendRange(request, answer);
      return;
    }
    const folder = path.startsWith("/fixtures/") ? root : join(web, "dist");
    let file = join(folder, path);
    if (existsSync(file) && statSync(file).isDirectory()) file = join(file, "index.html");
    if (path === refused) refusals++;
    if (!existsSync(file) || path === refused) {
      answer.writeHead(404).end();
      return;
    }
    answer.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(answer);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  /** Answers a path as if it did not exist. Returns how often the path before was asked for. */
  const refuse = (path) => {
    const count = refusals;
    [refused, refusals] = [path, 0];
    return count;
  };
  return { address: `http://127.0.0.1:${server.address().port}`, close, refuse };
}
