import { createSessionStore } from "@holdpoint/client";
import {
  createLinkedGateway,
  createSimulatedClock,
  type LinkedGateway,
} from "@holdpoint/client/testing";
import { afterEach, describe, expect, test, vi } from "vitest";

import { createSessionStores, type SessionStores } from "./session-stores.ts";

let stores: SessionStores | undefined;
afterEach(async () => {
  await stores?.[Symbol.asyncDispose]();
  stores = undefined;
});

function open() {
  const gateway = createLinkedGateway();
  const created = createSessionStores({
    transport: gateway.transport,
    clock: createSimulatedClock(),
    randomness: { fraction: () => 0, key: () => "key-12345678" },
  });
  stores = created;
  return {
    gateway,
    stores: {
      ...created,
      get: (sessionId: string) => created.get(sessionId, createSessionStore),
      subscribe: (sessionId: string, listener: () => void) =>
        created.subscribe(sessionId, createSessionStore, listener),
    },
  };
}
const ignore = (): void => undefined;
const streams = (gateway: LinkedGateway, count: number): Promise<void> =>
  vi.waitFor(() => expect(gateway.streamCount).toBe(count));

describe("the stores of sessions", () => {
  test("share one stream per session among all viewers", async () => {
    const { gateway, stores } = open();
    const leave = [stores.subscribe("a", ignore), stores.subscribe("a", ignore)];
    await streams(gateway, 1);
    for (const stop of leave) stop();
    expect(gateway.openedCount).toBe(1);
  });

  test("keep the last viewed sessions up to date, and end older ones", async () => {
    const { gateway, stores } = open();
    for (const sessionId of ["a", "b", "c", "d", "e"]) {
      const stop = stores.subscribe(sessionId, ignore);
      await vi.waitFor(() => expect(stores.get(sessionId).getSnapshot().connection).toBe("live"));
      stop();
    }
    await streams(gateway, 3);
    expect(stores.get("e").getSnapshot().loaded).toBe(true);
    expect(stores.get("a").getSnapshot().loaded).toBe(false);
  });

  test("never end a session in view, however many others come and go", async () => {
    const { gateway, stores } = open();
    const leave = stores.subscribe("kept", ignore);
    for (const sessionId of ["a", "b", "c", "d"]) stores.subscribe(sessionId, ignore)();
    await streams(gateway, 4);
    expect(stores.get("kept").getSnapshot().connection).toBe("live");
    leave();
  });

  test("count leaving twice once", async () => {
    const { stores } = open();
    const first = stores.subscribe("a", ignore);
    const second = stores.subscribe("a", ignore);
    first();
    first();
    for (const sessionId of ["b", "c", "d", "e"]) stores.subscribe(sessionId, ignore)();
    const { store } = { store: stores.get("a") };
    expect(stores.get("a")).toBe(store);
    await vi.waitFor(() => expect(store.getSnapshot().connection).toBe("live"));
    second();
  });

  test("end every stream when disposed", async () => {
    const { gateway, stores } = open();
    stores.subscribe("a", ignore);
    stores.subscribe("b", ignore);
    await streams(gateway, 2);
    await stores[Symbol.asyncDispose]();
    expect(gateway.streamCount).toBe(0);
  });
});
