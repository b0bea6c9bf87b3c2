import {
  type Caller,
  hasRole,
  type Interaction,
  isAnswered,
  personKeyOf,
  refusal,
  type Responder,
  saying,
} from "@holdpoint/protocol";

import { notFound } from "../lib/errors.ts";
import { toInstant } from "../lib/instant.ts";
import { toResponder } from "../lib/to-responder.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store, StoredInteraction } from "../ports/store.ts";
import { withRemaining } from "./create-interaction.ts";
import { assertMayRespond } from "./refuse-responder.ts";
import type { SettleInteraction } from "./settle.ts";
import type { Undoable, UndoWindows } from "./undo-window.ts";

export interface UndoParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly settle: SettleInteraction;
  readonly undoWindows: UndoWindows;
}

interface Taking {
  readonly interactionId: string;
  /** `by.at` of the response to take back. */
  readonly answeredAt: string;
}

/**
 * Takes a response back if its agent has certainly not received it. Resolves with the interaction, even if its
 * response is already gone. Rejects with `ALREADY_ANSWERED` when the agent has or may have the response, or when there
 * is another response.
 */
export async function undoResponse(
  parts: UndoParts,
  caller: Caller,
  { interactionId, answeredAt }: Taking,
): Promise<Interaction> {
  const { store, clock, undoWindows } = parts;
  const stored = await store.getInteraction(interactionId);
  if (!stored) throw notFound("interaction");
  const { status, by } = stored.interaction;
  if (!isAnswered(status)) return withRemaining(stored.interaction, clock.now());
  if (by?.at !== answeredAt) throw refusal("ALREADY_ANSWERED", saying("answer_replaced"));
  assertMayUndo(caller, by);
  const { response } = stored.interaction;
  const action = response?.action ?? "cancel";
  assertMayRespond(stored.interaction, caller, { at: toInstant(clock.now()), action });
  const undone = undoWindows.take(interactionId, (undoable) =>
    reopen(parts, caller, stored, undoable),
  );
  const reopened = await undone;
  if (!reopened) throw refusal("ALREADY_ANSWERED", saying("answer_taken"));
  return withRemaining(reopened.interaction, clock.now());
}

/** Only an owner may take back another person's answer. Otherwise a person could undo a denial and approve instead. */
function assertMayUndo(caller: Caller, by: Responder): void {
  const { role = "owner" } = caller;
  if (hasRole(role, "owner") || personKeyOf(by) === personKeyOf(caller)) return;
  throw refusal("FORBIDDEN", saying("answer_of_another"));
}

async function reopen(
  { settle, clock }: UndoParts,
  caller: Caller,
  stored: StoredInteraction,
  undoable: Undoable,
): Promise<StoredInteraction | undefined> {
  const by = toResponder(caller, clock.now());
  const input = { type: "reopen", by, to: undoable.before } as const;
  const result = await settle(stored, input, { takesBack: undoable });
  return result.status === "moved" ? result.stored : undefined;
}
