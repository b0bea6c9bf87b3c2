import { setTimeout as sleep } from "node:timers/promises";

import type { ClusterScene } from "./scene.ts";

const LOOK_EVERY_MS = 50;

/** Measures how long no node works after the lease holder was killed. */
export class Outages {
  readonly takeoversMs: number[] = [];
  readonly #scene: ClusterScene;
  #since: number | undefined;

  constructor(scene: ClusterScene) {
    this.#scene = scene;
  }

  /** Call it when the lease holder has just died. */
  begin(): void {
    this.#since = performance.now();
  }

  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted || this.#since !== undefined) {
      const since = this.#since;
      const working = since === undefined ? undefined : await this.#scene.findWorking();
      // Another node may have been killed since.
      if (since !== undefined && working && since === this.#since) {
        this.takeoversMs.push(performance.now() - since);
        this.#since = undefined;
      }
      await sleep(LOOK_EVERY_MS);
    }
  }
}
