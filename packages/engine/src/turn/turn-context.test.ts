import { describe, expect, test } from "vitest";

import { ada, openFixture } from "../testing/gateway-fixture.ts";

describe("an agent that changes its permission mode", () => {
  test("changes its session's mode, once for each change", async () => {
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

describe("an agent that reports its model", () => {
  test("changes its session's model, until a person chooses another", async () => {
    await using fixture = await openFixture(async ({ content }, context) => {
      await context.usesModel(content);
      await context.usesModel(content);
      return { reason: "done" };
    });
    const sessionId = await fixture.createSession();
    const session = () => fixture.gateway.getSession(ada, sessionId);
    await fixture.send(sessionId, "opus-5");
    expect((await session()).activeModel).toBe("opus-5");
    await fixture.gateway.updateSession(ada, sessionId, { model: "sonnet" });
    expect(await session()).toMatchObject({ model: "sonnet" });
    expect((await session()).activeModel).toBeUndefined();
    await fixture.send(sessionId, "sonnet-5");
    await fixture.gateway.updateSession(ada, sessionId, { title: "Another" });
    expect(await session()).toMatchObject({ model: "sonnet", activeModel: "sonnet-5" });
    const told = (await fixture.events(sessionId)).flatMap((event) =>
      event.type === "session_updated" ? [[event.model, event.activeModel]] : [],
    );
    expect(told.filter(([model, active]) => model ?? active)).toEqual([
      [undefined, "opus-5"],
      ["sonnet", undefined],
      [undefined, "sonnet-5"],
    ]);
  });

  test("gets a person's choice, even if it had the same choice before", async () => {
    await using fixture = await openFixture(async () => ({ reason: "done" }));
    const sessionId = await fixture.createSession();
    await fixture.gateway.updateSession(ada, sessionId, { model: "sonnet" });
    await fixture.send(sessionId, "/model haiku");
    const [agent] = fixture.adapter.opened;
    agent!.model = "haiku";
    await fixture.gateway.updateSession(ada, sessionId, { title: "Another" });
    expect(agent!.model).toBe("haiku");
    await fixture.gateway.updateSession(ada, sessionId, { model: "sonnet" });
    expect(agent!.model).toBe("sonnet");
  });
});
