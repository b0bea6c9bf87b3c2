import type { Page } from "playwright-core";
import { expect } from "vitest";

import type { Screen } from "../../support/browser.ts";

interface Size {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** The font size that the person has set in the browser. */
  readonly fontPx?: number;
}

/** A desktop is zoomed; a phone is narrow and turned. The browser's zoom is a smaller window of larger pixels. */
const SIZES: Readonly<Record<Screen, readonly Size[]>> = {
  desktop: [
    { name: "1440", width: 1440, height: 900 },
    { name: "1200", width: 1200, height: 800 },
    { name: "768", width: 768, height: 1024 },
    { name: "200 %", width: 720, height: 450 },
    { name: "400 %", width: 360, height: 225 },
    { name: "24 px", width: 1440, height: 900, fontPx: 24 },
  ],
  phone: [
    { name: "390", width: 390, height: 844 },
    { name: "320", width: 320, height: 700 },
    { name: "turned", width: 844, height: 390 },
    { name: "24 px", width: 390, height: 844, fontPx: 24 },
    { name: "320 at 24 px", width: 320, height: 700, fontPx: 24 },
  ],
};

/** Fields that can be reached. */
const FIELDS = ["html:not(:has(dialog[open]))", "dialog[open]"]
  .map((place) => `${place} :is(select, input, textarea)`)
  .join();

/** Fails when something is clipped, leaves its place or must be scrolled sideways, on any size of the screen. */
export async function expectFits(page: Page, screen: Screen, where: string): Promise<void> {
  const before = page.viewportSize() ?? { width: 0, height: 0 };
  const settings = await page.context().newCDPSession(page);
  const faults: string[] = [];
  for (const { name, width, height, fontPx } of SIZES[screen]) {
    await page.setViewportSize({ width, height });
    await settings.send("Page.setFontSizes", { fontSizes: { standard: fontPx ?? 16 } });
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    const found = await page.evaluate(findMisfits);
    const cut = await page.locator(FIELDS).evaluateAll(findCutFields);
    const fields = cut.filter(({ ends }) => !ends).map(({ words }) => `cut off: “${words}”`);
    faults.push(...[...found, ...fields].map((fault) => `${name}: ${fault}`));
  }
  await settings.send("Page.setFontSizes", { fontSizes: { standard: 16 } });
  await settings.detach();
  await page.setViewportSize(before);
  expect.soft({ where, faults }).toEqual({ where, faults: [] });
}

/** Runs in the page. */
function findMisfits(): string[] {
  const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement;
  const faults = scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px sideways`] : [];
  // Parts of the page scroll, but never the page itself.
  const isApp = document.querySelector(".app") !== null;
  if (isApp && scrollHeight > clientHeight) faults.push(`${scrollHeight - clientHeight} px below`);
  const dialog = document.querySelector("dialog[open]");
  for (const element of (dialog ?? document).querySelectorAll<HTMLElement>("*")) {
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    // A folded element keeps the position it had when it was last drawn.
    if (!element.checkVisibility()) continue;
    const isHidden = style.visibility === "hidden" || style.opacity === "0" || box.width < 2;
    if (isHidden || style.display === "inline" || style.clipPath !== "none") continue;
    const isApart = element.closest(".hp-visually-hidden, svg, textarea, select, iframe, input");
    if (isApart !== null || isSideways(element)) continue;
    const words = `${element.tagName} ${element.className} “${element.textContent.slice(0, 24)}”`;
    if (box.left < -1 || box.right > clientWidth + 1) faults.push(`beside the screen: ${words}`);
    const isButton = element.matches("button, a[href]");
    if (isButton && !isInList(element) && box.bottom > clientHeight + 1) {
      faults.push(`below the screen: ${words}`);
    }
    // An ellipsis shows that there is more: a title keeps twelve characters before it.
    const isCut = element.scrollWidth > element.clientWidth + 1;
    const ends = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
    if (isCut && (!ends || element.matches(".hp-status-hint"))) faults.push(`cut off: ${words}`);
    const characters = (box.width / parseFloat(style.fontSize)) * 2;
    if (isCut && ends && element.matches("h1 *, .rail-name, .inbox-what") && characters < 12) {
      faults.push(`${characters.toFixed(0)} characters of: ${words}`);
    }
  }
  return faults;

  /** Code and tables may scroll sideways. */
  function isSideways(element: Element): boolean {
    return element.closest("pre, .hp-preview-body, .hp-markdown-table, .hp-diff") !== null;
  }

  function isInList({ parentElement }: Element): boolean {
    if (parentElement === null || parentElement === document.body) return false;
    return (
      /auto|scroll/u.test(getComputedStyle(parentElement).overflowY) || isInList(parentElement)
    );
  }
}

interface CutField {
  readonly words: string;
  /** Whether the text ends in an ellipsis. */
  readonly ends: boolean;
}

/** Runs in the page: fields that are smaller than their value or placeholder. */
export function findCutFields(fields: readonly Element[]): CutField[] {
  const pen = document.createElement("canvas").getContext("2d")!;
  return fields.flatMap((field): CutField[] => {
    if (!field.checkVisibility()) return [];
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = field;
    const style = getComputedStyle(field);
    if (field instanceof HTMLTextAreaElement) {
      const isIn = scrollWidth <= clientWidth + 1 && scrollHeight <= clientHeight + 1;
      return field.value !== "" || isIn ? [] : [{ words: field.placeholder, ends: false }];
    }
    const isChoice = field instanceof HTMLSelectElement;
    const { value, placeholder } = field as HTMLInputElement;
    const words = isChoice ? field.selectedOptions[0]!.text : value === "" ? placeholder : "";
    // The shorthand is empty when digits have a fixed width.
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const arrow = isChoice ? 20 : 0;
    const room =
      clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
    const ends = style.textOverflow === "ellipsis";
    return pen.measureText(words).width > room ? [{ words, ends }] : [];
  });
}
