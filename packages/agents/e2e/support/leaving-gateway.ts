/*
 * A parent of the real Claude that can be killed and leaves the agent to its host: `leaving-gateway.ts FOLDER` runs
 * one turn and never answers a request. Its log is in FOLDER/log.jsonl. Prints one line for each request. With
 * `unsaid` as well, it dies after sending the turn to the host, before the agent gets the message.
 */
import { appendFileSync } from "node:fs";
import { join } from "node:path";

import { createSystemClock, createSystemIds } from "@holdpoint/engine";
import { createRecordingTurn } from "@holdpoint/engine/testing";

import { createClaudeAdapter } from "../../src/claude/claude-adapter.ts";
import { openAgentHosts } from "../../src/host/agent-hosts.ts";

const [folder = "", when] = process.argv.slice(2);
const dataDir = join(folder, "data");
const hosts = openAgentHosts({
  dataDir,
  tokenFor: (id) => `token of ${id}`,
});
const dying: typeof hosts = {
  ...hosts,
  open(options) {
    const hosted = hosts.open(options);
    const tell = hosted.setTurn.bind(hosted);
    hosted.setTurn = (held) => {
      tell(held);
      hosted.stdin.cork();
      setInterval(() => hosts.list().length > 0 && process.kill(process.pid, "SIGKILL"), 20);
    };
    return hosted;
  },
};
const adapter = createClaudeAdapter({
  env: process.env,
  clock: createSystemClock(),
  ids: createSystemIds(),
  hosts: when === "unsaid" ? dying : hosts,
});
const session = await adapter.openSession({
  sessionId: "ses_held",
  cwd: folder,
  permissionMode: "default",
});
const turn = createRecordingTurn({
  turnId: "trn_held",
  script(request) {
    process.stdout.write(`${JSON.stringify(request)}\n`);
    return new Promise<never>(() => undefined);
  },
});
const note = (entry: object): void =>
  appendFileSync(join(folder, "log.jsonl"), `${JSON.stringify(entry)}\n`);
Object.assign(turn, {
  emit: async (event: object) => note(event),
  saveState: async (state: string) => note({ type: "state", state }),
});
await session.runTurn({ messageId: "msg_1", content: "go" }, turn);
