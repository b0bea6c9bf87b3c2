import { expect, test } from "vitest";

import { openGateway } from "../gateway/gateway.ts";
import { createMemoryStore } from "../memory-store/memory-store.ts";
import { ada, Reader } from "../testing/gateway-fixture.ts";
import { createScriptedAdapter } from "../testing/scripted-adapter.ts";
import { createSequentialIds } from "../testing/sequential-ids.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { type StoreFaults, wrapStore } from "../testing/wrapped-store.ts";

test("an agent started elsewhere has sessions, but is not offered and takes no messages", async () => {
  const adapter = createScriptedAdapter(async () => ({ reason: "done" }));
  await using gateway = await openGateway({
    store: createMemoryStore(),
    clock: new SimulatedClock(),
    ids: createSequentialIds(),
    agents: new Map([["mcp", Object.assign(adapter, { isPassive: true as const })]]),
    defaultCwd: "/work",
  });
  expect(await gateway.listAgents(ada)).toEqual({ items: [] });
  const { sessionId } = await gateway.createSession(ada, { agent: "mcp" });
  const sending = gateway.sendMessage(ada, sessionId, { content: "Hello", queue: true });
  await expect(sending).rejects.toMatchObject({ code: "AGENT_UNAVAILABLE" });
  expect(adapter.messages).toEqual([]);
});

test("[R-10] an agent started elsewhere has not failed because its gateway was killed", async () => {
  const disk = createMemoryStore();
  const clock = new SimulatedClock();
  const ids = createSequentialIds();
  const open = (faults: StoreFaults) => {
    const adapter = createScriptedAdapter(async () => ({ reason: "done" }));
    return openGateway({
      store: wrapStore(disk, faults),
      clock,
      ids,
      agents: new Map([["terminal", Object.assign(adapter, { isPassive: true as const })]]),
      defaultCwd: "/work",
    });
  };
  const faults: StoreFaults = {};
  const first = await open(faults);
  const sessionId = "ses_terminal";
  const session = { sessionId, agent: "terminal", cwd: "/work", title: "work", createdBy: "me" };
  const { signal } = new AbortController();
  void first.trackExternalTurn(session, { signal }).catch(() => undefined);
  await clock.settle();
  expect(await first.getSession(ada, sessionId)).toMatchObject({ status: "running" });
  faults.dead = true;
  await first.close().catch(() => undefined);
  await using second = await open({});
  expect(await second.getSession(ada, sessionId)).toMatchObject({ status: "idle" });
  expect(await second.getSession(ada, sessionId)).not.toHaveProperty("hasFailed");
  await using reader = Reader.session(second, sessionId);
  await clock.settle();
  expect(reader.frames.filter(({ type }) => type === "error")).toEqual([]);
  expect(reader.frames).toContainEqual(
    expect.objectContaining({ type: "turn_ended", reason: "done" }),
  );
});
