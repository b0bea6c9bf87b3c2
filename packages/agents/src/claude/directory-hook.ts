import type { HookCallback } from "@anthropic-ai/claude-agent-sdk";

/** The tools that run commands. Between calls, the runtime keeps the directory that the last command changed to. */
export const COMMAND_TOOLS = "Bash|PowerShell";

/** How hooks identify a call. */
export interface CalledBy {
  readonly runtimeId: string;
  /** The sub-agent that makes the call. */
  readonly agentId?: string;
}

/**
 * A hook before each command. The runtime's permission request does not include the command's directory, and an earlier
 * `cd` may have left the session's directory.
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
