import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { inEnglish } from "@holdpoint/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { findUnavailableReason } from "./availability.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "available-"));
});
afterEach(() => rm(home, { recursive: true }));

async function reason(environment: Record<string, string> = {}, executable?: string) {
  const found = await findUnavailableReason({
    environment: { HOME: home, CLAUDE_CONFIG_DIR: home, ...environment },
    ...(executable !== undefined && { pathToClaudeCodeExecutable: executable }),
  });
  return found && inEnglish(found);
}

describe("Claude", () => {
  test.each([
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
  ])("is available with %s", async (name) => {
    expect(await reason({ [name]: "1" })).toBeUndefined();
    expect(await reason({ [name]: "" })).toMatch(/ANTHROPIC_API_KEY/u);
  });

  test.each([
    [".credentials.json", "{}"],
    [".claude.json", '{"oauthAccount":{}}'],
    ["settings.json", '{"apiKeyHelper":"print-key"}'],
  ])("is available with a login in %s", async (name, content) => {
    expect(await reason()).toMatch(/log in/u);
    await writeFile(join(home, name), content);
    expect(await reason()).toBeUndefined();
  });

  test("is not available with unreadable files", async () => {
    await writeFile(join(home, ".claude.json"), "not JSON");
    await writeFile(join(home, "settings.json"), "null");
    expect(await reason()).toMatch(/log in/u);
  });

  test("is not available without the program", async () => {
    expect(await reason({ ANTHROPIC_API_KEY: "k" }, "/no/such/claude")).toMatch(
      /\/no\/such\/claude/u,
    );
  });
});
