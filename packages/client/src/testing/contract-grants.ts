import { describe, expect, test } from "vitest";

import type { Transport } from "../transports/transport.ts";
import { awaitEvent, rejectionCodeOf, startAsking, type Clients } from "./transport-harness.ts";

/** Approves the agent's request for the session; returns the session. */
async function allowForSession(transport: Transport): Promise<string> {
  const { sessionId, interaction } = await startAsking(transport, "approve");
  const { interactionId, approval } = interaction;
  await transport.respond(interactionId, {
    action: "approve",
    digest: approval!.digest,
    approvalScope: "session",
  });
  await awaitEvent(transport, sessionId, "turn_ended");
  return sessionId;
}

export function describeGrants(connect: () => Promise<Clients>): void {
  describe("grants", () => {
    test("[R-16] an approval for longer is listed, used, and revoked once", async () => {
      const { one, other } = await connect();
      expect(await one.listGrants()).toEqual({ items: [] });
      const sessionId = await allowForSession(one);
      const { items } = await other.listGrants({ limit: 5 });
      expect(items).toMatchObject([
        { scope: "session", toolName: "Write", sessionId, by: { clientId: "client-one" } },
      ]);
      const { grantId } = items[0]!;
      await one.sendMessage(sessionId, { content: "approve", queue: true });
      expect(await awaitEvent(one, sessionId, "grant_used")).toMatchObject({ grantId });
      expect(await other.revokeGrant(grantId)).toBeUndefined();
      expect(await one.listGrants()).toEqual({ items: [] });
      expect(await rejectionCodeOf(one.revokeGrant(grantId))).toBe("NOT_FOUND");
      expect(await awaitEvent(one, sessionId, "grant_revoked")).toMatchObject({
        grantId,
        by: { clientId: "client-two" },
      });
    });

    test("[R-16] grants come newest first, page by page", async () => {
      const { one } = await connect();
      const sessionIds = [await allowForSession(one), await allowForSession(one)];
      const first = await one.listGrants({ limit: 1 });
      const second = await one.listGrants({ limit: 1, cursor: first.nextCursor! });
      expect(second.nextCursor).toBeUndefined();
      const listed = [...first.items, ...second.items].map((grant) => grant.sessionId);
      expect(new Set(listed)).toEqual(new Set(sessionIds));
      expect(listed).toHaveLength(2);
      expect(await rejectionCodeOf(one.listGrants({ limit: 0 }))).toBe("BAD_REQUEST");
    });

    test("[R-16] the stream over all sessions reports changed grants", async () => {
      const { one, other } = await connect();
      const left = new AbortController();
      const types: string[] = [];
      let isAllowed = false;
      for await (const batch of other.followOverview(left)) {
        types.push(...batch.map(({ type }) => type));
        if (types.includes("snapshot") && !isAllowed) {
          isAllowed = true;
          await allowForSession(one);
        }
        if (types.includes("grants_changed")) break;
      }
      left.abort();
      expect(types).toContain("grants_changed");
    });
  });
}
