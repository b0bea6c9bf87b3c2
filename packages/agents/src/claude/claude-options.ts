import type {
  CanUseTool,
  HookCallback,
  Options,
  PermissionMode,
  SettingSource,
} from "@anthropic-ai/claude-agent-sdk";

import { SELF_STARTING_TOOLS } from "./claude-environment.ts";
import { PREVIEW_FORMAT, QUESTION_TOOL } from "./decide-question.ts";
import { COMMAND_TOOLS } from "./directory-hook.ts";
import type { ModeConditions } from "./permission-modes.ts";
import { ALLOW_GATEWAY_TOOLS } from "./tool-server.ts";

/** As long as a timer can be: the gateway's own deadline always comes first. */
const HOOK_TIMEOUT_SECONDS = 24 * 24 * 60 * 60;

/** What is the same for every process of an adapter. */
export interface ProcessSetup {
  readonly environment: Record<string, string>;
  readonly settingSources: readonly SettingSource[];
  readonly modeConditions: ModeConditions;
  readonly pathToClaudeCodeExecutable?: string;
  readonly spawn?: NonNullable<Options["spawnClaudeCodeProcess"]>;
}

/** What is of one process. */
export interface ProcessStart {
  readonly cwd: string;
  readonly mode: PermissionMode;
  readonly model: string | undefined;
  /** The conversation to resume. */
  readonly conversationId: string | undefined;
  /** It will be connected to the gateway's tools. */
  readonly hasGatewayTools: boolean;
  readonly canUseTool: CanUseTool;
  /** Asked about every call of the question tool before the runtime's own permission check. */
  readonly beforeQuestion: HookCallback;
  /** Told of every command before the runtime asks whether it may run. */
  readonly beforeCommand: HookCallback;
}

/** How the SDK is to start a process of the agent. */
export function toOptions(setup: ProcessSetup, start: ProcessStart): Options {
  const { conversationId } = start;
  return {
    cwd: start.cwd,
    env: setup.environment,
    // Left out, the mode could be one that decides by itself.
    permissionMode: start.mode,
    // Lets the mode be chosen later; by itself it changes nothing.
    ...(setup.modeConditions.canBypass && { allowDangerouslySkipPermissions: true }),
    settingSources: [...setup.settingSources],
    settings: {
      // Planning asks a person, not a model, about what is more than reading.
      useAutoModeDuringPlan: false,
      // What a person allows for longer is the gateway's to keep, and never a rule of the runtime.
      permissions: { allow: start.hasGatewayTools ? [ALLOW_GATEWAY_TOOLS] : [] },
    },
    disallowedTools: [...SELF_STARTING_TOOLS],
    includePartialMessages: true,
    forwardSubagentText: true,
    toolConfig: { askUserQuestion: { previewFormat: PREVIEW_FORMAT } },
    canUseTool: start.canUseTool,
    hooks: {
      PreToolUse: [
        { matcher: QUESTION_TOOL, timeout: HOOK_TIMEOUT_SECONDS, hooks: [start.beforeQuestion] },
        { matcher: COMMAND_TOOLS, hooks: [start.beforeCommand] },
      ],
    },
    ...(start.model !== undefined && { model: start.model }),
    ...(conversationId !== undefined && { resume: conversationId }),
    ...(setup.pathToClaudeCodeExecutable !== undefined && {
      pathToClaudeCodeExecutable: setup.pathToClaudeCodeExecutable,
    }),
    ...(setup.spawn && { spawnClaudeCodeProcess: setup.spawn }),
  };
}
