/*
 * An agent for tests that uses Claude's protocol: `talking-agent.ts FOLDER`. It starts a process in a separate
 * session, answers `initialize` with a count of these requests, and asks twice; each answer brings a message.
 */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

interface Line {
  readonly type: string;
  readonly request_id?: string;
  readonly response?: { readonly request_id: string };
}

const tool = spawn("sleep", ["60"], { stdio: "ignore", detached: true });
writeFileSync(join(process.argv[2] ?? "", "tool.pid"), String(tool.pid));

const say = (line: Record<string, unknown>): void =>
  void process.stdout.write(`${JSON.stringify(line)}\n`);
const ask = (id: string): void =>
  say({ type: "control_request", request_id: id, request: { subtype: "can_use_tool" } });

let count = 0;
for await (const text of createInterface({ input: process.stdin })) {
  const line = JSON.parse(text) as Line;
  switch (`${line.type} ${line.response?.request_id ?? ""}`.trim()) {
    case "control_request":
      count += 1;
      say({
        type: "control_response",
        response: { subtype: "success", request_id: line.request_id, response: { count } },
      });
      break;
    case "user":
      say({ type: "assistant", uuid: "m1" });
      say({ type: "stream_event", uuid: "growing" });
      ask("r1");
      break;
    case "control_response r1":
      say({ type: "assistant", uuid: "m2" });
      say({ type: "assistant", uuid: "m3" });
      ask("r2");
      break;
    case "control_response r2":
      say({ type: "result", uuid: "after r2" });
  }
}
