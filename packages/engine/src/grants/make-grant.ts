import {
  type Grant,
  inEnglish,
  type Interaction,
  saidOf,
  saying,
  type Told,
} from "@holdpoint/protocol";

import { digestOf } from "../lib/digest.ts";
import { toInstant } from "../lib/instant.ts";
import type { Clock } from "../ports/clock.ts";
import type { StoredGrant } from "../ports/grant-store.ts";
import type { Ids } from "../ports/ids.ts";
import { exactHashOf } from "./grant-key.ts";
import { inputText, REACH, type WiderScope } from "./scope-text.ts";

const ONCE_MS = 24 * 60 * 60 * 1000;

export interface MakeGrantParts {
  readonly clock: Clock;
  readonly ids: Ids;
  /** How long an approval "from now on" is valid. */
  readonly alwaysGrantMs: number;
}

/** The grant of a person's lasting approval; `undefined` for an interaction that no person has approved. */
export function lastingGrant(
  parts: MakeGrantParts,
  interaction: Interaction,
  terms: {
    readonly agent: string;
    readonly scope: WiderScope;
    readonly keyHash: string;
    readonly keyedBy?: "request" | "tool";
  },
): StoredGrant | undefined {
  const { agent, scope, keyHash, keyedBy = "request" } = terms;
  const { sessionId, response } = interaction;
  const made = newGrant(parts, interaction, agent);
  if (!made) return undefined;
  const { forMs = Infinity, uses } = response?.grantLimit ?? {};
  const lifeMs = Math.min(forMs, scope === "always" ? parts.alwaysGrantMs : Infinity);
  const grant = {
    ...made,
    scope,
    ...shownText(interaction, scope, keyedBy),
    ...(scope === "session" && { sessionId }),
    ...(lifeMs !== Infinity && { expiresAt: expiryOf(parts, lifeMs) }),
    ...(uses !== undefined && { usesLeft: uses }),
  };
  return { grant, keyHash, sessionId };
}

/** The grant of a late approval, for one call with exactly the approved input, in its session, within a day. */
export function oneTimeGrant(
  parts: MakeGrantParts,
  interaction: Interaction,
  agent: string,
): StoredGrant | undefined {
  const { approval, response, sessionId, toolName, responders } = interaction;
  const grant = newGrant(parts, interaction, agent);
  if (!grant || !approval) return undefined;
  const input = response?.editedInput ?? approval.input;
  const digest = digestOf({ tool: toolName, input, cwd: approval.cwd, sessionId });
  const expiresAt = expiryOf(parts, ONCE_MS);
  const { text, rest } = inputText(input);
  const told = toText([saying("covers_once", { input: text }), ...rest]);
  return {
    grant: { ...grant, scope: "once", ...told, sessionId, expiresAt },
    keyHash: exactHashOf({ agent, toolName, responders }, digest),
    sessionId,
  };
}

type NewGrant = Omit<StoredGrant["grant"], "said" | "scope" | "text">;

function newGrant(
  { clock, ids }: MakeGrantParts,
  { approval, by, toolName, interactionId }: Interaction,
  agent: string,
): NewGrant | undefined {
  if (!approval || !by) return undefined;
  const createdAt = toInstant(clock.now());
  const grantId = ids.next("gnt");
  return { grantId, toolName, agent, cwd: approval.cwd, createdAt, by, interactionId };
}

function expiryOf({ clock }: MakeGrantParts, lifeMs: number): string {
  return toInstant(clock.now() + lifeMs);
}

/**
 * The coverage of a lasting grant, in the words that the person saw. A tool may remember less than the approved scope.
 * The gateway's own words describe the request's key, and do not apply to a key that the tool chooses later.
 */
function shownText(
  { toolName: tool, approval }: Interaction,
  scope: WiderScope,
  keyedBy: "request" | "tool",
): Pick<Grant, "said" | "text"> {
  const shown = approval?.scopeText[scope];
  const said = approval?.said?.[scope];
  if (said && keyedBy === "tool") return toText([saying("covers_as_tool", { tool }), REACH[scope]]);
  if (shown !== undefined) return { text: shown, ...(said && { said: { text: said } }) };
  const { text, rest } = inputText(approval?.input);
  return toText([saying("covers_as_approved", { tool, input: text }), ...rest]);
}

function toText(text: Told): Pick<Grant, "said" | "text"> {
  return { text: inEnglish(text), ...saidOf({ text }) };
}
