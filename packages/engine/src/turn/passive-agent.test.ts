import { expect, test } from "vitest";

import { openGateway } from "../gateway/gateway.ts";
import { createMemoryStore } from "../memory-store/memory-store.ts";
import { ada } from "../testing/gateway-fixture.ts";
import { createScriptedAdapter } from "../testing/scripted-adapter.ts";
import { createSequentialIds } from "../testing/sequential-ids.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";

test("an agent that somebody else starts has sessions, but is not offered and takes no messages", async () => {
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
