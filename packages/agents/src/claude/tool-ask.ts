import type {
  CanUseTool,
  PermissionResult,
  PermissionUpdate,
} from "@anthropic-ai/claude-agent-sdk";
import type { HoldRequest, HoldResult } from "@holdpoint/engine";

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
  readonly cwd: string;
  hold(request: HoldRequest, options: { signal: AbortSignal }): Promise<HoldResult>;
  /** To be told before the decision goes to the runtime: it will have the response in a moment. */
  handingOver(delivered: () => Promise<void>): void;
  /** To be told what the person has allowed beyond this call. */
  granting(updates: readonly PermissionUpdate[]): void;
}

export type Decision = PermissionResult;
