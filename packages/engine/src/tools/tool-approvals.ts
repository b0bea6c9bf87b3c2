import type { ApprovalScope, Grant, Interaction, Responder } from "@holdpoint/protocol";

import { useOfGrant } from "../grants/grant-changes.ts";
import { grantHashOf } from "../grants/grant-key.ts";
import { lastingGrant, type MakeGrantParts } from "../grants/make-grant.ts";
import { isNarrowed, type ResponderConfig } from "../interaction/find-responders.ts";
import { toInstant } from "../lib/instant.ts";
import type { StoredGrant } from "../ports/grant-store.ts";
import type { Store } from "../ports/store.ts";
import type { SessionLog } from "../session/session-log.ts";
import type { RunningCall } from "./running-call.ts";
import type { ToolApprovals } from "./tool-context.ts";
import { ToolError } from "./tool-error.ts";

const PAGE_SIZE = 200;
const WIDTH: Readonly<Record<ApprovalScope, number>> = { once: 0, session: 1, always: 2 };

export interface ToolApprovalsParts extends MakeGrantParts {
  readonly store: Store;
  readonly log: SessionLog;
  readonly responders: ResponderConfig;
  readonly answerWaiting: (grantHash: string) => void;
  readonly onError: (error: unknown, where: string) => void;
}

/**
 * What a tool remembers under its own keys. Only a person makes a grant: `set` takes effect inside the `onResponse` of
 * a person's approval that was given for this scope or a wider one, and rejects with `NOT_APPROVED` elsewhere. Where
 * nobody was asked, because a grant or an earlier run of the call had the answer, it changes nothing. `get` records the
 * use of what it finds.
 */
export function createToolApprovals(parts: ToolApprovalsParts, call: RunningCall): ToolApprovals {
  return {
    get: (key) => getScope(parts, call, key),
    set: (key, scope) => setScope(parts, call, key, scope),
    clearSession: () => clearSession(parts, call),
  };
}

/** Without a readable grant the tool asks. */
async function getScope(
  parts: ToolApprovalsParts,
  call: RunningCall,
  key: string,
): Promise<ApprovalScope | undefined> {
  const { sessionId, toolCallId, toolName, turn } = call;
  const { turnId } = turn;
  // What not everybody may answer is asked each time.
  if (isNarrowed(parts.responders, toolName) || call.run.responders) return undefined;
  try {
    for (;;) {
      const found = await findGrant(parts, call, key);
      if (!found || call.signal.aborted) return undefined;
      const { grantId, scope } = found.grant;
      const at = toInstant(parts.clock.now());
      const { events, grants } = useOfGrant({ grantId, turnId, toolCallId, toolName, at });
      const result = await parts.log.append({ sessionId, events, grants });
      if (result.status === "appended") return scope;
      if (result.conflict.kind !== "grant") return undefined;
    }
  } catch (error: unknown) {
    parts.onError(error, "grants");
    return undefined;
  }
}

async function setScope(
  parts: ToolApprovalsParts,
  call: RunningCall,
  key: string,
  scope: ApprovalScope,
): Promise<void> {
  if (scope === "once") return;
  const approvals = [...call.deciding.values()]
    .map(({ stored }) => stored.interaction)
    .filter((interaction) => isApprovedFor(interaction, scope));
  const given = approvals.find(({ status }) => status === "answered");
  if (!given && (approvals.length > 0 || call.decidingAllowed > 0)) return;
  if (!given) {
    const detail =
      "A tool remembers an approval only while it handles a person's approval for that long.";
    throw new ToolError("NOT_APPROVED", detail);
  }
  if (given.response?.grantId !== undefined) return;
  const known = await findGrant(parts, call, key);
  if (known && WIDTH[known.grant.scope] >= WIDTH[scope]) return;
  const row = lastingGrant(parts, given, {
    agent: call.turn.agent,
    scope,
    keyHash: keyHashOf(call, key),
  });
  if (!row) return;
  const { turnId } = call.turn;
  const result = await parts.log.append({
    sessionId: call.sessionId,
    events: [{ type: "grant_added", at: row.grant.createdAt, turnId, grant: row.grant }],
    grants: [{ type: "add", row }],
  });
  if (result.status === "appended") parts.answerWaiting(row.keyHash);
}

/** Whether a person has approved it for that long; an edit is approved once. */
function isApprovedFor({ response, approval }: Interaction, scope: ApprovalScope): boolean {
  if (response?.action !== "approve" || !approval || response.editedInput) return false;
  const given = response.approvalScope ?? "once";
  return approval.scopes.includes(scope) && WIDTH[given] >= WIDTH[scope];
}

async function findGrant(
  parts: ToolApprovalsParts,
  call: RunningCall,
  key: string,
): Promise<StoredGrant | undefined> {
  const { sessionId } = call;
  const query = { keyHash: keyHashOf(call, key), sessionId, nowMs: parts.clock.now() };
  return (await parts.store.findGrants(query))[0];
}

function keyHashOf({ toolName, turn: { agent } }: RunningCall, key: string): string {
  return grantHashOf({ agent, toolName }, key);
}

async function clearSession(parts: ToolApprovalsParts, call: RunningCall): Promise<void> {
  const { sessionId, toolName, turn } = call;
  const { turnId, agent } = turn;
  const at = toInstant(parts.clock.now());
  // The tool gives back what it was allowed.
  const by: Responder = { person: toolName, client: agent, at };
  for (const { grantId } of await ownGrants(parts, call)) {
    await parts.log.append({
      sessionId,
      events: [{ type: "grant_revoked", at, turnId, grantId, by }],
      grants: [{ type: "remove", grantId }],
    });
  }
}

async function ownGrants(parts: ToolApprovalsParts, call: RunningCall): Promise<Grant[]> {
  const { sessionId, toolName, turn } = call;
  const { agent } = turn;
  const found: Grant[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await parts.store.listGrants({
      nowMs: parts.clock.now(),
      limit: PAGE_SIZE,
      ...(cursor !== undefined && { cursor }),
    });
    const grants = page.items.map(({ grant }) => grant);
    found.push(
      ...grants.filter(
        (grant) =>
          grant.sessionId === sessionId && grant.toolName === toolName && grant.agent === agent,
      ),
    );
    cursor = page.nextCursor;
    if (cursor === undefined) return found;
  }
}
