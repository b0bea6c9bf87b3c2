import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

/** What configures a gateway, an agent, git, a database or a proxy, whatever the person who runs the tests has set. */
const FOREIGN =
  /^(?:HOLDPOINT_|ANTHROPIC_|CLAUDE|CODEX_|GIT_|XDG_|PG[A-Z]|OTEL_|(?:https?|all|no)_proxy$)/iu;
/** Folders whose names begin so are kept: what was on screen when a test failed. */
const KEPT = "holdpoint-failed-";

/**
 * Gives a run of tests a home and a temporary folder of its own, and none of the settings of the person who starts it. So
 * several runs, and a gateway that is used, share no file. Both folders are removed when this process ends.
 */
export function takeOwnPlace(environment: NodeJS.ProcessEnv = process.env): void {
  // Its folder is of this account, and there may be no other browser.
  environment["PLAYWRIGHT_BROWSERS_PATH"] ??= join(homedir(), browsersBelowHome());
  for (const name of Object.keys(environment)) if (FOREIGN.test(name)) delete environment[name];
  // A socket's path must be short.
  const folder = mkdtempSync(join(tmpdir(), "hp-"));
  // As `/tmp` is: other accounts get through to what is theirs.
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
