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

/** What the processes of one session are started with. */
export interface ProcessParts extends ProtectionJudges {
  readonly cwd: string;
  /** Loads the SDK. Rejects where it is not installed. */
  readonly loadQuery: () => Promise<typeof query>;
  /** Gives a process access to the gateway's tools. */
  readonly openTools: () => Promise<ToolServer | undefined>;
  /** Where the process will be, or is if it was left. Rejects when that one is gone. Undefined: where the SDK starts it. */
  readonly prepare: (isLeft: boolean) => Promise<Place | undefined>;
  readonly toOptions: (start: ProcessStart, keepErrorOutput: (text: string) => void) => Options;
}

/** What this process is to do. */
export interface ProcessPlan {
  readonly mode: PermissionMode;
  readonly model: string | undefined;
  readonly conversationId: string | undefined;
  /** The call that it begins with. Without one it waits for a message. */
  readonly resumed: ResumedCall | undefined;
  /** It runs already: a gateway before this one has left it to its host. */
  readonly isLeft: boolean;
}

/** The session, as far as a process needs it. */
export interface ProcessOwner {
  /** Called before anything of the process comes. */
  onCreated(process: ClaudeProcess): void;
  onMessage(process: ClaudeProcess, message: SDKMessage): Promise<void>;
  onEnd(process: ClaudeProcess, error: Error | undefined): void;
  onToolsMissing(problem: string): Promise<void>;
  decide(process: ClaudeProcess, ask: ToolAsk): Promise<Decision>;
  elicit(process: ClaudeProcess, asked: Elicitation): Promise<ElicitationResult>;
  /** Whether this process works for a turn that has not ended. */
  hasTurn(process: ClaudeProcess): boolean;
  /** Whether a person has allowed everything in the session, and the time of that is not over. */
  mayAllowAll(): boolean;
  interrupt(): void;
  noteDirectory(call: CalledBy, directory: string): void;
  /** What a person has made of this call, if it was changed. Each edit is returned once. */
  takeEdit(call: CalledBy): Readonly<Record<string, unknown>> | undefined;
}

/** Starts a process of the agent, and connects it to the gateway's tools. Rejects when it cannot be started. */
export async function startProcess(
  parts: ProcessParts,
  plan: ProcessPlan,
  owner: ProcessOwner,
): Promise<ClaudeProcess> {
  await using starting = new AsyncDisposableStack();
  // First, because a host starts while the SDK is loaded.
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
          // As many for every process: an agent goes on with the next gateway only where it is set up in the same way.
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
      owned.disposeAsync().catch(() => undefined); // its resources cannot be used any more, closed or not
      owner.onEnd(process, error);
    },
  });
  const owned = starting.move();
  owner.onCreated(process);
  if (plan.resumed === undefined) await setUp(process, { plan, tools, owner });
  return process;
}

/** A resumed call needs its server from the start; others get it when they are there. */
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

/** Over the process's input, because every account of the machine can read its arguments. */
async function setUp(process: ClaudeProcess, { plan, tools, owner }: SetUpParts): Promise<void> {
  const served = tools && (await process.serveTools(tools));
  // One that was left has all of it.
  if (plan.isLeft) return;
  if (served) {
    const problem = await process.setMcpServers(toMcpServers(served));
    if (problem !== undefined) await owner.onToolsMissing(problem);
  }
  // Set after the start: at a start in this mode the SDK warns, wrongly here, that it will ask about nothing.
  if (plan.mode === "bypassPermissions") await process.setPermissionMode(plan.mode);
}
