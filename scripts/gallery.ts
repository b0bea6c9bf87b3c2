// One page with pictures of every card in every state, on every screen, with the faults of each. Exits with 1 when
// there is a fault.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "playwright-core";

import { launchBrowser } from "../e2e/support/browser.ts";
import {
  findFaults,
  openView,
  serveGallery,
  type View,
} from "../packages/react/gallery/look-at.ts";

const OUT = "dist/gallery";
const SCREENS = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
  { width: 320, height: 700 },
  { width: 844, height: 390 },
];
const SIZES = [{}, { zoom: 2 }, { fontPx: 24 }, { zoom: 2, fontPx: 24 }];
/** The narrowest view with large text: a smaller one would fit only 20 characters on a line. */
const MIN_WIDTH_OF_LARGE_TEXT = 320;
const LANGUAGES = ["de", "pseudo"];

/** `npm run gallery -- 390 dark` takes the pictures with both words in their names. */
const wanted = process.argv.slice(2);

const VIEWS: readonly View[] = [
  ...SCREENS.flatMap((screen) =>
    (["light", "dark"] as const).flatMap((theme) =>
      SIZES.map((size) => toView({ ...screen, theme, ...size })),
    ),
  ),
  ...LANGUAGES.flatMap((language) =>
    [SCREENS[0]!, SCREENS[2]!].map((screen) => toView({ ...screen, theme: "light", language })),
  ),
]
  .filter(
    ({ width, zoom = 1, fontPx }) =>
      fontPx === undefined || width / zoom >= MIN_WIDTH_OF_LARGE_TEXT,
  )
  .filter(({ name }) => wanted.every((word) => name.split(" ").includes(word)));

function toView(view: Omit<View, "name">): View {
  const { width, height, theme, zoom = 1, fontPx, language } = view;
  const font = fontPx === undefined ? "" : `${fontPx}px`;
  const size = zoom === 1 && font !== "" ? "" : `${zoom * 100}%`;
  const words = [width, "×", height, theme, size, font, language];
  return { ...view, name: words.filter(Boolean).join(" ") };
}

/** The maximum height of a picture: a browser draws this much at once, even at 200 %. */
const PART_PX = 8000;

/** Takes the picture of a view in parts, and returns their files. */
async function shoot(page: Page, { name }: View): Promise<readonly string[]> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const width = await page.evaluate(() => innerWidth);
  const devtools = await page.context().newCDPSession(page);
  const files: string[] = [];
  for (let y = 0; y < height; y += PART_PX) {
    const file = `${name.replaceAll(/\W+/gu, "-")}-${files.length + 1}.png`;
    const clip = { x: 0, y, width, height: Math.min(PART_PX, height - y), scale: 1 };
    const how = { captureBeyondViewport: true, optimizeForSpeed: true } as const;
    const { data } = await devtools.send("Page.captureScreenshot", { ...how, clip });
    writeFileSync(join(OUT, file), data, "base64");
    files.push(file);
  }
  await devtools.detach();
  return files;
}

function toPage(shot: ReadonlyMap<string, readonly string[]>): string {
  const pictures = VIEWS.map(({ name }) =>
    [
      `<h2>${name}</h2>`,
      ...(shot.get(name) ?? []).map((file) => `<img loading="lazy" src="${file}" alt="">`),
    ].join(""),
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Cards</title>
<style>img { max-width: 100%; border: 1px solid gray }</style>${pictures.join("\n")}`;
}

/** Checks views of one zoom, on one page, so that the browser's cache is used. Returns the number of faults. */
async function lookAt(page: Page, url: string, views: readonly View[]): Promise<number> {
  let count = 0;
  for (const view of views) {
    await openView(page, url, view);
    const faults = await findFaults(page);
    shot.set(view.name, await shoot(page, view));
    count += faults.length;
    console.log(`${view.name}: ${faults.length === 0 ? "fine" : faults.length}`);
    for (const fault of faults) console.log(`  ${fault}`);
  }
  return count;
}

mkdirSync(OUT, { recursive: true });
const shot = new Map<string, readonly string[]>();
let count = 0;
{
  await using gallery = await serveGallery();
  await using browser = await launchBrowser();
  const lanes = Map.groupBy(VIEWS, ({ zoom = 1 }) => zoom);
  const counts = [...lanes].map(async ([zoom, views]) =>
    lookAt(await browser.newPage({ deviceScaleFactor: zoom }), gallery.url, views),
  );
  for (const found of await Promise.all(counts)) count += found;
}
writeFileSync(join(OUT, "index.html"), toPage(shot));
console.log(`${VIEWS.length} pictures in ${OUT}/index.html, ${count} faults.`);
process.exit(count === 0 ? 0 : 1);
