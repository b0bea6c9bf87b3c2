import type { HookCallback } from "@anthropic-ai/claude-agent-sdk";

import type { Judge } from "../protection/judge-tool-use.ts";

/** A hook before every tool, in every permission mode and of every sub-agent: what must not pass does not. */
export function createProtectionHook(judge: Judge): HookCallback {
  return async (input) => {
    if (input.hook_event_name !== "PreToolUse") return {};
    const verdict = await judge({
      toolName: input.tool_name,
      input: Object(input.tool_input) as Record<string, unknown>,
      cwd: input.cwd,
    });
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
