/*
 * An agent for tests that records its signals and input in a file: `witness-agent.ts FILE [stubborn]`. It prints its
 * process ids once it listens. A stubborn one ignores SIGTERM.
 */
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";

const [file = "", manner] = process.argv.slice(2);
const note = (text: string): void => appendFileSync(file, `${text}\n`);

process.on("SIGTERM", () => {
  note("SIGTERM");
  if (manner !== "stubborn") process.exit(0);
});
process.stdin.on("end", () => note("input ended"));
process.stdin.on("close", () => note("input closed"));
process.stdin.on("data", (bytes) => note(`input ${String(bytes).trim()}`));
process.stdout.on("error", () => note("output broke"));

const child = spawn("sleep", ["60"], { stdio: "ignore" });
process.stdout.write(
  `${JSON.stringify({ agent: process.pid, host: process.ppid, child: child.pid })}\n`,
);
setInterval(() => undefined, 1000);
