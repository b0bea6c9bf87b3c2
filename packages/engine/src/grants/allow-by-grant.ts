import { toInstant } from "../lib/instant.ts";
import type { HoldRequest, HoldResult } from "../ports/agent-adapter.ts";
import type { StoredGrant } from "../ports/grant-store.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import type { SessionLog } from "../session/session-log.ts";
import { findLastingGrant, findOneTimeGrant, type FindGrantParts } from "./find-grant.ts";
import { useOfGrant } from "./grant-changes.ts";
import { exactHashOf, grantHashOf } from "./grant-key.ts";

type ApprovalRequest = Extract<HoldRequest, { kind: "approval" }>;

/** What a grant is looked for with. */
export interface GrantLookup {
  readonly request: ApprovalRequest;
  /** The digest of the approval. */
  readonly digest: string;
  /** Of `grantHashOfRequest`. */
  readonly grantHash: string | undefined;
  /** Whether the asker needs no answer any more. */
  readonly isOver: () => boolean;
}

/** A request that a grant has answered. */
export type AllowedByGrant = Extract<HoldResult, { outcome: "answered" }>;

export interface AllowByGrantParts extends FindGrantParts {
  readonly log: SessionLog;
  readonly draining: AbortSignal;
  readonly onError: (error: unknown, where: string) => void;
}

/** Finds lasting grants for this request; `undefined` when none can cover it. */
export function grantHashOfRequest(turn: RunningTurn, request: HoldRequest): string | undefined {
  if (request.kind !== "approval" || request.grantKey === undefined) return undefined;
  const { toolName, scopes, grantFamily: family, grantKey } = request;
  if (scopes.every((scope) => scope === "once")) return undefined;
  return grantHashOf({ agent: turn.agent, toolName, family }, grantKey);
}

/**
 * Answers a request without asking, if a grant covers it: with the requested input, and only once the use is in the log.
 * A grant that is revoked or used up in between covers nothing. When the store fails, a person is asked.
 */
export async function allowByGrant(
  parts: AllowByGrantParts,
  turn: RunningTurn,
  lookup: GrantLookup,
): Promise<AllowedByGrant | undefined> {
  const { request, isOver } = lookup;
  if (parts.draining.aborted || !parts.knownGrants.hasAny) return undefined;
  try {
    for (;;) {
      const found = await findGrant(parts, turn, lookup);
      if (!found || isOver()) return undefined;
      const use = await recordUse(parts, turn, request, found);
      if (use === "recorded") return toAnswer(request, found);
      if (use === "no_session") return undefined;
    }
  } catch (error: unknown) {
    parts.onError(error, "grants");
    return undefined;
  }
}

/** A lasting grant first: a one-time grant is used up only when it is needed. */
async function findGrant(
  parts: FindGrantParts,
  { sessionId, agent }: RunningTurn,
  { request: { toolName, scopes }, digest, grantHash }: GrantLookup,
): Promise<StoredGrant | undefined> {
  if (grantHash !== undefined) {
    const found = await findLastingGrant(parts, { grantHash, sessionId, scopes });
    if (found) return found;
  }
  const exactHash = exactHashOf({ agent, toolName }, digest);
  return findOneTimeGrant(parts, { exactHash, sessionId });
}

async function recordUse(
  { clock, log }: AllowByGrantParts,
  { sessionId, turnId }: RunningTurn,
  { toolCallId, toolName }: ApprovalRequest,
  { grant: { grantId, scope } }: StoredGrant,
): Promise<"recorded" | "gone" | "no_session"> {
  const at = toInstant(clock.now());
  const isOneTime = scope === "once";
  const { events, grants } = useOfGrant({ grantId, turnId, toolCallId, toolName, at, isOneTime });
  const result = await log.append({ sessionId, events, grants });
  if (result.status === "appended") return "recorded";
  return result.conflict.kind === "grant" ? "gone" : "no_session";
}

function toAnswer({ input }: ApprovalRequest, { grant }: StoredGrant): AllowedByGrant {
  const { grantId, scope, interactionId } = grant;
  return {
    outcome: "answered",
    interactionId,
    response: { action: "approve", approvalScope: scope, grantId },
    input,
    // There is no interaction to deliver: the use is in the log already.
    delivered: async () => undefined,
  };
}
