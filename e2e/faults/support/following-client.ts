import {
  applyFrames,
  createSessionState,
  type SessionState,
  type Transport,
} from "@holdpoint/client";
import type { SessionEvent, SessionFrame } from "@holdpoint/protocol";

/** A client that shows one session and, as a page does, reconnects with its cursor whenever its stream breaks. */
export class FollowingClient implements AsyncDisposable {
  /** All events it got, in order of arrival. */
  readonly events: SessionEvent[] = [];
  /** The number of events that its view could not apply. */
  gaps = 0;
  #state: SessionState = createSessionState();
  #came = Promise.withResolvers<void>();
  readonly #left = new AbortController();
  readonly #following: Promise<void>;
  readonly #transport: Transport;

  constructor(transport: Transport, sessionId: string) {
    this.#transport = transport;
    this.#following = this.#follow(sessionId);
  }

  get view(): SessionState["view"] {
    return this.#state.view;
  }

  get lastSeq(): number {
    return this.events.at(-1)?.seq ?? 0;
  }

  /** Resolves with the first event of this type after a number of events, as soon as it arrives. */
  async firstAfter<TType extends SessionEvent["type"]>(
    count: number,
    type: TType,
  ): Promise<Extract<SessionEvent, { type: TType }>> {
    for (let index = count; ; index += 1) {
      while (index >= this.events.length) await this.#came.promise;
      const event = this.events[index];
      if (event && isOf(event, type)) return event;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#left.abort();
    await this.#following;
    await this.#transport[Symbol.asyncDispose]();
  }

  async #follow(sessionId: string): Promise<void> {
    const { signal } = this.#left;
    while (!signal.aborted) {
      try {
        const cursor = { seq: this.lastSeq };
        for await (const batch of this.#transport.followSession(sessionId, cursor, { signal })) {
          this.#take(batch);
        }
      } catch {
        // Cut, or refused for a moment: it reconnects.
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  }

  #take(batch: readonly SessionFrame[]): void {
    this.events.push(...batch.filter((frame) => "seq" in frame));
    const { state, gap } = applyFrames(this.#state, batch);
    this.#state = state;
    if (gap) this.gaps += 1;
    this.#came.resolve();
    this.#came = Promise.withResolvers();
  }
}

function isOf<TType extends SessionEvent["type"]>(
  event: SessionEvent,
  type: TType,
): event is Extract<SessionEvent, { type: TType }> {
  return event.type === type;
}
