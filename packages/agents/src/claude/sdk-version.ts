import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SDK_PACKAGE = "@anthropic-ai/claude-agent-sdk";

/**
 * The newest version that the tests have run with. The SDK is released almost daily, and newer versions usually work
 * too.
 */
export const TESTED_SDK = "0.3.330";

/** Whether `version` is newer than the tested one. Both are `MAJOR.MINOR.PATCH`; a tag after a hyphen is ignored. */
export function isUntestedSdk(version: string): boolean {
  const tested = toNumbers(TESTED_SDK);
  const [newer] = toNumbers(version)
    .map((number, at) => number - (tested[at] ?? 0))
    .filter((difference) => difference !== 0);
  return newer !== undefined && newer > 0;
}

function toNumbers(version: string): readonly number[] {
  const [numbers = ""] = version.split("-");
  return numbers.split(".").map(Number);
}

/** The version of the installed Claude Agent SDK; `undefined` if it is not installed. Runs no code of it. */
export function readSdkVersion(): string | undefined {
  try {
    const folder = dirname(fileURLToPath(import.meta.resolve(SDK_PACKAGE)));
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      version?: unknown;
    };
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined; // not installed
  }
}
