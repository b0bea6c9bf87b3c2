import { homedir } from "node:os";
import { join } from "node:path";

import { agentEnvironment } from "../host/agent-environment.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What the agent's process gets: the gateway's environment without its own secrets. Work in the background and
 * turns that the agent starts by itself are off: what runs belongs to a turn that a person can see and stop.
 */
export function claudeEnvironment(
  environment: Environment,
  configDir?: string,
): Record<string, string> {
  return {
    ...agentEnvironment(environment),
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
    CLAUDE_CODE_DISABLE_CRON: "1",
    ...(configDir !== undefined && { CLAUDE_CONFIG_DIR: configDir }),
  };
}

/** Tools with which the agent could start a turn by itself. */
export const SELF_STARTING_TOOLS: readonly string[] = ["Monitor", "ScheduleWakeup"];

/** Where Claude keeps its settings and login, for an agent with this environment. */
export function claudeConfigDir(environment: Environment): string {
  return environment["CLAUDE_CONFIG_DIR"] ?? join(environment["HOME"] ?? homedir(), ".claude");
}
