import type { Interaction, SerializedFrame } from "@holdpoint/protocol";

import { Notifier } from "../lib/notifier.ts";

const maxChanges = 4096;
/** So many of the newest changes carry what followers would else read from the store. */
const maxCarried = 64;

export interface OverviewChange {
  readonly kind: "session" | "interaction";
  readonly id: string;
  /** As written; absent: read it from the store. */
  interaction: Interaction | undefined;
  /** Made by the first follower that gets here, for all of them. */
  frame: Promise<SerializedFrame | undefined> | undefined;
}

/**
 * Which sessions and interactions have changed, and in which order. It keeps ids and only the newest contents: a slow
 * follower skips states, and ends at the newest.
 */
export class Overview {
  readonly changes = new Notifier();
  #log: OverviewChange[] = [];
  /** Version of the last change that is forgotten. */
  #floor = 0;
  #ended = false;
  followers = 0;
  /** Counts the changes of grants; followers read the grants themselves. */
  grantsVersion = 0;

  get version(): number {
    return this.#floor + this.#log.length;
  }

  get ended(): boolean {
    return this.#ended;
  }

  sessionChanged(sessionId: string): void {
    this.#note({ kind: "session", id: sessionId, interaction: undefined, frame: undefined });
  }

  interactionChanged(interaction: Interaction): void {
    const id = interaction.interactionId;
    this.#note({ kind: "interaction", id, interaction, frame: undefined });
  }

  grantsChanged(): void {
    this.grantsVersion += 1;
    this.changes.notify();
  }

  /** The last change of each thing that changed after that version; `undefined` when that is not known any more. */
  since(version: number): OverviewChange[] | undefined {
    if (version < this.#floor) return undefined;
    const sessions = new Map<string, OverviewChange>();
    const interactions = new Map<string, OverviewChange>();
    for (const change of this.#log.slice(version - this.#floor)) {
      (change.kind === "session" ? sessions : interactions).set(change.id, change);
    }
    return [...sessions.values(), ...interactions.values()];
  }

  end(): void {
    this.#ended = true;
    this.changes.notify();
  }

  #note(change: OverviewChange): void {
    this.#log.push(change);
    const old = this.#log.at(-1 - maxCarried);
    if (old) {
      old.interaction = undefined;
      old.frame = undefined;
    }
    if (this.followers === 0) this.#forget(this.#log.length);
    else if (this.#log.length > maxChanges) this.#forget(maxChanges / 2);
    this.changes.notify();
  }

  #forget(count: number): void {
    this.#log.splice(0, count);
    this.#floor += count;
  }
}
