/*
 * A minimal gateway for tests, which is only a host's parent: it starts the agent named by its arguments, prints the
 * agent's output, and passes its input on to the agent, except "exit", which ends it.
 */
import { spawnHosted } from "../spawn-hosted.ts";

const [command = "", ...args] = process.argv.slice(2);
const agent = spawnHosted({
  command,
  args,
  env: process.env,
  signal: new AbortController().signal,
});
agent.stdout.on("data", (bytes: Buffer) => process.stdout.write(bytes));
process.stdin.on("data", (bytes: Buffer) => {
  if (bytes.toString().trim() === "exit") process.exit(0);
  agent.stdin.write(bytes);
});
