import { RequestWithdrawn } from "../lib/request-withdrawn.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import { holdEndOf, type HoldEnd, type HoldEndParts } from "./hold-end.ts";
import type { Parking } from "./parking.ts";
import type { Settlement, Wait, Waiters } from "./waiters.ts";
import type { WithdrawInteraction } from "./withdraw.ts";

export interface RegisterWaitParts extends HoldEndParts {
  readonly waiters: Waiters;
  readonly parking: Parking;
  readonly withdraw: WithdrawInteraction;
  readonly onDisconnect: "wait" | "deny";
}

export interface WaitOptions {
  readonly interactionId: string;
  readonly signal: AbortSignal;
  /** Whether the interaction is to be withdrawn when `signal` has aborted. */
  readonly isOver: () => boolean;
  /** Whether to withdraw it when every client that may answer has left. Default: the gateway's config. */
  readonly endsWithClients?: boolean;
  readonly grantHash: string | undefined;
  /** Called once, with the end of the wait. */
  readonly end: (end: HoldEnd) => void;
}

/** Registers the wait for an interaction, until the interaction is settled. */
export function registerWait(
  parts: RegisterWaitParts,
  turn: RunningTurn,
  options: WaitOptions,
): void {
  const { interactionId, signal } = options;
  // A stopped turn withdraws its interactions itself.
  const wait =
    signal === turn.signal
      ? new HoldWait(parts, turn, options)
      : new AbortableHoldWait(parts, turn, options);
  parts.waiters.register(interactionId, wait);
}

/** Keeps no closures and no request: there may be ten thousand waits, and some last for days. */
class HoldWait implements Wait {
  readonly turn: RunningTurn;
  readonly endsWithClients: boolean;
  readonly grantHash: string | undefined;
  readonly interactionId: string;
  readonly parts: RegisterWaitParts;
  readonly #end: (end: HoldEnd) => void;

  constructor(parts: RegisterWaitParts, turn: RunningTurn, options: WaitOptions) {
    this.parts = parts;
    this.turn = turn;
    this.interactionId = options.interactionId;
    this.endsWithClients = options.endsWithClients ?? parts.onDisconnect === "deny";
    this.grantHash = options.grantHash;
    this.#end = options.end;
  }

  end(settlement: Settlement): void {
    this.parts.parking.end(this.interactionId);
    this.#end(holdEndOf(this.parts, this.turn, this.interactionId, settlement));
  }

  drop(): void {
    this.parts.parking.end(this.interactionId);
  }
}

/** Withdraws the interaction when the requester's own signal aborts. */
class AbortableHoldWait extends HoldWait {
  readonly #signal: AbortSignal;
  readonly #isOver: () => boolean;

  constructor(parts: RegisterWaitParts, turn: RunningTurn, options: WaitOptions) {
    super(parts, turn, options);
    this.#signal = options.signal;
    this.#isOver = options.isOver;
    this.#signal.addEventListener("abort", this, { once: true });
  }

  /** Called when the signal has aborted. */
  handleEvent(): void {
    if (!this.#isOver()) return;
    withdrawInBackground(this.parts, this.turn, this.interactionId, this.#signal.reason);
  }

  override end(settlement: Settlement): void {
    this.#signal.removeEventListener("abort", this);
    super.end(settlement);
  }

  override drop(): void {
    this.#signal.removeEventListener("abort", this);
    super.drop();
  }
}

/** Withdraws an interaction, with the requester's reason if there is one. The turn waits for this before it ends. */
export function withdrawInBackground(
  { withdraw, onError }: Pick<RegisterWaitParts, "withdraw" | "onError">,
  turn: RunningTurn,
  interactionId: string,
  cause?: unknown,
): void {
  const reason = turn.stopRequest?.reason ?? saidBy(cause) ?? "The agent no longer needs it.";
  turn.writes
    .track(withdraw(interactionId, reason))
    .catch((error: unknown) => onError(error, "withdraw"));
}

/** A call that is given up ends with its own error, which has the reason as its cause. */
function saidBy(cause: unknown): string | undefined {
  const { cause: given = cause } = Object(cause) as { readonly cause?: unknown };
  return given instanceof RequestWithdrawn ? given.message : undefined;
}
