import { ProtocolError } from "@holdpoint/protocol";
import type { OverviewFrame } from "@holdpoint/protocol";
import { expect, onTestFinished, test } from "vitest";

import { createQuestion } from "../testing/create-question.ts";
import { createLinkedGateway } from "../testing/linked-gateway.ts";
import { createSimulatedClock, settled } from "../testing/simulated-clock.ts";
import { ClientError } from "../transports/client-error.ts";
import { createOverviewStore } from "./overview-store.ts";

type Connection = readonly (readonly OverviewFrame[] | Error)[];

/** Each connection gives its batches, then an error or silence. */
function setUp(...connections: Connection[]) {
  const clock = createSimulatedClock();
  let opened = 0;
  const transport = {
    ...createLinkedGateway().transport,
    async *followOverview({ signal }: { signal: AbortSignal }) {
      for (const batch of connections[opened++] ?? []) {
        if (batch instanceof Error) throw batch;
        yield batch;
      }
      await clock.sleep(Infinity, { signal });
    },
  };
  const randomness = { fraction: () => 0.5, key: () => "unused" };
  const store = createOverviewStore({ transport, clock, randomness });
  onTestFinished(async () => {
    await store[Symbol.asyncDispose]();
    expect(clock.sleeperCount).toBe(0);
  });
  return { clock, store, opened: () => opened };
}

function snapshot(...interactionIds: string[]): OverviewFrame {
  const interactions = interactionIds.map((interactionId) => createQuestion({ interactionId }));
  return { type: "snapshot", epoch: "epoch", sessions: [], interactions };
}

test("an overview begins with the first listener and tells a batch once", async () => {
  const { store, opened } = setUp([[], [snapshot("one"), snapshot("one", "two")]]);
  await settled();
  expect(opened()).toBe(0);
  let told = 0;
  store.subscribe(() => void (told += 1));
  await settled();
  expect(store.getSnapshot()).toMatchObject({ loaded: true, connection: "live" });
  expect(store.getSnapshot().overview.waiting).toHaveLength(2);
  expect(told).toBeLessThanOrEqual(2);
});

test("a broken overview keeps what it shows and takes the next snapshot", async () => {
  const broken = new ClientError("CONNECTION_CLOSED", "Gone.");
  const presence: OverviewFrame = { type: "presence", clients: [], answerable: false };
  const { store, clock } = setUp([[snapshot("one")], [presence], broken], [[snapshot("two")]]);
  store.subscribe(() => undefined);
  await settled();
  expect(store.getSnapshot()).toMatchObject({ loaded: true, connection: "reconnecting" });
  expect(store.getSnapshot().overview.waiting).toMatchObject([{ interactionId: "one" }]);
  await clock.advance(1000);
  expect(store.getSnapshot()).toMatchObject({ connection: "live" });
  expect(store.getSnapshot().overview.waiting).toMatchObject([{ interactionId: "two" }]);
});

test("a refused overview is an error until refresh", async () => {
  const refusal = new ProtocolError("UNAUTHENTICATED", "Who are you?");
  const { store, clock, opened } = setUp([refusal], [[snapshot()]]);
  store.subscribe(() => undefined);
  await clock.advance(3_600_000);
  expect(store.getSnapshot()).toMatchObject({ connection: "offline", error: refusal });
  expect(opened()).toBe(1);
  store.refresh();
  await settled();
  expect(store.getSnapshot()).toMatchObject({ connection: "live", loaded: true });
  expect(store.getSnapshot()).not.toHaveProperty("error");
});
