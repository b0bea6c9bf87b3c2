import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

import { agentEnvironment } from "../host/agent-environment.ts";
import { loopbackDirect } from "../host/loopback-direct.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The names with which Claude Code is set up, its key among them. */
const OWN_NAMES: readonly string[] = [
  "ANTHROPIC_* CLAUDE_* IS_SANDBOX API_TIMEOUT_MS MAX_THINKING_TOKENS ENABLE_TOOL_SEARCH",
  "BASH_DEFAULT_TIMEOUT_MS BASH_MAX_TIMEOUT_MS BASH_MAX_OUTPUT_LENGTH MCP_TIMEOUT MCP_TOOL_TIMEOUT",
  "MAX_MCP_OUTPUT_TOKENS DISABLE_TELEMETRY DISABLE_ERROR_REPORTING DISABLE_AUTOUPDATER",
  "DISABLE_COST_WARNINGS DISABLE_PROMPT_CACHING* USE_BUILTIN_RIPGREP",
].flatMap((line) => line.split(" "));
/** Where a cloud serves the model, Claude's key is one of that cloud. */
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
/** The ways in which Claude is told that a cloud serves the model. */
export const PROVIDER_SWITCHES: readonly string[] = Object.keys(CLOUD_NAMES);

export interface ClaudeEnvironmentOptions {
  readonly configDir?: string | undefined;
  /** Names of further variables that the person lets the agent have. */
  readonly environmentNames?: readonly string[] | undefined;
}

/**
 * What the agent's process gets: of the gateway's environment what every program needs, what sets Claude up, and what
 * the person names. Work in the background and turns that the agent starts by itself are off: what runs belongs to a
 * turn that a person can see and stop.
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
    // The gateway asks for this agent: a hook in the person's settings that does so for terminals stays out of it.
    ASKED_BY_ITS_HOST: "1",
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
    CLAUDE_CODE_DISABLE_CRON: "1",
    ...(configDir !== undefined && { CLAUDE_CONFIG_DIR: configDir }),
  };
}

/**
 * What git runs by itself when it only reads: a watcher that the repository names, what a repository within one says, and
 * the work that follows a fetch.
 */
const GIT_SETTINGS: Readonly<Record<string, string>> = {
  "core.fsmonitor": "false",
  "safe.bareRepository": "explicit",
  "maintenance.auto": "false",
  "gc.auto": "0",
  // In a repository that no index names any more, too.
  "diff.submodule": "short",
  "status.submoduleSummary": "false",
};

/** As variables, which count more than a repository's own settings. Those that the person names for the agent stay. */
function gitSettings(environment: Environment): Record<string, string> {
  const first = Number(environment["GIT_CONFIG_COUNT"] ?? 0) || 0;
  const settings = Object.entries(GIT_SETTINGS).flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ]);
  // A missing object is not fetched: the repository says by which program.
  return {
    ...Object.fromEntries(settings),
    GIT_NO_LAZY_FETCH: "1",
    GIT_CONFIG_COUNT: String(first + settings.length / 2),
  };
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !/^(?:|0|false|no|off)$/iu.test(value);
}

/** Tools with which the agent could start a turn by itself, or work on after one. */
export const SELF_STARTING_TOOLS: readonly string[] = ["Monitor", "ScheduleWakeup", "Workflow"];
/** Tools with which it could find other sessions of this account and have their agents work. */
export const PEER_TOOLS: readonly string[] = ["ListAgents", "SendMessage"];

/** Where Claude keeps its settings and login, for an agent with this environment. */
export function claudeConfigDir(environment: Environment): string {
  return environment["CLAUDE_CONFIG_DIR"] ?? join(environment["HOME"] ?? homedir(), ".claude");
}

/** What must win over the variables in the person's settings of Claude: those may name a proxy, and its exceptions. */
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
    return {}; // there are none, or Claude itself cannot read them
  }
}
