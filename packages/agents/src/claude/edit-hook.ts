import type { HookCallback } from "@anthropic-ai/claude-agent-sdk";

import type { CalledBy } from "./directory-hook.ts";

/** Longer edits are cut off in the message to the model. */
const MAX_CHARACTERS = 4000;

/**
 * A hook after the calls of each message. The model knows only the calls that it made, so this tells it about a
 * person's edits together with the results. A hook after each tool would keep the result out of the runtime's record
 * until a gateway answers, and after a crash it would be unknown whether the call has run.
 */
export function createEditHook(
  takeEdit: (call: CalledBy) => Readonly<Record<string, unknown>> | undefined,
): HookCallback {
  return async (input) => {
    if (input.hook_event_name !== "PostToolBatch") return {};
    const { hook_event_name: hookEventName, agent_id: agentId, tool_calls: calls } = input;
    const texts = calls.flatMap(({ tool_name: toolName, tool_use_id: runtimeId }) => {
      const edit = takeEdit({ runtimeId, ...(agentId !== undefined && { agentId }) });
      return edit === undefined ? [] : [toContext(`${toolName} (${runtimeId})`, edit)];
    });
    if (texts.length === 0) return {};
    return { hookSpecificOutput: { hookEventName, additionalContext: texts.join("\n") } };
  };
}

function toContext(call: string, edit: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(edit);
  const shown =
    text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}… (shortened)` : text;
  return `The user changed the call of ${call} before allowing it. It ran with this input, and not with yours: ${shown}`;
}
