import type { HookCallback, SyncHookJSONOutput } from "@anthropic-ai/claude-agent-sdk";

import type { Judge } from "../protection/judge-tool-use.ts";
import type { Verdict } from "../protection/protected-paths.ts";
import { isGatewayTool } from "./tool-server.ts";

export interface ProtectionJudges {
  /** Says what must not pass, or not unasked, in any permission mode. */
  readonly judge: Judge;
  /** Says what the runtime must not take for harmless. Not asked in the mode that allows everything. */
  readonly judgeUnasked: Judge;
}

const NEEDS_ASKING: Verdict = {
  action: "ask",
  reason: "Nobody has allowed everything in this session, or the time of that is over.",
};

const NEEDS_TURN: Verdict = {
  action: "deny",
  reason: "No turn of this session runs, so no person would see it.",
};

/** Tools with which the runtime changes folders and branches, or uses the network, without asking by itself. */
const PROMISED_TOOLS: ReadonlySet<string> = new Set([
  "EnterWorktree",
  "ExitWorktree",
  "WebFetch",
  "WebSearch",
]);
/** Modes that promise no person's yes for them. */
const OTHER_MODES: ReadonlySet<string | undefined> = new Set([
  "auto",
  "dontAsk",
  "bypassPermissions",
]);

const PROMISED: Verdict = {
  action: "ask",
  reason: "This mode asks before files are changed or the network is used.",
};

/** The session, as far as the hook needs it. */
export interface WatchedSession {
  /** Whether a turn runs, which a person can see and stop. */
  hasTurn(): boolean;
  mayAllowAll(): boolean;
}

/**
 * A hook before every tool, in every permission mode and of every sub-agent: what must not pass does not, and nothing does
 * without a turn. Where the runtime is in the mode that allows everything, and the session is not, it asks.
 */
export function createProtectionHook(
  { judge, judgeUnasked }: ProtectionJudges,
  session: WatchedSession,
): HookCallback {
  return async (input, _toolUseId, { signal }) => {
    if (input.hook_event_name !== "PreToolUse") return {};
    if (!session.hasTurn()) return toOutput(NEEDS_TURN);
    const use = {
      toolName: input.tool_name,
      input: Object(input.tool_input) as Record<string, unknown>,
      cwd: input.cwd,
      callId: input.tool_use_id,
    };
    const allowsAll = input.permission_mode === "bypassPermissions";
    const passesAll = allowsAll && session.mayAllowAll();
    const verdict =
      (await judge(use, signal)) ??
      (passesAll ? undefined : await judgeUnasked(use, signal)) ??
      promisedOf(use.toolName, input.permission_mode) ??
      (passesAll === allowsAll || isGatewayTool(use.toolName) ? undefined : NEEDS_ASKING);
    if (verdict === undefined) return {};
    return toOutput(input.permission_mode === "dontAsk" ? { ...verdict, action: "deny" } : verdict);
  };
}

function promisedOf(toolName: string, mode: string | undefined): Verdict | undefined {
  return PROMISED_TOOLS.has(toolName) && !OTHER_MODES.has(mode) ? PROMISED : undefined;
}

function toOutput({ action, reason }: Verdict): SyncHookJSONOutput {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: action,
      permissionDecisionReason: reason,
    },
  };
}
