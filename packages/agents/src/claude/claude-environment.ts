import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

import { agentEnvironment } from "../host/agent-environment.ts";
import { loopbackDirect } from "../host/loopback-direct.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that configure Claude Code, including its key. */
const OWN_NAMES: readonly string[] = [
  "ANTHROPIC_* CLAUDE_* IS_SANDBOX API_TIMEOUT_MS MAX_THINKING_TOKENS ENABLE_TOOL_SEARCH",
  "BASH_DEFAULT_TIMEOUT_MS BASH_MAX_TIMEOUT_MS BASH_MAX_OUTPUT_LENGTH MCP_TIMEOUT MCP_TOOL_TIMEOUT",
  "MAX_MCP_OUTPUT_TOKENS DISABLE_TELEMETRY DISABLE_ERROR_REPORTING DISABLE_AUTOUPDATER",
  "DISABLE_COST_WARNINGS DISABLE_PROMPT_CACHING* USE_BUILTIN_RIPGREP",
].flatMap((line) => line.split(" "));
/** With a cloud provider, Claude uses that cloud's credentials. */
const CLOUD_NAMES: Readonly<Record<string, readonly string[]>> = {
  CLAUDE_CODE_USE_BEDROCK: ["AWS_*"],
  CLAUDE_CODE_USE_VERTEX: [
    "GOOGLE_*",
    "GCLOUD_PROJECT",
    "CLOUDSDK_*",
    "CLOUD_ML_REGION",
    "VERTEX_*",
  ],
  CLAUDE_CODE_USE_FOUNDRY: ["AZURE_*"],
};
/** Variables that switch Claude to a cloud provider. */
export const PROVIDER_SWITCHES: readonly string[] = Object.keys(CLOUD_NAMES);

export interface ClaudeEnvironmentOptions {
  readonly configDir?: string | undefined;
  /** Names of further variables that the person lets the agent have. */
  readonly environmentNames?: readonly string[] | undefined;
}

/**
 * The agent process's environment: variables that every program needs, Claude's configuration, and names added by the
 * person. Background work and turns started by the agent itself are off, so that all work belongs to a turn that a
 * person can see and stop.
 */
export function claudeEnvironment(
  environment: Environment,
  { configDir, environmentNames = [] }: ClaudeEnvironmentOptions = {},
): Record<string, string> {
  const clouds = Object.entries(CLOUD_NAMES).flatMap(([variable, ofCloud]) =>
    isOn(environment[variable]) ? ofCloud : [],
  );
  const given = agentEnvironment(environment, [...OWN_NAMES, ...clouds, ...environmentNames]);
  return {
    ...given,
    ...gitSettings(given),
    // Stops a terminal hook in the person's settings: this gateway already asks for the agent.
    ASKED_BY_ITS_HOST: "1",
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
    CLAUDE_CODE_DISABLE_CRON: "1",
    ...(configDir !== undefined && { CLAUDE_CONFIG_DIR: configDir }),
  };
}

/**
 * Git settings against programs that git runs even when it only reads: a watcher named by the repository, settings of a
 * repository nested in another, and the work that follows a fetch.
 */
const GIT_SETTINGS: Readonly<Record<string, string>> = {
  "core.fsmonitor": "false",
  "safe.bareRepository": "explicit",
  "maintenance.auto": "false",
  "gc.auto": "0",
  // Also for a repository that is no longer in any index.
  "diff.submodule": "short",
  "status.submoduleSummary": "false",
};

/**
 * The git settings as variables, which override a repository's own settings. Existing `GIT_CONFIG_*` variables are
 * kept.
 */
function gitSettings(environment: Environment): Record<string, string> {
  const first = Number(environment["GIT_CONFIG_COUNT"] ?? 0) || 0;
  const settings = Object.entries(GIT_SETTINGS).flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ]);
  // Missing objects are not fetched, since the repository chooses the program that fetches them.
  return {
    ...Object.fromEntries(settings),
    GIT_NO_LAZY_FETCH: "1",
    GIT_CONFIG_COUNT: String(first + settings.length / 2),
  };
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !/^(?:|0|false|no|off)$/iu.test(value);
}

/** Tools with which the agent could start a turn itself, or continue work after a turn. */
export const SELF_STARTING_TOOLS: readonly string[] = ["Monitor", "ScheduleWakeup", "Workflow"];
/** Tools with which the agent could find this account's other sessions and make their agents work. */
export const PEER_TOOLS: readonly string[] = ["ListAgents", "SendMessage"];

/** The folder with Claude's settings and login, for an agent with this environment. */
export function claudeConfigDir(environment: Environment): string {
  return environment["CLAUDE_CONFIG_DIR"] ?? join(environment["HOME"] ?? homedir(), ".claude");
}

/** Variables that must override the ones in the person's Claude settings, which may name a proxy and its exceptions. */
export function strongVariables(environment: Environment): Record<string, string> {
  return loopbackDirect({ ...environment, ...readSettingsVariables(environment) });
}

function readSettingsVariables(environment: Environment): Record<string, string> {
  try {
    const path = join(claudeConfigDir(environment), "settings.json");
    const settings = Object(JSON.parse(readFileSync(path, "utf8"))) as { env?: unknown };
    const variables = Object.entries(Object(settings.env) as Record<string, unknown>);
    return Object.fromEntries(
      variables.filter((each): each is [string, string] => typeof each[1] === "string"),
    );
  } catch {
    return {}; // no settings, or unreadable for Claude too
  }
}
