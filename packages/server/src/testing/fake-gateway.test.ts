import { SimulatedClock } from "@holdpoint/engine/testing";
import {
  type Caller,
  detailsOf,
  eventSchema,
  OPERATION_NAMES,
  OPERATIONS,
  type SerializedFrame,
} from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import type { ServedGateway } from "../server-context.ts";
import { createFakeGateway } from "./fake-gateway.ts";
import { openEngine } from "./serve-engine.ts";
import { waitFor } from "./wait-for.ts";

interface Scene {
  readonly gateway: ServedGateway;
  /** Its log has at least three events. */
  readonly sessionId: string;
  readonly drain: () => void;
}

const ada: Caller = { principal: "person", person: "Ada", client: "laptop" };
const page = { after: 0, limit: 1000 };

async function openFake(): Promise<Scene> {
  const gateway = createFakeGateway();
  const { sessionId } = gateway.addSession("ses_1");
  for (let index = 0; index < 3; index += 1) {
    gateway.append(sessionId, { type: "turn_started", at: "2026-01-02T03:04:05.000Z" });
  }
  return { gateway, sessionId, drain: () => (gateway.draining = true) };
}

async function openReal(): Promise<Scene> {
  const gateway = await openEngine(new SimulatedClock());
  const { sessionId } = await gateway.createSession(ada, { agent: "scripted" });
  await gateway.sendMessage(ada, sessionId, { content: "Go" });
  await waitFor(async () => {
    const { items } = await gateway.readEventTexts(ada, sessionId, page);
    expect(items.at(-1)?.json).toContain("turn_ended");
  });
  return { gateway, sessionId, drain: () => void gateway.close() };
}

/** The first durable frames of a stream, and the frames before them; then the stream is left. */
async function take(
  { gateway, sessionId }: Scene,
  cursor: { epoch?: string; seq: number },
  count: number,
): Promise<{ readonly seqs: (number | undefined)[]; readonly first: SerializedFrame | undefined }> {
  const left = new AbortController();
  const frames: SerializedFrame[] = [];
  for await (const batch of gateway.followSession(ada, sessionId, cursor, left)) {
    frames.push(...batch);
    if (frames.filter(({ seq }) => seq !== undefined).length >= count) left.abort();
  }
  const seqs = frames.map(({ seq }) => seq).filter((seq) => seq !== undefined);
  return { seqs: seqs.slice(0, count), first: frames[0] };
}

describe.each([
  ["the fake gateway", openFake],
  ["the engine", openReal],
])("as the server's tests need it, %s", (_, open) => {
  const reads = OPERATION_NAMES.filter(
    (name) => OPERATIONS[name].method === "GET" && !OPERATIONS[name].path.includes("{"),
  );

  test.each([...reads, "getSession", "listQueue"] as const)(
    "%s returns the documented result",
    async (name) => {
      const { gateway, sessionId } = await open();
      const call = gateway[name] as (caller: Caller, input: unknown) => Promise<unknown>;
      const isOfSession = OPERATIONS[name].path.includes("{sessionId}");
      const result = await call(
        ada,
        isOfSession ? sessionId : { status: ["pending"], limit: 10, text: "" },
      );
      expect(detailsOf(name).answer.schema?.parse(result)).toEqual(result);
    },
  );

  test("does not know other sessions", async () => {
    const { gateway } = await open();
    const calls = [
      gateway.getSession(ada, "ses_9"),
      gateway.updateSession(ada, "ses_9", { title: "x" }),
      gateway.deleteSession(ada, "ses_9"),
      gateway.sendMessage(ada, "ses_9", { content: "x" }),
      gateway.listQueue(ada, "ses_9"),
      gateway.removeQueuedMessage(ada, "ses_9", "msg_9"),
      gateway.stopTurn(ada, "ses_9"),
      gateway.readEventTexts(ada, "ses_9", page),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("allows only reads while it is stopping", async () => {
    const { gateway, sessionId, drain } = await open();
    drain();
    expect(gateway.draining).toBe(true);
    expect(await gateway.getSession(ada, sessionId)).toMatchObject({ sessionId });
    for (const name of OPERATION_NAMES.filter((name) => OPERATIONS[name].method !== "GET")) {
      const call = gateway[name] as (caller: Caller, ...ids: string[]) => Promise<unknown>;
      const isOfAgents = detailsOf(name).access === "agent";
      const caller: Caller = isOfAgents ? { ...ada, principal: "agent", sessionId } : ada;
      await expect(call(caller, "any", "any")).rejects.toMatchObject({ code: "DRAINING" });
    }
  });

  test("pages and streams its log, and streams it again for a cursor of another history", async () => {
    const scene = await open();
    const { gateway, sessionId } = scene;
    const { items } = await gateway.readEventTexts(ada, sessionId, page);
    const seqs = items.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    for (const { json } of items) eventSchema.parse(JSON.parse(json));
    const rest = await gateway.readEventTexts(ada, sessionId, { after: 1, limit: 1 });
    expect(rest.items.map(({ seq }) => seq)).toEqual([2]);
    const resumed = await take(scene, { epoch: gateway.epoch, seq: 1 }, 2);
    expect(resumed.seqs).toEqual([2, 3]);
    const foreign = await take(scene, { epoch: "another", seq: 2 }, 3);
    expect(foreign.seqs).toEqual([1, 2, 3]);
    expect(JSON.parse(foreign.first!.json)).toEqual({ type: "reset", epoch: gateway.epoch });
  });

  test("lets no credential outlive its session", async () => {
    const { gateway, sessionId } = await open();
    const agent = { kind: "agent", person: "Ada", label: "Codex", createdAtMs: 0 } as const;
    const { credentials } = gateway;
    await credentials.add({ ...agent, tokenId: "tok_1", tokenHash: "1", sessionId });
    await gateway.deleteSession(ada, sessionId);
    expect(await credentials.list()).toEqual([]);
    await expect(gateway.getSession(ada, sessionId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
