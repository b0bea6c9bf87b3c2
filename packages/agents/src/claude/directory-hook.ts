import type { HookCallback } from "@anthropic-ai/claude-agent-sdk";

/** The tools that run commands. Between two calls they keep the directory that the last command went to. */
export const COMMAND_TOOLS = "Bash|PowerShell";

/** A call as hooks name it. */
export interface CalledBy {
  readonly runtimeId: string;
  /** The sub-agent that calls. */
  readonly agentId?: string;
}

/**
 * A hook before each command. The runtime's request for permission does not say where the command would run, and a `cd`
 * that was allowed before may have led away from the session's directory.
 */
export function createDirectoryHook(
  note: (call: CalledBy, directory: string) => void,
): HookCallback {
  return async (input) => {
    if (input.hook_event_name !== "PreToolUse") return {};
    const { tool_use_id: runtimeId, agent_id: agentId, cwd } = input;
    note({ runtimeId, ...(agentId !== undefined && { agentId }) }, cwd);
    return {};
  };
}
