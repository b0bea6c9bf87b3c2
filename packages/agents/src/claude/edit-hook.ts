import type { HookCallback } from "@anthropic-ai/claude-agent-sdk";

import type { CalledBy } from "./directory-hook.ts";

/** More of an edit is not repeated to the model. */
const MAX_CHARACTERS = 4000;

/**
 * A hook after every tool. The model knows only the call that it made: with the result it hears what a person has made of
 * the call.
 */
export function createEditHook(
  findEdit: (call: CalledBy) => Readonly<Record<string, unknown>> | undefined,
): HookCallback {
  return async (input) => {
    const { hook_event_name: hookEventName } = input;
    if (hookEventName !== "PostToolUse" && hookEventName !== "PostToolUseFailure") return {};
    const { tool_use_id: runtimeId, agent_id: agentId } = input;
    const edit = findEdit({ runtimeId, ...(agentId !== undefined && { agentId }) });
    if (edit === undefined) return {};
    return { hookSpecificOutput: { hookEventName, additionalContext: toContext(edit) } };
  };
}

function toContext(edit: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(edit);
  const shown =
    text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}… (shortened)` : text;
  return `The user changed this call before allowing it. It ran with this input, and not with yours: ${shown}`;
}
