import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Variables that configure a gateway, an agent, git, a database or a proxy, in the environment of the person who runs
 * the tests.
 */
const FOREIGN =
  /^(?:HOLDPOINT_|ANTHROPIC_|CLAUDE|CODEX_|GIT_|XDG_|PG[A-Z]|OTEL_|(?:https?|all|no)_proxy$)/iu;
/** Folders with this prefix are kept: the screens of failed tests. */
const KEPT = "holdpoint-failed-";

/**
 * Gives a test run a separate home and temporary folder, without the settings of the person who starts it. So several
 * runs, and a gateway in use, share no file. Both folders are removed when this process ends.
 */
export function takeOwnPlace(environment: NodeJS.ProcessEnv = process.env): void {
  // Its folder belongs to this account, and there may be no other browser.
  environment["PLAYWRIGHT_BROWSERS_PATH"] ??= join(homedir(), browsersBelowHome());
  for (const name of Object.keys(environment)) if (FOREIGN.test(name)) delete environment[name];
  // A socket's path must be short.
  const folder = mkdtempSync(join(tmpdir(), "hp-"));
  // The same mode as `/tmp`: other accounts can reach their own files.
  chmodSync(folder, 0o1777);
  const home = join(folder, "home");
  mkdirSync(home);
  Object.assign(environment, { TMPDIR: folder, HOME: home });
  process.once("exit", () => leave(folder));
}

function browsersBelowHome(): string {
  return process.platform === "darwin" ? "Library/Caches/ms-playwright" : ".cache/ms-playwright";
}

function leave(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(KEPT)) continue;
    rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
}
