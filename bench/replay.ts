import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createBrowserClock, createHttpTransport, createSessionStore } from "@holdpoint/client";
import { openSqliteStore } from "@holdpoint/store-sqlite";

import type { ReadyMessage } from "./round-trip/protocol.ts";
import { median } from "./table.ts";

const EVENTS = 100_000;
const SESSION_ID = "ses_replay";
const INTERACTION_ID = "int_replay";
const STARTED_AT = "2026-01-01T00:00:00.000Z";

export interface ReplayFigures {
  readonly eventsPerSecond: number;
  /** From connecting anew until the client has the waiting prompt. */
  readonly firstPromptMs: number;
}

/** A session of 100,000 events with one question that waits, read over a socket from a gateway in its own process. */
export async function measureReplay(runs: number): Promise<ReplayFigures> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-replay-"));
  const token = randomBytes(32).toString("base64url");
  await writeSession(folder);
  const child = fork(join(import.meta.dirname, "replay-process.ts"), [folder, token]);
  try {
    const [{ port }] = (await once(child, "message")) as [ReadyMessage];
    const perSecond: number[] = [];
    const firstPrompt: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      perSecond.push(await readAll(port, token));
      firstPrompt.push(await waitForPrompt(port, token));
    }
    return { eventsPerSecond: median(perSecond), firstPromptMs: median(firstPrompt) };
  } finally {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeSession(dataDir: string): Promise<void> {
  await using store = await openSqliteStore({ dataDir });
  const at = STARTED_AT;
  await store.append({
    sessionId: SESSION_ID,
    session: {
      sessionId: SESSION_ID,
      agent: "asking",
      cwd: "/",
      title: "Replay",
      permissionMode: "default",
      status: "idle",
      createdAt: at,
      updatedAt: at,
    },
  });
  for (let written = 0; written < EVENTS - 1; written += 999) {
    const count = Math.min(999, EVENTS - 1 - written);
    await store.append({
      sessionId: SESSION_ID,
      events: Array.from({ length: count }, (_, index) => ({
        type: "assistant_message" as const,
        at,
        turnId: `trn_${written}`,
        messageId: `msg_${written + index}`,
        text: `Message ${written + index}: ${"all work and no play ".repeat(5)}`,
        channel: "text" as const,
      })),
    });
  }
  await appendQuestion(store);
}

async function appendQuestion(store: Awaited<ReturnType<typeof openSqliteStore>>): Promise<void> {
  const interaction = {
    interactionId: INTERACTION_ID,
    sessionId: SESSION_ID,
    turnId: "trn_last",
    toolCallId: "call_last",
    toolName: "AskUserQuestion",
    kind: "question" as const,
    status: "pending" as const,
    attempt: 1,
    questions: [{ id: "q1", header: "Go on", question: "Go on?", multiSelect: false, options: [] }],
    presentation: "tool" as const,
    startedAt: STARTED_AT,
    onTimeout: "wait" as const,
    hold: "held" as const,
  };
  await store.append({
    sessionId: SESSION_ID,
    events: [{ type: "interaction_request", at: STARTED_AT, interaction }],
    interactions: [{ row: { interaction }, expectedStatus: undefined }],
  });
}

/** Events per second from the request until the last one has arrived. */
async function readAll(port: number, token: string): Promise<number> {
  const startedAt = performance.now();
  const request = get({
    host: "127.0.0.1",
    port,
    path: `/api/sessions/${SESSION_ID}/events?after=0`,
    headers: { authorization: `Bearer ${token}` },
  });
  const [response] = (await once(request, "response")) as [AsyncIterable<Buffer>];
  let events = 0;
  let previous = 0;
  for await (const chunk of response) {
    for (const byte of chunk) {
      if (byte === 10 && previous === 10) events += 1;
      previous = byte;
    }
    if (events >= EVENTS) break;
  }
  request.destroy();
  return (events / (performance.now() - startedAt)) * 1000;
}

async function waitForPrompt(port: number, token: string): Promise<number> {
  const startedAt = performance.now();
  await using transport = createHttpTransport({
    baseUrl: `http://127.0.0.1:${port}`,
    token,
    clientId: "bench",
  });
  await using store = createSessionStore({
    transport,
    sessionId: SESSION_ID,
    clock: createBrowserClock(),
  });
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (store.getSnapshot().view.interactions.has(INTERACTION_ID)) resolve();
    };
    store.subscribe(look);
    look();
  });
  return performance.now() - startedAt;
}
