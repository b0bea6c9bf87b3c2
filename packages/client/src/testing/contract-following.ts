import type { OverviewFrame, SessionFrame } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import type { Transport } from "../transports/transport.ts";
import {
  awaitEvent,
  rejectionCodeOf,
  follow,
  rejectionOf,
  startAsking,
  startTurn,
  type Clients,
} from "./transport-harness.ts";

export function describeFollowing(connect: () => Promise<Clients>): void {
  describe("following a session", () => {
    test("[R-7] [R-16] replays the log, then continues live", async () => {
      const { one, other } = await connect();
      const { sessionId } = await startTurn(one, "say first");
      await awaitEvent(one, sessionId, "turn_ended");
      const frames = follow(other, sessionId);
      const replayed = await takeUntil(frames, ({ type }) => type === "turn_ended");
      await one.sendMessage(sessionId, { content: "say second" });
      const live = await takeUntil(frames, ({ type }) => type === "turn_ended");
      await frames.return(undefined);
      const { items } = await one.readEvents(sessionId);
      expect([...replayed, ...live].filter(isDurable)).toEqual(items);
    });

    test("[R-7] [R-16] resumes after a cursor without a hole or a repetition", async () => {
      const { one } = await connect();
      const { sessionId } = await startTurn(one, "say hello");
      await awaitEvent(one, sessionId, "turn_ended");
      const { items, epoch } = await one.readEvents(sessionId);
      const left = new AbortController();
      const cursor = { seq: 2, ...(epoch !== undefined && { epoch }) };
      const resumed: SessionFrame[] = [];
      for await (const batch of one.followSession(sessionId, cursor, left)) {
        resumed.push(...batch);
        if (resumed.some(({ type }) => type === "turn_ended")) break;
      }
      left.abort();
      expect(resumed.filter(isDurable)).toEqual(items.slice(2));
    });

    test("[R-7] [R-16] a cursor of another history is reset to the first event", async () => {
      const { one } = await connect();
      const { sessionId } = await startTurn(one, "say hello");
      await awaitEvent(one, sessionId, "turn_ended");
      const { items, epoch } = await one.readEvents(sessionId);
      const left = new AbortController();
      const frames: SessionFrame[] = [];
      const cursor = { epoch: "another", seq: 2 };
      for await (const batch of one.followSession(sessionId, cursor, left)) {
        frames.push(...batch);
        if (frames.some(({ type }) => type === "turn_ended")) break;
      }
      left.abort();
      expect(frames[0]).toEqual({ type: "reset", epoch });
      expect(frames.filter(isDurable)).toEqual(items);
    });

    test("[R-16] shows text while it grows", async () => {
      const { one } = await connect();
      const { sessionId } = await one.createSession({ agent: "scripted" });
      const frames = follow(one, sessionId);
      await takeUntil(frames, ({ type }) => type === "session_status");
      await one.sendMessage(sessionId, { content: "say hello" });
      const seen = await takeUntil(frames, ({ type }) => type === "turn_ended");
      await frames.return(undefined);
      const delta = seen.find(({ type }) => type === "text_delta");
      expect(delta).toMatchObject({ channel: "text", offset: 0 });
    });

    test("[R-16] begins with status, queue and presence, even in an empty session", async () => {
      const { one } = await connect();
      const { sessionId } = await one.createSession({ agent: "scripted" });
      const frames = follow(one, sessionId);
      const first = await takeUntil(frames, ({ type }) => type === "presence");
      await frames.return(undefined);
      expect(first).toMatchObject([
        { type: "session_status", sessionId, status: "idle" },
        { type: "queue_changed", sessionId, messages: [] },
        { type: "presence", answerable: true },
      ]);
    });

    test("[R-16] names the clients that follow, and clients that leave", async () => {
      const { one, other } = await connect();
      const { sessionId } = await one.createSession({ agent: "scripted" });
      const frames = follow(one, sessionId);
      await takeUntil(frames, names("client-one"));
      const guest = follow(other, sessionId);
      await guest.next();
      await takeUntil(frames, names("client-one", "client-two"));
      await guest.return(undefined);
      const [last] = (await takeUntil(frames, names("client-one"))).slice(-1);
      await frames.return(undefined);
      expect(last).toMatchObject({ clients: [{ clientId: "client-one" }], answerable: true });
    });

    test("[R-16] an unknown session is refused", async () => {
      const { one } = await connect();
      expect(await rejectionCodeOf(follow(one, "ses_unknown").next())).toBe("NOT_FOUND");
    });

    test("[R-16] ends with a reason when the session is deleted", async () => {
      const { one, other } = await connect();
      const { sessionId } = await one.createSession({ agent: "scripted" });
      const frames = follow(one, sessionId);
      await frames.next();
      await other.deleteSession(sessionId);
      const rest = await takeUntil(frames, () => false);
      expect(rest.at(-1)).toEqual({ type: "closing", reason: "session_deleted" });
    });

    test("[R-16] ends with a reason when the gateway stops", async () => {
      const { one, harness } = await connect();
      const { sessionId } = await one.createSession({ agent: "scripted" });
      const frames = follow(one, sessionId);
      await frames.next();
      const [rest] = await Promise.all([takeUntil(frames, () => false), harness.drain()]);
      expect(rest.at(-1)).toEqual({ type: "closing", reason: "draining" });
    });

    test("[R-18] [R-16] an aborted stream rejects with the reason, before it opens and while it waits", async () => {
      const { one } = await connect();
      const { sessionId } = await one.createSession({ agent: "scripted" });
      const reason = new Error("Enough.");
      const before = drain(one, sessionId, AbortSignal.abort(reason));
      expect(await rejectionOf(before)).toBe(reason);
      const leaving = new AbortController();
      const during = rejectionOf(
        drain(one, sessionId, leaving.signal, () => leaving.abort(reason)),
      );
      expect(await during).toBe(reason);
    });

    test("[R-18] [R-16] a disposed transport breaks its streams", async () => {
      const { one } = await connect();
      const { sessionId } = await one.createSession({ agent: "scripted" });
      const frames = follow(one, sessionId);
      await frames.next();
      const broken = rejectionCodeOf(takeUntil(frames, () => false));
      await one[Symbol.asyncDispose]();
      expect(await broken).toBe("CONNECTION_CLOSED");
    });
  });

  describe("following all sessions", () => {
    test("[R-16] begins with a snapshot and reports changes", async () => {
      const { one, other } = await connect();
      const { sessionId, interaction } = await startAsking(one, "ask");
      const frames = overview(other);
      const first = await takeUntil(frames, ({ type }) => type === "snapshot");
      const { interactionId } = interaction;
      expect(first.at(-1)).toMatchObject({
        counts: { pending: 1, sessions: 1, waitingSessions: 1 },
        sessions: { items: [{ sessionId, status: "waiting", hasPending: true }] },
        pending: { items: [{ interactionId, status: "pending" }] },
      });
      await one.respond(interactionId, { action: "cancel" });
      const isAnswered = (frame: OverviewFrame): boolean =>
        frame.type === "interaction_changed" &&
        frame.interaction.interactionId === interactionId &&
        frame.interaction.response?.action === "cancel";
      await takeUntil(frames, isAnswered);
      const created = await one.createSession({ agent: "scripted" });
      const isOf = (id: string, type: OverviewFrame["type"]) => (frame: OverviewFrame) =>
        frame.type === type &&
        ("session" in frame ? frame.session.sessionId : "sessionId" in frame && frame.sessionId) ===
          id;
      await takeUntil(frames, isOf(created.sessionId, "session_changed"));
      await one.deleteSession(created.sessionId);
      await takeUntil(frames, isOf(created.sessionId, "session_deleted"));
      await frames.return(undefined);
    });

    test("[R-16] names interactions that leave because of their age", async () => {
      const { one, other } = await connect();
      const frames = overview(other);
      await takeUntil(frames, ({ type }) => type === "snapshot");
      const { interaction } = await startAsking(one, "expire");
      const { interactionId } = interaction;
      const hasExpired = (frame: OverviewFrame): boolean =>
        frame.type === "interaction_changed" && frame.interaction.status === "expired";
      await takeUntil(frames, hasExpired);
      const leaving = await takeUntil(frames, ({ type }) => type === "interaction_left");
      expect(leaving.at(-1)).toEqual({ type: "interaction_left", interactionId });
      await frames.return(undefined);
      expect(await one.listInteractions({ status: ["expired"] })).toMatchObject({ items: [] });
      expect(await one.getInteraction(interactionId)).toMatchObject({ status: "expired" });
    });
  });
}

