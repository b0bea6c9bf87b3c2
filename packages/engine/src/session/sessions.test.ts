import { detailsOf, OPERATION_NAMES, OPERATIONS, type Caller } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { createMemoryCredentialStore } from "../memory-store/memory-credential-store.ts";
import { createMemoryStore } from "../memory-store/memory-store.ts";
import { ada, approval, askOnce, never, openFixture } from "../testing/gateway-fixture.ts";
import { createScriptedAdapter, type ScriptedAdapter } from "../testing/scripted-adapter.ts";
import { wrapStore, type StoreFaults } from "../testing/wrapped-store.ts";

describe("creating", () => {
  test("uses the defaults of the gateway and of the agent", async () => {
    await using fixture = await openFixture(askOnce());
    const session = await fixture.gateway.createSession(ada, { agent: "scripted" });
    expect(session).toMatchObject({
      agent: "scripted",
      cwd: "/work",
      title: "",
      permissionMode: "default",
      status: "idle",
      lastSeq: 0,
    });
    expect(await fixture.gateway.listSessions(ada, { limit: 10 })).toEqual({ items: [session] });
  });

  test("refuses invalid values, field by field", async () => {
    await using fixture = await openFixture(askOnce(), {
      refuseCwd: async (cwd) => (cwd === "/secret" ? "Not there." : undefined),
    });
    const create = (body: Record<string, string>) =>
      fixture.gateway.createSession(ada, { agent: "scripted", ...body });
    const cases = [
      [{ agent: "none" }, "agent"],
      [{ permissionMode: "yolo" }, "permissionMode"],
      [{ cwd: "relative/path" }, "cwd"],
      [{ cwd: "/secret" }, "cwd"],
    ] as const;
    for (const [body, field] of cases) {
      await expect(create(body)).rejects.toMatchObject({
        code: "INVALID_REQUEST",
        extras: { fieldErrors: { [field]: expect.any(String) } },
      });
    }
  });

  test("refuses an agent that cannot be started, with its reason", async () => {
    const adapter = createScriptedAdapter(askOnce(), {
      available: false,
      unavailableReason: "Sign in first.",
    });
    await using fixture = await openFixture(askOnce(), { adapter });
    await expect(fixture.createSession()).rejects.toMatchObject({
      code: "AGENT_UNAVAILABLE",
      message: "Sign in first.",
    });
  });
});

describe("an agent's credential", () => {
  const ofAgents = OPERATION_NAMES.filter((name) => detailsOf(name).access === "agent");
  const ofPersons = OPERATION_NAMES.filter((name) => !ofAgents.includes(name));

  test("[R-13] is for requests and nothing else", () => {
    expect(ofAgents).toEqual(["createAsk", "getAsk", "addAskComment", "withdrawAsk"]);
  });

  test.each([
    ...ofPersons.map((name) => [name, "agent"] as const),
    ...ofAgents.map((name) => [name, "person"] as const),
  ])("[R-13] %s is refused to %ss", async (name, principal) => {
    await using fixture = await openFixture(askOnce());
    const caller = { ...ada, principal, sessionId: "ses_1" } as Caller;
    const call = fixture.gateway[name] as (caller: Caller, ...ids: string[]) => Promise<unknown>;
    await expect(call(caller, "any", "any")).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  test("[R-13] reads no log and follows no stream, not even of its session", async () => {
    await using fixture = await openFixture(askOnce());
    const sessionId = await fixture.createSession();
    const agent = { ...ada, principal: "agent" } as const;
    const { gateway } = fixture;
    const forbidden: Promise<unknown>[] = [
      gateway.readEventTexts(agent, sessionId, { limit: 10 }),
      drain(gateway.followSession(agent, sessionId, { seq: 0 }, { signal: never })),
      drain(gateway.followOverview(agent, { signal: never })),
    ];
    for (const call of forbidden) await expect(call).rejects.toMatchObject({ code: "FORBIDDEN" });
  });
});

test.each(OPERATION_NAMES.filter((name) => OPERATIONS[name].method !== "GET"))(
  "%s is refused with DRAINING by a stopping gateway",
  async (name) => {
    await using fixture = await openFixture(askOnce());
    await fixture.gateway.close();
    const call = fixture.gateway[name] as (caller: Caller, ...ids: string[]) => Promise<unknown>;
    const problem = { code: "DRAINING", extras: { retryAfterMs: 1000 } };
    const principal = detailsOf(name).access === "agent" ? "agent" : "person";
    await expect(call({ ...ada, principal }, "any", "any")).rejects.toMatchObject(problem);
  },
);

async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream) return;
}

