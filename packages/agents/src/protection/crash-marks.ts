import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Clock } from "@holdpoint/engine";

import type { ToolUse } from "./judge-tool-use.ts";

/** No agent host holds a call for so long. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Files that name the calls which are being checked. A call whose file is there at the start is one during whose check the
 * last gateway ended: its agent host brings it again, and it must not end the next gateway as well.
 */
export interface CrashMarks {
  isMarked(use: ToolUse): boolean;
  /** Marks the call until it is disposed. */
  mark(use: ToolUse): Disposable;
}

const NOTHING: Disposable = { [Symbol.dispose]: () => undefined };

/** The folder is made with the first mark. */
export function openCrashMarks(folder: string, clock: Clock): CrashMarks {
  const left = new Set(readLeft(folder, clock.now() - KEPT_MS));
  /** How many checks of a call run. */
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

/** A disk that is full must not keep a call from its check. */
function write(folder: string, path: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, "", { mode: 0o600 });
  } catch {
    return; // the check has bounds of its own
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    return; // it was never written, or is asked about with the next gateway
  }
}

/** A call has the same name with every gateway. */
function toName({ callId, toolName, cwd }: ToolUse): string | undefined {
  if (callId === undefined) return undefined;
  return createHash("sha256")
    .update(JSON.stringify([callId, toolName, cwd]))
    .digest("hex");
}
