/*
 * The network is cut in the middle of frames, responses and requests, for clients on event streams and on WebSockets,
 * while an agent talks and asks, and a person answers over the same network. Checked: each client got every event of
 * the log once, in order; its view equals the view of the log; and each acknowledged answer is in the log once.
 */
import {
  applyFrames,
  createHttpTransport,
  createSessionState,
  createWebSocketTransport,
  sendResponse,
  type Transport,
} from "@holdpoint/client";
import { createSeededRandom } from "@holdpoint/engine/testing";
import type { Interaction, SessionEvent } from "@holdpoint/protocol";
import { expect, test, vi } from "vitest";

import { until } from "../support/api.ts";
import { PERSON_TOKEN as token, serveScriptedGateway } from "../support/contract-gateway.ts";
import { openCuttingProxy } from "./support/cutting-proxy.ts";
import { FollowingClient } from "./support/following-client.ts";

const CUTS = Number(process.env["CAMPAIGN_CASES"] ?? 120);
const SEED = Number(process.env["CAMPAIGN_SEED"] ?? 1);
const CLIENTS_EACH = 3;
const MOST_BYTES = 6000;
const MANY = 100_000;

test(
  `[R-7] [R-10] [R-2] after ${CUTS} cuts of the network each client's view equals the log, and each acknowledged answer counts once`,
  { timeout: 60_000 + CUTS * 500 },
  async ({ annotate }) => {
    await using proxy = await openCuttingProxy({
      mostBytes: MOST_BYTES,
      random: createSeededRandom(SEED),
    });
    await using gateway = await serveScriptedGateway({
      publicUrl: proxy.url,
      streamLimits: { perCredential: MANY, perPerson: MANY },
    });
    proxy.leadTo(gateway.url);
    const connect = { baseUrl: proxy.url, token };
    await using straight = createHttpTransport({ baseUrl: gateway.url, token, clientId: "agent" });
    await using person = createHttpTransport({ ...connect, clientId: "person" });
    const { sessionId } = await straight.createSession({ agent: "scripted" });
    await using clients = new AsyncDisposableStack();
    const followers = Array.from({ length: CLIENTS_EACH }, (_, index) => [
      createHttpTransport({ ...connect, clientId: `http-${index}` }),
      createWebSocketTransport({ ...connect, clientId: `socket-${index}` }),
    ])
      .flat()
      .map((transport) => clients.use(new FollowingClient(transport, sessionId)));

    const acknowledged = new Set<string>();
    for (let turn = 0; proxy.cuts < CUTS; turn += 1) {
      await straight.sendMessage(sessionId, {
        content: `say ${"word ".repeat(40)}${turn}`,
        queue: true,
      });
      await straight.sendMessage(sessionId, { content: "approve", queue: true });
      const asked = await until(async () => (await pending(straight, sessionId))[0], "a request");
      const said = await answerOver(person, asked);
      if (said) acknowledged.add(asked.interactionId);
      else await straight.respond(asked.interactionId, { action: "deny" });
    }
    const { cuts } = proxy;
    proxy.heal();

    const log = await endedLog(straight, sessionId);
    await vi.waitFor(
      () =>
        expect(followers.map(({ lastSeq }) => lastSeq)).toEqual(followers.map(() => log.length)),
      { timeout: 40_000 },
    );
    const { view } = applyFrames(createSessionState(), log).state;
    for (const follower of followers) {
      expect(follower.events).toEqual(log);
      expect(follower.gaps).toBe(0);
      expect(follower.view.items).toEqual(view.items);
      expect(follower.view.interactions).toEqual(view.interactions);
    }
    for (const interactionId of acknowledged) {
      const responses = log.filter(
        (event) => event.type === "interaction_response" && event.interactionId === interactionId,
      );
      expect(responses).toHaveLength(1);
    }
    expect(acknowledged.size).toBeGreaterThan(0);
    expect(cuts).toBeGreaterThanOrEqual(CUTS);
    await annotate(
      `${cuts} cuts of the network, ${followers.length} clients, ${log.length} events, ${acknowledged.size} answers`,
      "cases",
    );
  },
);

async function pending(transport: Transport, sessionId: string): Promise<readonly Interaction[]> {
  return (await transport.listInteractions({ sessionId })).items;
}

/** Returns true when the answer was acknowledged. */
async function answerOver(person: Transport, { interactionId, approval }: Interaction) {
  const body = { action: "approve", digest: approval!.digest } as const;
  const result = await sendResponse(person, interactionId, body).catch(() => undefined);
  return result?.status === "accepted";
}

async function endedLog(transport: Transport, sessionId: string): Promise<SessionEvent[]> {
  await until(async () => (await transport.getSession(sessionId)).status === "idle", "the end");
  const log: SessionEvent[] = [];
  for (;;) {
    const { items } = await transport.readEvents(sessionId, { after: log.length, limit: 1000 });
    if (items.length === 0) return log;
    log.push(...items);
  }
}
