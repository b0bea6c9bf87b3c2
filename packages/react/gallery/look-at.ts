import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { build, preview } from "vite";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface ServedGallery extends AsyncDisposable {
  readonly url: string;
}

/** Builds the gallery and serves it on a free port. A built one loads much faster than its many sources. */
export async function serveGallery(): Promise<ServedGallery> {
  const outDir = await mkdtemp(join(tmpdir(), "holdpoint-gallery-"));
  const configFile = fileURLToPath(new URL("vite.config.ts", import.meta.url));
  const common = { configFile, build: { outDir }, logLevel: "error" } as const;
  await build(common);
  const server = await preview({ ...common, preview: { host: "127.0.0.1", port: 0 } });
  return {
    url: server.resolvedUrls?.local[0] ?? "",
    async [Symbol.asyncDispose]() {
      await server.close();
      await rm(outDir, { recursive: true, force: true });
    },
  };
}

/** How a screen shows the cards. */
export interface View {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly theme: "light" | "dark";
  /** The browser's zoom, and the font size set in it. */
  readonly zoom?: number;
  readonly fontPx?: number;
  readonly language?: string;
}

/** Opens all cards in every state, and waits until each is drawn. */
export async function openView(page: Page, url: string, view: View): Promise<void> {
  const { width, height, zoom = 1, theme, language = "en" } = view;
  await page.setViewportSize({
    width: Math.round(width / zoom),
    height: Math.round(height / zoom),
  });
  await page.goto(`${url}?theme=${theme}&language=${language}&font=${view.fontPx ?? 16}`);
  await page.locator("html[data-ready]").waitFor({ timeout: 60_000 });
  await page.evaluate(() => document.fonts.ready);
}

/** The faults of the cards as they are drawn; empty if there are none. */
export async function findFaults(page: Page): Promise<readonly string[]> {
  const faults = await page.evaluate(findLayoutFaults);
  await page.evaluate(axe);
  // Without this, axe also describes every element without a fault, which takes most of its time.
  const { violations } = await page.evaluate<Pick<AxeResults, "violations">>(
    `axe.run(document, { resultTypes: ["violations"] })`,
  );
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`),
  );
  return [...faults, ...found];
}

/** Runs in the page: finds elements that are too wide or cut off, and titles without room. */
function findLayoutFaults(): string[] {
  const faults: string[] = [];
  // Computed once: asking each element for all of its ancestors takes seconds.
  const scrollers = new Set(
    [...document.querySelectorAll("*")].filter((element) =>
      /auto|scroll/u.test(getComputedStyle(element).overflowX),
    ),
  );
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 0) faults.push(`The page is ${wide} px too wide.`);
  const describe = (element: Element): string =>
    `${element.closest("[data-specimen]")?.getAttribute("data-specimen") ?? ""}: ${element.className}`;
  for (const element of document.querySelectorAll<HTMLElement>(".hp-interaction *")) {
    const { overflowX, display, clipPath, position, textOverflow } = getComputedStyle(element);
    if (display === "inline" || display === "none" || position === "absolute") continue;
    const isApart = element.closest(".hp-visually-hidden, svg, textarea, iframe") !== null;
    if (clipPath !== "none" || isApart) continue;
    // An ellipsis already shows that there is more.
    if (isInScroller(element) || textOverflow === "ellipsis") continue;
    const isCut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
    const canScroll = overflowX === "auto" || overflowX === "scroll";
    if (isCut && !canScroll && element.tagName !== "SELECT") {
      faults.push(
        `${describe(element)} is ${element.scrollWidth - element.clientWidth} px too wide`,
      );
    }
  }
  for (const title of document.querySelectorAll<HTMLElement>(".hp-card-title")) {
    // A character is about half as wide as it is high.
    const characters =
      (title.getBoundingClientRect().width / parseFloat(getComputedStyle(title).fontSize)) * 2;
    const isShort = title.textContent.length < 12 && title.getClientRects().length === 1;
    if (characters < 12 && !isShort) faults.push(`${describe(title)} has ${characters} characters`);
  }
  for (const field of document.querySelectorAll<HTMLInputElement>("[type^='date']")) {
    if (field.offsetHeight > 0 && isCutDate(field)) faults.push(`${describe(field)} is cut off`);
  }
  return faults;

  /** The browser draws the text of such a field itself, in one line or in as many as it needs. */
  function isCutDate(field: HTMLInputElement): boolean {
    const style = getComputedStyle(field);
    const [fontSize, left, right, top, bottom] = [
      style.fontSize,
      style.paddingLeft,
      style.paddingRight,
      style.paddingTop,
      style.paddingBottom,
    ].map(parseFloat) as [number, number, number, number, number];
    const pen = document.createElement("canvas").getContext("2d")!;
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const room = field.clientWidth - left - right - 1.5 * fontSize;
    const words = field.type === "date" ? "mm/dd/yyyy" : "mm/dd/yyyy, --:-- --";
    const lines = Math.ceil(pen.measureText(words).width / room);
    return field.clientHeight - top - bottom < lines * fontSize;
  }

  function isInScroller(element: Element): boolean {
    const { parentElement } = element;
    if (parentElement === null) return false;
    return scrollers.has(parentElement) || isInScroller(parentElement);
  }
}
