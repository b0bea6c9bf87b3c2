import type { Interaction } from "@holdpoint/protocol";

import { toInstant } from "../lib/instant.ts";
import { CONFLICT, retryConflicts } from "../lib/retry-conflicts.ts";
import type { HoldRequest, HoldResult } from "../ports/agent-adapter.ts";
import type { AssumedGrants, StoredGrant } from "../ports/grant-store.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import type { SessionLog } from "../session/session-log.ts";
import { findLastingGrant, findOneTimeGrant, type FindGrantParts } from "./find-grant.ts";
import { findRule, type FindRuleParts } from "./find-rule.ts";
import { useOfGrant } from "./grant-changes.ts";
import { exactHashOf, grantHashOf } from "./grant-key.ts";

type ApprovalRequest = Extract<HoldRequest, { kind: "approval" }>;

/** The request that a grant is looked up for. */
export interface GrantLookup {
  readonly request: ApprovalRequest;
  /** Where the call would run. */
  readonly cwd: string;
  readonly digest: string;
  /** Who may answer the request. A grant covers only requests that the same people may answer. */
  readonly responders: Interaction["responders"];
  /** The result of `grantHashOfRequest`. */
  readonly grantHash: string | undefined;
  /** Whether the requester no longer needs an answer. */
  readonly isOver: () => boolean;
}

/** An answer from a grant or a rule. */
export type AnswerByGrant = Extract<HoldResult, { outcome: "answered" }>;

export interface AllowByGrantParts extends FindGrantParts, FindRuleParts {
  readonly log: SessionLog;
  readonly draining: AbortSignal;
  readonly onError: (error: unknown, where: string) => void;
}

/** The hash that finds lasting grants for this request; `undefined` when none can cover it. */
export function grantHashOfRequest(turn: RunningTurn, request: HoldRequest): string | undefined {
  if (request.kind !== "approval" || request.grantKey === undefined) return undefined;
  const { toolName, scopes, grantFamily: family, grantKey } = request;
  if (scopes.every((scope) => scope === "once")) return undefined;
  return grantHashOf({ agent: turn.agent, toolName, family }, grantKey);
}

/**
 * Answers a request without asking a person, if a rule or a grant decides it: with the requested input or a denial, and
 * only once the use is in the log. Rules come before grants, and a rule with the verdict `ask` is logged too. A grant
 * that is revoked or used up in the meantime decides nothing, and a rule added in the meantime is obeyed. When the
 * store fails, a person is asked.
 */
export async function allowByGrant(
  parts: AllowByGrantParts,
  turn: RunningTurn,
  lookup: GrantLookup,
): Promise<AnswerByGrant | undefined> {
  const { request, isOver } = lookup;
  if (parts.draining.aborted || !parts.knownGrants.hasAny) return undefined;
  try {
    return await retryConflicts<AnswerByGrant | undefined>(async () => {
      const found = await findGrant(parts, turn, lookup);
      if (!found || isOver()) return undefined;
      const use = await recordUse(parts, turn, request, found);
      if (use === "recorded") return toAnswer(request, found.row);
      return use === "gone" ? CONFLICT : undefined;
    });
  } catch (error: unknown) {
    parts.onError(error, "grants");
    return undefined;
  }
}

interface FoundGrant {
  readonly row: StoredGrant;
  readonly guards: readonly AssumedGrants[];
}

/** Rules come first, then lasting grants. A one-time grant is used up only when nothing else covers the call. */
async function findGrant(
  parts: AllowByGrantParts,
  { sessionId, agent }: RunningTurn,
  { request: { toolName, scopes, input }, cwd, digest, grantHash, responders }: GrantLookup,
): Promise<FoundGrant | undefined> {
  const call = { sessionId, agent, toolName, input, cwd, scopes };
  const { rule, guards } = await findRule(parts, call);
  if (rule) return { row: rule, guards };
  const lasting =
    grantHash === undefined
      ? undefined
      : await findLastingGrant(parts, { grantHash, sessionId, scopes });
  if (lasting) return { row: lasting, guards };
  const exactHash = exactHashOf({ agent, toolName, responders }, digest);
  const once = await findOneTimeGrant(parts, { exactHash, sessionId });
  return once && { row: once, guards };
}

async function recordUse(
  { clock, log }: AllowByGrantParts,
  { sessionId, turnId }: RunningTurn,
  { toolCallId, toolName }: ApprovalRequest,
  { row, guards }: FoundGrant,
): Promise<"recorded" | "gone" | "no_session"> {
  const { grantId, scope, rule } = row.grant;
  const at = toInstant(clock.now());
  const isOneTime = scope === "once";
  const call = { turnId, toolCallId, toolName, at };
  const { events, grants } = useOfGrant({ ...call, grantId, isOneTime, verdict: rule?.verdict });
  const result = await log.append({ sessionId, events, grants: [...guards, ...grants] });
  if (result.status === "appended") return "recorded";
  return result.conflict.kind === "grant" ? "gone" : "no_session";
}

/** `undefined` for a rule with the verdict `ask`. */
function toAnswer({ input }: ApprovalRequest, { grant }: StoredGrant): AnswerByGrant | undefined {
  const { grantId, scope, interactionId = grantId, rule } = grant;
  const answered = {
    outcome: "answered" as const,
    interactionId,
    // There is no interaction to deliver, and the use is already in the log.
    delivered: async () => undefined,
  };
  if (rule === undefined || rule.verdict === "allow") {
    const response = { action: "approve" as const, approvalScope: scope, grantId };
    return { ...answered, response, input };
  }
  if (rule.verdict === "ask") return undefined;
  const reason = `A rule denies this: ${grant.text}`;
  return { ...answered, response: { action: "deny", reason, grantId } };
}
