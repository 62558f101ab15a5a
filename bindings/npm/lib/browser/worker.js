// The worker of the package in a browser. It answers the calls of index.js.

import { plain, serve } from "../core.js";
import * as host from "./host.js";
import init, * as module from "./scoresheet.js";

/** Yields to waiting calls. */
const channel = new MessageChannel();
/** @type {(() => void)[]} */
const turns = [];
channel.port1.onmessage = () => turns.shift()?.();
/** @returns {Promise<void>} */
function turn() {
  return new Promise((resolve) => {
    turns.push(resolve);
    channel.port2.postMessage(null);
  });
}

const wasm = new URL("./scoresheet_bg.wasm", import.meta.url);
const ready = init({ module_or_path: wasm }).then(() => serve(module, host, turn));

self.onmessage = async ({ data: { id, name, args } }) => {
  const tell = (/** @type {unknown} */ progress) => self.postMessage({ id, progress });
  try {
    const calls = await ready;
    self.postMessage({ id, value: await calls[name](tell, ...args) });
  } catch (error) {
    self.postMessage({ id, error: plain(error) });
  }
};
