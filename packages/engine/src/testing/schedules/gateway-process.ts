import type { Interaction } from "@holdpoint/protocol";

import type { Ids } from "../../ports/ids.ts";
import { openFixture, type GatewayFixture } from "../gateway-fixture.ts";
import type { MemoryDisk, MortalStore } from "../memory-disk.ts";
import { SimulatedClock } from "../simulated-clock.ts";
import { createClient, type Client } from "../tool-scene.ts";
import { clientCount } from "./schedule-steps.ts";
import { scheduleTools } from "./schedule-tools.ts";
import { createTalk, Transcript } from "./talk-script.ts";

/** A gateway with its agents and the clients that may connect to it. All of that dies at once. */
export interface GatewayProcess extends GatewayFixture {
  readonly store: MortalStore;
  readonly transcript: Transcript;
  readonly clients: readonly Client[];
  /** Called once an interaction is committed; the gateway itself hears of that only after it. */
  onRequest: ((interaction: Interaction) => Promise<unknown>) | undefined;
}

/** Starts one over what the disk has. It gets a clock of its own, so that no timer outlives it. */
export async function startProcess(
  disk: MemoryDisk,
  { ids, nowMs }: { readonly ids: Ids; readonly nowMs?: number | undefined },
): Promise<GatewayProcess> {
  const store = await disk.open();
  const transcript = new Transcript();
  const fixture = await openFixture(createTalk(transcript), {
    store,
    ids,
    clock: new SimulatedClock(nowMs),
    tools: scheduleTools,
    limits: { asksPerSecondPerSession: 1e6 },
  });
  const clients = Array.from({ length: clientCount }, (_, index) =>
    createClient(fixture, `client_${index}`),
  );
  const process: GatewayProcess = { ...fixture, store, transcript, clients, onRequest: undefined };
  store.onCommit = async ({ interactions = [] }) => {
    for (const { row, expectedStatus } of interactions) {
      if (expectedStatus === undefined) await process.onRequest?.(row.interaction);
    }
  };
  await fixture.clock.settle();
  return process;
}
