import { createHmac } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { createMemoryStore } from "@holdpoint/engine";
import {
  aDeploy,
  createSequentialIds,
  openAskScene,
  SimulatedClock,
} from "@holdpoint/engine/testing";
import type { Ask } from "@holdpoint/protocol";
import { expect, onTestFinished, vi } from "vitest";

import type { CallbackHost } from "../callbacks/callback-targets.ts";
import { createMemoryCallbackStore } from "../memory-callback-store.ts";
import { createMemoryNotificationStore } from "../memory-notification-store.ts";
import { Notifications } from "../notifications.ts";
import type { CallbackStore } from "../ports/callback-store.ts";
import { createVapidKey } from "../web-push/vapid-key.ts";

export const SECRET = "a secret of sixteen or more";

export interface ReceivedCallback {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of callbacks on a real socket; `answer` answers each request. */
export async function startReceiver(
  answer: (response: ServerResponse, count: number) => void = (response) => {
    response.writeHead(204).end();
  },
) {
  const received: ReceivedCallback[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      answer(response, received.length);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { received, port, host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}/done` };
}

/** Whether its signature is correct. */
export function isSigned({ headers, body }: ReceivedCallback): boolean {
  const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  const expected = createHmac("sha256", SECRET).update(signed).digest("base64");
  return headers["webhook-signature"] === `v1,${expected}`;
}

const until = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { interval: 5 });

/** A gateway with one program, whose callbacks may go to the hosts of its config. Its clock stands still. */
export async function openCallbacks(
  hosts: readonly CallbackHost[],
  {
    callbackStore = createMemoryCallbackStore(),
    store = createMemoryStore(),
    clock = new SimulatedClock(),
    ids = createSequentialIds(),
  }: {
    callbackStore?: CallbackStore;
    store?: ReturnType<typeof createMemoryStore>;
    clock?: SimulatedClock;
    ids?: ReturnType<typeof createSequentialIds>;
  } = {},
) {
  const errors: unknown[] = [];
  const notifications = await Notifications.open({
    store: createMemoryNotificationStore(),
    clock,
    ids,
    key: createVapidKey({ contact: "mailto:ada@example.org" }),
    callbackHosts: hosts,
    callbackStore,
    onError: (error) => errors.push(error),
  });
  const { callbacks } = notifications;
  const scene = await openAskScene({ store, clock, ids, notifications, callbacks });
  await notifications.start(scene.gateway, "http://127.0.0.1:4870");
  const close = async (): Promise<void> => {
    await notifications[Symbol.asyncDispose]();
    await scene[Symbol.asyncDispose]();
  };
  onTestFinished(close);
  const { caller, sessionId } = await scene.program("CI");
  const read = (ask: Ask): Promise<Ask> => scene.gateway.getAsk(caller, ask.interactionId, {});
  return {
    ...scene,
    caller,
    sessionId,
    errors,
    close,
    ask: (url: string, changes: object = {}) =>
      scene.gateway.createAsk(caller, aDeploy({ ...changes, callback: { url } })),
    read,
    until,
    /** Resolves once the callback matches. */
    callbackIs: (ask: Ask, expected: object) =>
      until(async () => expect((await read(ask)).callback).toMatchObject(expected)),
    /** Waits until the given attempt has failed, then for the time of the next one. */
    tryAfter: async (ask: Ask, tries: number): Promise<void> => {
      const waitMs = await until(async () => {
        const row = await callbackStore.find(ask.interactionId);
        expect(row).toMatchObject({ state: "sending", tries });
        const leftMs = (row?.dueAtMs ?? 0) - clock.now();
        expect(leftMs).toBeGreaterThan(0);
        return leftMs;
      });
      await clock.advance(waitMs);
    },
    /** The next gateway with this one's data. */
    next: () => openCallbacks(hosts, { callbackStore, store, clock, ids }),
  };
}
