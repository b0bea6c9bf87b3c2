import type { SessionEvent, SessionFrame } from "@holdpoint/protocol";

import type { Gateway } from "../../gateway/gateway.ts";
import { ada } from "../gateway-fixture.ts";

/** A page that shows one session of any running gateway, and reconnects with its cursor. */
export class Follower {
  readonly sessionId: string;
  /** All frames it got, in order of arrival. */
  readonly frames: SessionFrame[] = [];
  readonly #onFrame: (frame: SessionFrame) => void;
  #connection = new AbortController();
  #reading: Promise<void> = Promise.resolve();
  /** The error that broke its stream since its last connection. */
  failure: unknown;

  constructor(sessionId: string, options: { readonly onFrame: (frame: SessionFrame) => void }) {
    this.sessionId = sessionId;
    this.#onFrame = options.onFrame;
  }

  get events(): SessionEvent[] {
    return this.frames.filter((frame) => "seq" in frame);
  }

  connect(gateway: Gateway): void {
    this.#connection = new AbortController();
    this.failure = undefined;
    const cursor = { seq: this.events.at(-1)?.seq ?? 0, epoch: gateway.epoch };
    const { signal } = this.#connection;
    this.#reading = this.#read(gateway.followSession(ada, this.sessionId, cursor, { signal }));
  }

  async disconnect(): Promise<void> {
    this.#connection.abort();
    await this.#reading;
  }

  async #read(stream: ReturnType<Gateway["followSession"]>): Promise<void> {
    try {
      for await (const batch of stream) {
        for (const { json } of batch) {
          const frame = JSON.parse(json) as SessionFrame;
          this.frames.push(frame);
          this.#onFrame(frame);
        }
      }
    } catch (error: unknown) {
      this.failure = error;
    }
  }
}
