import {
  type ApprovalScope,
  type Grant,
  type Interaction,
  pagesOf,
  type Responder,
  type UnplacedEvent,
} from "@holdpoint/protocol";

import { useOfGrant } from "../grants/grant-changes.ts";
import { grantHashOf } from "../grants/grant-key.ts";
import { lastingGrant, type MakeGrantParts } from "../grants/make-grant.ts";
import type { WiderScope } from "../grants/scope-text.ts";
import { isNarrowed, type ResponderConfig } from "../interaction/find-responders.ts";
import { toInstant } from "../lib/instant.ts";
import { CONFLICT, retryConflicts } from "../lib/retry-conflicts.ts";
import type { GrantWrite, StoredGrant } from "../ports/grant-store.ts";
import type { Store, StoredInteraction } from "../ports/store.ts";
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
 * The approvals that a tool remembers under its own keys. Only a person creates a grant: `set` takes effect inside the
 * `onResponse` of a person's approval for this scope or a wider one, and rejects with `NOT_APPROVED` elsewhere. If no
 * one was asked, because a grant or an earlier run of the call had the answer, it changes nothing. One approval creates
 * one grant: the one made by `set` replaces the gateway's own. `get` records the use of the grant that it finds.
 */
export function createToolApprovals(parts: ToolApprovalsParts, call: RunningCall): ToolApprovals {
  return {
    get: (key) => getScope(parts, call, key),
    set: (key, scope) => setScope(parts, call, key, scope),
    clearSession: () => clearSession(parts, call),
  };
}

