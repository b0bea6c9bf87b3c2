import { once } from "node:events";
import { get } from "node:http";

import { createBrowserClock, createHttpTransport, createSessionStore } from "@holdpoint/client";
import { openSqliteStore } from "@holdpoint/store-sqlite";

import { withGatewayOn } from "./support/gateway.ts";
import { withFolder } from "./support/processes.ts";
import { atLeast, median, type Row } from "./support/report.ts";

const EVENTS = 100_000;
const SESSION_ID = "ses_replay";
const INTERACTION_ID = "int_replay";
const STARTED_AT = "2026-01-01T00:00:00.000Z";

const RUNS = 5;
const MIN_EVENTS_PER_SECOND = 100_000;
const MAX_FIRST_PROMPT_MS = 50;

/** A session of 100,000 events with one pending question, read over a socket from a gateway in its own process. */
export function measureReplay(): Promise<Row[]> {
  return withFolder(async (folder) => {
    await writeSession(folder);
    return withGatewayOn(folder, async (_, { port, token }) => {
      const perSecond: number[] = [];
      const firstPrompt: number[] = [];
      for (let run = 0; run < RUNS; run += 1) {
        perSecond.push(await readAll(port, token));
        firstPrompt.push(await waitForPrompt(port, token));
      }
      return toRows(median(perSecond), median(firstPrompt));
    });
  });
}

function toRows(eventsPerSecond: number, firstPromptMs: number): Row[] {
  return [
    {
      what: `replay of ${EVENTS.toLocaleString("en")} events over SSE`,
      figure: `${Math.round(eventsPerSecond)} events/s`,
      budget: atLeast(eventsPerSecond, MIN_EVENTS_PER_SECOND, String(MIN_EVENTS_PER_SECOND)),
    },
    {
      what: "reconnect to it until the pending prompt is there",
      figure: `${firstPromptMs.toFixed(1)} ms`,
      budget: { text: `< ${MAX_FIRST_PROMPT_MS} ms`, kept: firstPromptMs < MAX_FIRST_PROMPT_MS },
    },
  ];
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
