import { expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import type { HoldResult } from "../ports/agent-adapter.ts";
import {
  ada,
  type FixtureOptions,
  type GatewayFixture,
  never,
  openFixture,
  question,
} from "../testing/gateway-fixture.ts";
import { createScriptedAdapter } from "../testing/scripted-adapter.ts";

const REFUSED = { outcome: "withdrawn", code: "TOO_MANY_PENDING" };

/** A gateway whose agents ask one question each, and the outcomes. */
async function openAsking(options: FixtureOptions = {}) {
  const results: HoldResult[] = [];
  const fixture = await openFixture(async (message, context) => {
    results.push(await context.hold(question(message.messageId), { signal: never }));
    return { reason: "done" };
  }, options);
  /** Makes an agent ask in a new session of this credential. */
  const askAs = async (tokenId: string): Promise<void> => {
    const caller = { ...ada, tokenId };
    const { sessionId } = await fixture.gateway.createSession(caller, { agent: "scripted" });
    await fixture.send(sessionId, "go");
  };
  return { fixture, results, askAs };
}

async function countPending(fixture: GatewayFixture): Promise<number> {
  return (await fixture.interactions("pending")).length;
}

test("[R-20] all sessions created by one credential share a limit of open requests, without affecting others", async () => {
  const limits = { openPerCreator: 3 };
  const store = createMemoryStore();
  const { fixture, results, askAs } = await openAsking({ limits, store });
  for (let index = 0; index < 4; index += 1) await askAs("program");
  expect(results).toMatchObject([REFUSED]);
  expect(await countPending(fixture)).toBe(3);
  await askAs("page");
  expect(await countPending(fixture)).toBe(4);
  // An expired interaction counts as open until it leaves the overview: otherwise a flood would fill the inbox.
  await fixture.clock.advance(600_000);
  expect(await fixture.interactions("expired")).toHaveLength(4);
  await askAs("program");
  expect(results.at(-1)).toMatchObject(REFUSED);
  // The same applies to the next gateway.
  const { clock, ids } = fixture;
  await fixture.gateway.close();
  const next = await openAsking({ limits, store, clock, ids });
  await using _ = next.fixture;
  await next.askAs("program");
  expect(next.results).toMatchObject([REFUSED]);
  await next.askAs("page");
  expect(await countPending(next.fixture)).toBe(1);
  clock.jumpWall(8 * 24 * 3_600_000);
  await clock.advance(10_000);
  const before = await countPending(next.fixture);
  await next.askAs("program");
  expect(await countPending(next.fixture)).toBe(before + 1);
});

test("[R-20] an answer and the end of a session make room", async () => {
  const { fixture, results, askAs } = await openAsking({ limits: { openPerCreator: 2 } });
  await using _ = fixture;
  await askAs("program");
  await askAs("program");
  const [first, second] = await fixture.interactions("pending");
  const answers = [{ questionId: "q1", selected: ["b"] }];
  await fixture.gateway.respond(ada, first!.interactionId, { action: "submit", answers });
  await fixture.clock.advance(1000);
  await askAs("program");
  expect(await countPending(fixture)).toBe(2);
  await fixture.gateway.deleteSession(ada, second!.sessionId);
  await fixture.clock.advance(1000);
  await askAs("program");
  expect(await countPending(fixture)).toBe(2);
  await askAs("program");
  expect(results.at(-1)).toMatchObject(REFUSED);
});

test("[R-20] simultaneous requests are all counted", async () => {
  const { fixture } = await openAsking({ limits: { openPerCreator: 3 } });
  await using _ = fixture;
  const { gateway, clock } = fixture;
  const made = Array.from({ length: 10 }, () =>
    gateway.createSession({ ...ada, tokenId: "program" }, { agent: "scripted" }),
  );
  const sessions = await Promise.all(made);
  await Promise.all(
    sessions.map(({ sessionId }) => gateway.sendMessage(ada, sessionId, { content: "go" })),
  );
  await clock.advance(2000);
  expect(await countPending(fixture)).toBe(3);
});

test("[R-20] all agents with tokens from one person count as one, separately from the page that gave them", async () => {
  const passive = createScriptedAdapter(async () => ({ reason: "done" }));
  const otherAgents = new Map([["mcp", Object.assign(passive, { isPassive: true as const })]]);
  const { fixture, askAs } = await openAsking({ limits: { openPerCreator: 2 }, otherAgents });
  await using _ = fixture;
  const { gateway, clock } = fixture;
  const asked: Promise<unknown>[] = [];
  for (let index = 0; index < 3; index += 1) {
    const page = { ...ada, tokenId: `page ${index}` };
    const { sessionId } = await gateway.createAgentToken(page, { label: `Agent ${index}` });
    const call = { sessionId, toolCallId: "call_1", name: "ask_user", args: { question: "Now?" } };
    asked.push(gateway.tools.call(call, { signal: never }).result);
  }
  const refused = await Promise.race(asked);
  await clock.settle();
  const message = "Too many interactions are pending.";
  expect(refused).toMatchObject({ structured: { code: "INTERACTION_REFUSED", message } });
  expect(await countPending(fixture)).toBe(2);
  await askAs("page 0");
  expect(await countPending(fixture)).toBe(3);
  const listed = await gateway.listSessions(ada, { limit: 10 });
  // No one sees which credential has made a session.
  expect(JSON.stringify(listed)).not.toContain("page 0");
});

test("[R-20] requests being written are counted with the open ones", async () => {
  const results: HoldResult[] = [];
  const limits = { openPerCreator: 3 };
  await using fixture = await openFixture(
    async ({ content }, context) => {
      const asked = content.split(" ").map((id) => context.hold(question(id), { signal: never }));
      results.push(...(await Promise.all(asked)));
      return { reason: "done" };
    },
    { limits },
  );
  const askAll = async (ids: string): Promise<void> => {
    const caller = { ...ada, tokenId: "program" };
    const { sessionId } = await fixture.gateway.createSession(caller, { agent: "scripted" });
    await fixture.send(sessionId, ids);
  };
  await askAll("a b");
  await fixture.clock.advance(600_000);
  expect(await fixture.interactions("expired")).toHaveLength(2);
  results.length = 0;
  // No one waits for the first two any longer, and neither of the next two is stored when the other is asked.
  await askAll("c d");
  expect(await countPending(fixture)).toBe(1);
  await fixture.clock.advance(600_000);
  expect(results).toContainEqual(expect.objectContaining(REFUSED));
});
