import {
  type InteractionStatus,
  isHolding,
  isKept,
  isParked,
  isResuming,
  pagesOf,
  transition,
  type UnplacedEvent,
} from "@holdpoint/protocol";

import { expireDue } from "../interaction/deadlines.ts";
import { lateDeliveryOf } from "../interaction/late-delivery.ts";
import { lateMessageKey } from "../interaction/late-response-message.ts";
import { moveRow, type SettleResult } from "../interaction/settle.ts";
import { toInstant } from "../lib/instant.ts";
import type { InteractionWrite, StoredInteraction, StoredSession } from "../ports/store.ts";
import { mayHaveRun } from "../turn/close-interactions.ts";
import type { Core } from "./core.ts";
import { findLiveTurns, type LiveTurns } from "./find-live-turns.ts";
import { endInterruptedTurn } from "./interrupted-turn.ts";

/** How long a caller can come back to its call. */
export const COMES_AGAIN_MS = 7 * 24 * 60 * 60_000;

/** The number of rows repaired at a time. The rows of one page share their commits. */
const PAGE_SIZE = 5000;

/** The work that remains once the gateway is open. */
export interface Repaired {
  /** Turns whose agents are still alive. */
  readonly live: LiveTurns;
  /** Sessions whose agent is to be restarted for an answer. */
  readonly resuming: ReadonlySet<string>;
}

/**
 * Completes the work that a previous gateway left unfinished. Each step is one transaction and does nothing the
 * second time, so an interrupted repair simply runs again. Steps that need an agent's own files are left to `Recovery`.
 */
export async function repair(core: Core): Promise<Repaired> {
  const live = await findLiveTurns(core);
  const resuming = new Set<string>();
  await expireDue(core, core.clock.now());
  await eachPage(core, "pending", (page) => repairPending(core, live, page));
  // An interaction whose call may come again keeps its deadline.
  const nextMs = await core.store.nextDeadline();
  if (nextMs !== undefined) core.deadlines.keep(nextMs);
  await eachPage(core, "answered", async (page) => {
    const sessionIds = await Promise.all(page.map((stored) => repairAnswered(core, live, stored)));
    for (const sessionId of sessionIds) if (sessionId !== undefined) resuming.add(sessionId);
  });
  await endInterruptedTurns(core, live);
  return { live, resuming };
}

async function repairPending(
  core: Core,
  live: LiveTurns,
  page: readonly StoredInteraction[],
): Promise<void> {
  const held = page.filter(
    ({ interaction }) => isHolding(interaction) && !isParked(interaction) && !isKept(interaction),
  );
  const bySession = Map.groupBy(held, ({ interaction }) => interaction.sessionId);
  await Promise.all(
    [...bySession].map(async ([sessionId, rows]) => {
      if (live.has(sessionId)) return keepForAgent(core, rows);
      if (await canPark(core, sessionId)) return core.recovery.add(sessionId);
      await giveUpHeld(core, sessionId, rows);
    }),
  );
}

/** The agent is alive and asks again, so nothing is given up until its turn has ended. */
function keepForAgent({ unclaimed }: Core, rows: readonly StoredInteraction[]): void {
  for (const { interaction } of rows) {
    unclaimed.add(interaction);
    unclaimed.keep(interaction.interactionId);
  }
}

async function canPark({ agents, store }: Core, sessionId: string): Promise<boolean> {
  if (![...agents.values()].some((adapter) => adapter.canPark)) return false;
  const session = await store.getSession(sessionId);
  return session !== undefined && agents.get(session.agent)?.canPark === true;
}

/**
 * Gives up the waits of an agent that is gone. Calls of gateway tools may come again; the other interactions are
 * orphaned, in one write.
 */
export async function giveUpHeld(
  core: Core,
  sessionId: string,
  rows: readonly StoredInteraction[],
): Promise<void> {
  for (const stored of rows.filter(isUnfinishedCall)) keepForCall(core, stored);
  const orphans = rows.filter((stored) => !isUnfinishedCall(stored));
  if (orphans.length > 0) await orphanAll(core, sessionId, orphans);
}

/** Resolves to the session if its agent is to be restarted. */
async function repairAnswered(
  core: Core,
  live: LiveTurns,
  stored: StoredInteraction,
): Promise<string | undefined> {
  const { interaction } = stored;
  const { sessionId } = interaction;
  // The program fetches the answer itself.
  if (isKept(interaction)) return undefined;
  if (await isSentOn(core, stored)) return undefined;
  if (live.has(sessionId)) keepForAgent(core, [stored]);
  else if (isResuming(interaction)) return sessionId;
  else if (await canPark(core, sessionId)) core.recovery.add(sessionId);
  else await giveUpAnswered(core, stored);
  return undefined;
}

/** Passes on a response whose agent is gone: to the next run of a gateway tool's call, or to the agent as a message. */
export async function giveUpAnswered(
  core: Core,
  stored: StoredInteraction,
  { isNotTaken = false } = {},
): Promise<void> {
  const canComeAgain =
    stored.keptResult !== undefined || (isUnfinishedCall(stored) && hasItsValues(stored));
  if (canComeAgain) keepForCall(core, stored);
  else if (mayHaveRun(stored) && !isNotTaken) await recordDelivery(core, stored, "unknown");
  else await queueResponse(core, stored);
}

