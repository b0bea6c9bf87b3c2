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

/** Otherwise a process that resumes a conversation also resumes a call of it that was marked before, as it pleases. */
const RESUME_NO_CALL = { CLAUDE_CODE_DISABLE_DEFERRED_TOOL_RESUME: "1" };
/** Otherwise the process may resume the call before it knows the hooks and servers. */
const WAIT_FOR_SETUP = { "await-initialize": null };

/** Other sessions of this account send messages to the process itself, past the gateway. It takes none. */
const ALONE = { crossSessionInbound: "refuse" } as const;

/** As long as a timer can be: the gateway's own deadline always comes first. */
const HOOK_TIMEOUT_SECONDS = 24 * 24 * 60 * 60;

/** What is the same for every process of an adapter. */
export interface ProcessSetup {
  readonly environment: Record<string, string>;
  readonly settingSources: readonly SettingSource[];
  readonly modeConditions: ModeConditions;
  readonly protectedPaths: ProtectedPaths;
  readonly pathToClaudeCodeExecutable?: string;
}

/** What is of one process. */
export interface ProcessStart {
  readonly cwd: string;
  readonly mode: PermissionMode;
  readonly model: string | undefined;
  /** The conversation to resume. */
  readonly conversationId: string | undefined;
  /** How the program is started. Default: as the SDK does it. */
  readonly spawn: HostProcess | undefined;
  /** The call to resume. */
  readonly resumed: ResumedCall | undefined;
  /** It will be connected to the gateway's tools. */
  readonly hasTools: boolean;
  /** The gateway's tools, if it must have them from the start. */
  readonly toolServers: Record<string, McpServerConfig> | undefined;
  readonly canUseTool: CanUseTool;
  /** Asked what an MCP server wants to know of a person. Without it such requests are declined in silence. */
  readonly onElicitation: OnElicitation;
  /** Asked about every call of every tool, before anything else is. */
  readonly beforeTool: readonly HookCallback[];
  /** Asked about every call of the question tool before the runtime's own permission check. */
  readonly beforeQuestion: HookCallback;
  /** Told of every command before the runtime asks whether it may run. */
  readonly beforeCommand: HookCallback;
  /** Told of the calls of each message once all of them have run and are recorded. */
  readonly afterTools: HookCallback;
}

/** How the SDK is to start a process that is only asked what it offers: without servers, hooks and a record. */
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

/** How the SDK is to start a process of the agent. */
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
    // Left out, the mode could be one that decides by itself.
    permissionMode: start.mode,
    // Lets the mode be chosen later; by itself it changes nothing.
    ...(setup.modeConditions.canBypass && { allowDangerouslySkipPermissions: true }),
    settingSources: [...setup.settingSources],
    settings: {
      ...ALONE,
      env: strongVariables(setup.environment),
      // Planning asks a person, not a model, about what is more than reading.
      useAutoModeDuringPlan: false,
      // What a person allows for longer is the gateway's to keep, and never a rule of the runtime.
      permissions: {
        allow: start.hasTools ? [ALLOW_GATEWAY_TOOLS] : [],
        deny: [...deny, toRecordRule(claudeConfigDir(setup.environment))],
        ask,
      },
      // The person's own settings may turn off hooks, and these protect the gateway.
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
    // Their credential goes over the process's input, not its arguments.
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
