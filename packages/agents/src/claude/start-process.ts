import type {
  ElicitationResult,
  Options,
  PermissionMode,
  query,
  SDKMessage,
} from "@anthropic-ai/claude-agent-sdk";

import type { ToolEndpoint } from "../host/host-protocol.ts";
import type { HostedProcess } from "../host/hosted-process.ts";
import type { ProcessStart } from "./claude-options.ts";
import { ClaudeProcess } from "./claude-process.ts";
import { createDirectoryHook, type CalledBy } from "./directory-hook.ts";
import { createEditHook } from "./edit-hook.ts";
import type { Elicitation } from "./elicitation.ts";
import type { Place } from "./hosting.ts";
import type { ResumedCall } from "./parking.ts";
import { ASKING_MODE } from "./permission-modes.ts";
import { createProtectionHook, type ProtectionJudges } from "./protection-hook.ts";
import { createQuestionHook } from "./question-hook.ts";
import { createResumeHook } from "./resume-hook.ts";
import type { Decision, ToolAsk } from "./tool-ask.ts";
import { toMcpServers, type ToolServer } from "./tool-server.ts";

/** The parts from which a session's processes are started. */
export interface ProcessParts extends ProtectionJudges {
  readonly cwd: string;
  /** Loads the SDK. Rejects if it is not installed. */
  readonly loadQuery: () => Promise<typeof query>;
  /** Gives a process access to the gateway's tools. */
  readonly openTools: () => Promise<ToolServer | undefined>;
  /**
   * The place where the process will run, or already runs if it was left. Rejects if a left process is gone.
   * `undefined`: the SDK starts the process.
   */
  readonly prepare: (isLeft: boolean) => Promise<Place | undefined>;
  readonly toOptions: (start: ProcessStart, keepErrorOutput: (text: string) => void) => Options;
}

export interface ProcessPlan {
  readonly mode: PermissionMode;
  readonly model: string | undefined;
  readonly conversationId: string | undefined;
  /** The call to start with. Without one, the process waits for a message. */
  readonly resumed: ResumedCall | undefined;
  /** Whether the process runs already, left to its host by a previous gateway. */
  readonly isLeft: boolean;
}

/** The part of a session that its process needs. */
export interface ProcessOwner {
  /** Called before any other callback for this process. */
  onCreated(process: ClaudeProcess): void;
  onMessage(process: ClaudeProcess, message: SDKMessage): Promise<void>;
  onEnd(process: ClaudeProcess, error: Error | undefined): void;
  onToolsMissing(problem: string): Promise<void>;
  decide(process: ClaudeProcess, ask: ToolAsk): Promise<Decision>;
  elicit(process: ClaudeProcess, asked: Elicitation): Promise<ElicitationResult>;
  /** Whether this process works for a turn that has not ended. */
  hasTurn(process: ClaudeProcess): boolean;
  /** Whether a person has allowed everything in the session, for a time that is not over. */
  mayAllowAll(): boolean;
  interrupt(): void;
  noteDirectory(call: CalledBy, directory: string): void;
  /** The person's edit of this call, if there is one. Each edit is returned once. */
  takeEdit(call: CalledBy): Readonly<Record<string, unknown>> | undefined;
}

/** Starts an agent process and connects it to the gateway's tools. Rejects if it cannot be started. */
export async function startProcess(
  parts: ProcessParts,
  plan: ProcessPlan,
  owner: ProcessOwner,
): Promise<ClaudeProcess> {
  await using starting = new AsyncDisposableStack();
  // First, because a host starts while the SDK is loading.
  const place = await parts.prepare(plan.isLeft);
  const hosted = starting.use(place?.hosted);
  const query = await parts.loadQuery();
  const tools = starting.use(await parts.openTools());
  const served = plan.resumed && (await serveFirst(hosted, tools));
  if (hosted?.failure) throw hosted.failure;
  const process: ClaudeProcess = new ClaudeProcess({
    query,
    toOptions: (keepErrorOutput) =>
      parts.toOptions(
        {
          ...plan,
          cwd: parts.cwd,
          mode: plan.mode === "bypassPermissions" ? ASKING_MODE : plan.mode,
          spawn: place?.spawn,
          hasTools: tools !== undefined,
          toolServers: served && toMcpServers(served),
          canUseTool: (toolName, input, about) => owner.decide(process, { toolName, input, about }),
          onElicitation: (request, about) => owner.elicit(process, { request, ...about }),
          // The same hooks for every process: an agent continues with the next gateway only if that one is set up in
          // the same way.
          beforeTool: [
            createProtectionHook(parts, {
              hasTurn: () => owner.hasTurn(process),
              mayAllowAll: () => owner.mayAllowAll(),
            }),
            createResumeHook(plan.resumed),
          ],
          beforeQuestion: createQuestionHook(
            (ask) => owner.decide(process, ask),
            () => owner.interrupt(),
          ),
          afterTools: createEditHook((call) => owner.takeEdit(call)),
          beforeCommand: createDirectoryHook((call, directory) =>
            owner.noteDirectory(call, directory),
          ),
        },
        keepErrorOutput,
      ),
    onMessage: (message) => owner.onMessage(process, message),
    onEnd: (error) => {
      owned.disposeAsync().catch(() => undefined); // its resources are unusable, closed or not
      owner.onEnd(process, error);
    },
  });
  const owned = starting.move();
  owner.onCreated(process);
  if (plan.resumed === undefined) await setUp(process, { plan, tools, owner });
  return process;
}

/** Serves the tools before the process starts: a resumed call needs its server from the start. */
async function serveFirst(
  hosted: HostedProcess | undefined,
  tools: ToolServer | undefined,
): Promise<ToolEndpoint | undefined> {
  return tools && ((await hosted?.serveTools(tools)) ?? tools);
}

interface SetUpParts {
  readonly plan: ProcessPlan;
  readonly tools: ToolServer | undefined;
  readonly owner: ProcessOwner;
}

/**
 * Sends the tools and the mode over the process's input, because every account of the machine can read its arguments.
 */
async function setUp(process: ClaudeProcess, { plan, tools, owner }: SetUpParts): Promise<void> {
  const served = tools && (await process.serveTools(tools));
  // A process left by another gateway has its setup already.
  if (plan.isLeft) return;
  if (served) {
    const problem = await process.setMcpServers(toMcpServers(served));
    if (problem !== undefined) await owner.onToolsMissing(problem);
  }
  // Set after the start: when started in this mode, the SDK warns (wrongly here) that it will ask about nothing.
  if (plan.mode === "bypassPermissions") await process.setPermissionMode(plan.mode);
}
