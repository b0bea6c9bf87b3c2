import type { HookCallback } from "@anthropic-ai/claude-agent-sdk";

import type { Judge } from "../protection/judge-tool-use.ts";

export interface ProtectionJudges {
  /** Says what must not pass, or not unasked, in any permission mode. */
  readonly judge: Judge;
  /** Says what the runtime must not take for harmless. Not asked in the mode that allows everything. */
  readonly judgeGit: Judge;
}

/** A hook before every tool, in every permission mode and of every sub-agent: what must not pass does not. */
export function createProtectionHook({ judge, judgeGit }: ProtectionJudges): HookCallback {
  return async (input) => {
    if (input.hook_event_name !== "PreToolUse") return {};
    const use = {
      toolName: input.tool_name,
      input: Object(input.tool_input) as Record<string, unknown>,
      cwd: input.cwd,
    };
    const allowsAll = input.permission_mode === "bypassPermissions";
    const verdict = (await judge(use)) ?? (allowsAll ? undefined : await judgeGit(use));
    if (verdict === undefined) return {};
    return {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: input.permission_mode === "dontAsk" ? "deny" : verdict.action,
        permissionDecisionReason: verdict.reason,
      },
    };
  };
}
