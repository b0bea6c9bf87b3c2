import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SDK_PACKAGE = "@anthropic-ai/claude-agent-sdk";

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
