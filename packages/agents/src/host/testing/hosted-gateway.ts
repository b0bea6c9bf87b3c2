/*
 * A gateway for tests that is nothing but a host's parent: starts the agent named by its arguments, prints what
 * the agent prints, and does what its input says: "exit" leaves, anything else is for the agent.
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
