import type { Interaction, InteractionInput, UnplacedEvent } from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import type { GrantWrite, StoredGrant } from "../ports/grant-store.ts";
import type { StoredInteraction } from "../ports/store.ts";
import { lastingGrant, oneTimeGrant } from "./make-grant.ts";

/** What a response does to grants; to be written in the transaction that writes the response. */
export interface GrantChanges {
  readonly events: readonly UnplacedEvent[];
  readonly grants: readonly GrantWrite[];
  /** The grant that it makes. */
  readonly made?: StoredGrant;
}

const none: GrantChanges = { events: [], grants: [] };

/**
 * An approval for longer is remembered as a grant of exactly that scope, if its request has a key. A late approval
 * that is not, leaves a grant for one call with exactly the approved input. An answer by a grant is a use of it.
 */
export function grantChanges(
  core: Core,
  event: InteractionInput,
  { interaction, agent, grantHash }: StoredInteraction,
  { isLate }: { readonly isLate: boolean },
): GrantChanges {
  const { response, by } = interaction;
  if (event.type !== "respond" || response?.action !== "approve" || !by) return none;
  const { approvalScope: scope = "once", editedInput, grantId } = response;
  if (grantId !== undefined) return useOfGrant({ ...interaction, grantId, at: by.at });
  if (agent === undefined) return none;
  if (scope !== "once" && grantHash !== undefined && !editedInput) {
    return additionOf(
      interaction,
      lastingGrant(core, interaction, { agent, scope, keyHash: grantHash }),
    );
  }
  return isLate ? additionOf(interaction, oneTimeGrant(core, interaction, agent)) : none;
}

function additionOf({ turnId }: Interaction, made: StoredGrant | undefined): GrantChanges {
  if (!made) return none;
  return {
    events: [{ type: "grant_added", at: made.grant.createdAt, turnId, grant: made.grant }],
    grants: [{ type: "add", row: made }],
    made,
  };
}

/** The record of one use. A one-time grant is gone with it. */
export function useOfGrant(use: {
  readonly grantId: string;
  readonly turnId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly at: string;
  readonly isOneTime?: boolean;
}): GrantChanges {
  const { grantId, turnId, toolCallId, toolName, at } = use;
  return {
    events: [{ type: "grant_used", at, turnId, grantId, toolCallId, toolName }],
    grants: [
      use.isOneTime === true ? { type: "remove", grantId } : { type: "use", grantId, usedAt: at },
    ],
  };
}
