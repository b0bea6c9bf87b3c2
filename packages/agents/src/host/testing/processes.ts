import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Whether the process runs; a zombie that was not reaped does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return process.platform !== "linux";
  }
}

/** The parent of a process. */
export function parentOf(pid: number): number {
  return Number(execFileSync("ps", ["-o", "ppid=", "-p", String(pid)], { encoding: "utf8" }));
}

/** The living child processes of this process. */
export function childrenOf(pid: number): number[] {
  const listed = execFileSync("ps", ["-e", "-o", "pid=,ppid="], { encoding: "utf8" });
  const pairs = listed
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/u).map(Number));
  return pairs.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
}

/** The system's state of a process: T is stopped. */
export function stateOf(pid: number): string {
  return execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).slice(0, 1);
}
