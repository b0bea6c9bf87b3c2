import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface ProcessTexts {
  readonly pid: number;
  readonly environment: string;
  readonly commandLine: string;
}

/** Everything that other processes of the same user can read about a process and its descendants. */
export function readProcessTree(root: number): ProcessTexts[] {
  const all = readProcesses();
  const tree = new Set([root]);
  for (const { pid, parent } of [...all, ...all, ...all]) if (tree.has(parent)) tree.add(pid);
  return all.filter(({ pid }) => tree.has(pid));
}

/** The same for all processes. */
export function readProcesses(): (ProcessTexts & { readonly parent: number })[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .flatMap(readProcess);
}

function readProcess(name: string): (ProcessTexts & { readonly parent: number })[] {
  const read = (file: string): string => readFileSync(join("/proc", name, file), "utf8");
  try {
    const parent = Number(/^PPid:\s*(\d+)$/mu.exec(read("status"))?.[1]);
    const [environment, commandLine] = [read("environ"), read("cmdline")];
    return [{ pid: Number(name), parent, environment, commandLine }];
  } catch {
    return []; // it has ended, or is another user's
  }
}
