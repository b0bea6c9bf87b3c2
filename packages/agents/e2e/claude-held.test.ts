import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { stateOf } from "../src/host/testing/processes.ts";
import { callTool, inOrder, openScriptedModel, say } from "../src/testing/index.ts";
import { type Asked, openHosts, startQuery } from "./support/held-gateway.ts";

const PROGRAM = new URL("./support/held-gateway.ts", import.meta.url).pathname;

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "claude-held-")));
});
afterEach(async () => {
  await openHosts(folder).endLeftOver();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe("[R-4] [R-8] Claude whose gateway is killed while it waits in", () => {
  test.each(["permission", "hook"])("a %s is frozen, asked again, and runs once", async (wait) => {
    const bash = callTool(
      "Bash",
      { command: "node -e 'run()' ; echo x >> ran.txt", description: "Try" },
      "toolu_1",
    );
    await using model = await openScriptedModel(inOrder([[say("I try."), bash], [say("Done.")]]));
    const env = { ...process.env, ...model.env(join(folder, ".config")), HOME: folder };
    const first = spawn(process.execPath, [PROGRAM, folder, folder, wait], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(first.stdout, "data")) as [Buffer];
    const asked = JSON.parse(line.toString()) as Asked;
    first.kill("SIGKILL");

    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const [left] = openHosts(folder).list();
    if (left === undefined) throw new Error("No host is left.");
    await vi.waitFor(() => expect(stateOf(left.agent.pid)).toBe("T"), 30_000);
    await sleep(500);
    expect(model.requests).toHaveLength(1);
    expect(existsSync(join(folder, "ran.txt"))).toBe(false);

    const again: Asked[] = [];
    const messages: SDKMessage[] = [];
    const hosted = await openHosts(folder).attach(left);
    const running = startQuery({
      folder,
      spawn(start) {
        hosted.follow(start);
        return hosted;
      },
      onHook: async (about) => void (wait === "hook" && again.push(about)),
      onPermission: async (about) => void (wait === "permission" && again.push(about)),
    });
    for await (const message of running) {
      messages.push(message);
      if (message.type === "result") break;
    }
    expect(again).toEqual([asked]);
    const state = await hosted.attached;
    const ids = messages.flatMap(({ uuid = "" }) => uuid);
    expect(new Set(ids).size).toBe(ids.length);
    const said = messages.filter(({ type }) => type !== "stream_event" && type !== "system");
    expect(said.map(({ type }) => type)).toEqual([
      "assistant",
      "assistant",
      "user",
      "assistant",
      "result",
    ]);
    // The first two were sent before the death, and not settled.
    const replayed = said.slice(0, 2).map(({ uuid = "" }) => uuid);
    expect(state?.replayedIds).toEqual(expect.arrayContaining(replayed));
    expect(model.requests).toHaveLength(2);
    expect(readFileSync(join(folder, "ran.txt"), "utf8")).toBe("x\n");
    await hosted[Symbol.asyncDispose]();
  });
});
