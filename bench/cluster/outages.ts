import { setTimeout as sleep } from "node:timers/promises";

import type { ClusterScene } from "./scene.ts";

const LOOK_EVERY_MS = 50;

/** How long no node works after the one that has the lease was killed. */
export class Outages {
  readonly takeoversMs: number[] = [];
  readonly #scene: ClusterScene;
  #since: number | undefined;

  constructor(scene: ClusterScene) {
    this.#scene = scene;
  }

  /** The node that had the lease has died just now. */
  begin(): void {
    this.#since = performance.now();
  }

  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted || this.#since !== undefined) {
      const since = this.#since;
      const working = since === undefined ? undefined : await this.#scene.findWorking();
      // Another one may have been killed meanwhile.
      if (since !== undefined && working && since === this.#since) {
        this.takeoversMs.push(performance.now() - since);
        this.#since = undefined;
      }
      await sleep(LOOK_EVERY_MS);
    }
  }
}