describe("changing", () => {
  test("a new mode is used by the running agent at once, and is in the log", async () => {
    await using fixture = await openFixture(askOnce());
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    const changed = await fixture.gateway.updateSession(ada, sessionId, {
      permissionMode: "relaxed",
      model: "m2",
      title: "New",
    });
    expect(changed).toMatchObject({ permissionMode: "relaxed", model: "m2", title: "New" });
    expect(fixture.adapter.opened[0]).toMatchObject({ permissionMode: "relaxed", model: "m2" });
    expect((await fixture.events(sessionId)).at(-1)).toMatchObject({
      type: "session_updated",
      permissionMode: "relaxed",
      model: "m2",
      title: "New",
    });
  });

  test("[R-5] an unknown mode is refused and nothing changes", async () => {
    await using fixture = await openFixture(askOnce());
    const sessionId = await fixture.createSession();
    await expect(
      fixture.gateway.updateSession(ada, sessionId, { permissionMode: "yolo" }),
    ).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    expect(await fixture.gateway.getSession(ada, sessionId)).toMatchObject({
      permissionMode: "default",
    });
  });

  test("[R-5] a mode that could not be stored is not used by the agent", async () => {
    const faults: StoreFaults = {};
    const store = wrapStore(createMemoryStore(), faults);
    await using fixture = await openFixture(askOnce(), { store });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    faults.beforeAppend = () => {
      throw new Error("disk full");
    };
    await expect(
      fixture.gateway.updateSession(ada, sessionId, { permissionMode: "relaxed" }),
    ).rejects.toMatchObject({ code: "INTERNAL" });
    expect(fixture.adapter.opened[0]?.permissionMode).toBe("default");
    faults.beforeAppend = undefined;
  });

  test("[R-5] a change that the agent accepts only in part is undone", async () => {
    const base = createScriptedAdapter(askOnce());
    const adapter: ScriptedAdapter = {
      ...base,
      async openSession(options) {
        const session = await base.openSession(options);
        return {
          ...session,
          setModel: async (model) => {
            if (model === "unknown") throw new Error("There is no such model.");
            await session.setModel(model);
          },
        };
      },
    };
    await using fixture = await openFixture(askOnce(), { adapter });
    const { sessionId } = await fixture.gateway.createSession(ada, {
      agent: "scripted",
      model: "known",
    });
    await fixture.send(sessionId, "go");
    await expect(
      fixture.gateway.updateSession(ada, sessionId, {
        permissionMode: "relaxed",
        model: "unknown",
      }),
    ).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      extras: { fieldErrors: { model: "The agent refused the change: There is no such model." } },
      cause: { cause: { message: "There is no such model." } },
    });
    expect((await fixture.gateway.getSession(ada, sessionId)).permissionMode).toBe("default");
    expect(base.opened[0]).toMatchObject({ permissionMode: "default", model: "known" });
  });

  test("[R-5] a change that comes while the agent is being opened reaches it", async () => {
    const adapter = createScriptedAdapter(askOnce());
    const open = adapter.openSession.bind(adapter);
    const opening = Promise.withResolvers<void>();
    adapter.openSession = async (options) => {
      await opening.promise;
      return open(options);
    };
    await using fixture = await openFixture(askOnce(), { adapter });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    await fixture.gateway.updateSession(ada, sessionId, { permissionMode: "relaxed" });
    opening.resolve();
    await fixture.clock.settle();
    expect(adapter.opened[0]).toMatchObject({
      options: { permissionMode: "default" },
      permissionMode: "relaxed",
    });
  });
});

