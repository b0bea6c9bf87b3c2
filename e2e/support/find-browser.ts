import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

import { chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const SHELL = "chromium-headless-shell";
const MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** How to get a browser. */
export const BROWSER_HELP =
  "Run `npm run install:browser`, or name a Chromium or Chrome in CHROMIUM_PATH.";

/** The path of a Chromium: `CHROMIUM_PATH`, or the system's, or Playwright's own; `undefined` when there is none. */
export function findBrowser(): string | undefined {
  const named = process.env["CHROMIUM_PATH"];
  if (named) return isExecutable(named) ? named : undefined;
  return [...onPath(NAMES), MAC, chromium.executablePath()].find(isExecutable);
}

/**
 * The path of Chromium's headless shell: the same engine without windows, push and installing, which uses less
 * processor time. `undefined` when it is not on the path, or another browser is named.
 */
export function findHeadlessShell(): string | undefined {
  if (process.env["CHROMIUM_PATH"]) return undefined;
  return onPath([SHELL]).find(isExecutable);
}

function onPath(names: readonly string[]): string[] {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // that is the answer
  }
}
