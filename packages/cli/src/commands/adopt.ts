import type { Clock } from "@holdpoint/engine";

import {
  assertAdoptable,
  type AdoptPlan,
  carryOut,
  hasClaude,
  planClaude,
  type Place,
  undoAll,
} from "../adopt/adopt-agents.ts";
import type { Undone } from "../adopt/adopt-file.ts";
import { tryHook } from "../adopt/try-hook.ts";
import { askGateway } from "../control/ask-gateway.ts";
import { UsageError } from "../usage-error.ts";

export interface AdoptOptions {
  readonly dataDir: string;
  readonly flags: {
    /** Adopt in the settings of the project in `directory`. */
    readonly project?: boolean;
    readonly print?: boolean;
    readonly undo?: boolean;
  };
  /** The agents that were named. */
  readonly words: readonly string[];
  readonly env: Place["env"];
  /** Where the command was started. */
  readonly directory: string;
  readonly clock: Clock;
}

/** Lets agents in terminals ask the running gateway, or takes that back. Resolves with the output. */
export async function adopt(options: AdoptOptions): Promise<string> {
  const { dataDir, flags, words, env, directory, clock } = options;
  if (process.platform === "win32") throw new UsageError("adopt does not run on Windows yet.");
  if (flags.print && flags.undo) throw new UsageError("Choose one of --print and --undo.");
  for (const agent of words) assertAdoptable(agent);
  const place: Place = { dataDir, env, project: flags.project ? directory : undefined };
  if (flags.undo) return toUndone(await undoAll(place));
  if (words.length === 0 && !(await hasClaude(env))) {
    throw new UsageError(
      "No agent was found that can be adopted. To adopt one all the same, name it: claude.",
    );
  }
  const plan = await planClaude(place);
  if (flags.print) return toShown(plan);
  // The hook lies in the data folder of a gateway, so there must be one; and what cannot be tried is not written.
  await askGateway(dataDir, { command: "status" });
  await carryOut(dataDir, plan);
  const took = await tryHook(plan.program, clock);
  if (!took) {
    await undoAll(place);
    throw new UsageError(
      "The hook did not reach the gateway, so it was taken out again. See holdpoint doctor.",
    );
  }
  return [
    `Claude Code: hooks in ${plan.path}`,
    `  They run ${plan.program}`,
    `  Tried 20 times: it reached the gateway in ${toMs(took.middle)}, at most ${toMs(took.p95)} in 19 of 20.`,
    "  Sessions of Claude Code that run already have them after their next start.",
    ...(flags.project ? ["  The file is for this machine: do not commit it."] : []),
    "  holdpoint adopt --undo takes them out again.",
    "",
  ].join("\n");
}

function toShown({ path, text, program, programText }: AdoptPlan): string {
  return [`# ${path}`, text, `# ${program}`, programText].join("\n");
}

const UNDONE: Readonly<Record<Undone, string>> = {
  restored: "is as it was before",
  removed: "is gone, as there was none before",
  changed: "has the hooks no more; what else was changed in it stays",
  absent: "had no hooks of Holdpoint any more",
};

function toUndone(undone: readonly [string, Undone][]): string {
  if (undone.length === 0) return "Nothing was adopted.\n";
  return undone.map(([path, what]) => `${path} ${UNDONE[what]}.\n`).join("");
}

function toMs(ms: number): string {
  return `${Math.round(ms)} ms`;
}
