import type { Core } from "../gateway/core.ts";
import { digestOf } from "../lib/digest.ts";
import { toInstant } from "../lib/instant.ts";
import type { HoldRequest, HoldResult } from "../ports/agent-adapter.ts";
import type { StoredGrant } from "../ports/grant-store.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import { findLastingGrant, findOneTimeGrant } from "./find-grant.ts";
import { useOfGrant } from "./grant-changes.ts";
import { exactHashOf, grantHashOf } from "./grant-key.ts";

type ApprovalRequest = Extract<HoldRequest, { kind: "approval" }>;
type Answered = Extract<HoldResult, { outcome: "answered" }>;

/** What a lasting grant for this request is found by; `undefined` when none can be. */
export function grantHashOfRequest(turn: RunningTurn, request: HoldRequest): string | undefined {
  if (request.kind !== "approval" || request.grantKey === undefined) return undefined;
  const { toolName, grantFamily: family, grantKey } = request;
  return grantHashOf({ agent: turn.agent, toolName, family }, grantKey);
}

/**
 * Answers a request without asking, if a grant covers it: with the input that was asked, and only once the use is in the
 * log. A grant that is revoked or used up in between covers nothing. When the store fails, a person is asked.
 */
export async function allowByGrant(
  core: Core,
  turn: RunningTurn,
  { request, signal }: { readonly request: HoldRequest; readonly signal: AbortSignal },
): Promise<Answered | undefined> {
  if (request.kind !== "approval" || core.draining.aborted) return undefined;
  try {
    for (;;) {
      const found = await findGrant(core, turn, request);
      if (!found || turn.closed || turn.signal.aborted || signal.aborted) return undefined;
      const use = await recordUse(core, turn, request, found);
      if (use === "recorded") return toAnswer(request, found);
      if (use === "no_session") return undefined;
    }
  } catch (error: unknown) {
    core.onError(error, "grants");
    return undefined;
  }
}

/** A lasting one first, so that a one-time grant is kept for when it is needed. */
async function findGrant(
  core: Core,
  turn: RunningTurn,
  request: ApprovalRequest,
): Promise<StoredGrant | undefined> {
  const { sessionId, agent, cwd } = turn;
  const { toolName, input, scopes } = request;
  const grantHash = grantHashOfRequest(turn, request);
  if (grantHash !== undefined) {
    const found = await findLastingGrant(core, { grantHash, sessionId, scopes });
    if (found) return found;
  }
  const exactHash = exactHashOf(
    { agent, toolName },
    digestOf({ tool: toolName, input, cwd, sessionId }),
  );
  return findOneTimeGrant(core, { exactHash, sessionId });
}

async function recordUse(
  core: Core,
  { sessionId, turnId }: RunningTurn,
  { toolCallId, toolName }: ApprovalRequest,
  { grant: { grantId, scope } }: StoredGrant,
): Promise<"recorded" | "gone" | "no_session"> {
  const at = toInstant(core.clock.now());
  const isOneTime = scope === "once";
  const { events, grants } = useOfGrant({ grantId, turnId, toolCallId, toolName, at, isOneTime });
  const result = await core.log.append({ sessionId, events, grants });
  if (result.status === "appended") return "recorded";
  return result.conflict.kind === "grant" ? "gone" : "no_session";
}

function toAnswer({ input }: ApprovalRequest, { grant }: StoredGrant): Answered {
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
