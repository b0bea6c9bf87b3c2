import { describe, expect, test } from "vitest";

import { ada, openFixture } from "../testing/gateway-fixture.ts";

describe("an agent that changes its permission mode by itself", () => {
  test("is followed by its session, once for each change", async () => {
    await using fixture = await openFixture(async (_message, context) => {
      await context.permissionModeChanged("plan");
      await context.permissionModeChanged("plan");
      return { reason: "done" };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    const events = await fixture.events(sessionId);
    expect(
      events.filter((event) => event.type === "session_updated" && event.permissionMode),
    ).toMatchObject([{ permissionMode: "plan", turnId: events[0]?.turnId }]);
    expect(await fixture.gateway.getSession(ada, sessionId)).toMatchObject({
      permissionMode: "plan",
    });
  });
});
