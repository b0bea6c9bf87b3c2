import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SDK_PACKAGE = "@anthropic-ai/claude-agent-sdk";

/** The newest version that the tests have run with. The SDK is released nearly daily, and newer ones usually work too. */
export const TESTED_SDK = "0.3.330";

/** Whether `version` is newer than the tests have seen. Both are `MAJOR.MINOR.PATCH`; a tag after a hyphen is ignored. */
export function isUntestedSdk(version: string): boolean {
  const parts = (text: string) => text.split("-")[0]?.split(".").map(Number) ?? [];
  const tested = parts(TESTED_SDK);
  const differing = parts(version).findIndex((part, at) => part !== tested[at]);
  return differing !== -1 && (parts(version)[differing] ?? 0) > (tested[differing] ?? 0);
}

/** The version of the installed Claude Agent SDK; `undefined` where it is not installed. Runs nothing of it. */
export function readSdkVersion(): string | undefined {
  try {
    const folder = dirname(fileURLToPath(import.meta.resolve(SDK_PACKAGE)));
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      version?: unknown;
    };
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined; // that is the answer
  }
}
