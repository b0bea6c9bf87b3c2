import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import type { Page } from "playwright-core";

/** Where pictures of each step are kept, for people who want to look at them. */
const FOLDER = process.env["PICTURES"];

/** Keeps what the page shows now, if somebody wants pictures. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (FOLDER === undefined) return;
  await mkdir(FOLDER, { recursive: true });
  await page.screenshot({ path: join(FOLDER, `${name.replaceAll(/\W+/gu, "-")}.png`) });
}
