import { createDirectTransport } from "holdpoint/client/direct";
import {
  createMemoryStore,
  createSystemClock,
  createSystemIds,
  openGateway,
} from "holdpoint/engine";
import { describe, expect, test, vi } from "vitest";

import { answerDeployments } from "./answer.ts";
import { createDeployAgent } from "./deploy-agent.ts";

async function deployTo(target: string) {
  const deployed: string[] = [];
  const agent = createDeployAgent(async (place) => void deployed.push(place));
  await using gateway = await openGateway({
    store: createMemoryStore(),
    clock: createSystemClock(),
    ids: createSystemIds(),
    agents: new Map([["deploy", agent]]),
    defaultCwd: "/",
  });
  await using transport = createDirectTransport({
    gateway,
    person: "ada",
    client: "test",
    clientId: "c1",
  });
  const { sessionId } = await transport.createSession({ agent: "deploy" });
  await transport.sendMessage(sessionId, { content: target });
  await vi.waitFor(async () => {
    expect((await transport.listInteractions({ status: ["pending"] })).items).toHaveLength(1);
  });
  const outcomes = await answerDeployments(transport);
  const result = await vi.waitFor(async () => {
    const { items } = await transport.readEvents(sessionId);
    const found = items.find((event) => event.type === "tool_result");
    expect(found).toBeDefined();
    return found;
  });
  return { deployed, outcomes, result };
}

describe("the guide's agent", () => {
  test("deploys what was approved", async () => {
    const { deployed, outcomes, result } = await deployTo("staging");
    expect({ deployed, outcomes }).toEqual({ deployed: ["staging"], outcomes: ["accepted"] });
    expect(result).toMatchObject({ content: "Deployed to staging." });
  });

  test("[R-5] deploys nothing that was denied", async () => {
    const { deployed, result } = await deployTo("production");
    expect(deployed).toEqual([]);
    expect(result).toMatchObject({ content: "Denied: Only staging may be deployed without me." });
  });
});
