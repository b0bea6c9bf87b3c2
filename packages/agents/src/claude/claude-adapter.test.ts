import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  createRecordingTurn,
  createSequentialIds,
  SimulatedClock,
} from "@holdpoint/engine/testing";
import { agentInfoSchema } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { encodeFrame, HOST_VERSION, type HostFrame } from "../host/host-protocol.ts";
import { HostedProcess } from "../host/hosted-process.ts";
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

describe("an agent that was left to a host", () => {
  test.each<[string, HostFrame, object]>([
    [
      "of another version is lost, with the reason",
      { type: "refused", version: HOST_VERSION + 1 },
      { code: "AGENT_OTHER_VERSION", message: expect.stringContaining("another version") },
    ],
    [
      "and is taken over by another gateway is lost, with the reason",
      { type: "replaced" },
      { code: "AGENT_CRASHED", message: "Another gateway has taken over the agent." },
    ],
  ])("%s", async (_, answer, expected) => {
    await using stack = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), "claude-adapter-"));
    stack.defer(() => rm(folder, { recursive: true }));
    const socketPath = join(folder, "host.sock");
    const host = createServer((socket) => {
      socket.on("error", () => undefined); // the gateway has gone
      socket.once("data", () => socket.end(encodeFrame(answer)));
    });
    stack.defer(() => void host.close());
    await once(host.listen(socketPath), "listening");
    const self = { pid: process.pid };
    const session = { sessionId: "ses_1", turnId: "trn_1" };
    const record = {
      version: HOST_VERSION,
      id: "h",
      socketPath,
      host: self,
      agent: self,
      mark: "m",
    };
    const adapter = stack.use(
      createClaudeAdapter({
        env: process.env,
        configDir: join(folder, "config"),
        clock: new SimulatedClock(),
        ids: createSequentialIds(),
        hosts: {
          list: () => [{ ...record, ...session }],
          async attach() {
            const hosted = new HostedProcess({ socketPath, token: "t" });
            await hosted.attached;
            return hosted;
          },
          open: () => {
            throw new Error("Started.");
          },
          untilGone: async () => true,
          neverAnswered: () => false,
        },
      }),
    );
    expect(await adapter.findLive?.()).toEqual([session]);
    const opened = await adapter.openSession({
      ...session,
      cwd: folder,
      permissionMode: "default",
    });
    const result = await opened.attachTurn!(createRecordingTurn(), {
      told: [],
      readMessage: async () => undefined,
    });
    expect(result).toEqual({ reason: "error", isAgentLost: true, ...expected });
  });
});

describe("the environment of the agent", () => {
  test("contains none of the gateway's variables, in any case", () => {
    const environment = claudeEnvironment({ HOLDPOINT_TOKEN: "s", holdpoint_x: "s", PATH: "/bin" });
    expect(environment).toMatchObject({ PATH: "/bin" });
    expect(Object.keys(environment).filter((name) => /holdpoint/iu.test(name))).toEqual([]);
  });

  test("contains Claude's settings, variables named by the person, and the key of the configured cloud", () => {
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

  test("keeps all work inside of turns, and names the settings folder", () => {
    const name = "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS";
    expect(claudeEnvironment({ [name]: "0" })[name]).toBe("1");
    expect(claudeEnvironment({}, { configDir: "/config" })["CLAUDE_CONFIG_DIR"]).toBe("/config");
  });
});

describe("the permission modes", () => {
  const modes = (canBypass: boolean) => listPermissionModes({ canBypass }).map(({ mode }) => mode);

  test("are the SDK's, each described", () => {
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

  test("exclude the one that the runtime refuses to the superuser", () => {
    expect(readModeConditions({}, 0)).toEqual({ canBypass: false });
    expect(readModeConditions({ IS_SANDBOX: "1" }, 0)).toEqual({ canBypass: true });
    expect(readModeConditions({}, 1000)).toEqual({ canBypass: true });
    expect(readModeConditions({}, undefined)).toEqual({ canBypass: true });
    expect(modes(false)).not.toContain("bypassPermissions");
    expect(findPermissionMode("bypassPermissions", { canBypass: false })).toBeUndefined();
  });

  test("[R-5] include no name that only JavaScript objects have", () => {
    for (const mode of ["manual", "constructor", "__proto__", ""]) {
      expect(findPermissionMode(mode, { canBypass: true })).toBeUndefined();
    }
  });
});
