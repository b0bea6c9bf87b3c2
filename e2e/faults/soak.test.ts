/*
 * An hour of ordinary use, or some seconds of it: sessions are opened, agents talk and ask, people answer, clients
 * come and go, sessions are deleted. Checked: every answer is delivered once, each client's log equals the log, and
 * at the end the gateway's process has no more memory in use and no more open files than shortly after the beginning.
 * Resident memory is only reported: it varies by tens of megabytes with the garbage.
 */
import { createHttpTransport, createWebSocketTransport } from "@holdpoint/client";
import { expect, test } from "vitest";

import { endOfTurn, pending, until } from "../support/api.ts";
import { TOKEN } from "../support/gateway-process.ts";
import { FollowingClient } from "./support/following-client.ts";
import { startTalking, type TalkingGateway } from "./support/start-talking.ts";

const SECONDS = Number(process.env["CAMPAIGN_CASES"] ?? 6);
const MOST_GROWTH_MIB = 15;
const WARM_UP_ROUNDS = 20;
/** Descriptors that come and go in normal operation. */
const MOST_MORE_DESCRIPTORS = 10;

test.skipIf(process.platform !== "linux")(
  `[R-4] [R-14] [R-18] after ${SECONDS} s of use nothing is left behind`,
  { timeout: 120_000 + SECONDS * 2000 },
  async ({ annotate }) => {
    await using gateway = await startTalking();
    let rounds = 0;
    for (; rounds < WARM_UP_ROUNDS; rounds += 1) await useOnce(gateway, rounds);
    const before = await gateway.memory();
    const descriptors = gateway.descriptors();
    const startedAtMs = performance.now();
    const seconds = (): number => Math.floor((performance.now() - startedAtMs) / 1000);
    for (; seconds() < SECONDS; rounds += 1) await useOnce(gateway, rounds);
    await until(
      async () => gateway.descriptors() <= descriptors + MOST_MORE_DESCRIPTORS,
      "the end of all connections",
    );
    const after = await gateway.memory();
    const heldMiB = after.heldMiB - before.heldMiB;
    const residentMiB = after.residentMiB - before.residentMiB;
    expect(heldMiB).toBeLessThan(MOST_GROWTH_MIB);
    await annotate(
      `${seconds()} s, ${rounds} sessions: ${heldMiB.toFixed(0)} MiB more in use and ${residentMiB.toFixed(0)} MiB more resident at the end`,
      "cases",
    );
  },
);

/** The life of one session with two following clients. */
async function useOnce({ url, api }: TalkingGateway, round: number): Promise<void> {
  const { sessionId } = await api.createSession({ agent: "scripted" });
  const connect = { baseUrl: url, token: TOKEN };
  await using overHttp = new FollowingClient(
    createHttpTransport({ ...connect, clientId: `http-${round}` }),
    sessionId,
  );
  await using overSocket = new FollowingClient(
    createWebSocketTransport({ ...connect, clientId: `socket-${round}` }),
    sessionId,
  );
  await api.send(sessionId, "ask");
  const { interactionId, approval } = await pending(api, sessionId);
  const body = { action: "approve", digest: approval!.digest } as const;
  expect((await api.respond(interactionId, body)).status).toBe(200);
  await endOfTurn(api, sessionId);
  await api.send(sessionId, "talk 5 2000", true);
  await until(async () => {
    const types = (await api.events(sessionId)).map(({ type }) => type);
    return types.filter((type) => type === "turn_ended").length === 2;
  }, "the end of both turns");
  const log = await api.events(sessionId);
  const delivered = log.filter(({ type }) => type === "interaction_delivered");
  expect(delivered).toMatchObject([{ interactionId, how: "resumed" }]);
  for (const client of [overHttp, overSocket]) {
    await until(async () => client.lastSeq === log.length, "the whole log");
    expect(client.events).toEqual(log);
  }
  expect((await api.call("DELETE", `/sessions/${sessionId}`)).status).toBe(204);
}
