import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

import type { Clock } from "@holdpoint/engine";
import { z } from "zod";

/** As long as the engine keeps the requests of such calls. */
export const LASTS_MS = 7 * 24 * 60 * 60_000;
const MAX_LENGTH = 2048;

/** A call to be resumed by its client. */
export interface AskedState {
  readonly toolCallId: string;
  /** The interaction that the call was waiting for. */
  readonly asked: string;
  /** Expiry, in milliseconds since the epoch. */
  readonly untilMs: number;
}

/** The token and call that a state is bound to. */
export interface StateOwner {
  readonly tokenId: string;
  readonly sessionId: string;
  readonly name: string;
  readonly args: unknown;
}

const stateSchema = z.strictObject({
  toolCallId: z.string(),
  asked: z.string(),
  untilMs: z.number(),
  owner: z.string(),
});

/**
 * Creates and verifies the `requestState` with which a client of 2026-07-28 resumes its call. It is signed but not
 * encrypted, and contains only facts that the client already has.
 */
export class AskedStates {
  readonly #clock: Pick<Clock, "now">;
  readonly #key: Uint8Array;

  /** States stay valid across restarts with the same 32 secret bytes. Default: random. */
  constructor(clock: Pick<Clock, "now">, key: Uint8Array = randomBytes(32)) {
    this.#clock = clock;
    this.#key = key;
  }

  /** When a new state would expire. */
  untilMs(): number {
    return this.#clock.now() + LASTS_MS;
  }

  seal({ toolCallId, asked }: Omit<AskedState, "untilMs">, owner: StateOwner): string {
    const untilMs = this.untilMs();
    const state = { toolCallId, asked, untilMs, owner: digestOf(owner) };
    const body = Buffer.from(JSON.stringify(state)).toString("base64url");
    return `${body}.${this.#sign(body).toString("base64url")}`;
  }

  /** Returns `undefined` when the state was changed, has expired, or belongs to another gateway, token or call. */
  open(text: string, owner: StateOwner): AskedState | undefined {
    if (text.length > MAX_LENGTH) return undefined;
    const [body = "", mac = "", ...more] = text.split(".");
    const expected = this.#sign(body);
    const given = Buffer.from(mac, "base64url");
    const isSigned =
      more.length === 0 &&
      mac === given.toString("base64url") &&
      given.length === expected.length &&
      timingSafeEqual(given, expected);
    if (!isSigned) return undefined;
    const { owner: boundTo, ...state } = stateSchema.parse(
      JSON.parse(Buffer.from(body, "base64url").toString()),
    );
    const isGood = boundTo === digestOf(owner) && state.untilMs > this.#clock.now();
    return isGood ? state : undefined;
  }

  #sign(body: string): Buffer {
    return createHmac("sha256", this.#key).update(`mcp state ${body}`).digest();
  }
}

function digestOf({ tokenId, sessionId, name, args }: StateOwner): string {
  const text = JSON.stringify([tokenId, sessionId, name, inOrder(args)]);
  return createHash("sha256").update(text).digest("base64url");
}

/** Sorts the keys, so that arguments in another order are the same call. */
function inOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([name, held]) => [name, inOrder(held)]));
}
