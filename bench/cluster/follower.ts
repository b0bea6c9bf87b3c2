import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

import type { ClusterScene } from "./scene.ts";

const PAUSE_MS = 200;

/** A client that follows one session on an event stream, and reconnects to any node with its cursor, as pages do. */
export class Follower {
  /** The events it received, in order: the log as JSON. */
  readonly events: string[] = [];
  /** The first fault in its events. */
  problem: string | undefined;
  readonly sessionId: string;
  readonly #scene: ClusterScene;
  readonly #token: string;
  readonly #left = new AbortController();
  #lastId = "";
  #epoch: string | undefined;

  constructor(scene: ClusterScene, place: { readonly sessionId: string; readonly token: string }) {
    this.#scene = scene;
    this.sessionId = place.sessionId;
    this.#token = place.token;
    void this.#run();
  }

  leave(): void {
    this.#left.abort();
  }

  async #run(): Promise<void> {
    while (!this.#left.signal.aborted) {
      const { urls } = this.#scene;
      const url = urls[Math.floor(Math.random() * urls.length)];
      if (url !== undefined) await this.#follow(url);
      await sleep(PAUSE_MS);
    }
  }

  /** Resolves when the stream ends for any reason. */
  #follow(url: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const headers = {
      authorization: `Bearer ${this.#token}`,
      accept: "text/event-stream",
      ...(this.#lastId !== "" && { "last-event-id": this.#lastId }),
    };
    const path = `${url}/api/sessions/${this.sessionId}/events`;
    const { signal } = this.#left;
    const call = get(path, { headers, signal, agent: false });
    call.on("error", () => resolve());
    call.on("response", (response) => {
      response.on("error", () => resolve()).on("close", () => resolve());
      if (response.statusCode !== 200) return void response.resume();
      let rest = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        const frames = (rest + chunk).split("\n\n");
        rest = frames.pop() ?? "";
        for (const frame of frames) this.#take(frame);
      });
    });
    return promise;
  }

  #take(frame: string): void {
    const { id, data } = /^(?:id: (?<id>.*)\n)?data: (?<data>.*)$/u.exec(frame)?.groups ?? {};
    if (data?.startsWith('{"type":"reset"')) this.problem ??= "was told to begin anew";
    if (id === undefined || data === undefined) return;
    const [epoch, seq] = id.split(".");
    this.#epoch ??= epoch;
    if (epoch !== this.#epoch) this.problem ??= "was told of another history";
    if (Number(seq) !== this.events.length + 1) {
      this.problem ??= `was told ${seq} after ${this.events.length}`;
    }
    this.#lastId = id;
    this.events.push(data);
  }
}
