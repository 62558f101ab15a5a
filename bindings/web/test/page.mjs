// Controls a browser with the page.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import puppeteer from "puppeteer-core";

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Returns the path of the browser: from the environment, or an installed one. */
export function program() {
  return process.env.CHROMIUM ?? BROWSERS.find((path) => existsSync(path));
}

export async function launch() {
  const executablePath = program();
  if (!executablePath) throw new Error("no Chromium: install it, or name it in CHROMIUM");
  // In a container, the browser's own sandbox is not available.
  return puppeteer.launch({ executablePath, headless: true, args: ["--no-sandbox"], protocolTimeout: 300_000 });
}

/**
 * Opens a page that reports its errors.
 * @param {import("puppeteer-core").Browser} browser
 * @param {string} address
 * @param {{width?: number, height?: number, theme?: string, touch?: boolean}} [how]
 */
export async function openPage(browser, address, { width = 1280, height = 800, theme = "light", touch = false } = {}) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width, height, hasTouch: touch, isMobile: touch });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(`${error.stack ?? error}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.location().url?.includes("/fixtures/")) page.faults.push(message.text());
  });
  await page.goto(address);
  await page.waitForFunction(() => customElements.get("scoresheet-viewer"));
  return page;
}

/** Runs `act`, and waits for an event of the viewer. Returns the event's detail. */
export async function during(page, event, act) {
  const id = `waiting${Math.random()}`;
  await page.evaluate(
    (id, event) => {
      window[id] = new Promise((resolve) => document.addEventListener(event, (e) => resolve(e.detail), { once: true }));
    },
    id,
    event,
  );
  await act();
  return page.evaluate(
    (id) => Promise.race([window[id], new Promise((_, reject) => setTimeout(() => reject(new Error("nothing came")), 120_000))]),
    id,
  );
}

/** Chooses files in the file dialogue. */
export async function choose(page, files) {
  const input = await page.waitForSelector("scoresheet-viewer >>> #files");
  return during(page, "scoresheet-open", () => input.uploadFile(...files));
}

/**
 * Drops files or folders from the desktop. Chromium loses a drop that arrives before it has the page's answer
 * to the movement over it, so that the gesture is repeated until the page has seen the drop.
 */
export async function drop(page, files) {
  const session = await page.createCDPSession();
  const data = { items: [], files, dragOperationsMask: 1 };
  const at = { x: 400, y: 400, data };
  const opened = await during(page, "scoresheet-open", async () => {
    await page.evaluate(() => {
      window.dropped = new Promise((resolve) => document.addEventListener("drop", () => resolve(true), { once: true, capture: true }));
    });
    for (let seen = false, tries = 0; !seen; tries++) {
      assert.ok(tries < 10, "the browser loses every drop");
      for (const type of ["dragEnter", "dragOver", "drop"]) await session.send("Input.dispatchDragEvent", { type, ...at });
      seen = await page.evaluate(() => Promise.race([window.dropped, new Promise((resolve) => setTimeout(resolve, 2_000, false))]));
    }
  });
  await session.detach();
  return opened;
}

/** Types into a filter, and waits for the result. */
export async function filter(page, name, text) {
  const field = await page.waitForSelector(`scoresheet-viewer >>> [name=${name}]`);
  return during(page, "scoresheet-search", async () => {
    await field.evaluate((element) => (element.value = ""));
    await field.focus();
    // All at once: a search for the first letters would answer first.
    if (text) await page.keyboard.sendCharacter(text);
    if (!text) await page.evaluate(() => document.querySelector("scoresheet-viewer").search());
  });
}

/** Returns the text of an element in the viewer. */
export function textOf(page, selector) {
  return page.$eval(`scoresheet-viewer >>> ${selector}`, (element) => element.textContent);
}

/** Presses a button of the viewer. It is found and pressed in one task, so that the page cannot replace it meanwhile. */
export async function press(page, selector) {
  await page.evaluate((selector) => document.querySelector("scoresheet-viewer").shadowRoot.querySelector(selector).click(), selector);
}

/** Waits until a condition on the page holds. By default a condition is asked at each frame, and a page that draws nothing has none. */
export function until(page, condition, ...values) {
  return page.waitForFunction(condition, { timeout: 60_000, polling: 100 }, ...values);
}
