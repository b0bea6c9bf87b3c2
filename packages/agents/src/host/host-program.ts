/*
 * The agent host: a program that owns one agent. It reads its setup as JSON from standard input, prints "ready" once a
 * gateway can attach, and exits when the agent is gone.
 */
import { AgentHost } from "./agent-host.ts";
import type { HostStart } from "./host-protocol.ts";

// The gateway that reads these streams may have died.
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);

const host = new AgentHost(await readSetup(), {
  leave: () => process.exit(0),
  onReady: () => process.stdout.write("ready\n"),
});
process.once("exit", () => host.dispose());
for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(name, () => host.end());

async function readSetup(): Promise<HostStart> {
  let text = "";
  for await (const chunk of process.stdin) text += String(chunk);
  return JSON.parse(text) as HostStart;
}
