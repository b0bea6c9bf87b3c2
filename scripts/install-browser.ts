// Installs a Chromium for the browser tests where there is none: with apt as root on Debian, else Playwright's own.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

import { findBrowser } from "./find-browser.ts";

const isDebianRoot = process.getuid?.() === 0 && existsSync("/etc/debian_version");
const COMMANDS = isDebianRoot
  ? ["apt-get update -q", "apt-get install -y -q --no-install-recommends chromium"]
  : ["npx --no-install playwright-core install chromium"];

if (findBrowser() === undefined) {
  for (const command of COMMANDS) {
    process.stdout.write(`> ${command}\n`);
    spawnSync(command, { shell: true, stdio: "inherit" });
  }
}
const path = findBrowser();
process.stdout.write(
  path === undefined ? "No Chromium could be installed.\n" : `The browser tests use ${path}.\n`,
);
process.exit(path === undefined ? 1 : 0);
