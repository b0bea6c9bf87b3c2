import type { Interaction } from "@holdpoint/protocol";

import { Outstanding } from "../lib/outstanding.ts";
import type {
  AppendResult,
  Batch,
  InteractionWrite,
  Store,
  StoredInteraction,
} from "../ports/store.ts";
import { findWritten } from "./find-written.ts";
import type { LiveSessions } from "./live-sessions.ts";

/** Whether an interaction can be answered, and what its answer does. */
export type InteractionState = Pick<Interaction, "status" | "hold">;

/** Is notified of changes in all sessions, and knows which of them have interactions that can be answered. */
export interface SessionsOverview {
  sessionAdded(): void;
  sessionChanged(sessionId: string): void;
  sessionDeleted(sessionId: string): void;
  /** `before`: what the interaction was, if it was there. */
  interactionChanged(interaction: Interaction, before: InteractionState | undefined): void;
  grantsChanged(): void;
  hasPending(sessionId: string): boolean;
  isParked(sessionId: string): boolean;
  /** Whether an interaction of it takes a late answer. */
  hasLate(sessionId: string): boolean;
}

/** Writes to the logs of all sessions, and publishes what was written before the caller hears of it. */
export class SessionLog {
  readonly #store: Store;
  readonly #sessions: LiveSessions;
  readonly #overview: SessionsOverview;
  readonly #beforeWrite: (batch: Batch) => void;
  readonly #writes = new Outstanding();

  constructor(parts: {
    readonly store: Store;
    readonly sessions: LiveSessions;
    readonly overview: SessionsOverview;
    /** Called before a batch is written. */
    readonly beforeWrite: (batch: Batch) => void;
  }) {
    this.#store = parts.store;
    this.#sessions = parts.sessions;
    this.#overview = parts.overview;
    this.#beforeWrite = parts.beforeWrite;
  }

  /**
   * The store's own `append`: takes effect in the order of the calls. A batch that was written though the store says
   * that it failed counts as written.
   */
  append(batch: Batch): Promise<AppendResult> {
    this.#beforeWrite(batch);
    return this.#writes.track(this.#append(batch));
  }

  /** Resolves when no write is under way. */
  flush(): Promise<void> {
    return this.#writes.settled();
  }

  async #append(batch: Batch): Promise<AppendResult> {
    const result = await this.#store.append(batch).catch(async (error: unknown) => {
      const written = await findWritten(this.#store, batch);
      if (!written) throw error;
      return written;
    });
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
    for (const { row, ...expected } of batch.interactions ?? []) {
      this.#overview.interactionChanged(row.interaction, toState(row, expected));
    }
  }
}

/** What a written interaction was before. A write that expects no hold changes none. */
function toState(
  { interaction }: StoredInteraction,
  { expectedStatus: status, expectedHold: hold = interaction.hold }: Omit<InteractionWrite, "row">,
): InteractionState | undefined {
  return status && { status, hold };
}
