import type { HookCallback, SyncHookJSONOutput } from "@anthropic-ai/claude-agent-sdk";

import type { Judge } from "../protection/judge-tool-use.ts";
import type { Verdict } from "../protection/protected-paths.ts";
import { isGatewayTool } from "./tool-server.ts";

export interface ProtectionJudges {
  /** Finds calls that must not run, or not without asking, in any permission mode. */
  readonly judge: Judge;
  /** Finds calls that the runtime must not take for harmless. Skipped in the mode that allows everything. */
  readonly judgeUnasked: Judge;
}

const NEEDS_ASKING: Verdict = {
  action: "ask",
  reason: "No one has allowed everything in this session, or that permission has expired.",
};

const NEEDS_TURN: Verdict = {
  action: "deny",
  reason: "No turn is running in this session, so no one would see the request.",
};

/** Tools that change folders and branches or use the network, and that the runtime allows without asking. */
const PROMISED_TOOLS: ReadonlySet<string> = new Set([
  "EnterWorktree",
  "ExitWorktree",
  "WebFetch",
  "WebSearch",
]);
/** Modes that do not promise to ask a person about these tools. */
const OTHER_MODES: ReadonlySet<string | undefined> = new Set([
  "auto",
  "dontAsk",
  "bypassPermissions",
]);

const PROMISED: Verdict = {
  action: "ask",
  reason: "This mode asks before files are changed or the network is used.",
};

/** The part of a session that the hook needs. */
export interface WatchedSession {
  /** Whether a turn runs, which a person can see and stop. */
  hasTurn(): boolean;
  mayAllowAll(): boolean;
}

/**
 * A hook before every tool, in every permission mode, and for every sub-agent. Stops protected calls, and every call
 * outside a turn. Asks if the runtime is in the mode that allows everything but the session is not.
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
