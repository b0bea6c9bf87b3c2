import type { HookCallback } from "@anthropic-ai/claude-agent-sdk";

import { asksByItself, type ResumedCall } from "./parking.ts";
import { runtimeIdOf } from "./turn-calls.ts";

/**
 * A hook that makes the runtime ask about a resumed call, even if a rule allows the call in the meantime: the person's
 * answer must count, also a denial.
 */
export function createResumeHook(resumed: ResumedCall | undefined): HookCallback {
  return async (input) => {
    if (input.hook_event_name !== "PreToolUse") return {};
    if (resumed === undefined || asksByItself(input.tool_name)) return {};
    if (input.tool_use_id !== runtimeIdOf(resumed.toolCallId)) return {};
    return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask" } };
  };
}
