import { setTimeout as sleep } from "node:timers/promises";

import type { Interaction, InteractionList, Session, SessionEvent } from "@holdpoint/protocol";

import type { Book } from "./book.ts";
import { callSurely, type SureCall } from "./call-surely.ts";
import type { ClusterScene } from "./scene.ts";

const PAUSE_MS = 100;
const DELIVERY_LIMIT_MS = 60_000;
const MOST_EVENTS = 1000;

/**
 * A person with an agent that runs on the working node, and dies with it. The answer reaches the agent once: during
 * the wait, or as a message to the next agent. Resolves to the number of delivered answers.
 */
export async function playSessions(
  scene: ClusterScene,
  book: Book,
  signal: AbortSignal,
): Promise<number> {
  let played = 0;
  const call = async <TBody>(wanted: SureCall): Promise<TBody> => {
    const answer = await callSurely<TBody>(scene, book, wanted);
    if (answer.status >= 300) throw new Error(`${wanted.path} got ${JSON.stringify(answer)}`);
    return answer.body;
  };
  while (!signal.aborted) {
    const session = { method: "POST", path: "/sessions", body: { agent: "demo" } };
    const { sessionId } = await call<Session>(session);
    const path = `/sessions/${sessionId}`;
    const message = {
      content: "Ask me two questions",
      queue: true,
      idempotencyKey: "first-message",
    };
    await call({ method: "POST", path: `${path}/messages`, body: message });
    const asked = await findAsked(sessionId, call);
    // Its node died before the agent asked.
    if (!asked) continue;
    await answerOnce(asked, { scene, book, call });
    played += 1;
  }
  return played;
}

type Call = <TBody>(wanted: SureCall) => Promise<TBody>;

async function findAsked(sessionId: string, call: Call): Promise<Interaction | undefined> {
  const query = new URLSearchParams({ sessionId, status: "pending,orphaned" });
  for (;;) {
    const { status } = await call<Session>({ method: "GET", path: `/sessions/${sessionId}` });
    const { items } = await call<InteractionList>({
      method: "GET",
      path: `/interactions?${query}`,
    });
    if (items[0]) return items[0];
    if (status === "idle") return undefined;
    await sleep(PAUSE_MS);
  }
}

interface Parts {
  readonly scene: ClusterScene;
  readonly book: Book;
  readonly call: Call;
}

async function answerOnce(
  { interactionId, sessionId }: Interaction,
  { scene, book, call }: Parts,
): Promise<void> {
  const reply = `An answer to ${interactionId}`;
  const body = { action: "submit", reply, idempotencyKey: `key-of-${interactionId}` };
  const path = `/interactions/${interactionId}/response`;
  const { status } = await callSurely(scene, book, { method: "POST", path, body });
  if (status !== 200) return book.problem(`${interactionId}: its answer got ${status}`);
  const startedAt = performance.now();
  for (;;) {
    const found = await call<Interaction>({
      method: "GET",
      path: `/interactions/${interactionId}`,
    });
    if (found.status === "delivered") break;
    if (performance.now() - startedAt > DELIVERY_LIMIT_MS) {
      return book.problem(`${interactionId}: its answer is not delivered, but ${found.status}`);
    }
    await sleep(PAUSE_MS);
  }
  const log = `/sessions/${sessionId}/events?limit=${MOST_EVENTS}`;
  const { items } = await call<{ items: SessionEvent[] }>({ method: "GET", path: log });
  const count = (type: string): number =>
    items.filter(
      (event) =>
        event.type === type && "interactionId" in event && event.interactionId === interactionId,
    ).length;
  const [answers, deliveries] = [count("interaction_response"), count("interaction_delivered")];
  if (answers !== 1 || deliveries !== 1) {
    book.problem(`${interactionId} has ${answers} answers and ${deliveries} deliveries`);
  }
  if (items.some(({ seq }, index) => seq !== index + 1)) book.problem(`${sessionId} has a gap`);
}
