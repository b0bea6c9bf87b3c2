import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { Api, endOfTurn, pending } from "./support/api.ts";
import { type GatewayProcess, startGateway } from "./support/gateway-process.ts";

let gateway: GatewayProcess;
let api: Api;
beforeAll(async () => {
  gateway = await startGateway();
  api = new Api(gateway.url);
});
afterAll(() => gateway[Symbol.asyncDispose]());

async function ask(prompt: string): Promise<string> {
  const { sessionId } = await api.createSession({ agent: "demo" });
  await api.send(sessionId, prompt);
  return sessionId;
}

async function said(sessionId: string): Promise<string> {
  const events = await api.events(sessionId);
  return events
    .flatMap((event) => (event.type === "assistant_message" ? [event.text] : []))
    .join("\n");
}

describe("the demo agent", () => {
  test("[R-19] asks with a form, and only the agent receives its secret", async () => {
    const sessionId = await ask("Ask me with a form");
    const { interactionId, kind } = await pending(api, sessionId);
    expect(kind).toBe("form");
    const values = { host: "Ada", guests: 3, place: "park", music: ["Jazz"], door: "sesame-4711" };
    const { status } = await api.respond(interactionId, { action: "submit", values });
    expect(status).toBe(200);
    await endOfTurn(api, sessionId);
    expect(await said(sessionId)).toContain('"host": "Ada"');
    expect(JSON.stringify(await api.events(sessionId))).not.toContain("sesame-4711");
  });

  test("calls a gateway tool in its own turn, and reports the result", async () => {
    const sessionId = await ask("Use one of the gateway's tools");
    const { interactionId, toolName, toolCallId, kind } = await pending(api, sessionId);
    expect([toolName, kind]).toEqual(["ask_user", "form"]);
    await api.respond(interactionId, { action: "submit", values: { answer: "2.0" } });
    await endOfTurn(api, sessionId);
    expect(await said(sessionId)).toContain('"answer":"2.0"');
    const events = await api.events(sessionId);
    const ofCall = events.filter(
      (event) => "toolCallId" in event && event.toolCallId === toolCallId,
    );
    expect(ofCall.map(({ type }) => type)).toEqual(["tool_call", "tool_result"]);
    expect(events.filter(({ type }) => type === "turn_started")).toHaveLength(1);
  });

  test("ends its turn when it is stopped while a gateway tool waits", async () => {
    const sessionId = await ask("Use one of the gateway's tools");
    await pending(api, sessionId);
    await api.stop(sessionId);
    expect(await endOfTurn(api, sessionId)).toMatchObject({ reason: "stopped" });
    expect(await api.interactions(sessionId, "pending")).toEqual([]);
  });
});
