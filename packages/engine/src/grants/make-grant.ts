import type { ApprovalScope, Interaction } from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import { digestOf } from "../lib/digest.ts";
import { toInstant } from "../lib/instant.ts";
import type { StoredGrant } from "../ports/grant-store.ts";
import { exactHashOf } from "./grant-key.ts";
import { onceText, scopeTextOf } from "./grant-text.ts";

const onceMs = 24 * 60 * 60 * 1000;

/** What a person's approval for longer is remembered as; `undefined` for what nobody has approved. */
export function lastingGrant(
  core: Core,
  interaction: Interaction,
  terms: {
    readonly agent: string;
    readonly scope: Exclude<ApprovalScope, "once">;
    readonly keyHash: string;
  },
): StoredGrant | undefined {
  const { agent, scope, keyHash } = terms;
  const { sessionId } = interaction;
  const grant = newGrant(core, interaction, agent);
  const text = scopeTextOf(interaction, scope);
  return (
    grant && {
      grant:
        scope === "session"
          ? { ...grant, scope, text, sessionId }
          : { ...grant, scope, text, expiresAt: expiryOf(core, core.alwaysGrantMs) },
      keyHash,
      sessionId,
    }
  );
}

/** What a late approval leaves: one call with exactly the approved input, in its session, within a day. */
export function oneTimeGrant(
  core: Core,
  interaction: Interaction,
  agent: string,
): StoredGrant | undefined {
  const { approval, response, sessionId, toolName } = interaction;
  const grant = newGrant(core, interaction, agent);
  if (!grant || !approval) return undefined;
  const input = response?.editedInput ?? approval.input;
  const digest = digestOf({ tool: toolName, input, cwd: approval.cwd, sessionId });
  const expiresAt = expiryOf(core, onceMs);
  return {
    grant: { ...grant, scope: "once", text: onceText(input), sessionId, expiresAt },
    keyHash: exactHashOf({ agent, toolName }, digest),
    sessionId,
  };
}

function newGrant(
  core: Core,
  { approval, by, toolName, interactionId }: Interaction,
  agent: string,
) {
  if (!approval || !by) return undefined;
  const createdAt = toInstant(core.clock.now());
  const grantId = core.ids.next("gnt");
  return { grantId, toolName, agent, cwd: approval.cwd, createdAt, by, interactionId };
}

function expiryOf(core: Core, lifeMs: number): string {
  return toInstant(core.clock.now() + lifeMs);
}
