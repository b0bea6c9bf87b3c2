import type { ToolCallItem } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";

import type { ToolPhase } from "./tool-phase.ts";

/** What the line of a call that has ended says about its run. */
export interface ToolFacts {
  /** Such as "2.4 s". Absent where it is not known for how long it ran. */
  readonly took?: string;
  /** Such as "exit 2". */
  readonly exit?: string;
}

const SHOWN_FROM_MS = 100;

/** How long a command ran, without the wait for a person, and how it ended. */
export function toToolFacts(
  item: ToolCallItem,
  interactions: readonly Interaction[],
  phase: ToolPhase,
): ToolFacts {
  const { input, result } = item;
  if (phase !== "done" && phase !== "failed") return {};
  if (typeof input?.["command"] !== "string" || result === undefined) return {};
  const ranMs = toRunMs(item, interactions);
  const code = result.isError ? /^Exit code (\d{1,3})\b/.exec(result.content)?.[1] : undefined;
  return {
    ...(ranMs >= SHOWN_FROM_MS && { took: toDuration(ranMs) }),
    ...(code !== undefined && { exit: `exit ${code}` }),
  };
}

/** `NaN` where it is not known. */
function toRunMs(
  { startedAt, answeredAt, endedAt }: ToolCallItem,
  interactions: readonly Interaction[],
): number {
  // One that was parked began only when its agent had been started again.
  if (interactions.some(({ holdChanges }) => holdChanges !== undefined)) return Number.NaN;
  const begin = interactions.length === 0 ? startedAt : answeredAt;
  return Date.parse(endedAt ?? "") - Date.parse(begin ?? "");
}

function toDuration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
