import {
  type Interaction,
  isHolding,
  isKept,
  isParked,
  isQueued,
  isResuming,
  OUTSTANDING_STATUSES,
  pagesOf,
} from "@holdpoint/protocol";

import { lateMessageKey } from "../interaction/late-response-message.ts";
import type { SettleInteraction } from "../interaction/settle.ts";
import type { Waiters } from "../interaction/waiters.ts";
import { toInstant } from "../lib/instant.ts";
import type { AgentSession, TurnResult } from "../ports/agent-adapter.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store, StoredInteraction } from "../ports/store.ts";
import type { LiveSession } from "../session/live-session.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import type { SessionLog } from "../session/session-log.ts";
import { dropResult } from "./confirm-answers.ts";

const PAGE_SIZE = 200;

export interface CloseInteractionsParts {
  readonly store: Store;
  readonly log: SessionLog;
  readonly clock: Clock;
  readonly settle: SettleInteraction;
  readonly waiters: Waiters;
}

/** A turn that has ended. */
interface Ending {
  readonly live: LiveSession;
  readonly turn: RunningTurn;
  readonly result: TurnResult;
}

/**
 * The turn's interactions that are pending, or answered but not yet taken. Queued ones and a program's asks outlive the
 * turn.
 */
export async function listOpenInteractions(
  store: Store,
  turn: RunningTurn,
): Promise<StoredInteraction[]> {
  const found: StoredInteraction[] = [];
  const { sessionId } = turn;
  const query = { statuses: OUTSTANDING_STATUSES, sessionId, limit: PAGE_SIZE };
  for await (const { items } of pagesOf((start) =>
    store.listInteractions({ ...query, ...start }),
  )) {
    found.push(...items.filter((stored) => isOf(turn, stored)));
  }
  return found;
}

function isOf(
  { turnId, calls, startedBy }: RunningTurn,
  { interaction }: StoredInteraction,
): boolean {
  if (isQueued(interaction) || isKept(interaction)) return false;
  if (interaction.turnId === turnId || calls.adopted.has(interaction.interactionId)) return true;
  // Interactions of an earlier turn that this one had taken up before its gateway died.
  return startedBy === "attach" && !isParked(interaction) && !isResuming(interaction);
}

/**
 * Ends each interaction to match the end of its turn: withdrawn if the agent has ended the turn itself, otherwise open
 * for a late answer. Resolves to the interactions whose response must go to the agent as a message.
 */
export async function closeInteractions(
  parts: CloseInteractionsParts,
  ending: Ending,
  open: readonly StoredInteraction[],
): Promise<StoredInteraction[]> {
  const parked = await parkLost(parts, ending, open);
  const goesOn = parked ?? open.find(({ interaction }) => isForNextRun(ending.turn, interaction));
  const closing = open.filter((stored) => stored !== parked && !isOfCall(goesOn, stored));
  const undelivered = await Promise.all(closing.map((stored) => closeOne(parts, ending, stored)));
  if (!goesOn) await dropResults(parts, ending);
  return undelivered.flatMap((stored) => stored ?? []);
}

/** Parks the only call that a lost agent was waiting for, if the agent can be restarted there. */
async function parkLost(
  parts: CloseInteractionsParts,
  { live, turn, result }: Ending,
  open: readonly StoredInteraction[],
): Promise<StoredInteraction | undefined> {
  const { clock, settle, waiters } = parts;
  const isLost = isAgentGone(result) && result.reason !== "parked" && !turn.stopRequest;
  if (!isLost) return undefined;
  const only = onlyCallOf(await listWaiting(parts, { live, turn, result }, open));
  if (!only || isParked(only.interaction)) return undefined;
  const { interactionId, toolCallId } = only.interaction;
  if (!(await live.agent?.canResume?.(toolCallId))) return undefined;
  const moved = await settle(only, { type: "park", at: toInstant(clock.now()) });
  if (moved.status !== "moved") return undefined;
  waiters.drop(interactionId);
  return only;
}

/** Whether it belongs to an answered tool call, whose result a living agent waits for. */
function isAnsweredCall({ interaction, call }: StoredInteraction): boolean {
  return call !== undefined && interaction.status === "answered" && !isResuming(interaction);
}

/** The interactions that a lost agent waited for, and the answers that certainly had no effect on it. */
async function listWaiting(
  parts: CloseInteractionsParts,
  ending: Ending,
  open: readonly StoredInteraction[],
): Promise<StoredInteraction[]> {
  const waiting: StoredInteraction[] = [];
  for (const stored of open) {
    const waits =
      isHolding(stored.interaction) ||
      ending.turn.unasked.has(stored.interaction.interactionId) ||
      isAnsweredCall(stored) ||
      (await isNotTaken(parts, ending, stored));
    if (waits) waiting.push(stored);
  }
  return waiting;
}

/**
 * Whether an answer certainly had no effect on the agent. An agent that was started again for this answer and lost is not
 * started for it once more: the answer may be the cause.
 */
