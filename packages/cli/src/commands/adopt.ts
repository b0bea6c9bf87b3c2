import type { TerminalKind } from "@holdpoint/agents";
import type { Clock } from "@holdpoint/engine";

import {
  ADOPTABLE,
  type AdoptPlan,
  assertAdoptable,
  carryOut,
  hasAgent,
  planAgent,
  type Place,
  undoAll,
} from "../adopt/adopt-agents.ts";
import type { Undone } from "../adopt/adopt-file.ts";
import { eventsOf } from "../adopt/hook-entries.ts";
import { type HookTime, tryHook } from "../adopt/try-hook.ts";
import type { Settings } from "../config/settings.ts";
import { askGateway } from "../control/ask-gateway.ts";
import { hookPath } from "../terminals/terminal-paths.ts";
import { UsageError } from "../usage-error.ts";

export interface AdoptOptions extends Pick<Settings, "dataDir" | "print" | "project" | "undo"> {
  /** The named agents. */
  readonly words: readonly string[];
  readonly env: Place["env"];
  /** The directory in which the command was started. */
  readonly directory: string;
  readonly clock: Clock;
}

export interface Adopted {
  readonly output: string;
  /** False: a file could not be restored. */
  readonly isWhole: boolean;
}

/** Lets agents in terminals ask the running gateway, or undoes that. */
export async function adopt(options: AdoptOptions): Promise<Adopted> {
  const { dataDir, project, print, undo, words, env, directory, clock } = options;
  if (process.platform === "win32") throw new UsageError("adopt does not run on Windows yet.");
  if (print && undo) throw new UsageError("Use either --print or --undo, not both.");
  const named = words.map(toKind);
  const place: Place = { dataDir, env, project: project ? directory : undefined };
  if (undo) {
    const undone = await undoAll(place, ({ kind }) => named.length === 0 || named.includes(kind));
    return { output: toUndone(undone), isWhole: undone.every(([, what]) => what !== "unreadable") };
  }
  const kinds = named.length > 0 ? named : await findAgents(env);
  if (kinds.length === 0) {
    const names = ADOPTABLE.join(", ");
    throw new UsageError(
      `No agent that can be adopted was found. To adopt one anyway, name it: ${names}.`,
    );
  }
  const plans = await Promise.all(kinds.map((kind) => planAgent(kind, place)));
  if (print) return { output: plans.map(toShown).join(""), isWhole: true };
  // The hook is in the data folder of a gateway, so a gateway must be running. A hook that cannot be tried is not
  // written.
  await askGateway(dataDir, { command: "status" });
  for (const plan of plans) await carryOut(dataDir, plan);
  const program = hookPath(dataDir);
  const took = await tryHook(program, clock);
  if (!took) {
    await undoAll(place, ({ path }) => plans.some((plan) => plan.path === path));
    throw new UsageError(
      "The hook did not reach the gateway, so it was removed again. Run holdpoint doctor to see why.",
    );
  }
  return {
    output: toDone(plans, { program, took, isProject: project }),
    isWhole: true,
  };
}

interface Done {
  readonly program: string;
  readonly took: HookTime;
  readonly isProject: boolean;
}

function toDone(plans: readonly AdoptPlan[], { program, took, isProject }: Done): string {
  return [
    ...plans.flatMap(({ adoption: { kind, path } }) => [
      `${LABELS[kind]}: hooks in ${path}, for ${eventsOf(kind).join(", ")}`,
      ...(kind === "codex" ? [TRUST] : []),
    ]),
    `The hooks run ${program}`,
    `Tried 20 times: it reached the gateway in ${toMs(took.middle)}, at most ${toMs(took.p95)} in 19 of 20.`,
    "Sessions that are already running get them at their next start.",
    ...(isProject ? ["The files are for this machine: do not commit them."] : []),
    "holdpoint adopt --undo removes them again.",
    "",
  ].join("\n");
}

const LABELS: Readonly<Record<TerminalKind, string>> = { claude: "Claude Code", codex: "Codex" };
const TRUST = "  Codex runs them once you trust them: it asks you at its next start.";

function toKind(word: string): TerminalKind {
  assertAdoptable(word);
  return word;
}

async function findAgents(env: Place["env"]): Promise<TerminalKind[]> {
  const found = await Promise.all(ADOPTABLE.map((kind) => hasAgent(kind, env)));
  return ADOPTABLE.filter((_, index) => found[index]);
}

function toShown({ path, text, program, programText }: AdoptPlan): string {
  return [`# ${path}`, text, `# ${program}`, programText].join("\n");
}

const UNDONE: Readonly<Record<Undone, string>> = {
  restored: "is as it was before",
  removed: "was deleted, as there was none before",
  changed: "no longer has the hooks; other changes in it are kept",
  absent: "no longer had hooks of Holdpoint",
  unreadable:
    "is no longer plain JSON, so it was left as it is: remove the hooks by hand, or repair it and undo again",
};

function toUndone(undone: readonly [string, Undone][]): string {
  if (undone.length === 0) return "Nothing was adopted.\n";
  return undone.map(([path, what]) => `${path} ${UNDONE[what]}.\n`).join("");
}

function toMs(ms: number): string {
  return `${Math.round(ms)} ms`;
}
