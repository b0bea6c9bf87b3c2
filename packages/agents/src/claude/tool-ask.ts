import type { CanUseTool, PermissionMode, PermissionResult } from "@anthropic-ai/claude-agent-sdk";
import type { HoldRequest, HoldResult } from "@holdpoint/engine";

import type { Verdict } from "../protection/protected-paths.ts";

/** A tool call for which the runtime requests a decision, with the runtime's details. */
export interface ToolAsk {
  readonly toolName: string;
  readonly input: Record<string, unknown>;
  readonly about: ToolAskFacts;
}

type CallbackOptions = Parameters<CanUseTool>[2];
export type ToolAskFacts = Pick<CallbackOptions, "toolUseID" | "signal"> &
  Partial<Omit<CallbackOptions, "toolUseID" | "signal">>;

/** The part of a turn that a decision needs. */
export interface ToolAskTurn {
  /** The call's working directory. */
  readonly cwd: string;
  /** The permission mode in which the runtime asks. */
  readonly mode: PermissionMode;
  hold(request: HoldRequest, options: { signal: AbortSignal }): Promise<HoldResult>;
  /** Must be called before the decision is handed to the runtime, which then has the response. */
  handingOver(delivered: Delivered): void;
}

/** Records that the runtime has the response, or that delivery is unknown. */
export type Delivered = Extract<HoldResult, { outcome: "answered" }>["delivered"];

export type Decision = PermissionResult;

/** The same request, but without an approval that lasts beyond this call. */
export function forThisTimeOnly(ask: ToolAsk, { reason }: Verdict): ToolAsk {
  const about = { ...ask.about, decisionReason: reason, suppressAlwaysAllowRule: true };
  return { ...ask, about };
}
