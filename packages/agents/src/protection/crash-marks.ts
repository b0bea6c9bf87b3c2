import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Clock } from "@holdpoint/engine";

import type { ToolUse } from "./judge-tool-use.ts";

/** No agent host holds a call for this long. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Files that mark the calls being checked. A mark found at the start means that the last gateway ended while checking
 * that call. The call's agent host sends the call again, and it must not end the next gateway as well.
 */
export interface CrashMarks {
  isMarked(use: ToolUse): boolean;
  /** Marks the call until disposed. */
  mark(use: ToolUse): Disposable;
}

const NOTHING: Disposable = { [Symbol.dispose]: () => undefined };

/** The folder is created with the first mark. */
export function openCrashMarks(folder: string, clock: Clock): CrashMarks {
  const left = new Set(readLeft(folder, clock.now() - KEPT_MS));
  /** The number of running checks for each call. */
  const open = new Map<string, number>();
  return {
    isMarked(use) {
      const name = toName(use);
      return name !== undefined && left.has(name);
    },
    mark(use) {
      const name = toName(use);
      if (name === undefined) return NOTHING;
      const path = join(folder, name);
      open.set(name, (open.get(name) ?? 0) + 1);
      write(folder, path);
      return {
        [Symbol.dispose]() {
          const others = (open.get(name) ?? 1) - 1;
          if (others > 0) return void open.set(name, others);
          open.delete(name);
          remove(path);
        },
      };
    },
  };
}

function readLeft(folder: string, oldest: number): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return []; // nothing was ever checked here
  }
  return names.filter((name) => {
    const path = join(folder, name);
    const isOld = (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < oldest;
    if (isOld) remove(path);
    return !isOld;
  });
}

/** Writes a mark. A full disk must not prevent a call from being checked. */
function write(folder: string, path: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, "", { mode: 0o600 });
  } catch {
    return; // the check has its own limits
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    return; // never written; if it stays, a person is asked next time
  }
}

/** A call's mark name, which is the same for every gateway. */
function toName({ callId, toolName, cwd }: ToolUse): string | undefined {
  if (callId === undefined) return undefined;
  return createHash("sha256")
    .update(JSON.stringify([callId, toolName, cwd]))
    .digest("hex");
}
