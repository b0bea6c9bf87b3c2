import { createMemoryStore, openGateway } from "@holdpoint/engine";
import {
  createScriptedAdapter,
  createSequentialIds,
  SimulatedClock,
} from "@holdpoint/engine/testing";
import type { SessionEvent, SessionFrame } from "@holdpoint/protocol";
import { describe, expect, test, vi } from "vitest";

import { createDirectTransport } from "../transports/direct/direct-transport.ts";
import type { Transport } from "../transports/transport.ts";
import { createLinkedGateway } from "./linked-gateway.ts";

interface Scene {
  readonly transport: Transport;
  /** Its log has at least three events. */
  readonly sessionId: string;
}

async function openLinked(): Promise<Scene> {
  const gateway = createLinkedGateway();
  const at = "2026-01-01T00:00:00.000Z";
  const turn = { turnId: "turn", at };
  gateway.append(
    { seq: 1, type: "turn_started", ...turn },
    { seq: 2, type: "assistant_message", messageId: "m", text: "Hi", channel: "text", ...turn },
    { seq: 3, type: "turn_ended", reason: "done", ...turn },
  );
  return { transport: gateway.transport, sessionId: "session" };
}

async function openReal(): Promise<Scene> {
  const gateway = await openGateway({
    store: createMemoryStore(),
    clock: new SimulatedClock(),
    ids: createSequentialIds(),
    agents: new Map([["scripted", createScriptedAdapter(async () => ({ reason: "done" }))]]),
    defaultCwd: "/work",
  });
  const host = { person: "Ada", client: "Host", clientId: "host" };
  const transport = createDirectTransport({ gateway, ...host });
  const { sessionId } = await transport.createSession({ agent: "scripted" });
  await transport.sendMessage(sessionId, { content: "Go" });
  await vi.waitFor(async () => {
    const { items } = await transport.readEvents(sessionId);
    expect(items.at(-1)).toMatchObject({ type: "turn_ended" });
  });
  return { transport, sessionId };
}

/** The frames of a stream up to its status, and the first batch. */
async function follow(
  { transport, sessionId }: Scene,
  cursor: { epoch?: string; seq: number },
): Promise<{ readonly first: readonly SessionFrame[]; readonly frames: SessionFrame[] }> {
  const batches: (readonly SessionFrame[])[] = [];
  for await (const batch of transport.followSession(sessionId, cursor, new AbortController())) {
    batches.push(batch);
    if (batch.some(({ type }) => type === "session_status")) break;
  }
  return { first: batches[0]!, frames: batches.flat() };
}

const seqsOf = (frames: readonly (SessionEvent | SessionFrame)[]): number[] =>
  frames.flatMap((frame) => ("seq" in frame ? [frame.seq] : []));

describe.each([
  ["the linked gateway", openLinked],
  ["the engine", openReal],
])("as a session's store needs it, %s", (_, open) => {
  test("gives the session, and pages of its log that end at its last event", async () => {
    const { transport, sessionId } = await open();
    const { lastSeq, status } = await transport.getSession(sessionId);
    expect(status).toBe("idle");
    const { items, epoch } = await transport.readEvents(sessionId);
    expect(seqsOf(items)).toEqual(Array.from({ length: lastSeq }, (_, index) => index + 1));
    expect(epoch).toEqual(expect.any(String));
    const before = await transport.readEvents(sessionId, { before: 3, limit: 1 });
    expect(seqsOf(before.items)).toEqual([2]);
    expect((await transport.listInteractions({ sessionId })).items).toEqual([]);
  });

  test("streams an empty batch, then what comes after the cursor, then the status", async () => {
    const scene = await open();
    const { epoch, items } = await scene.transport.readEvents(scene.sessionId);
    const { first, frames } = await follow(scene, { epoch: epoch!, seq: 1 });
    expect(first).toEqual([]);
    expect(seqsOf(frames)).toEqual(seqsOf(items.slice(1)));
    const status = { type: "session_status", sessionId: scene.sessionId, status: "idle" };
    expect(frames).toContainEqual(expect.objectContaining(status));
  });

  test("streams the whole log again for a cursor of another history", async () => {
    const scene = await open();
    const { epoch, items } = await scene.transport.readEvents(scene.sessionId);
    const { frames } = await follow(scene, { epoch: "another", seq: 2 });
    expect(frames[0]).toEqual({ type: "reset", epoch });
    expect(seqsOf(frames)).toEqual(seqsOf(items));
  });

  test("rejects with the reason when a stream is aborted", async () => {
    const { transport, sessionId } = await open();
    const leaving = new AbortController();
    const stream = transport.followSession(sessionId, { seq: 1000 }, leaving);
    const batches = stream[Symbol.asyncIterator]();
    await batches.next();
    const reason = new Error("Enough.");
    leaving.abort(reason);
    await expect(batches.next()).rejects.toBe(reason);
  });
});
