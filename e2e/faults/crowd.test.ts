/*
 * A crowd of clients on WebSockets follows busy sessions. In each session, two of them answer everything, at once. Checked:
 * each interaction is answered once, whoever was slower was told the winner, each client got each event of its log once,
 * and the gateway keeps pace.
 */
import { createWebSocketTransport, type Transport } from "@holdpoint/client";
import type { RespondResult, SessionEvent } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { until } from "../support/api.ts";
import { PERSON_TOKEN as token, serveScriptedGateway } from "../support/contract-gateway.ts";
import { FollowingClient } from "./support/following-client.ts";

const INTERACTIONS = Number(process.env["CAMPAIGN_CASES"] ?? 60);
const CLIENTS = Number(process.env["CROWD_CLIENTS"] ?? 100);
const PER_SECOND = Number(process.env["CROWD_PER_SECOND"] ?? 30);
const CLIENTS_PER_SESSION = 20;
const SESSIONS = Math.ceil(CLIENTS / CLIENTS_PER_SESSION);
/** How much longer all of it may take than the pace says. */
const PATIENCE = 3;
const MANY = 100_000;

interface Room {
  readonly sessionId: string;
  readonly followers: readonly FollowingClient[];
  /** Both answer. */
  readonly rivals: readonly [Transport, Transport];
}

test(
  `[R-1] [R-7] ${CLIENTS} clients with ${PER_SECOND} interactions a second: each of ${INTERACTIONS} is answered once, and everybody sees it once`,
  { timeout: 120_000 + (PATIENCE * INTERACTIONS * 1000) / PER_SECOND },
  async ({ annotate }) => {
    const limits = { perCredential: MANY, perPerson: MANY };
    await using gateway = await serveScriptedGateway({ streamLimits: limits });
    await using open = new AsyncDisposableStack();
    const connect = (clientId: string): Transport =>
      createWebSocketTransport({ baseUrl: gateway.url, token, clientId });
    const rooms: Room[] = [];
    for (let index = 0; index < SESSIONS; index += 1) {
      const rivals = [connect(`a-${index}`), connect(`b-${index}`)] as const;
      for (const rival of rivals) open.use(rival);
      const { sessionId } = await rivals[0].createSession({ agent: "scripted" });
      const followers = Array.from({ length: CLIENTS_PER_SESSION }, (_, client) =>
        open.use(new FollowingClient(connect(`c-${index}-${client}`), sessionId)),
      );
      rooms.push({ sessionId, followers, rivals });
    }

    const startedAtMs = performance.now();
    const latenciesMs: number[] = [];
    let tried = 0;
    const play = async (room: Room): Promise<void> => {
      while (tried < INTERACTIONS) {
        const dueAtMs = startedAtMs + (tried * 1000) / PER_SECOND;
        tried += 1;
        await new Promise((resolve) =>
          setTimeout(resolve, Math.max(0, dueAtMs - performance.now())),
        );
        latenciesMs.push(await askAndAnswer(room));
      }
    };
    await Promise.all(rooms.map(play));
    const tookMs = performance.now() - startedAtMs;

    for (const { sessionId, followers, rivals } of rooms) {
      const log = await wholeLog(rivals[0], sessionId);
      await until(async () => followers.every(({ lastSeq }) => lastSeq >= log.length), "the rest");
      for (const { events } of followers) expect(events).toEqual(log);
      const count = (type: string) => log.filter((event) => event.type === type).length;
      expect(count("interaction_response")).toBe(count("interaction_request"));
      expect(count("interaction_delivered")).toBe(count("interaction_request"));
    }
    expect(tried).toBe(INTERACTIONS);
    expect(tookMs).toBeLessThan((PATIENCE * INTERACTIONS * 1000) / PER_SECOND + 5000);
    const p95 = latenciesMs.toSorted((one, other) => one - other)[Math.floor(tried * 0.95)] ?? 0;
    const pace = ((tried * 1000) / tookMs).toFixed(0);
    await annotate(
      `${tried} interactions, ${CLIENTS} clients: ${pace} a second, acknowledged within ${p95.toFixed(0)} ms (p95)`,
      "cases",
    );
  },
);

/** One interaction, answered by two persons at once. How long the winner waited for the acknowledgement. */
async function askAndAnswer({ sessionId, followers, rivals }: Room): Promise<number> {
  const known = followers[0]!.events.length;
  await rivals[0].sendMessage(sessionId, { content: "approve", queue: true });
  const asked = await until(
    async () =>
      followers[0]!.events.slice(known).find((event) => event.type === "interaction_request"),
    "a request",
  );
  const { interactionId, approval } = asked.interaction;
  const bodies = [
    { action: "approve", digest: approval!.digest },
    { action: "deny", reason: "No." },
  ] as const;
  const startedAtMs = performance.now();
  const results = await Promise.all(
    rivals.map((rival, index) => rival.respond(interactionId, bodies[index]!)),
  );
  const tookMs = performance.now() - startedAtMs;
  const won = results.findIndex(({ status }) => status === "accepted");
  expect(winnerToldTo(results[1 - won])).toBe(bodies[won]?.action);
  await until(
    async () => followers[0]!.events.slice(known).some(({ type }) => type === "turn_ended"),
    "the end of the turn",
  );
  return tookMs;
}

function winnerToldTo(result: RespondResult | undefined): string | undefined {
  return result?.status === "refused" ? result.problem.winner?.action : undefined;
}

async function wholeLog(transport: Transport, sessionId: string): Promise<SessionEvent[]> {
  const log: SessionEvent[] = [];
  for (;;) {
    const { items } = await transport.readEvents(sessionId, { after: log.length, limit: 1000 });
    if (items.length === 0) return log;
    log.push(...items);
  }
}
