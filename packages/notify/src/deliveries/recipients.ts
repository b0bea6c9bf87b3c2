import { type Clock, type Credential, type Credentials, scheduleAt } from "@holdpoint/engine";
import {
  hasRole,
  isAskedOf,
  isMeant,
  mayCome,
  type Named,
  nextStepOf,
  type Seen,
  type Viewer,
} from "@holdpoint/protocol";

import type { Asked } from "./follow-pending.ts";

/** The parts of the gateway that know which device belongs to which person. */
export interface ViewersOf {
  readonly credentials: Pick<Credentials, "list">;
  viewerOf(holder: Pick<Credential, "personId" | "signIn">): Viewer | undefined;
}

interface ToldRespondersParts {
  readonly clock: Clock;
  readonly gateway: () => ViewersOf | undefined;
  /** The interactions that are pending now, by id. */
  readonly pending: ReadonlyMap<string, Asked>;
  /** Called when the people who may answer an interaction may have changed. */
  readonly onChange: (asked: Asked) => void;
  readonly onError: (error: unknown) => void;
}

/** Selects the devices to notify of restricted interactions: the devices of people who may answer and have not yet. */
export class Recipients implements Disposable {
  readonly #parts: ToldRespondersParts;
  /** The person of each device. Unknown devices are not notified of restricted interactions. */
  #viewers: ReadonlyMap<string, Viewer> = new Map();
  /** Timers for the next step that adds responders, by interaction id. */
  readonly #steps = new Map<string, Disposable>();
  #looking: Promise<void> | undefined;
  #isEnded = false;

  constructor(parts: ToldRespondersParts) {
    this.#parts = parts;
  }

  mayAnswer(deviceId: string, asked: Asked): boolean {
    const viewer = this.#viewers.get(deviceId);
    if (isForAll(asked)) return hasTheRole(viewer);
    const at = new Date(this.#parts.clock.now()).toISOString();
    return viewer !== undefined && mayCome(asked, viewer) && isAskedOf(asked, viewer, at);
  }

  /** Whether the device's person can see the interaction and answer it, now or later. */
  mayCome(deviceId: string, seen: Seen): boolean {
    const viewer = this.#viewers.get(deviceId);
    if (!seen.seenBy && !seen.named?.length) return hasTheRole(viewer);
    return viewer !== undefined && mayCome(seen, viewer);
  }

  /** Whether a reassignment names the device's person. */
  isNamed(deviceId: string, named: Named): boolean {
    const viewer = this.#viewers.get(deviceId);
    return viewer !== undefined && isMeant(named, viewer);
  }

  /** Reads the people of all devices again, then calls `onChange` for the interaction. Never rejects. */
  async changed(interactionId: string): Promise<void> {
    await this.look();
    const asked = this.#parts.pending.get(interactionId);
    if (!asked) return;
    this.#arm(asked);
    this.#parts.onChange(asked);
  }

  /** Reads the people of all devices again. Never rejects. */
  look(): Promise<void> {
    // Concurrent calls share one read.
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  settled(interactionId: string): void {
    this.#steps.get(interactionId)?.[Symbol.dispose]();
    this.#steps.delete(interactionId);
  }

  [Symbol.dispose](): void {
    this.#isEnded = true;
    for (const interactionId of this.#steps.keys()) this.settled(interactionId);
  }

  async #look(): Promise<void> {
    try {
      const gateway = this.#parts.gateway();
      const known = (await gateway?.credentials.list()) ?? [];
      this.#viewers = new Map(
        known.flatMap((credential) => {
          const viewer = gateway?.viewerOf(credential);
          return viewer ? [[credential.tokenId, viewer] as const] : [];
        }),
      );
    } catch (error: unknown) {
      this.#parts.onError(error);
    }
  }

  #arm(asked: Asked): void {
    const { interactionId } = asked;
    this.settled(interactionId);
    const { clock } = this.#parts;
    const next = nextStepOf(asked, clock.now());
    if (!next || this.#isEnded) return;
    const step = scheduleAt(clock, next.atMs, () => void this.changed(interactionId));
    this.#steps.set(interactionId, step);
  }
}

/** Whether the viewer may respond. A device counts as the owner's until its person has been read. */
function hasTheRole(viewer: Viewer | undefined): boolean {
  return hasRole(viewer?.role ?? "owner", "responder");
}

/** Whether everyone with the responder role can see and answer the interaction. */
export function isForAll({ responders, seenBy }: Asked): boolean {
  return !responders && !seenBy;
}
