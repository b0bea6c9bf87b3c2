import { CREDENTIAL_LIMITS, personKeyOf, ProtocolError } from "@holdpoint/protocol";

import type { Credential } from "../auth/credential.ts";

/** A fixed delay, since a person has to answer first. */
const RETRY_MS = 5000;

/** Counts running tool calls, per token and per person who issued the tokens. */
export class RunningCalls {
  readonly #counts = new Map<string, number>();

  /** Counts calls until disposed. Throws `RATE_LIMITED` when a limit would be exceeded. */
  start(
    credential: Pick<Credential, "isOwnAgent" | "person" | "personId" | "tokenId">,
    calls: number,
  ): Disposable {
    const { tokenId, isOwnAgent } = credential;
    const { runningCalls, runningCallsPerPerson } = CREDENTIAL_LIMITS;
    const counted = [
      { name: `token ${tokenId}`, most: runningCalls },
      ...(isOwnAgent
        ? []
        : [{ name: `person ${personKeyOf(credential)}`, most: runningCallsPerPerson }]),
    ];
    if (counted.some(({ name, most }) => this.#of(name) + calls > most)) {
      throw new ProtocolError("RATE_LIMITED", "Too many tool calls wait for a person.", {
        retryAfterMs: RETRY_MS,
      });
    }
    for (const { name } of counted) this.#add(name, calls);
    return {
      [Symbol.dispose]: () => {
        for (const { name } of counted.splice(0)) this.#add(name, -calls);
      },
    };
  }

  #of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  #add(name: string, calls: number): void {
    const count = this.#of(name) + calls;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }
}
