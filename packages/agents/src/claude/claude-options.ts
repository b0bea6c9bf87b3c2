import type {
  CanUseTool,
  HookCallback,
  McpServerConfig,
  OnElicitation,
  Options,
  PermissionMode,
  SettingSource,
} from "@anthropic-ai/claude-agent-sdk";

import type { ProtectedPaths } from "../protection/protected-paths.ts";
import {
  claudeConfigDir,
  PEER_TOOLS,
  SELF_STARTING_TOOLS,
  strongVariables,
} from "./claude-environment.ts";
import { PREVIEW_FORMAT, QUESTION_TOOL } from "./decide-question.ts";
import { COMMAND_TOOLS } from "./directory-hook.ts";
import type { HostProcess } from "./hosting.ts";
import type { ResumedCall } from "./parking.ts";
import { ASKING_MODE, type ModeConditions } from "./permission-modes.ts";
import { toProtectionRules, toRecordRule } from "./protection-rules.ts";
import { ALLOW_GATEWAY_TOOLS } from "./tool-server.ts";

/** Without it, a process that resumes a conversation would also resume a call marked earlier in it. */
const RESUME_NO_CALL = { CLAUDE_CODE_DISABLE_DEFERRED_TOOL_RESUME: "1" };
/** Without it, the process may resume the call before it knows the hooks and servers. */
const WAIT_FOR_SETUP = { "await-initialize": null };

/** Refuses messages that other sessions of this account send to the process directly, past the gateway. */
const ALONE = { crossSessionInbound: "refuse" } as const;

/** The longest possible timer, so that the gateway's own deadline always comes first. */
const HOOK_TIMEOUT_SECONDS = 24 * 24 * 60 * 60;

/** Settings shared by all processes of an adapter. */
export interface ProcessSetup {
  readonly environment: Record<string, string>;
  readonly settingSources: readonly SettingSource[];
  readonly modeConditions: ModeConditions;
  readonly protectedPaths: ProtectedPaths;
  readonly pathToClaudeCodeExecutable?: string;
}

/** Settings of a single process. */
export interface ProcessStart {
  readonly cwd: string;
  readonly mode: PermissionMode;
  readonly model: string | undefined;
  /** The runtime's id of the conversation to resume. */
  readonly conversationId: string | undefined;
  /** How the program is started. Default: by the SDK. */
  readonly spawn: HostProcess | undefined;
  /** The tool call to resume. */
  readonly resumed: ResumedCall | undefined;
  /** Whether the process will be connected to the gateway's tools. */
  readonly hasTools: boolean;
  /** The gateway's tools, if the process must have them from the start. */
  readonly toolServers: Record<string, McpServerConfig> | undefined;
  readonly canUseTool: CanUseTool;
  /** Answers the questions of MCP servers. Without it such requests are declined silently. */
  readonly onElicitation: OnElicitation;
  /** Hooks that run first, before every tool call. */
  readonly beforeTool: readonly HookCallback[];
  /** Runs before every call of the question tool, ahead of the runtime's own permission check. */
  readonly beforeQuestion: HookCallback;
  /** Runs before every command, ahead of the runtime's own permission check. */
  readonly beforeCommand: HookCallback;
  /** Runs after each message's tool calls, once all of them have run and are recorded. */
  readonly afterTools: HookCallback;
}

/** SDK options for a process that only reports Claude's offers: no servers, no hooks, no record. */
export function toProbeOptions(
  setup: ProcessSetup,
  cwd: string,
  spawn: HostProcess | undefined,
): Options {
  const { pathToClaudeCodeExecutable } = setup;
  return {
    cwd,
    env: { ...setup.environment, ...RESUME_NO_CALL },
    permissionMode: ASKING_MODE,
    settingSources: [...setup.settingSources],
    settings: { ...ALONE, disableAllHooks: true },
    strictMcpConfig: true,
    persistSession: false,
    ...(pathToClaudeCodeExecutable !== undefined && { pathToClaudeCodeExecutable }),
    ...(spawn && { spawnClaudeCodeProcess: (spawning) => spawn(spawning) }),
  };
}

/** SDK options for an agent process. */
export function toOptions(
  setup: ProcessSetup,
  start: ProcessStart,
  onErrorOutput: (text: string) => void,
): Options {
  const { conversationId, toolServers, spawn } = start;
  const { deny, ask } = toProtectionRules(setup.protectedPaths);
  return {
    cwd: start.cwd,
    env: start.resumed ? setup.environment : { ...setup.environment, ...RESUME_NO_CALL },
    // Without it, the default mode could be one that decides without asking.
    permissionMode: start.mode,
    // Allows choosing the mode later; changes nothing on its own.
    ...(setup.modeConditions.canBypass && { allowDangerouslySkipPermissions: true }),
    settingSources: [...setup.settingSources],
    settings: {
      ...ALONE,
      env: strongVariables(setup.environment),
      // In plan mode a person, not a model, decides about anything beyond reading.
      useAutoModeDuringPlan: false,
      // Lasting approvals are stored in the gateway, never as the runtime's own rules.
      permissions: {
        allow: start.hasTools ? [ALLOW_GATEWAY_TOOLS] : [],
        deny: [...deny, toRecordRule(claudeConfigDir(setup.environment))],
        ask,
      },
      // The person's settings may turn off hooks, but these hooks protect the gateway.
      disableAllHooks: false,
    },
    disallowedTools: [...SELF_STARTING_TOOLS, ...PEER_TOOLS],
    includePartialMessages: true,
    forwardSubagentText: true,
    toolConfig: { askUserQuestion: { previewFormat: PREVIEW_FORMAT } },
    canUseTool: start.canUseTool,
    onElicitation: start.onElicitation,
    hooks: {
      PreToolUse: [
        { timeout: HOOK_TIMEOUT_SECONDS, hooks: [...start.beforeTool] },
        { matcher: QUESTION_TOOL, timeout: HOOK_TIMEOUT_SECONDS, hooks: [start.beforeQuestion] },
        { matcher: COMMAND_TOOLS, hooks: [start.beforeCommand] },
      ],
      PostToolBatch: [{ hooks: [start.afterTools] }],
    },
    ...(start.resumed && { extraArgs: WAIT_FOR_SETUP }),
    // Delivered over the process's input, since arguments would expose the credential.
    ...(toolServers && { mcpServers: toolServers, mcpServersDelivery: "initialize" as const }),
    ...(start.model !== undefined && { model: start.model }),
    ...(conversationId !== undefined && { resume: conversationId }),
    ...(setup.pathToClaudeCodeExecutable !== undefined && {
      pathToClaudeCodeExecutable: setup.pathToClaudeCodeExecutable,
    }),
    stderr: onErrorOutput,
    ...(spawn && {
      spawnClaudeCodeProcess: (spawning) => spawn({ ...spawning, onErrorOutput }),
    }),
  };
}
