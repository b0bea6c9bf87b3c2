// Finds a Chromium for the browser tests, and installs one where there is none.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

import { chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** Path of an executable: `CHROMIUM_PATH`, the system's, Playwright's own, or a fresh install. Throws when all fail. */
export function findBrowser(): string {
  const path = lookUp() ?? (install(), lookUp());
  if (path === undefined) {
    throw new Error("No Chromium found or installable. Install one and name it in CHROMIUM_PATH.");
  }
  return path;
}

function lookUp(): string | undefined {
  const named = process.env["CHROMIUM_PATH"];
  if (named) return named;
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, MAC, chromium.executablePath()].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function install(): void {
  const isDebianRoot = process.getuid?.() === 0 && existsSync("/etc/debian_version");
  const commands = isDebianRoot
    ? ["apt-get update -q", "apt-get install -y -q --no-install-recommends chromium"]
    : ["npx --no-install playwright-core install chromium"];
  for (const command of commands) {
    process.stdout.write(`${command}\n`);
    spawnSync(command, { shell: true, stdio: "inherit" });
  }
}
