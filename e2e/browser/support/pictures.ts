import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import type { Page } from "playwright-core";

/** The folder for pictures of each step, for people who want to look at them. */
const FOLDER = process.env["PICTURES"];

/** Further sizes for a desktop's pictures. */
const OTHER_SIZES = [
  { name: "tablet", width: 768, height: 1024 },
  { name: "phone", width: 390, height: 844 },
  { name: "twice as large", width: 720, height: 450 },
];
const MIN_DESKTOP_WIDTH = 1000;

/** Takes a picture of the current page if pictures are wanted: on a desktop in all sizes, light and dark. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (FOLDER === undefined) return;
  await mkdir(FOLDER, { recursive: true });
  await shoot(page, FOLDER, name);
  const desktop = page.viewportSize();
  if (desktop === null || desktop.width < MIN_DESKTOP_WIDTH) return;
  await page.emulateMedia({ colorScheme: "dark" });
  await shoot(page, FOLDER, `${name} dark`);
  await page.emulateMedia({ colorScheme: "light" });
  for (const { name: size, ...viewport } of OTHER_SIZES) {
    await page.setViewportSize(viewport);
    await shoot(page, FOLDER, `${name} ${size}`);
  }
  await page.setViewportSize(desktop);
}

async function shoot(page: Page, folder: string, name: string): Promise<void> {
  await page.screenshot({ path: join(folder, `${name.replaceAll(/\W+/gu, "-")}.png`) });
}
