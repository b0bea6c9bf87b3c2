/*
 * A parent of the real Claude that can be killed: `gateway-like.ts FOLDER` runs one turn and never answers what it
 * is asked. Prints one line of JSON once it is asked.
 */
import { createSystemClock, createSystemIds } from "@holdpoint/engine";
import { createRecordingTurn } from "@holdpoint/engine/testing";

import { createClaudeAdapter } from "../../src/claude/claude-adapter.ts";
import { spawnHosted } from "../../src/host/spawn-hosted.ts";

const folder = process.argv[2] ?? "";
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
const session = await adapter.openSession({
  sessionId: "ses_1",
  cwd: folder,
  permissionMode: "default",
});
const turn = createRecordingTurn({
  script() {
    process.stdout.write(`${JSON.stringify({ agent: agent?.pid })}\n`);
    return new Promise<never>(() => undefined);
  },
});
await session.runTurn({ messageId: "msg_1", content: "go" }, turn);
