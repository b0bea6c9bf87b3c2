import type { ToolCallItem } from "@holdpoint/client";
import { readTerminalRun, type Interaction } from "@holdpoint/protocol";

import type { Say } from "../words/use-words.ts";
import type { ToolPhase } from "./tool-phase.ts";

/** Facts about the run of an ended call. */
export interface ToolFacts {
  /** Such as "2.4 s". Absent if unknown. */
  readonly took?: string;
  /** Such as "exit 2". */
  readonly exit?: string;
}

const SHOWN_FROM_MS = 100;

/** The duration of a command, without the wait for a person, and its exit code. */
export function toToolFacts(
  item: ToolCallItem,
  interactions: readonly Interaction[],
  { phase, say }: { readonly phase: ToolPhase; readonly say: Say },
): ToolFacts {
  const { input, result } = item;
  if (phase !== "done" && phase !== "failed") return {};
  if (typeof input?.["command"] !== "string" || result === undefined) return {};
  const ranMs = toRunMs(item, interactions);
  const code = result.isError ? toExitCode(result.content) : undefined;
  return {
    ...(ranMs >= SHOWN_FROM_MS && { took: toDuration(ranMs, say) }),
    ...(code !== undefined && { exit: say("exit {code}", { code }) }),
  };
}

function toExitCode(content: string): number | string | undefined {
  return readTerminalRun(content)?.exitCode ?? /^Exit code (\d{1,3})\b/.exec(content)?.[1];
}

/** The duration in milliseconds; `NaN` if unknown. */
function toRunMs(
  { startedAt, answeredAt, endedAt }: ToolCallItem,
  interactions: readonly Interaction[],
): number {
  // A parked call began only after its agent was restarted, at an unknown time.
  if (interactions.some(({ holdChanges }) => holdChanges !== undefined)) return Number.NaN;
  const begin = interactions.length === 0 ? startedAt : answeredAt;
  return Date.parse(endedAt ?? "") - Date.parse(begin ?? "");
}

const TENTHS = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

function toDuration(ms: number, say: Say): string {
  const { locale } = say.language;
  const all = ms / 1000;
  if (all < 10) return say("{seconds} s", { seconds: all.toLocaleString(locale, TENTHS) });
  if (all < 60) return say("{seconds} s", { seconds: Math.round(all) });
  const minutes = Math.floor(all / 60);
  if (minutes < 60) {
    return say("{minutes} min {seconds} s", { minutes, seconds: Math.floor(all % 60) });
  }
  const hours = Math.floor(minutes / 60);
  return say("{hours} h {minutes} min", { hours, minutes: minutes % 60 });
}
