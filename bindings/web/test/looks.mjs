// Checks the visual layout: nothing is truncated or covered, the moves are in view, and hovered buttons are readable.

import assert from "node:assert/strict";
import { press, textOf, until } from "./page.mjs";

/** Returns the bounding box of an element of the viewer. */
export const box = (page, selector) =>
  page.$eval(`scoresheet-viewer >>> ${selector}`, (element) => {
    const { top, bottom, left, right, width, height } = element.getBoundingClientRect();
    return { top, bottom, left, right, width, height };
  });

/** Returns the contrast between the text and the background of an element, as defined by WCAG. */
function contrastOf(element) {
  const colour = (text) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const under = (one) => {
    const [r, g, b, a] = colour(getComputedStyle(one).backgroundColor);
    const outer = one.parentElement ?? one.getRootNode().host;
    if (a === 255 || !outer) return [r, g, b];
    // The canvas rounds the colours, which is accurate enough.
    return under(outer).map((below, place) => below * (1 - a / 255) + [r, g, b][place] * (a / 255));
  };
  const light = (rgb) =>
    rgb.map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, place) => sum + part * [0.2126, 0.7152, 0.0722][place], 0);
  const [one, other] = [light(colour(getComputedStyle(element).color).slice(0, 3)), light(under(element))].sort((a, b) => a - b);
  return (other + 0.05) / (one + 0.05);
}

/** Fails if the text of a hovered button is unreadable. */
export async function assertHoverReads(page, what) {
  const buttons = await page.$$("scoresheet-viewer >>> button:not(:disabled)");
  let looked = 0;
  for (const button of buttons) {
    const shown = await button.evaluate((one) => one.checkVisibility() && one.textContent.trim() !== "" && !one.closest(".moves"));
    if (!shown) continue;
    await button.hover();
    await new Promise((resolve) => setTimeout(resolve, 120));
    const [contrast, text] = [await button.evaluate(contrastOf), await button.evaluate((one) => one.textContent)];
    assert.ok(contrast >= 4.5, `${what}: "${text}" under the mouse has a contrast of ${contrast.toFixed(2)}`);
    looked++;
  }
  await page.mouse.move(1, 1);
  return looked;
}

/** Fails if a label, a button or a title of the filters overflows. */
export async function assertNothingCut(page, what) {
  const cut = await page.$$eval("scoresheet-viewer >>> :is(.filters .label, .status button, .buttons, .buttons button, .tabs, .head button)", (all) =>
    all.filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent));
  assert.deepEqual(cut, [], `${what}: cut`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.ok(!wide, `${what}: wider than the window`);
  const right = await page.$$eval("scoresheet-viewer >>> .app *", (all) =>
    all.filter((one) => one.checkVisibility() && !one.closest(".table, .moves, .tabs, .hex, svg, .vh")
      && one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.className || one.tagName));
  assert.deepEqual(right, [], `${what}: beyond the right edge`);
}

/** Fails if the board covers the elements above it, a former bug of the position editor. */
export async function assertNothingCovered(page, what) {
  const [title, board] = [await box(page, ".title"), await box(page, ".board")];
  const text = await page.$eval("scoresheet-viewer >>> .title", (one) => one.scrollHeight - one.clientHeight);
  assert.ok(text <= 1 && board.top >= title.bottom - 1, `${what}: the board covers the title`);
}

/** Plays moves. Fails if the current move is out of view. */
export async function assertMoveInView(page, moves, what) {
  for (let n = 0; n < moves; n++) await press(page, "[data-go=on]");
  await until(page, () => document.querySelector("scoresheet-viewer").shadowRoot.querySelector('[aria-current="true"]'));
  const [now, panel] = [await box(page, '[aria-current="true"]'), await box(page, ".panel")];
  const height = await page.evaluate(() => innerHeight);
  assert.ok(now.top >= panel.top - 1 && now.bottom <= Math.min(panel.bottom, height) + 1, `${what}: ${await textOf(page, '[aria-current="true"]')}`);
}
