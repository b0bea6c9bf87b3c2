import { spawn } from "node:child_process";
import { once } from "node:events";

export interface CheckResult {
  readonly name: string;
  readonly passed: boolean;
}

/** Runs an npm script to its end, and prints its output and duration in one piece, because several may run at once. */
export async function runCheck(name: string): Promise<CheckResult> {
  const startedAt = performance.now();
  const child = spawn("npm", ["run", "--silent", name], { stdio: ["ignore", "pipe", "pipe"] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => output.push(chunk));
  }
  const [code] = (await once(child, "close")) as [number | null];
  const took = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  process.stdout.write(`\n> npm run ${name} (${code === 0 ? "passed" : "FAILED"}, ${took})\n`);
  process.stdout.write(Buffer.concat(output));
  return { name, passed: code === 0 };
}

/** Runs the scripts one after the other, even when one fails. */
export async function runInOrder(names: readonly string[]): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const name of names) results.push(await runCheck(name));
  return results;
}