/** Without a readable grant, the tool asks. */
async function getScope(
  parts: ToolApprovalsParts,
  call: RunningCall,
  key: string,
): Promise<ApprovalScope | undefined> {
  const { sessionId, toolCallId, toolName, turn } = call;
  const { turnId } = turn;
  // A request that not everyone may answer is asked each time.
  if (isNarrowed(parts.responders, toolName) || call.run.responders) return undefined;
  try {
    return await retryConflicts<ApprovalScope | undefined>(async () => {
      const [found] = await findGrants(parts, call, keyHashOf(call, key));
      if (!found || call.signal.aborted) return undefined;
      const { grantId, scope } = found.grant;
      const at = toInstant(parts.clock.now());
      const { events, grants } = useOfGrant({ grantId, turnId, toolCallId, toolName, at });
      const result = await parts.log.append({ sessionId, events, grants });
      if (result.status === "appended") return scope;
      return result.conflict.kind === "grant" ? CONFLICT : undefined;
    });
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
    .map(({ stored }) => stored)
    .filter(({ interaction }) => isApprovedFor(interaction, scope));
  const given = approvals.find(({ interaction }) => interaction.status === "answered");
  if (!given && (approvals.length > 0 || call.decidingAllowed > 0)) return;
  if (!given) {
    const detail =
      "A tool can remember an approval only while it handles a person's approval of that scope.";
    throw new ToolError("NOT_APPROVED", detail);
  }
  if (given.interaction.response?.grantId === undefined) {
    await replaceGrant(parts, call, given, { keyHash: keyHashOf(call, key), scope });
  }
}

/**
 * Replaces the response's own grant with one under the tool's key, so that one approval is one grant. If the own grant
 * is gone, because a person has revoked it, nothing replaces it.
 */
async function replaceGrant(
  parts: ToolApprovalsParts,
  call: RunningCall,
  { interaction, grantHash }: StoredInteraction,
  { keyHash, scope }: { readonly keyHash: string; readonly scope: WiderScope },
): Promise<void> {
  const { interactionId } = interaction;
  if (keyHash === grantHash) return;
  const replaced = await findOwn(parts, call, { interactionId, grantHash });
  const [known] = await findGrants(parts, call, keyHash);
  if (known?.grant.interactionId === interactionId) call.remembered.add(interactionId);
  const isGone = grantHash !== undefined && !replaced && !call.remembered.has(interactionId);
  const terms = { agent: call.turn.agent, scope, keyHash, keyedBy: "tool" } as const;
  const isKnown = isGone || coversScope(known, scope);
  const row = isKnown ? undefined : lastingGrant(parts, interaction, terms);
  const changes = [
    ...(replaced ? [removalOf(parts, call, replaced.grant)] : []),
    ...(row ? [additionOf(call, row)] : []),
  ];
  if (!(await writeChanges(parts, call, changes))) return;
  call.remembered.add(interactionId);
  if (row) parts.answerWaiting(row.keyHash);
}

/** Whether there were changes and all of them were written. A grant may have been revoked in the meantime. */
async function writeChanges(
  { log }: ToolApprovalsParts,
  { sessionId }: RunningCall,
  changes: readonly GrantChange[],
): Promise<boolean> {
  if (changes.length === 0) return false;
  const { status } = await log.append({
    sessionId,
    events: changes.map(({ event }) => event),
    grants: changes.map(({ write }) => write),
  });
  return status === "appended";
}

/** The grant that the gateway made for the response. */
async function findOwn(
  parts: ToolApprovalsParts,
  call: RunningCall,
  of: { readonly interactionId: string; readonly grantHash: string | undefined },
): Promise<StoredGrant | undefined> {
  const own = of.grantHash === undefined ? [] : await findGrants(parts, call, of.grantHash);
  return own.find(({ grant }) => grant.interactionId === of.interactionId);
}

function coversScope(known: StoredGrant | undefined, scope: WiderScope): boolean {
  return known !== undefined && WIDTH[known.grant.scope] >= WIDTH[scope];
}

interface GrantChange {
  readonly event: UnplacedEvent;
  readonly write: GrantWrite;
}

function additionOf({ turn: { turnId } }: RunningCall, row: StoredGrant): GrantChange {
  const { grant } = row;
  return {
    event: { type: "grant_added", at: grant.createdAt, turnId, grant },
    write: { type: "add", row },
  };
}

/** Removes a grant that the tool gives up. */
function removalOf(
  { clock }: ToolApprovalsParts,
  { toolName, turn: { turnId, agent } }: RunningCall,
  { grantId }: Grant,
): GrantChange {
  const at = toInstant(clock.now());
  const by: Responder = { person: toolName, client: agent, at };
  return {
    event: { type: "grant_revoked", at, turnId, grantId, by },
    write: { type: "remove", grantId },
  };
}

/** Whether a person has approved it for this scope. An edit is approved only once. */
function isApprovedFor({ response, approval }: Interaction, scope: ApprovalScope): boolean {
  if (response?.action !== "approve" || !approval || response.editedInput) return false;
  const given = response.approvalScope ?? "once";
  return approval.scopes.includes(scope) && WIDTH[given] >= WIDTH[scope];
}

async function findGrants(
  { store, clock }: ToolApprovalsParts,
  { sessionId }: RunningCall,
  keyHash: string,
): Promise<readonly StoredGrant[]> {
  return store.findGrants({ keyHash, sessionId, nowMs: clock.now() });
}

function keyHashOf({ toolName, turn: { agent } }: RunningCall, key: string): string {
  return grantHashOf({ agent, toolName }, key);
}

async function clearSession(parts: ToolApprovalsParts, call: RunningCall): Promise<void> {
  const { sessionId } = call;
  for (const grant of await ownGrants(parts, call)) {
    const { event, write } = removalOf(parts, call, grant);
    await parts.log.append({ sessionId, events: [event], grants: [write] });
  }
}

async function ownGrants(parts: ToolApprovalsParts, call: RunningCall): Promise<Grant[]> {
  const { sessionId, toolName, turn } = call;
  const { agent } = turn;
  const found: Grant[] = [];
  for await (const { items } of pagesOf((start) =>
    parts.store.listGrants({ nowMs: parts.clock.now(), limit: PAGE_SIZE, ...start }),
  )) {
    const grants = items.map(({ grant }) => grant);
    found.push(
      ...grants.filter(
        (grant) =>
          grant.sessionId === sessionId && grant.toolName === toolName && grant.agent === agent,
      ),
    );
  }
  return found;
}
