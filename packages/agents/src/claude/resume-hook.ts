import type { HookCallback } from "@anthropic-ai/claude-agent-sdk";

import { asksByItself, type ResumedCall } from "./parking.ts";

/**
 * A hook that makes the runtime ask about a resumed call, whatever rules allow it by now: the person's answer to it counts,
 * also where it is a denial.
 */
export function createResumeHook({ toolCallId }: ResumedCall): HookCallback {
  return async (input) => {
    if (input.hook_event_name !== "PreToolUse") return {};
    if (input.tool_use_id !== toolCallId || asksByItself(input.tool_name)) return {};
    return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask" } };
  };
}
