import {
  type Interaction,
  type InteractionEffect,
  type InteractionInput,
  type InteractionRefusal,
  isQueued,
  takesLateAnswer,
  transition,
} from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import { grantChanges } from "../grants/grant-changes.ts";
import type { InteractionWrite, StoredInteraction, StoredMessage } from "../ports/store.ts";
import { refreshStatus } from "../session/session-status.ts";
import { toInstant } from "./create-interaction.ts";
import { lateResponseMessage, type LateResponseFacts } from "./late-response-message.ts";
import type { Settlement } from "./waiters.ts";

export type SettleResult =
  | { readonly status: "moved"; readonly stored: StoredInteraction }
  | {
      readonly status: "refused";
      readonly reason: InteractionRefusal;
      readonly stored: StoredInteraction;
    }
  /** Its session was deleted, or the grant that would answer it was revoked. */
  | { readonly status: "gone" };

/** What comes with a response and is not shown. */
interface Said {
  readonly responseKey?: string | undefined;
  readonly secretValues?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Moves one interaction, decided by compare-and-set in the transaction that appends its event: of any number of
 * concurrent calls at most one moves it from a status. Wakes who waits and queues what comes late.
 */
export async function settle(
  core: Core,
  stored: StoredInteraction,
  event: InteractionInput,
  said: Said = {},
): Promise<SettleResult> {
  for (let current = stored; ;) {
    const next = transition(current.interaction, event);
    if (next.status === "refused") return { ...next, stored: current };
    const isLate = next.effect === "queue_message";
    const moved = moveRow(current, next.interaction, isLate ? withoutSecrets(said) : said);
    const remembered = grantChanges(core, event, moved, { isLate });
    const { made } = remembered;
    const result = await core.log.append({
      sessionId: moved.interaction.sessionId,
      events: [next.event, ...remembered.events],
      grants: remembered.grants,
      interactions: [toWrite(moved, current)],
      ...(isLate && {
        enqueue: [createLateMessage(core, moved.interaction, { grant: made?.grant })],
      }),
    });
    if (result.status === "appended") {
      if (made) core.answerWaiting(made.keyHash);
      if (next.effect) apply(core, moved, next.effect);
      return { status: "moved", stored: moved };
    }
    const { conflict } = result;
    if (conflict.kind === "message") throw new Error("A response conflicts with a message.");
    if (conflict.kind === "grant") return { status: "gone" };
    if (conflict.kind === "no_session" || !conflict.current) return { status: "gone" };
    current = conflict.current;
  }
}

/** The row, if nothing has moved it since it was read. */
function toWrite(row: StoredInteraction, { interaction }: StoredInteraction): InteractionWrite {
  const { status, hold } = interaction;
  return { row, expectedStatus: status, ...(status === "pending" && { expectedHold: hold }) };
}

/**
 * The row after a transition. Secrets outlive none but the one that brings the response: whoever delivers it, or gives
 * up on it, drops them in the same write.
 */
export function moveRow(
  { responseKey, call, agent, grantHash }: StoredInteraction,
  interaction: Interaction,
  said: Said = {},
): StoredInteraction {
  const key = said.responseKey ?? responseKey;
  return {
    interaction,
    ...(key !== undefined && { responseKey: key }),
    ...(said.secretValues && { secretValues: said.secretValues }),
    ...(call && { call }),
    ...(agent !== undefined && { agent }),
    ...(grantHash !== undefined && { grantHash }),
  };
}

/** No message carries a secret: one that comes late has nobody to go to. */
function withoutSecrets({ responseKey }: Said): Said {
  return { responseKey };
}

/** The message that brings a late response to the agent; at most one for each interaction is ever queued. */
export function createLateMessage(
  core: Core,
  interaction: Interaction,
  facts: LateResponseFacts = {},
): StoredMessage {
  return {
    sessionId: interaction.sessionId,
    messageId: core.ids.next("msg"),
    turnId: core.ids.next("trn"),
    content: lateResponseMessage(interaction, facts),
    origin: "late_response",
    queuedAt: toInstant(core.clock.now()),
    idempotencyKey: lateMessageKey(interaction.interactionId),
    interactionId: interaction.interactionId,
  };
}

/** Cannot be the key of a person's message: those have a prefix of their own. */
export function lateMessageKey(interactionId: string): string {
  return `late_response:${interactionId}`;
}

function apply(core: Core, stored: StoredInteraction, effect: InteractionEffect): void {
  const { interactionId, sessionId } = stored.interaction;
  switch (effect) {
    case "wake":
      core.waiters.settle(interactionId, settlementOf(stored));
      refreshStatus(core, sessionId);
      return;
    case "queue_message":
      core.kickQueue(sessionId);
      return;
  }
}

export function settlementOf(stored: StoredInteraction): Settlement {
  const { interaction } = stored;
  const { status, response } = interaction;
  const isLeftOpen = status === "orphaned" && takesLateAnswer(interaction);
  if (isQueued(interaction) || isLeftOpen) return { status: "queued", stored };
  if (status === "answered" && response) return { status, response, stored };
  if (status === "expired") {
    return { status, takesLateAnswer: takesLateAnswer(interaction) };
  }
  return { status: "withdrawn", reason: interaction.closedReason ?? "Withdrawn." };
}
