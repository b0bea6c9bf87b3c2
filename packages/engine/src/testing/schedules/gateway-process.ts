import type { Interaction } from "@holdpoint/protocol";

import type { Ids } from "../../ports/ids.ts";
import { openFixture, type GatewayFixture } from "../gateway-fixture.ts";
import type { Disk, MortalStore } from "../memory-disk.ts";
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

/** Time stands still until the store has nothing to do any more: a real one needs more than promises. */
class PatientClock extends SimulatedClock {
  readonly #store: MortalStore;

  constructor(store: MortalStore, startMs: number | undefined) {
    super(startMs);
    this.#store = store;
  }

  override async settle(): Promise<void> {
    const { traffic } = this.#store;
    for (let calls = -1; calls !== traffic.calls || traffic.underWay > 0;) {
      ({ calls } = traffic);
      await super.settle();
    }
  }
}

/** Starts one over what the disk has. It gets a clock of its own, so that no timer outlives it. */
export async function startProcess(
  disk: Disk,
  { ids, nowMs }: { readonly ids: Ids; readonly nowMs?: number | undefined },
): Promise<GatewayProcess> {
  const store = await disk.open();
  const transcript = new Transcript();
  const fixture = await openFixture(createTalk(transcript), {
    store,
    ids,
    clock: new PatientClock(store, nowMs),
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
