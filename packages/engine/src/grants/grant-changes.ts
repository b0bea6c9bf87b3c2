import type { ApprovalScope, Interaction, UnplacedEvent } from "@holdpoint/protocol";

import type { Core } from "../core.ts";
import { toInstant } from "../create-interaction.ts";
import { digestOf } from "../digest.ts";
import type { InteractionEvent } from "../interaction-state.ts";
import type { GrantWrite, StoredGrant } from "../ports/grant-store.ts";
import type { StoredInteraction } from "../ports/store.ts";
import { exactHashOf } from "./grant-key.ts";
import { onceText, scopeTextOf } from "./grant-text.ts";

const onceMs = 24 * 60 * 60 * 1000;

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
  event: InteractionEvent,
  { interaction, agent, grantHash }: StoredInteraction,
  { isLate }: { readonly isLate: boolean },
): GrantChanges {
  if (event.type !== "respond") return none;
  const { approval, response, by, sessionId, turnId } = interaction;
  if (!approval || !by || response?.action !== "approve") return none;
  if (response.grantId !== undefined) {
    return useOfGrant({ ...interaction, grantId: response.grantId, at: by.at });
  }
  const scope = response.approvalScope ?? "once";
  const isLasting = scope !== "once" && grantHash !== undefined && !response.editedInput;
  if (agent === undefined || (!isLasting && !isLate)) return none;
  const holder = { agent, toolName: interaction.toolName };
  const input = response.editedInput ?? approval.input;
  const digest = digestOf({ tool: holder.toolName, input, cwd: approval.cwd, sessionId });
  const terms = isLasting
    ? lastingTerms(core, interaction, scope)
    : { scope: "once" as const, text: onceText(input), lifeMs: onceMs };
  const expiresAt = toInstant(core.clock.now() + (terms.lifeMs ?? 0));
  const made: StoredGrant = {
    grant: {
      grantId: core.ids.next("gnt"),
      scope: terms.scope,
      toolName: holder.toolName,
      text: terms.text,
      ...(terms.scope !== "always" && { sessionId }),
      agent: holder.agent,
      cwd: approval.cwd,
      createdAt: by.at,
      ...(terms.lifeMs !== undefined && { expiresAt }),
      by,
      interactionId: interaction.interactionId,
    },
    keyHash: isLasting ? grantHash : exactHashOf(holder, digest),
    sessionId,
  };
  return {
    events: [{ type: "grant_added", at: by.at, turnId, grant: made.grant }],
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

interface Terms {
  readonly scope: ApprovalScope;
  readonly text: string;
  /** Absent: until the session is deleted. */
  readonly lifeMs?: number;
}

function lastingTerms(core: Core, interaction: Interaction, scope: "session" | "always"): Terms {
  const text = scopeTextOf(interaction, scope);
  return scope === "always" ? { scope, text, lifeMs: core.alwaysGrantMs } : { scope, text };
}
