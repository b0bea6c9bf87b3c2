import { createHttpTransport, createWebSocketTransport, type Transport } from "@holdpoint/client";
import { ProtocolError, type OverviewFrame, type SessionEvent } from "@holdpoint/protocol";
import { expect, test, vi } from "vitest";

import { PERSON_TOKEN as token, serveScriptedGateway } from "./support/contract-gateway.ts";

type Connect = () => Transport;

const PAIRS = 50;
/** Two event streams of the HTTP client, and one socket with two subscriptions of the other. */
const STREAMS_OF_PAIR = 2 + 3;
/** The observer's overview, and one stream that is not open yet. */
const OTHER_STREAMS = 2;
const WAIT = { timeout: 60_000, interval: 100 };

test("[R-1] [R-7] [R-14] an answer reaches each of 100 clients once, including clients that were away, and they leave nothing behind", async () => {
  const perPerson = PAIRS * STREAMS_OF_PAIR + OTHER_STREAMS;
  await using served = await serveScriptedGateway({
    streamLimits: { perPerson, perCredential: perPerson },
  });
  const baseUrl = served.url;
  await using observer = createHttpTransport({ baseUrl, token, clientId: "observer" });
  await using overview = observe(observer);
  // There is room for one crowd only: the second one fits because the first one left nothing behind.
  for (const crowd of ["first", "second"]) {
    const pages = Array.from({ length: PAIRS }, (_, index) => [
      new Page(() => createHttpTransport({ baseUrl, token, clientId: `${crowd}-http-${index}` })),
      new Page(() =>
        createWebSocketTransport({ baseUrl, token, clientId: `${crowd}-socket-${index}` }),
      ),
    ]).flat();
    const { sessionId, interactionId } = await ask(observer);
    for (const page of pages) page.open(sessionId);
    await vi.waitFor(() => expect(pages.every((page) => page.isComplete)).toBe(true), WAIT);
    const half = pages.filter((_, index) => index % 4 < 2);
    const [answer] = await Promise.all([
      observer.respond(interactionId, { action: "deny", reason: "No." }),
      ...half.map((page) => page.close()),
    ]);
    expect(answer).toMatchObject({ status: "accepted" });
    for (const page of half) page.open(sessionId);
    const log = await endedLog(observer, sessionId);
    expect(log.filter(({ type }) => type === "interaction_response")).toHaveLength(1);
    await vi.waitFor(
      () => expect(pages.every(({ events }) => events.length >= log.length)).toBe(true),
      WAIT,
    );
    for (const { events } of pages) expect(events).toEqual(log);
    await Promise.all(pages.map((page) => page.close()));
    await vi.waitFor(
      () => expect(overview.presence()).toMatchObject([{ clientId: "observer" }]),
      WAIT,
    );
  }
});

/** A client that shows one session and the overview, and remembers its position when it is opened again. */
class Page {
  readonly events: SessionEvent[] = [];
  #hasOverview = false;
  readonly #connect: Connect;
  #transport: Transport | undefined;
  #streams: Promise<unknown> | undefined;

  constructor(connect: Connect) {
    this.#connect = connect;
  }

  /** Whether it shows the pending request. */
  get isComplete(): boolean {
    return this.#hasOverview && this.events.some(({ type }) => type === "interaction_request");
  }

  open(sessionId: string): void {
    const transport = this.#connect();
    const { signal } = new AbortController();
    this.#transport = transport;
    this.#streams = Promise.all([
      this.#keep(transport, async () => {
        const cursor = { seq: this.events.at(-1)?.seq ?? 0 };
        for await (const batch of transport.followSession(sessionId, cursor, { signal })) {
          this.events.push(...batch.filter((frame) => "seq" in frame));
        }
      }),
      this.#keep(transport, async () => {
        for await (const batch of transport.followOverview({ signal })) {
          this.#hasOverview ||= batch.length > 0;
        }
      }),
    ]);
  }

  /** Breaks its connections. */
  async close(): Promise<void> {
    const transport = this.#transport;
    this.#transport = undefined;
    await transport?.[Symbol.asyncDispose]();
    await this.#streams;
  }

  /** A page may reconnect before the gateway has noticed its absence, so it retries. */
  async #keep(transport: Transport, follow: () => Promise<void>): Promise<void> {
    while (this.#transport === transport) {
      try {
        await follow();
      } catch (error: unknown) {
        const isFull = ProtocolError.isInstance(error) && error.code === "RATE_LIMITED";
        if (!isFull && this.#transport === transport) throw error;
      }
    }
  }
}

/** Follows the clients that the gateway reports as present. */
function observe(transport: Transport) {
  const left = new AbortController();
  let presence: Extract<OverviewFrame, { type: "presence" }> | undefined;
  const following = (async () => {
    for await (const batch of transport.followOverview({ signal: left.signal })) {
      presence = batch.findLast((frame) => frame.type === "presence") ?? presence;
    }
  })();
  return {
    presence: () => presence?.clients,
    async [Symbol.asyncDispose]() {
      left.abort();
      await following.catch(() => undefined);
    },
  };
}

async function ask(transport: Transport): Promise<{ sessionId: string; interactionId: string }> {
  const { sessionId } = await transport.createSession({ agent: "scripted" });
  await transport.sendMessage(sessionId, { content: "approve" });
  const [interaction] = await vi.waitFor(async () => {
    const { items } = await transport.listInteractions({ sessionId });
    expect(items).toHaveLength(1);
    return items;
  }, WAIT);
  return interaction!;
}

async function endedLog(transport: Transport, sessionId: string): Promise<readonly SessionEvent[]> {
  return vi.waitFor(async () => {
    const { items } = await transport.readEvents(sessionId);
    expect(items.at(-1)).toMatchObject({ type: "turn_ended" });
    return items;
  }, WAIT);
}
