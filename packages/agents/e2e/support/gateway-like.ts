/*
 * A parent of the real Claude that can be killed: `gateway-like.ts FOLDER [approve]` runs one turn. It prints one
 * line of JSON for a request, and approves it, or never answers.
 */
import { flushCompileCache } from "node:module";

import { createSystemClock, createSystemIds } from "@holdpoint/engine";
import { createRecordingTurn } from "@holdpoint/engine/testing";

import { createClaudeAdapter } from "../../src/claude/claude-adapter.ts";
import { spawnHosted } from "../../src/host/spawn-hosted.ts";
import { parentOf } from "../../src/host/testing/processes.ts";
import { approve } from "./claude-scene.ts";

const [, , folder = "", manner] = process.argv;
let agent: ReturnType<typeof spawnHosted> | undefined;
const adapter = createClaudeAdapter({
  env: process.env,
  clock: createSystemClock(),
  ids: createSystemIds(),
  hostProcess(options) {
    agent = spawnHosted(options);
    return agent;
  },
});
// It will be killed, and the next one should start faster.
flushCompileCache();
const session = await adapter.openSession({
  sessionId: "ses_1",
  cwd: folder,
  permissionMode: "acceptEdits",
});
const turn = createRecordingTurn({
  script() {
    const pid = agent?.pid ?? 0;
    process.stdout.write(`${JSON.stringify({ agent: pid, host: parentOf(pid) })}\n`);
    return manner === "approve" ? approve() : new Promise<never>(() => undefined);
  },
});
await session.runTurn({ messageId: "msg_1", content: "go" }, turn);
// The agent is lost; the gateway lives.
setInterval(() => undefined, 1000);
