/*
 * A crowd of clients on WebSockets follows busy sessions of a gateway in its own process. One client in each session
 * is a page's client; all others only compare bytes, so that the gateway is measured rather than the clients. In each
 * session, two more clients answer everything at the same time. Checked: each interaction is answered once, the
 * slower client learns the winner, each client got each event of its log once and in order, and the gateway keeps
 * pace.
 */
import { createWebSocketTransport, type Transport } from "@holdpoint/client";
import type { RespondResult, SessionEvent } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { until } from "../support/api.ts";
import { TOKEN as token } from "../support/gateway-process.ts";
import { timeHere } from "../support/time-here.ts";
import { CheapFollower } from "./support/cheap-follower.ts";
import { FollowingClient } from "./support/following-client.ts";
import { SharedLog } from "./support/shared-log.ts";
import { startTalking } from "./support/start-talking.ts";

const INTERACTIONS = Number(process.env["CAMPAIGN_CASES"] ?? 60);
const CLIENTS = Number(process.env["CROWD_CLIENTS"] ?? 100);
const PER_SECOND = Number(process.env["CROWD_PER_SECOND"] ?? 30);
const CLIENTS_PER_SESSION = 20;
const SESSIONS = Math.ceil(CLIENTS / CLIENTS_PER_SESSION);
/** The factor by which the whole run may exceed the time that its pace implies. */
const PATIENCE = 3;

interface Room {
  readonly sessionId: string;
  /** A client that shows the session, as a page does. */
  readonly shown: FollowingClient;
  /** All others. */
  readonly followers: readonly CheapFollower[];
  /** The log that all followers share. */
  readonly heard: SharedLog;
  /** Both answer every interaction. */
  readonly rivals: readonly [Transport, Transport];
}

test(
  `[R-1] [R-7] ${CLIENTS} clients with ${PER_SECOND} interactions a second: each of ${INTERACTIONS} is answered once, and every client sees it once`,
  { timeout: 120_000 + (PATIENCE * INTERACTIONS * 1000) / PER_SECOND },
  async ({ annotate }) => {
    await using gateway = await startTalking({ nodeArgs: [] });
    const { url } = gateway;
    await using open = new AsyncDisposableStack();
    const connect = (clientId: string): Transport =>
      createWebSocketTransport({ baseUrl: url, token, clientId });
    const rooms: Room[] = [];
    for (let index = 0; index < SESSIONS; index += 1) {
      const rivals = [connect(`a-${index}`), connect(`b-${index}`)] as const;
      for (const rival of rivals) open.use(rival);
      const { sessionId } = await rivals[0].createSession({ agent: "scripted" });
      const shown = open.use(new FollowingClient(connect(`c-${index}`), sessionId));
      const heard = new SharedLog();
      const followers = Array.from({ length: CLIENTS_PER_SESSION - 1 }, (_, client) => {
        const clientId = `d-${index}-${client}`;
        return open.use(new CheapFollower({ url, token, clientId, sessionId, log: heard }));
      });
      rooms.push({ sessionId, shown, followers, heard, rivals });
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

    for (const { sessionId, shown, followers, heard, rivals } of rooms) {
      const log = await wholeLog(rivals[0], sessionId);
      await until(
        async () =>
          shown.lastSeq >= log.length && followers.every(({ received }) => received >= log.length),
        "the rest",
      );
      expect(shown.events).toEqual(log);
      expect(heard.events()).toEqual(log);
      for (const { problem, received } of followers) {
        expect({ problem, received }).toEqual({ problem: undefined, received: log.length });
      }
      const count = (type: string) => log.filter((event) => event.type === type).length;
      expect(count("interaction_response")).toBe(count("interaction_request"));
      expect(count("interaction_delivered")).toBe(count("interaction_request"));
    }
    expect(tried).toBe(INTERACTIONS);
    expect(tookMs).toBeLessThan(timeHere((PATIENCE * INTERACTIONS * 1000) / PER_SECOND + 5000));
    const p95 = latenciesMs.toSorted((one, other) => one - other)[Math.floor(tried * 0.95)] ?? 0;
    const pace = ((tried * 1000) / tookMs).toFixed(0);
    await annotate(
      `${tried} interactions, ${CLIENTS} clients: ${pace} a second, acknowledged within ${p95.toFixed(0)} ms (p95)`,
      "cases",
    );
  },
);

/** One interaction, answered by two people at once. Returns how long the winner waited for the acknowledgement. */
async function askAndAnswer({ sessionId, shown, rivals }: Room): Promise<number> {
  const known = shown.events.length;
  await rivals[0].sendMessage(sessionId, { content: "ask 1 100", queue: true });
  const asked = await shown.firstAfter(known, "interaction_request");
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
  await shown.firstAfter(known, "turn_ended");
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
