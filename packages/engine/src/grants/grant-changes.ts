import type { CommandRule, Interaction, UnplacedEvent } from "@holdpoint/protocol";

import type { GrantWrite, StoredGrant } from "../ports/grant-store.ts";
import type { StoredInteraction } from "../ports/store.ts";
import { lastingGrant, oneTimeGrant, type MakeGrantParts } from "./make-grant.ts";

/** The effects of a response on grants, to be written in the same transaction. */
export interface GrantChanges {
  readonly events: readonly UnplacedEvent[];
  readonly grants: readonly GrantWrite[];
  /** The grant that the response creates. */
  readonly made?: StoredGrant;
}

export const NO_CHANGES: GrantChanges = { events: [], grants: [] };

/**
 * The effects of a new response on grants:
 * - a lasting approval creates a grant of exactly that scope, if its request has a key;
 * - any other approval that came late creates a grant for one call with exactly the approved input;
 * - an approval that a grant has given is recorded as a use of that grant.
 */
export function grantChangesOf(
  parts: MakeGrantParts,
  stored: StoredInteraction,
  { isLate }: { readonly isLate: boolean },
): GrantChanges {
  const { interaction, agent, grantHash } = stored;
  const { response, by } = interaction;
  if (response?.action !== "approve" || !by) return NO_CHANGES;
  const { approvalScope: scope = "once", grantId } = response;
  if (grantId !== undefined) return useOfGrant({ ...interaction, grantId, at: by.at });
  if (agent === undefined) return NO_CHANGES;
  if (scope !== "once" && grantHash !== undefined && leavesLastingGrant(stored)) {
    const terms = { agent, scope, keyHash: grantHash };
    return additionOf(interaction, lastingGrant(parts, interaction, terms));
  }
  return isLate ? oneTimeGrantOf(parts, stored) : NO_CHANGES;
}

/** The grant for one call that an approval creates when its agent never received it. */
export function oneTimeGrantOf(parts: MakeGrantParts, stored: StoredInteraction): GrantChanges {
  const { interaction, agent } = stored;
  const { response } = interaction;
  const isOwn = response?.action === "approve" && response.grantId === undefined;
  if (!isOwn || agent === undefined || leavesLastingGrant(stored)) return NO_CHANGES;
  return additionOf(interaction, oneTimeGrant(parts, interaction, agent));
}

/** Whether the response is a lasting approval, which creates its grant at once. */
export function leavesLastingGrant({ interaction, grantHash }: StoredInteraction): boolean {
  const { approvalScope = "once", editedInput } = interaction.response ?? {};
  return approvalScope !== "once" && grantHash !== undefined && !editedInput;
}

function additionOf({ turnId }: Interaction, made: StoredGrant | undefined): GrantChanges {
  if (!made) return NO_CHANGES;
  return {
    events: [{ type: "grant_added", at: made.grant.createdAt, turnId, grant: made.grant }],
    grants: [{ type: "add", row: made }],
    made,
  };
}

/** The record of one use, which removes a one-time grant. */
export function useOfGrant(use: {
  readonly grantId: string;
  readonly turnId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly at: string;
  readonly isOneTime?: boolean;
  /** Rules only. */
  readonly verdict?: CommandRule["verdict"] | undefined;
}): GrantChanges {
  const { grantId, turnId, toolCallId, toolName, at, verdict } = use;
  const decided = verdict !== undefined && { verdict };
  return {
    events: [{ type: "grant_used", at, turnId, grantId, toolCallId, toolName, ...decided }],
    grants: [
      use.isOneTime === true ? { type: "remove", grantId } : { type: "use", grantId, usedAt: at },
    ],
  };
}
