import type { MortalStore } from "../memory-disk.ts";
import { SimulatedClock } from "../simulated-clock.ts";

/** Time stands still while the store has work in progress: a real store needs more than promises. */
export class PatientClock extends SimulatedClock {
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
