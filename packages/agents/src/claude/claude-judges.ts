import { extname } from "node:path";

import type { Clock } from "@holdpoint/engine";

import { openCrashMarks } from "../protection/crash-marks.ts";
import { openJudgePool } from "../protection/judge-pool.ts";
import type { ClaudeJudgesSetup } from "./judge-program.ts";
import type { ProtectionJudges } from "./protection-hook.ts";

export interface ClaudeJudgesOptions extends ClaudeJudgesSetup {
  readonly clock: Clock;
  /** Folder for marks of calls that are being checked, read by the next gateway. Default: no marks. */
  readonly checksDir?: string | undefined;
}

/** The judges of Claude's tool calls, in their own threads. */
export function openClaudeJudges(options: ClaudeJudgesOptions): ProtectionJudges & AsyncDisposable {
  const { clock, checksDir, protectedPaths, environment } = options;
  const setup: ClaudeJudgesSetup = { protectedPaths, environment };
  const pool = openJudgePool({
    program: judgeProgram(),
    setup,
    clock,
    marks: checksDir === undefined ? undefined : openCrashMarks(checksDir, clock),
  });
  return {
    judge: pool.judge("judge"),
    judgeUnasked: pool.judge("judgeUnasked"),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

/** TypeScript when run from sources, JavaScript in a bundle: the same extension as this module's. */
export function judgeProgram(): URL {
  return new URL(`./judge-program${extname(import.meta.url)}`, import.meta.url);
}
