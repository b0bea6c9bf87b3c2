import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

import { chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** How to get a browser. */
export const BROWSER_HELP =
  "Run `npm run install:browser`, or name a Chromium or Chrome in CHROMIUM_PATH.";

/** Path of a Chromium: `CHROMIUM_PATH`, else the system's, else Playwright's own; `undefined` where there is none. */
export function findBrowser(): string | undefined {
  const named = process.env["CHROMIUM_PATH"];
  if (named) return isExecutable(named) ? named : undefined;
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, MAC, chromium.executablePath()].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // that is the answer
  }
}