/** Records how an answer was delivered. The agent is gone, so nothing more can be learned about it. */
export async function recordDelivery(
  core: Core,
  stored: StoredInteraction,
  how: "resumed" | "unknown",
): Promise<void> {
  const at = toInstant(core.clock.now());
  const { turnId } = stored.interaction;
  await core.settle(stored, { type: "deliver", at, how, turnId });
}

/** Orphans an interaction whose agent is gone and whose call has not come again. */
export async function giveUpUnclaimed(core: Core, interactionId: string): Promise<void> {
  const found = await core.store.getInteraction(interactionId);
  const result = found && (await orphan(core, found));
  if (result?.status !== "refused") return;
  // It was answered before the gateway ended, or at this very moment.
  const { stored } = result;
  if (stored.interaction.status !== "answered") return;
  if (mayHaveRun(stored)) return recordDelivery(core, stored, "unknown");
  // It may be sent already: a retried write can succeed after it was reported as failed.
  if (!(await isSentOn(core, stored))) await queueResponse(core, stored);
  core.kickQueue(stored.interaction.sessionId);
}

/** Whether the same call may come again and claim the interaction. */
function isUnfinishedCall({ call }: StoredInteraction): boolean {
  return call !== undefined && !call.finished;
}

/** Keeps the interaction for a while, or as long as its caller may come back. */
function keepForCall(core: Core, { interaction, call }: StoredInteraction): void {
  const { interactionId, startedAt } = interaction;
  core.unclaimed.add(interaction);
  if (call?.comesAgain) {
    core.unclaimed.keepUntil(interactionId, Date.parse(startedAt) + COMES_AGAIN_MS);
  } else if (call?.comesWithinMs !== undefined) {
    core.unclaimed.keepUntil(interactionId, core.clock.now() + call.comesWithinMs);
  }
}

/**
 * Whether the sensitive values are still stored. Delivery deletes them, and the gateway may have ended at that moment.
 */
function hasItsValues({ interaction, secretValues }: StoredInteraction): boolean {
  return !interaction.response?.redacted?.length || secretValues !== undefined;
}

/** Whether a message with the response exists, in the log or in the queue. */
export async function isSentOn(core: Core, { interaction }: StoredInteraction): Promise<boolean> {
  const key = lateMessageKey(interaction);
  return (await core.store.findMessage(interaction.sessionId, key)) !== undefined;
}

const ORPHAN_REASON = "The gateway was restarted; the agent that asked is gone.";

function orphan(core: Core, stored: StoredInteraction): Promise<SettleResult> {
  const at = toInstant(core.clock.now());
  return core.settle(stored, { type: "orphan", at, reason: ORPHAN_REASON });
}

/**
 * Orphans interactions of one session in one write. Until that is done, nothing else changes them and no agent waits.
 */
async function orphanAll(
  core: Core,
  sessionId: string,
  rows: readonly StoredInteraction[],
): Promise<void> {
  const at = toInstant(core.clock.now());
  const events: UnplacedEvent[] = [];
  const interactions: InteractionWrite[] = [];
  for (const stored of rows) {
    const { status, hold } = stored.interaction;
    const next = transition(stored.interaction, { type: "orphan", at, reason: ORPHAN_REASON });
    if (next.status === "refused") continue;
    const row = moveRow(stored, next.interaction);
    events.push(next.event);
    interactions.push({ row, expectedStatus: status, expectedHold: hold });
  }
  await core.log.append({ sessionId, events, interactions });
}

/** Queues the response as a message for the next agent, because the one that waited for it is gone. */
async function queueResponse(core: Core, stored: StoredInteraction): Promise<void> {
  const { sessionId } = stored.interaction;
  await core.log.append({ sessionId, ...lateDeliveryOf(core, [stored]) });
}

async function eachPage(
  core: Core,
  status: InteractionStatus,
  visit: (page: readonly StoredInteraction[]) => Promise<void>,
): Promise<void> {
  const query = { statuses: [status], limit: PAGE_SIZE };
  for await (const { items } of pagesOf((start) =>
    core.store.listInteractions({ ...query, ...start }),
  )) {
    await visit(items);
  }
}

/** Ends the turns of all busy sessions, unless the agent is alive or has yet to be recovered. */
async function endInterruptedTurns(core: Core, live: LiveTurns): Promise<void> {
  const query = { onlyBusy: true, limit: PAGE_SIZE };
  for await (const { items } of pagesOf((start) =>
    core.store.listSessions({ ...query, ...start }),
  )) {
    const ended = items.filter(
      ({ sessionId }) => !live.has(sessionId) && !core.recovery.has(sessionId),
    );
    await Promise.all(ended.map((session) => endTurnOf(core, session)));
  }
}

async function endTurnOf(core: Core, session: StoredSession): Promise<void> {
  const isLeftParked = core.overview.isParked(session.sessionId);
  await endInterruptedTurn(core, session, isLeftParked ? "parked" : "error");
}
