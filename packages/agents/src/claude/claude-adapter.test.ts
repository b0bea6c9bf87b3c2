import { createSequentialIds, SimulatedClock } from "@holdpoint/engine/testing";
import { agentInfoSchema } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { createClaudeAdapter } from "./claude-adapter.ts";
import { claudeEnvironment } from "./claude-environment.ts";
import { findPermissionMode, listPermissionModes, readModeConditions } from "./permission-modes.ts";

describe("the Claude adapter", () => {
  test("describes itself without starting anything", async () => {
    const adapter = createClaudeAdapter({
      env: { ANTHROPIC_API_KEY: "k" },
      clock: new SimulatedClock(),
      ids: createSequentialIds(),
      hostProcess: () => {
        throw new Error("Started.");
      },
    });
    const info = agentInfoSchema.parse(
      await adapter.describe({ signal: new AbortController().signal }),
    );
    expect(info).toMatchObject({
      agent: "claude",
      label: "Claude",
      available: true,
      scripted: false,
      defaultPermissionMode: "default",
    });
    await adapter[Symbol.asyncDispose]();
  });
});

describe("the environment of the agent", () => {
  test("has no variable of the gateway's own, in whatever case", () => {
    const environment = claudeEnvironment({ HOLDPOINT_TOKEN: "s", holdpoint_x: "s", PATH: "/bin" });
    expect(environment).toMatchObject({ PATH: "/bin" });
    expect(Object.keys(environment).filter((name) => /holdpoint/iu.test(name))).toEqual([]);
  });

  test("holds what sets Claude up, what the person names, and the key of the cloud in use", () => {
    const env = { ANTHROPIC_API_KEY: "k", AWS_PROFILE: "p", AZURE_KEY: "a", GITHUB_TOKEN: "t" };
    const namesOf = (more: Record<string, string>, environmentNames: string[] = []) =>
      Object.keys(claudeEnvironment({ ...env, ...more }, { environmentNames })).filter((name) =>
        Object.hasOwn(env, name),
      );
    expect(namesOf({})).toEqual(["ANTHROPIC_API_KEY"]);
    expect(namesOf({}, ["GITHUB_TOKEN"])).toEqual(["ANTHROPIC_API_KEY", "GITHUB_TOKEN"]);
    expect(namesOf({ CLAUDE_CODE_USE_BEDROCK: "1" })).toEqual(["ANTHROPIC_API_KEY", "AWS_PROFILE"]);
    expect(namesOf({ CLAUDE_CODE_USE_BEDROCK: "0" })).toEqual(["ANTHROPIC_API_KEY"]);
  });

  test("keeps all work inside of turns, and names the folder of settings", () => {
    const name = "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS";
    expect(claudeEnvironment({ [name]: "0" })[name]).toBe("1");
    expect(claudeEnvironment({}, { configDir: "/config" })["CLAUDE_CONFIG_DIR"]).toBe("/config");
  });
});

describe("the permission modes", () => {
  const modes = (canBypass: boolean) => listPermissionModes({ canBypass }).map(({ mode }) => mode);

  test("are those of the SDK, each described", () => {
    expect(modes(true)).toEqual([
      "default",
      "acceptEdits",
      "plan",
      "auto",
      "dontAsk",
      "bypassPermissions",
    ]);
    for (const { label, description } of listPermissionModes({ canBypass: true })) {
      expect([label, description]).toEqual([
        expect.stringMatching(/\S/u),
        expect.stringMatching(/\S/u),
      ]);
    }
  });

  test("leave out the one that the runtime refuses to the superuser", () => {
    expect(readModeConditions({}, 0)).toEqual({ canBypass: false });
    expect(readModeConditions({ IS_SANDBOX: "1" }, 0)).toEqual({ canBypass: true });
    expect(readModeConditions({}, 1000)).toEqual({ canBypass: true });
    expect(readModeConditions({}, undefined)).toEqual({ canBypass: true });
    expect(modes(false)).not.toContain("bypassPermissions");
    expect(findPermissionMode("bypassPermissions", { canBypass: false })).toBeUndefined();
  });

  test("[R-5] have no others, whatever JavaScript knows by that name", () => {
    for (const mode of ["manual", "constructor", "__proto__", ""]) {
      expect(findPermissionMode(mode, { canBypass: true })).toBeUndefined();
    }
  });
});
