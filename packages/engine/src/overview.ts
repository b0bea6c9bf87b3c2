import { Notifier } from "./notifier.ts";

const maxChanges = 4096;

export interface OverviewChanges {
  readonly version: number;
  readonly sessionIds: readonly string[];
  readonly interactionIds: readonly string[];
}

/**
 * Which sessions and interactions have changed, and in which order: ids only, each at most once. Followers read what
 * changed from the store when they get to it, so a slow one skips states but ends at the newest.
 */
export class Overview {
  readonly changes = new Notifier();
  /** Id → version of its last change, oldest first. */
  readonly #sessions = new Map<string, number>();
  readonly #interactions = new Map<string, number>();
  #version = 0;
  /** Changes up to this version are forgotten. */
  #floor = 0;
  #ended = false;
  followers = 0;

  get version(): number {
    return this.#version;
  }

  get ended(): boolean {
    return this.#ended;
  }

  sessionChanged(sessionId: string): void {
    this.#note(this.#sessions, sessionId);
  }

  interactionChanged(interactionId: string): void {
    this.#note(this.#interactions, interactionId);
  }

  /** What changed after that version, or `undefined` when that is not known any more. */
  since(version: number): OverviewChanges | undefined {
    if (version < this.#floor) return undefined;
    return {
      version: this.#version,
      sessionIds: newerThan(this.#sessions, version),
      interactionIds: newerThan(this.#interactions, version),
    };
  }

  end(): void {
    this.#ended = true;
    this.changes.notify();
  }

  #note(changes: Map<string, number>, id: string): void {
    this.#version += 1;
    if (this.followers === 0) {
      this.#floor = this.#version;
      this.#sessions.clear();
      this.#interactions.clear();
      return;
    }
    changes.delete(id);
    changes.set(id, this.#version);
    if (changes.size > maxChanges) this.#forgetOldest(changes);
    this.changes.notify();
  }

  #forgetOldest(changes: Map<string, number>): void {
    for (const [id, version] of changes) {
      changes.delete(id);
      this.#floor = Math.max(this.#floor, version);
      return;
    }
  }
}

function newerThan(changes: ReadonlyMap<string, number>, version: number): string[] {
  const ids: string[] = [];
  for (const [id, at] of changes) if (at > version) ids.push(id);
  return ids;
}
