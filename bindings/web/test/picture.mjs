// Makes docs/images/page.png: the page with a database from the fixtures. Run `cargo xtask web` first.
//
//     node bindings/web/test/picture.mjs

import { join } from "node:path";
import { choose, launch, openPage, press } from "./page.mjs";
import { root, serve } from "./server.mjs";

const { address, close } = await serve();
const browser = await launch();
const page = await openPage(browser, address, { width: 1280, height: 640 });
const base = join(root, "fixtures/scid/plain/base");
await choose(page, [`${base}.si4`, `${base}.sg4`, `${base}.sn4`]);
await page.evaluate(() => document.querySelector("scoresheet-viewer").show(1));
await press(page, "[data-go=last]");
await new Promise((done) => setTimeout(done, 500));
await page.screenshot({ path: join(root, "docs/images/page.png") });
await browser.close();
await close();
