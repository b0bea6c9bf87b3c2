import { type Clock, type Credentials, scheduleAt } from "@holdpoint/engine";
import {
  isMeant,
  type Named,
  nextStepOf,
  refusalOfResponder,
  type Voter,
} from "@holdpoint/protocol";

import type { Asked } from "./follow-pending.ts";

interface ToldRespondersParts {
  readonly clock: Clock;
  readonly credentials: () => Pick<Credentials, "list"> | undefined;
  /** What is pending now. */
  readonly pending: ReadonlyMap<string, Asked>;
  /** Others may answer it by now, or fewer. */
  readonly onChange: (asked: Asked) => void;
  readonly onError: (error: unknown) => void;
}

/** Whose devices are told of what only some people may answer: of those who may answer now and have not. */
export class ToldResponders implements Disposable {
  readonly #parts: ToldRespondersParts;
  /** Whose each device is. Not known is not told. */
  #voters: ReadonlyMap<string, Voter> = new Map();
  /** When the next people are added, by interaction. */
  readonly #steps = new Map<string, Disposable>();
  #looking: Promise<void> | undefined;
  #isEnded = false;

  constructor(parts: ToldRespondersParts) {
    this.#parts = parts;
  }

  mayAnswer(deviceId: string, asked: Asked): boolean {
    if (!asked.responders) return true;
    const voter = this.#voters.get(deviceId);
    if (!voter || hasVoted(voter, asked)) return false;
    const at = new Date(this.#parts.clock.now()).toISOString();
    // Whoever may answer at all may say no.
    return refusalOfResponder(asked, voter, { at, action: "deny" }) === undefined;
  }

  /** Whether the person of the device is meant by a hand-over. */
  isNamed(deviceId: string, named: Named): boolean {
    const voter = this.#voters.get(deviceId);
    return voter !== undefined && isMeant(named, voter);
  }

  /** Looks who has which device now, and says so. Never rejects. */
  async changed(interactionId: string): Promise<void> {
    // Once for all that is asked at the same time.
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    await this.#looking;
    const asked = this.#parts.pending.get(interactionId);
    if (!asked) return;
    this.#arm(asked);
    this.#parts.onChange(asked);
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
      const known = (await this.#parts.credentials()?.list()) ?? [];
      this.#voters = new Map(known.map((credential) => [credential.tokenId, credential]));
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

function hasVoted({ personId }: Voter, { votes = [] }: Asked): boolean {
  return personId !== undefined && votes.some((vote) => vote.personId === personId);
}
