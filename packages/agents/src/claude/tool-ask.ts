import type { CanUseTool, PermissionMode, PermissionResult } from "@anthropic-ai/claude-agent-sdk";
import type { HoldRequest, HoldResult } from "@holdpoint/engine";

import type { Verdict } from "../protection/protected-paths.ts";

/** One call that the runtime wants a decision about, with everything that it says about the call. */
export interface ToolAsk {
  readonly toolName: string;
  readonly input: Record<string, unknown>;
  readonly about: ToolAskFacts;
}

type CallbackOptions = Parameters<CanUseTool>[2];
export type ToolAskFacts = Pick<CallbackOptions, "toolUseID" | "signal"> &
  Partial<Omit<CallbackOptions, "toolUseID" | "signal">>;

/** The turn, as far as a decision needs it. */
export interface ToolAskTurn {
  /** Where the call would run. */
  readonly cwd: string;
  /** The permission mode in which the runtime asks. */
  readonly mode: PermissionMode;
  hold(request: HoldRequest, options: { signal: AbortSignal }): Promise<HoldResult>;
  /** To be told before the decision goes to the runtime: it will have the response in a moment. */
  handingOver(delivered: Delivered): void;
}

/** Records that the runtime has the response, or that nobody knows whether it has it. */
export type Delivered = Extract<HoldResult, { outcome: "answered" }>["delivered"];

export type Decision = PermissionResult;

/** No approval of it holds for a later call. */
export function forThisTimeOnly(ask: ToolAsk, { reason }: Verdict): ToolAsk {
  const about = { ...ask.about, decisionReason: reason, suppressAlwaysAllowRule: true };
  return { ...ask, about };
}
