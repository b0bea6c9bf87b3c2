import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

export interface SceneProcess {
  readonly pid: number;
  readonly parent: number;
  /** `other` is a child process of an agent. */
  readonly kind: "gateway" | "host" | "agent" | "other";
  readonly cwd: string;
}

/**
 * Every process that runs for the gateways of a scene, including orphans: its environment or working directory names
 * the scene's folder. Linux only.
 */
export function findSceneProcesses(folder: string): SceneProcess[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name) && Number(name) !== process.pid)
    .flatMap((name) => readSceneProcess(name, folder));
}

function readSceneProcess(name: string, folder: string): SceneProcess[] {
  const path = join("/proc", name);
  try {
    const status = readFileSync(join(path, "status"), "utf8");
    if (/^State:\s+[ZX]/mu.test(status)) return [];
    const cwd = readlinkSync(join(path, "cwd"));
    const isOfScene = readFileSync(join(path, "environ"), "utf8").includes(folder);
    if (!isOfScene && !cwd.startsWith(folder)) return [];
    const parent = Number(/^PPid:\s*(\d+)$/mu.exec(status)?.[1]);
    const kind = kindOf(readFileSync(join(path, "cmdline"), "utf8"));
    return [{ pid: Number(name), parent, kind, cwd }];
  } catch {
    return []; // it has already ended
  }
}

function kindOf(commandLine: string): SceneProcess["kind"] {
  if (commandLine.includes("dist-tests/program.mjs")) return "gateway";
  if (commandLine.includes("host-program.")) return "host";
  return commandLine.includes("--output-format") ? "agent" : "other";
}

/** Sends `kill -9`; a process that has already ended is not an error. */
export function killHard(pid: number): boolean {
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}
