import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  type AgentAdapter,
  type AgentSession,
  type HoldRequest,
  type TurnResult,
  createSystemClock,
  createSystemIds,
} from "@holdpoint/engine";
import {
  assertWellFormedTurn,
  createRecordingTurn,
  type HoldScript,
  type RecordingTurn,
  type ScriptedOutcome,
} from "@holdpoint/engine/testing";

import { createClaudeAdapter, type ClaudeAdapterOptions } from "../../src/claude/claude-adapter.ts";
import { openScriptedModel, say, type ScriptedModel } from "../../src/testing/index.ts";

/** The real Claude in a separate folder, with a scripted model. */
export interface ClaudeScene extends AsyncDisposable {
  readonly folder: string;
  readonly model: ScriptedModel;
  readonly adapter: AgentAdapter;
  readonly env: Record<string, string | undefined>;
  openSession(choice?: { permissionMode?: string; state?: string }): Promise<AgentSession>;
}

export async function openClaudeScene(
  options: Partial<ClaudeAdapterOptions> = {},
): Promise<ClaudeScene> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "claude-scene-")));
  const model = await openScriptedModel(() => [say("Nothing to do.")]);
  const env = {
    ...process.env,
    ...model.env(join(folder, ".config")),
    IS_SANDBOX: "1",
    // Commands must not run the startup files of this account's shell.
    HOME: folder,
    ...options.env,
  };
  const adapter = createClaudeAdapter({
    clock: createSystemClock(),
    ids: createSystemIds(),
    ...options,
    env,
  });
  return {
    folder,
    model,
    adapter,
    env,
    openSession: (choice = {}) =>
      adapter.openSession({
        sessionId: "ses_scene",
        cwd: folder,
        permissionMode: "default",
        ...choice,
      }),
    async [Symbol.asyncDispose]() {
      await adapter[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Runs one turn and checks that any client could show it. */
export async function runTurn(
  session: AgentSession,
  content: string,
  script?: HoldScript,
): Promise<{ turn: RecordingTurn; result: TurnResult }> {
  const turn = createRecordingTurn(script === undefined ? {} : { script });
  const result = await session.runTurn({ messageId: "msg_scene", content }, turn);
  turn.end();
  assertWellFormedTurn(turn, result);
  return { turn, result };
}

export function approve(said: Partial<ScriptedResponse> = {}): ScriptedOutcome {
  return { outcome: "answered", response: { action: "approve", approvalScope: "once", ...said } };
}

export function deny(said: Partial<ScriptedResponse> = {}): ScriptedOutcome {
  return { outcome: "answered", response: { action: "deny", ...said } };
}

type ScriptedResponse = Extract<ScriptedOutcome, { outcome: "answered" }>["response"];
export type ApprovalRequest = Extract<HoldRequest, { kind: "approval" }>;

export function approvals(turn: RecordingTurn): ApprovalRequest[] {
  return turn.requests.filter((request) => request.kind === "approval");
}