describe("deleting", () => {
  test("ends the agent, withdraws its requests and leaves nothing", async () => {
    const outcomes: string[] = [];
    await using fixture = await openFixture(async (_message, context) => {
      const result = await context.hold(approval("t1"), { signal: never });
      outcomes.push(result.outcome);
      return { reason: "stopped" };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    await fixture.gateway.deleteSession(ada, sessionId);
    expect(outcomes).toEqual(["withdrawn"]);
    expect(fixture.adapter.opened[0]?.disposed).toBe(true);
    await expect(fixture.gateway.getSession(ada, sessionId)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await fixture.interactions("pending", "withdrawn")).toEqual([]);
    expect(fixture.clock.timerCount).toBe(0);
  });

  test("revokes the session's credentials first, and fails if that fails", async () => {
    const credentials = createMemoryCredentialStore();
    await using fixture = await openFixture(askOnce(), { credentials });
    const own = { kind: "agent", person: "Ada", label: "Codex", createdAtMs: 0 } as const;
    const sessionId = await fixture.createSession();
    const deletion = () => fixture.gateway.deleteSession(ada, sessionId);
    const there = () => fixture.gateway.getSession(ada, sessionId);
    const known = fixture.gateway.credentials;
    await known.add({ ...own, tokenId: "tok_own", tokenHash: "1", sessionId });
    await known.add({ ...own, tokenId: "tok_other", tokenHash: "2", sessionId: "ses_other" });
    const revoke = credentials.revoke.bind(credentials);
    credentials.revoke = () => Promise.reject(new Error("Not now."));
    await expect(deletion()).rejects.toMatchObject({ code: "INTERNAL" });
    expect(await there()).toMatchObject({ sessionId });
    credentials.revoke = revoke;
    const seen: string[] = [];
    fixture.gateway.credentials.onRevoked(async (tokenId) => {
      seen.push(tokenId, (await there()).sessionId);
    });
    await deletion();
    expect(seen).toEqual(["tok_own", sessionId]);
    expect(await credentials.list()).toMatchObject([{ tokenId: "tok_other" }]);
    await expect(there()).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("does not wait for a turn that was about to begin", async () => {
    const store = createMemoryStore();
    const list = store.listQueue.bind(store);
    const found = Promise.withResolvers<void>();
    await using fixture = await openFixture(askOnce(), { store });
    const sessionId = await fixture.createSession();
    store.listQueue = async (...query) => {
      const queue = await list(...query);
      if (queue.length > 0) await found.promise;
      return queue;
    };
    await fixture.send(sessionId, "go");
    const deleted = fixture.gateway.deleteSession(ada, sessionId);
    await fixture.clock.settle();
    found.resolve();
    await fixture.clock.settle();
    expect(await fixture.interactions("pending")).toEqual([]);
    await deleted;
  });

  test("does not wait for an agent that hangs", async () => {
    await using fixture = await openFixture(() => new Promise<never>(() => undefined));
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    await fixture.gateway.deleteSession(ada, sessionId);
    expect(fixture.clock.timerCount).toBe(0);
  });
});

describe("reading the log", () => {
  test("pages forwards and backwards meet every event once", async () => {
    await using fixture = await openFixture(async (_message, context) => {
      for (let index = 0; index < 20; index += 1) {
        await context.emit({
          type: "assistant_message",
          messageId: `m${index}`,
          text: "x",
          channel: "text",
        });
      }
      return { reason: "done" };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    const { gateway } = fixture;
    const all = (await fixture.events(sessionId)).map(({ seq }) => seq);
    const forwards: number[] = [];
    for (let after: number | undefined = 0; after !== undefined;) {
      const page = await gateway.readEvents(ada, sessionId, { after, limit: 8 });
      forwards.push(...page.items.map(({ seq }) => seq));
      after = page.nextCursor === undefined ? undefined : Number(page.nextCursor);
    }
    const backwards: number[] = [];
    for (let before: number | undefined; ;) {
      const page = await gateway.readEventTexts(ada, sessionId, { before, limit: 8 });
      backwards.unshift(...page.items.map(({ seq }) => seq ?? 0));
      if (page.nextCursor === undefined) break;
      before = Number(page.nextCursor);
    }
    expect(forwards).toEqual(all);
    expect(backwards).toEqual(all);
  });
});
