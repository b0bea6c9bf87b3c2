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

/** What it takes to know who has which device. */
export interface ViewersOf {
  readonly credentials: Pick<Credentials, "list">;
  viewerOf(holder: Pick<Credential, "personId" | "signIn">): Viewer | undefined;
}

interface ToldRespondersParts {
  readonly clock: Clock;
  readonly gateway: () => ViewersOf | undefined;
  /** What is pending now. */
  readonly pending: ReadonlyMap<string, Asked>;
  /** Others may answer it by now, or fewer. */
  readonly onChange: (asked: Asked) => void;
  readonly onError: (error: unknown) => void;
}

/** Whose devices are told of what only some people see, or may answer: of those who may answer now and have not. */
export class ToldResponders implements Disposable {
  readonly #parts: ToldRespondersParts;
  /** Whose each device is. Not known is not told. */
  #viewers: ReadonlyMap<string, Viewer> = new Map();
  /** When the next people are added, by interaction. */
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

  /** Whether the person of a device can see this and answer it, now or later. */
  mayCome(deviceId: string, seen: Seen): boolean {
    const viewer = this.#viewers.get(deviceId);
    if (!seen.seenBy && !seen.named?.length) return hasTheRole(viewer);
    return viewer !== undefined && mayCome(seen, viewer);
  }

  /** Whether the person of the device is meant by a hand-over. */
  isNamed(deviceId: string, named: Named): boolean {
    const viewer = this.#viewers.get(deviceId);
    return viewer !== undefined && isMeant(named, viewer);
  }

  /** Looks who has which device now, and says so. Never rejects. */
  async changed(interactionId: string): Promise<void> {
    await this.look();
    const asked = this.#parts.pending.get(interactionId);
    if (!asked) return;
    this.#arm(asked);
    this.#parts.onChange(asked);
  }

  /** Looks who has which device now. Never rejects. */
  look(): Promise<void> {
    // Once for all that is asked at the same time.
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

/** Whose a device is, is looked up before it matters; until then it is taken for one of before. */
function hasTheRole(viewer: Viewer | undefined): boolean {
  return hasRole(viewer?.role ?? "owner", "responder");
}

/** Whether everybody with the role sees it and may answer. */
export function isForAll({ responders, seenBy }: Asked): boolean {
  return !responders && !seenBy;
}
