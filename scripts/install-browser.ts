// Installs a Chromium for the browser tests when there is none: with apt as root on Debian, with its lighter headless
// shell, otherwise Playwright's own.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

import { findBrowser, findHeadlessShell } from "../e2e/support/find-browser.ts";

const isDebianRoot = process.getuid?.() === 0 && existsSync("/etc/debian_version");
const COMMANDS = isDebianRoot
  ? [
      "apt-get update -q",
      "apt-get install -y -q --no-install-recommends chromium chromium-headless-shell",
    ]
  : ["npx --no-install playwright-core install chromium"];

const isWanted = isDebianRoot && !process.env["CHROMIUM_PATH"] && findHeadlessShell() === undefined;
if (findBrowser() === undefined || isWanted) {
  for (const command of COMMANDS) {
    process.stdout.write(`> ${command}\n`);
    spawnSync(command, { shell: true, stdio: "inherit" });
  }
}
const path = findHeadlessShell() ?? findBrowser();
process.stdout.write(
  path === undefined ? "No Chromium could be installed.\n" : `The browser tests use ${path}.\n`,
);
process.exit(path === undefined ? 1 : 0);
