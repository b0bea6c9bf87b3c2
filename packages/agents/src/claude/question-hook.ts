import type { HookCallback, SyncHookJSONOutput } from "@anthropic-ai/claude-agent-sdk";

import type { Decision, ToolAsk } from "./tool-ask.ts";

/**
 * A hook before the question tool. In the mode that never asks, the runtime refuses a question outright, so the hook
 * asks instead. In every other mode the runtime asks itself. The hook must not wait then, because a waiting hook
 * would not survive a takeover by another gateway, unlike a permission request.
 */
export function createQuestionHook(
  decide: (ask: ToolAsk) => Promise<Decision>,
  interrupt: () => void,
): HookCallback {
  return async (input, _toolUseId, { signal }) => {
    if (input.hook_event_name !== "PreToolUse" || input.permission_mode !== "dontAsk") return {};
    const decision = await decide({
      toolName: input.tool_name,
      input: Object(input.tool_input) as Record<string, unknown>,
      about: {
        toolUseID: input.tool_use_id,
        signal,
        ...(input.agent_id !== undefined && { agentID: input.agent_id }),
      },
    });
    if (decision.behavior === "deny" && decision.interrupt === true) interrupt();
    return toHookOutput(decision);
  };
}

function toHookOutput(decision: Decision): SyncHookJSONOutput {
  const hookEventName = "PreToolUse";
  if (decision.behavior === "deny") {
    const { message } = decision;
    return {
      hookSpecificOutput: {
        hookEventName,
        permissionDecision: "deny",
        permissionDecisionReason: message,
      },
    };
  }
  const { updatedInput } = decision;
  return {
    hookSpecificOutput: {
      hookEventName,
      permissionDecision: "allow",
      ...(updatedInput && { updatedInput }),
    },
  };
}
