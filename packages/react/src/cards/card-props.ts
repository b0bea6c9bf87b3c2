import type { DraftStorage } from "@holdpoint/client";
import type { Interaction, Person, RespondBody, RespondResult } from "@holdpoint/protocol";

import type { ReadOnlyReason } from "./shared/card-state.ts";

export interface InteractionCardProps {
  readonly interaction: Interaction;
  /** The id of this client, which tells "you, on this device" from "another device". */
  readonly clientId: string;
  /** The person of this client, as in `Person`. Absent: the gateway's owner. */
  readonly personId?: string | undefined;
  /** The issuer's claims about that person, on which the permission to answer can depend. */
  readonly signIn?: Person["signIn"];
  readonly canRespond: boolean;
  /** The reason if `canRespond` is false. Default: interaction is off here. */
  readonly readOnlyReason?: ReadOnlyReason;
  /** Sends a response. Resolves to the gateway's decision; rejects if the gateway could not be asked. */
  readonly onRespond?: (body: RespondBody) => Promise<RespondResult>;
  /**
   * Dismisses an interaction that no agent waits for. Resolves to the dismissed interaction. Without it, such a card
   * can only be answered.
   */
  readonly onDismiss?: () => Promise<Interaction>;
  /** Undoes the answer given at that instant. Without it, undo is not offered. */
  readonly onUndo?: (answeredAt: string) => Promise<unknown>;
  /** Asks the agent whether a call ran, if that is unknown. Can be called again: the agent is asked once. */
  readonly onAskToCheck?: () => Promise<void>;
  /** Called when the input on the card is no longer the stored one: load the interaction again. */
  readonly onStale?: () => void;
  /**
   * Reads the interaction again once the gateway can be reached, to find out whether it has an answer that was not
   * confirmed. Rejects only when the signal aborts.
   */
  readonly onCheck?: (signal: AbortSignal) => Promise<Interaction>;
  /** Keeps unsent answers by interaction id, until the gateway has acknowledged one. */
  readonly drafts: DraftStorage;
  /** A fixed time, in epoch milliseconds, for screenshots. Default: the clock. */
  readonly now?: number;
  /** The agent's display name. */
  readonly agentLabel?: string;
  /** Focuses the card itself, never a control in it. */
  readonly autoFocus?: boolean;
  readonly askedAgain?: boolean;
}

/** The props of one interaction's card. */
export type KeyedCardProps = Omit<InteractionCardProps, "now">;
