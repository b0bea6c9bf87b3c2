import type { ApprovalScope, Grant, Responder } from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import { useOfGrant } from "../grants/grant-changes.ts";
import { grantHashOf } from "../grants/grant-key.ts";
import { lastingGrant } from "../grants/make-grant.ts";
import { toInstant } from "../lib/instant.ts";
import type { StoredGrant } from "../ports/grant-store.ts";
import type { StoredInteraction } from "../ports/store.ts";
import type { ToolApprovals } from "./tool-context.ts";
import { ToolError } from "./tool-error.ts";

const pageSize = 200;
const width: Readonly<Record<ApprovalScope, number>> = { once: 0, session: 1, always: 2 };

/** One call of a tool, and what its handler does at the moment. */
export interface ApprovingCall {
  readonly sessionId: string;
  readonly turnId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly agent: string;
  readonly signal: AbortSignal;
  /** Answered, and with the handler now. */
  readonly deciding: ReadonlyMap<string, StoredInteraction>;
  /** The handler decides about what a grant has allowed. */
  readonly isDecidingAllowed: () => boolean;
}

/**
 * What a tool remembers under keys of its own. Only a person makes a grant: `set` takes effect inside the `onResponse` of
 * a person's approval that was given for this scope or a wider one, and rejects with `NOT_APPROVED` elsewhere. Where
 * nobody was asked, because a grant or an earlier run of the call had the answer, it changes nothing. `get` records the
 * use of what it finds.
 */
export function createToolApprovals(core: Core, call: ApprovingCall): ToolApprovals {
  return {
    get: (key) => getScope(core, call, key),
    set: (key, scope) => setScope(core, call, key, scope),
    clearSession: () => clearSession(core, call),
  };
}

/** Without a readable grant the tool asks. */
async function getScope(
  core: Core,
  call: ApprovingCall,
  key: string,
): Promise<ApprovalScope | undefined> {
  const { sessionId } = call;
  try {
    for (;;) {
      const found = await findGrant(core, call, key);
      if (!found || call.signal.aborted) return undefined;
      const { grantId, scope } = found.grant;
      const use = useOfGrant({ ...call, grantId, at: toInstant(core.clock.now()) });
      const { events, grants } = use;
      const result = await core.log.append({ sessionId, events, grants });
      if (result.status === "appended") return scope;
      if (result.conflict.kind !== "grant") return undefined;
    }
  } catch (error: unknown) {
    core.onError(error, "grants");
    return undefined;
  }
}

async function setScope(
  core: Core,
  call: ApprovingCall,
  key: string,
  scope: ApprovalScope,
): Promise<void> {
  if (scope === "once") return;
  const approvals = [...call.deciding.values()].filter((stored) => isApprovedFor(stored, scope));
  const given = approvals.find(({ interaction }) => interaction.status === "answered");
  if (!given && (approvals.length > 0 || call.isDecidingAllowed())) return;
  if (!given) {
    const detail =
      "A tool remembers an approval only while it handles a person's approval for that long.";
    throw new ToolError("NOT_APPROVED", detail);
  }
  if (given.interaction.response?.grantId !== undefined) return;
  const known = await findGrant(core, call, key);
  if (known && width[known.grant.scope] >= width[scope]) return;
  const row = lastingGrant(core, given.interaction, {
    agent: call.agent,
    scope,
    keyHash: grantHashOf(call, key),
  });
  if (!row) return;
  const result = await core.log.append({
    sessionId: call.sessionId,
    events: [
      { type: "grant_added", at: row.grant.createdAt, turnId: call.turnId, grant: row.grant },
    ],
    grants: [{ type: "add", row }],
  });
  if (result.status === "appended") core.answerWaiting(row.keyHash);
}

/** Whether a person has approved it for that long; an edit is approved once. */
function isApprovedFor({ interaction }: StoredInteraction, scope: ApprovalScope): boolean {
  const { response, approval } = interaction;
  if (response?.action !== "approve" || !approval || response.editedInput) return false;
  const given = response.approvalScope ?? "once";
  return approval.scopes.includes(scope) && width[given] >= width[scope];
}

async function findGrant(
  core: Core,
  call: ApprovingCall,
  key: string,
): Promise<StoredGrant | undefined> {
  const { sessionId } = call;
  const query = { keyHash: grantHashOf(call, key), sessionId, nowMs: core.clock.now() };
  return (await core.store.findGrants(query))[0];
}

async function clearSession(core: Core, call: ApprovingCall): Promise<void> {
  const { sessionId, turnId, toolName, agent } = call;
  const at = toInstant(core.clock.now());
  // The tool gives back what it was allowed.
  const by: Responder = { person: toolName, client: agent, at };
  for (const { grantId } of await ownGrants(core, call)) {
    await core.log.append({
      sessionId,
      events: [{ type: "grant_revoked", at, turnId, grantId, by }],
      grants: [{ type: "remove", grantId }],
    });
  }
}

async function ownGrants(core: Core, call: ApprovingCall): Promise<Grant[]> {
  const { sessionId, toolName, agent } = call;
  const found: Grant[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await core.store.listGrants({
      nowMs: core.clock.now(),
      limit: pageSize,
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
