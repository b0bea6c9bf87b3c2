import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { AgentAdapter, AgentSession, Clock, Ids, TurnResult } from "@holdpoint/engine";
import {
  assertWellFormedTurn,
  createRecordingTurn,
  type HoldScript,
  type RecordingTurn,
} from "@holdpoint/engine/testing";

import { createDemoAdapter, type DemoAdapterOptions } from "../demo-adapter.ts";

export const NEVER = new AbortController().signal;

/** Sequential ids, and a clock whose sleeps end at once. */
export function createSeams(): { ids: Ids; clock: Clock; slept: number[] } {
  let count = 0;
  const slept: number[] = [];
  return {
    slept,
    ids: { next: (prefix) => `${prefix}_${++count}`, secret: () => `secret_${++count}` },
    clock: {
      now: () => 0,
      monotonic: () => 0,
      after: () => ({ [Symbol.dispose]: () => undefined }),
      sleep: async (durationMs, { signal }) => {
        signal.throwIfAborted();
        slept.push(durationMs);
      },
    },
  };
}

export interface Demo extends AsyncDisposable {
  readonly adapter: AgentAdapter;
  readonly folder: string;
  /** The path of a file in the scratch folder of the session. */
  path(file: string): string;
  read(file: string): Promise<string>;
  open(more?: { permissionMode?: string; state?: string }): Promise<AgentSession>;
}

/** A demo agent with a separate scratch folder. */
export async function openDemo(options: Partial<DemoAdapterOptions> = {}): Promise<Demo> {
  const scratchRoot = await mkdtemp(join(tmpdir(), "demo-"));
  const adapter = createDemoAdapter({ ...createSeams(), scratchRoot, delayMs: 0, ...options });
  const folder = join(scratchRoot, "ses_1");
  return {
    adapter,
    folder,
    path: (file) => join(folder, file),
    read: (file) => readFile(join(folder, file), "utf8"),
    open: (more = {}) =>
      adapter.openSession({
        sessionId: "ses_1",
        cwd: scratchRoot,
        permissionMode: "default",
        ...more,
      }),
    async [Symbol.asyncDispose]() {
      await adapter[Symbol.asyncDispose]();
      await rm(scratchRoot, { recursive: true, force: true });
    },
  };
}

/** Runs one turn to its end, and checks that it is well formed. */
export async function runTurn(
  session: AgentSession,
  content: string,
  script?: HoldScript,
): Promise<{ turn: RecordingTurn; result: TurnResult; text: string; told: string[] }> {
  const turn = createRecordingTurn(script === undefined ? {} : { script });
  const result = await session.runTurn({ messageId: "msg_user", content }, turn);
  turn.end();
  assertWellFormedTurn(turn, result);
  const told: string[] = [];
  const said: string[] = [];
  for (const event of turn.events) {
    if (event.type === "tool_result") told.push(event.content);
    if (event.type === "assistant_message") said.push(event.text);
  }
  return { turn, result, text: said.join("\n\n"), told };
}
