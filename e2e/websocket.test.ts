import { connect, createServer, type Socket } from "node:net";

import {
  createHttpTransport,
  createSessionStore,
  createWebSocketTransport,
  type Transport,
} from "@holdpoint/client";
import type { Interaction, RespondResult } from "@holdpoint/protocol";
import { expect, test, vi } from "vitest";

import { PERSON_TOKEN as token, serveScriptedGateway } from "./support/contract-gateway.ts";

test.each(["WebSocket", "HTTP"])(
  "[R-1] [R-16] when clients of both transports answer at once, %s first, the loser learns who won",
  async (first) => {
    await using served = await serveScriptedGateway();
    const baseUrl = served.url;
    await using socket = createWebSocketTransport({ baseUrl, token, clientId: "socket" });
    await using http = createHttpTransport({ baseUrl, token, clientId: "http" });
    const { sessionId, interactionId } = await ask(socket);
    const order = first === "WebSocket" ? [socket, http] : [http, socket];
    const deny = (transport: Transport, reason: string): Promise<RespondResult> =>
      transport.respond(interactionId, { action: "deny", reason });
    const results = await Promise.all(order.map((one) => deny(one, "No.")));
    const winner = results.find((result) => result.status === "accepted");
    const loser = results.find((result) => result.status === "refused");
    const { response, by } = winner!.interaction;
    expect(loser!.problem).toMatchObject({
      code: "ALREADY_ANSWERED",
      status: 409,
      winner: { ...response, by },
    });
    const late = await Promise.all(order.map((one) => deny(one, "Late.")));
    expect(late).toEqual([loser, loser]);
    const [seenBySocket, seenByHttp] = await Promise.all([
      socket.getInteraction(interactionId),
      http.getInteraction(interactionId),
    ]);
    expect(seenBySocket).toEqual(seenByHttp);
    await vi.waitFor(async () => {
      expect((await http.getSession(sessionId)).status).toBe("idle");
    }, WAIT);
    expect(await socket.readEvents(sessionId)).toEqual(await http.readEvents(sessionId));
  },
);

const WAIT = { timeout: 60_000 };

test("[R-7] a WebSocket that breaks again and again misses no event and repeats none", async () => {
  await using cable = await layCable();
  await using served = await serveScriptedGateway({ publicUrl: cable.url });
  cable.plugIn(served.url);
  await using http = createHttpTransport({ baseUrl: served.url, token, clientId: "http" });
  await using socket = createWebSocketTransport({
    baseUrl: cable.url,
    token,
    clientId: "socket",
  });
  const { sessionId } = await http.createSession({ agent: "scripted" });
  const seen: number[] = [];
  const transport: Transport = {
    ...socket,
    async *followSession(...call) {
      for await (const batch of socket.followSession(...call)) {
        seen.push(...batch.flatMap((frame) => ("seq" in frame ? [frame.seq] : [])));
        yield batch;
      }
    },
  };
  const randomness = { fraction: () => 0, key: () => "key-of-this-test" };
  await using store = createSessionStore({ transport, sessionId, randomness });
  store.subscribe(() => undefined);
  const isLive = (): void => expect(store.getSnapshot().connection).toBe("live");
  await vi.waitFor(isLive, WAIT);
  for (const word of ["one", "two", "three"]) {
    await http.sendMessage(sessionId, { content: `say ${word}`, queue: true });
    cable.cut();
    await vi.waitFor(() => expect(store.getSnapshot().connection).not.toBe("live"), WAIT);
    await vi.waitFor(isLive);
  }
  await vi.waitFor(async () => {
    const { items } = await http.readEvents(sessionId);
    expect(items.filter(({ type }) => type === "turn_ended")).toHaveLength(3);
    expect(seen).toEqual(items.map(({ seq }) => seq));
  }, WAIT);
  expect(cable.cutCount).toBeGreaterThanOrEqual(3);
});

async function ask(transport: Transport): Promise<Interaction> {
  const { sessionId } = await transport.createSession({ agent: "scripted" });
  await transport.sendMessage(sessionId, { content: "approve" });
  return vi.waitFor(async () => {
    const { items } = await transport.listInteractions({ sessionId });
    expect(items).toHaveLength(1);
    return items[0]!;
  }, WAIT);
}

interface Cable extends AsyncDisposable {
  /** The proxy's address, which leads to the connected server. */
  readonly url: string;
  readonly cutCount: number;
  plugIn(url: string): void;
  /** Breaks every connection without notifying either end. */
  cut(): void;
}

async function layCable(): Promise<Cable> {
  const sockets = new Set<Socket>();
  let cutCount = 0;
  let target = 0;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
    cutCount += sockets.size / 2;
    sockets.clear();
  };
  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    plugIn: (url) => void (target = Number(new URL(url).port)),
    get cutCount() {
      return cutCount;
    },
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
