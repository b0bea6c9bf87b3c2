import { describe, expect, onTestFinished, test, vi } from "vitest";

import { createOverviewStore } from "../store/overview-store.ts";
import { createSessionStore, type SessionStore } from "../store/session-store.ts";
import type { Transport } from "../transports/transport.ts";
import { startAsking, type Clients } from "./transport-harness.ts";

export function describeViews(connect: () => Promise<Clients>): void {
  describe("views", () => {
    test("[R-10] [R-16] the loser sees the winner's answer: live, and again after a reload", async () => {
      const { one, other } = await connect();
      const { sessionId, interaction } = await startAsking(one, "ask");
      const { interactionId } = interaction;
      const winner = openStore(one, sessionId);
      const loser = openStore(other, sessionId);
      await vi.waitFor(() => expect(statusIn(loser, interactionId)).toBe("pending"));
      await one.respond(interactionId, { action: "submit", reply: "Neither." });
      await vi.waitFor(() => {
        for (const store of [winner, loser]) {
          expect(store.getSnapshot().view.status).toBe("idle");
          expect(statusIn(store, interactionId)).toBe("delivered");
        }
      });
      const { view } = loser.getSnapshot();
      expect(view.interactions.get(interactionId)).toMatchObject({
        response: { action: "submit", reply: "Neither." },
        by: { clientId: "client-one" },
      });
      expect(view).toEqual(winner.getSnapshot().view);
      const reloaded = openStore(other, sessionId);
      await vi.waitFor(() => expect(reloaded.getSnapshot().connection).toBe("live"));
      expect(reloaded.getSnapshot().view).toEqual(view);
    });

    test("[R-10] [R-16] every interaction of a view is the gateway's record", async () => {
      const { one, other } = await connect();
      for (const action of ["deny", "stop", "expire"] as const) {
        const script = action === "expire" ? "expire" : "approve";
        const { sessionId, interaction } = await startAsking(one, script);
        const { interactionId } = interaction;
        const store = openStore(other, sessionId);
        if (action === "deny") await one.respond(interactionId, { action, reason: "No." });
        if (action === "stop") await one.stopTurn(sessionId);
        await vi.waitFor(async () => {
          const { remainingMs: _, ...stored } = await one.getInteraction(interactionId);
          expect(stored.status).not.toBe("pending");
          expect(store.getSnapshot().view.interactions.get(interactionId)).toEqual(stored);
        });
      }
    });

    test("[R-16] the overview has an open request until it is answered", async () => {
      const { one, other } = await connect();
      const store = createOverviewStore({ transport: other });
      onTestFinished(() => store[Symbol.asyncDispose]());
      store.subscribe(() => undefined);
      const { sessionId, interaction } = await startAsking(one, "approve");
      const { interactionId } = interaction;
      await vi.waitFor(() =>
        expect(store.getSnapshot().overview).toMatchObject({
          sessions: [{ sessionId, status: "waiting" }],
          waiting: [{ interactionId }],
        }),
      );
      await one.respond(interactionId, { action: "deny" });
      await vi.waitFor(() => {
        expect(store.getSnapshot().overview.waiting).toEqual([]);
        expect(store.getSnapshot().overview.sessions).toMatchObject([{ status: "idle" }]);
      });
    });
  });
}

function openStore(transport: Transport, sessionId: string): SessionStore {
  const store = createSessionStore({ transport, sessionId });
  onTestFinished(() => store[Symbol.asyncDispose]());
  store.subscribe(() => undefined);
  return store;
}

function statusIn(store: SessionStore, interactionId: string): string | undefined {
  return store.getSnapshot().view.interactions.get(interactionId)?.status;
}