/** The frames up to the first match, inclusive; all frames when none matches. */
async function takeUntil<TFrame>(
  frames: AsyncGenerator<TFrame>,
  fits: (frame: TFrame) => boolean,
): Promise<TFrame[]> {
  const taken: TFrame[] = [];
  for (;;) {
    const { done, value } = await frames.next();
    if (done === true) return taken;
    taken.push(value);
    if (fits(value)) return taken;
  }
}

async function* overview(transport: Transport): AsyncGenerator<OverviewFrame> {
  const left = new AbortController();
  try {
    for await (const batch of transport.followOverview(left)) yield* batch;
  } finally {
    left.abort();
  }
}

async function drain(
  transport: Transport,
  sessionId: string,
  signal: AbortSignal,
  onBatch: () => void = () => undefined,
): Promise<void> {
  for await (const _ of transport.followSession(sessionId, { seq: 0 }, { signal })) onBatch();
}

function names(...clientIds: string[]): (frame: SessionFrame) => boolean {
  const expected = clientIds.toSorted().join();
  return (frame) =>
    frame.type === "presence" &&
    frame.clients
      .map(({ clientId }) => clientId)
      .toSorted()
      .join() === expected;
}

function isDurable(frame: SessionFrame): boolean {
  return "seq" in frame;
}
