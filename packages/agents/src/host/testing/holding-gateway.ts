/*
 * A gateway for tests: `holding-gateway.ts DATA-FOLDER HOLD-MS AGENT`. It runs a turn of a talking agent until the
 * agent waits for an answer, settles its first message, and prints "ready".
 */
import { openAgentHosts } from "../agent-hosts.ts";
import { startHosted } from "../spawn-hosted.ts";

const [, , dataDir = "", holdMs, agent = ""] = process.argv;
const hosts = openAgentHosts({
  dataDir,
  tokenFor: (id) => `token-of-${id}`,
  holdMs: Number(holdMs),
});
const hosted = hosts.open({ sessionId: "ses_1" });
startHosted(hosted, {
  command: process.execPath,
  args: [agent, dataDir],
  env: process.env,
  signal: new AbortController().signal,
});
const say = (line: Record<string, unknown>): void =>
  void hosted.stdin.write(`${JSON.stringify(line)}\n`);
hosted.setTurn({ turnId: "trn_1" });
say({ type: "control_request", request_id: "i1", request: { subtype: "initialize" } });
say({ type: "user", uuid: "p1" });
let text = "";
hosted.stdout.on("data", (bytes: Buffer) => {
  text += bytes.toString();
  if (text.includes('"r1"') && !text.includes('"m2"')) {
    hosted.settle("m1");
    say({ type: "control_response", response: { request_id: "r1" } });
  }
  if (text.includes('"r2"')) process.stdout.write("ready\n");
});
