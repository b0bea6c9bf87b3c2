import { Outstanding } from "../lib/outstanding.ts";
import type { AppendResult, Batch, Store } from "../ports/store.ts";
import type { OverviewFeed } from "../stream/overview-feed.ts";
import type { LiveSessions } from "./live-sessions.ts";

/** Writes to the logs of all sessions; whatever was written is published before the caller goes on. */
export class SessionLog {
  readonly #store: Store;
  readonly #sessions: LiveSessions;
  readonly #overview: OverviewFeed;
  readonly #writes = new Outstanding();

  constructor(parts: {
    readonly store: Store;
    readonly sessions: LiveSessions;
    readonly overview: OverviewFeed;
  }) {
    this.#store = parts.store;
    this.#sessions = parts.sessions;
    this.#overview = parts.overview;
  }

  /** The store's own `append`: takes effect in the order of the calls. */
  append(batch: Batch): Promise<AppendResult> {
    return this.#writes.track(this.#append(batch));
  }

  /** Resolves when no write is under way. */
  flush(): Promise<void> {
    return this.#writes.settled();
  }

  async #append(batch: Batch): Promise<AppendResult> {
    const result = await this.#store.append(batch);
    if (result.status === "appended") this.#publish(batch, result);
    return result;
  }

  #publish(batch: Batch, result: Extract<AppendResult, { status: "appended" }>): void {
    const { sessionId } = batch;
    const live = this.#sessions.peek(sessionId);
    live?.publish(batch.events ?? [], result.events, result.lastSeq);
    if (batch.enqueue || batch.dequeue) live?.queueChanged();
    if (batch.grants?.length) this.#overview.grantsChanged();
    if (batch.session) this.#overview.sessionChanged(sessionId);
    for (const { row, expectedStatus } of batch.interactions ?? []) {
      this.#overview.interactionChanged(row.interaction, expectedStatus);
    }
  }
}
