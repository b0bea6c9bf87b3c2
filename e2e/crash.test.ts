import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { Api, pending, until } from "./support/api.ts";
import { startGateway } from "./support/gateway-process.ts";

const KILLS = Number(process.env["CAMPAIGN_CASES"] ?? 8);

test(
  `[R-2] [R-4] ${KILLS} gateways killed right after an acknowledgement lose no response and deliver none twice`,
  { timeout: 60_000 + KILLS * 6000 },
  async ({ annotate }) => {
    const dataDir = await mkdtemp(join(tmpdir(), "holdpoint-crash-"));
    const acknowledged: { sessionId: string; interactionId: string; reply: string }[] = [];
    for (let round = 0; round < KILLS; round += 1) {
      await using gateway = await startGateway({ dataDir });
      const api = new Api(gateway.url);
      const { sessionId } = await api.createSession({ agent: "demo" });
      await api.send(sessionId, "Ask me two questions");
      const { interactionId } = await pending(api, sessionId);
      const reply = `answer of round ${round}`;
      const { status } = await api.respond(interactionId, { action: "submit", reply });
      gateway.process.kill("SIGKILL");
      expect(status).toBe(200);
      acknowledged.push({ sessionId, interactionId, reply });
    }

    await using gateway = await startGateway({ dataDir });
    const api = new Api(gateway.url);
    for (const { sessionId, interactionId, reply } of acknowledged) {
      await until(
        async () => (await api.interaction(interactionId)).status === "delivered",
        `the delivery of ${interactionId}`,
      );
      const events = await api.events(sessionId);
      expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
      const of = (type: string) =>
        events.filter(
          (event) =>
            event.type === type &&
            "interactionId" in event &&
            event.interactionId === interactionId,
        );
      expect(of("interaction_response")).toMatchObject([{ action: "submit", reply }]);
      expect(of("interaction_delivered")).toHaveLength(1);
    }
    await annotate(`${KILLS} gateways killed after an acknowledgement`, "cases");
    await rm(dataDir, { recursive: true, force: true });
  },
);

test("[R-3] [R-4] a request that was pending when the gateway was killed is orphaned, and a late answer becomes a message", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "holdpoint-orphan-"));
  let interactionId: string;
  let sessionId: string;
  {
    await using gateway = await startGateway({ dataDir });
    const api = new Api(gateway.url);
    ({ sessionId } = await api.createSession({ agent: "demo" }));
    await api.send(sessionId, "Ask me two questions");
    ({ interactionId } = await pending(api, sessionId));
    gateway.process.kill("SIGKILL");
  }
  await using gateway = await startGateway({ dataDir });
  const api = new Api(gateway.url);
  expect(await api.interaction(interactionId)).toMatchObject({
    status: "orphaned",
    closedReason: expect.any(String),
  });
  expect((await api.session(sessionId)).status).toBe("idle");

  const answer = await api.respond(interactionId, {
    action: "submit",
    reply: "Better late than never",
  });
  expect(answer).toMatchObject({ status: 200, body: { interaction: { status: "answered" } } });
  const late = await until(
    async () =>
      (await api.events(sessionId)).find(
        (event) => event.type === "user_message" && event.origin === "late_response",
      ),
    "the late answer as a message",
  );
  expect(late).toMatchObject({
    interactionId,
    content: expect.stringContaining("Better late than never"),
  });
  expect(await api.interaction(interactionId)).toMatchObject({
    status: "delivered",
    how: "user_message",
  });
  const again = await api.respond(interactionId, { action: "submit", reply: "Another" });
  expect(again).toMatchObject({
    status: 409,
    body: { code: "ALREADY_ANSWERED", winner: { reply: "Better late than never" } },
  });
  await rm(dataDir, { recursive: true, force: true });
});