async function isNotTaken(
  { store }: CloseInteractionsParts,
  { live, turn }: Ending,
  stored: StoredInteraction,
): Promise<boolean> {
  const { interaction } = stored;
  if (interaction.status !== "answered" || isResuming(interaction)) return false;
  if (turn.resumes === interaction.interactionId) return false;
  if (await store.findMessage(turn.sessionId, lateMessageKey(interaction))) return false;
  return (await knowledgeOf(live.agent, stored)) === "not_taken";
}

/**
 * The interaction that an agent waits for, if all of the given ones belong to one tool call: the last pending one, or
 * else the last. `undefined` if they belong to several calls.
 */
export function onlyCallOf(waiting: readonly StoredInteraction[]): StoredInteraction | undefined {
  const [first, ...others] = waiting;
  if (others.length > 0 && !others.every((other) => isOfCall(first, other))) return undefined;
  return waiting.findLast(({ interaction }) => isHolding(interaction)) ?? waiting.at(-1);
}

/** Whether one call of a gateway tool asked both. */
function isOfCall(one: StoredInteraction | undefined, { interaction, call }: StoredInteraction) {
  return (
    one?.call !== undefined &&
    call?.callDigest === one.call.callDigest &&
    interaction.toolCallId === one.interaction.toolCallId
  );
}

/** Whether its answer restarts the agent. It may have come while the agent was being ended. */
function isForNextRun(turn: RunningTurn, interaction: Interaction): boolean {
  return (
    isParked(interaction) || (isResuming(interaction) && turn.resumes !== interaction.interactionId)
  );
}

/** Deletes kept results, because no call of this turn comes again. */
async function dropResults(parts: CloseInteractionsParts, { turn }: Ending): Promise<void> {
  for (const interactionId of turn.unconfirmed.takeAll()) {
    const stored = await parts.store.getInteraction(interactionId);
    if (stored && stored.interaction.status !== "answered") await dropResult(parts, stored);
  }
}

async function closeOne(
  parts: CloseInteractionsParts,
  { live, turn, result }: Ending,
  stored: StoredInteraction,
): Promise<StoredInteraction | undefined> {
  const { interaction } = stored;
  if (isForNextRun(turn, interaction)) return undefined;
  const at = toInstant(parts.clock.now());
  const input = isAgentGone(result)
    ? ({ type: "orphan", at, reason: "The agent that asked is gone." } as const)
    : ({
        type: "withdraw",
        at,
        reason: turn.stopRequest?.reason ?? "The turn has ended.",
      } as const);
  const closed = await parts.settle(stored, input);
  if (closed.status === "gone" || closed.stored.interaction.status !== "answered") return undefined;
  return closeAnswered(parts, { live, turn, result }, closed.stored);
}

/** Records the delivery of an answer that the agent has, or may have. Any other answer must go to it as a message. */
async function closeAnswered(
  parts: CloseInteractionsParts,
  { live, turn, result }: Ending,
  stored: StoredInteraction,
): Promise<StoredInteraction | undefined> {
  const { interactionId, toolCallId } = stored.interaction;
  const key = lateMessageKey(stored.interaction);
  if (await parts.store.findMessage(turn.sessionId, key)) return undefined;
  if (turn.unasked.has(interactionId)) return stored;
  const knowledge = await knowledgeOf(live.agent, stored);
  // An agent that is alive has the results of its calls.
  const hasAll = !isAgentGone(result) && turn.given.has(toolCallId);
  const how = hasAll ? "resumed" : knowledge;
  if (how === "not_taken") return stored;
  const at = toInstant(parts.clock.now());
  await parts.settle(stored, { type: "deliver", at, how, turnId: turn.turnId });
  return undefined;
}

/** Whether the agent got an answer, as far as its own record and the row can show after it has ended. */
export async function knowledgeOf(
  agent: Pick<AgentSession, "findResult" | "hasNotActed"> | undefined,
  stored: StoredInteraction,
): Promise<"resumed" | "unknown" | "not_taken"> {
  const { interaction, call } = stored;
  const found = await agent?.findResult?.(interaction.toolCallId);
  if (found === "success") return "resumed";
  if (mayHaveRun(stored)) {
    return !found && (await hasNotActed(agent, stored)) ? "not_taken" : "unknown";
  }
  // The call has ended with an error, possibly from its own run.
  const isApproved = interaction.response?.action === "approve";
  return found === "error" && isApproved && !call ? "unknown" : "not_taken";
}

/** The calls of gateway tools have a record of their own. */
async function hasNotActed(
  agent: Pick<AgentSession, "hasNotActed"> | undefined,
  { interaction, call, requestId }: StoredInteraction,
): Promise<boolean> {
  if (call || !agent?.hasNotActed) return false;
  return agent.hasNotActed({ interaction, ...(requestId !== undefined && { requestId }) });
}

/** Whether the agent never learned that its waits ended. */
export function isAgentGone(result: TurnResult): boolean {
  return result.reason === "parked" || (result.reason === "error" && result.isAgentLost === true);
}

/**
 * Whether an answered interaction is an approval that its agent or tool received and may have acted on. Repeating it
 * could make it act twice, while any other response can be repeated. A tool with a kept result has acted, as the result
 * describes.
 */
export function mayHaveRun({ interaction, call, keptResult }: StoredInteraction): boolean {
  if (call) return call.begun === true && !keptResult;
  return interaction.response?.action === "approve" && !isResuming(interaction);
}
