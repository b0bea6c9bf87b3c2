import { parentPort, workerData } from "node:worker_threads";

import type { Judge, ToolUse } from "./judge-tool-use.ts";
import type { Verdict } from "./protected-paths.ts";

export interface JudgeRequest {
  /** The judge's name in the object made by `create`. */
  readonly name: string;
  readonly use: ToolUse;
}

export type JudgeReply =
  | { readonly isChecked: true; readonly verdict: Verdict | undefined }
  | { readonly isChecked: false };

/** Serves judges in a thread of a `JudgePool`. `create` builds them from the pool's setup. */
export function serveJudges(create: (setup: unknown) => Readonly<Record<string, Judge>>): void {
  const judges = create(workerData);
  parentPort?.on("message", ({ name, use }: JudgeRequest) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    void toReply(judges[name], use).then((reply) => parentPort?.postMessage(reply));
  });
}

async function toReply(judge: Judge | undefined, use: ToolUse): Promise<JudgeReply> {
  if (judge === undefined) return { isChecked: false };
  try {
    return { isChecked: true, verdict: await judge(use) };
  } catch {
    return { isChecked: false }; // the pool asks a person
  }
}
