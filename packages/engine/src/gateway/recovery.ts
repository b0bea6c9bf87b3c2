import { isHolding, isKept, isParked, isResuming, OUTSTANDING_STATUSES } from "@holdpoint/protocol";

import { eachLimited } from "../lib/each-limited.ts";
import { toInstant } from "../lib/instant.ts";
import { retryUntilDone } from "../lib/retry-until-done.ts";
import type { AgentSession } from "../ports/agent-adapter.ts";
import type { StoredInteraction, StoredSession } from "../ports/store.ts";
import { startAgent } from "../session/agent-session.ts";
import { knowledgeOf, onlyCallOf } from "../turn/close-interactions.ts";
import { STOPPED } from "../turn/stop-turn.ts";
import type { Core, SessionRecovery } from "./core.ts";
import { endInterruptedTurn, lastTurn } from "./interrupted-turn.ts";
import { giveUpAnswered, giveUpHeld, isSentOn, recordDelivery } from "./repair.ts";

const AT_ONCE = 8;
const PAGE_SIZE = 1000;

/**
 * Sessions whose agent was waiting when the previous gateway died with it. Only the agent's own files show whether it
 * can be resumed, so they are read once the gateway is open, a few at a time. Before that, the session runs nothing and
 * answers to its requests wait.
 */
export class Recovery implements SessionRecovery {
  readonly #core: () => Core;
  readonly #sessions = new Map<string, Promise<void> | undefined>();

  constructor(core: () => Core) {
    this.#core = core;
  }

  has(sessionId: string): boolean {
    return this.#sessions.has(sessionId);
  }

  add(sessionId: string): void {
    this.#sessions.set(sessionId, undefined);
  }

  async done(sessionId: string): Promise<void> {
    if (!this.#sessions.has(sessionId)) return;
    const looking = this.#sessions.get(sessionId) ?? this.#look(sessionId);
    this.#sessions.set(sessionId, looking);
    await looking;
  }

  async run(): Promise<void> {
    await eachLimited(this.#sessions.keys(), AT_ONCE, (sessionId) => this.done(sessionId));
  }

  async #look(sessionId: string): Promise<void> {
    const core = this.#core();
    if (core.draining.aborted) return;
    const recover = async (): Promise<void> => {
      await recoverSession(core, sessionId);
      this.#sessions.delete(sessionId);
      core.sessions.refreshStatus(sessionId);
      core.overview.sessionChanged(sessionId);
    };
    // Ends early when the gateway closes.
    await retryUntilDone(core, "recovery", recover).catch(() => undefined);
  }
}

async function recoverSession(core: Core, sessionId: string): Promise<void> {
  const session = await core.store.getSession(sessionId);
  if (!session) return;
  const isInterrupted = session.status !== "idle";
  if (isInterrupted && (await lastTurn(core, session)).isStopped) await finishStop(core, sessionId);
  const canGoOn = await recoverWaits(core, session, await listOpen(core, sessionId));
  if (isInterrupted) await endInterruptedTurn(core, session, canGoOn ? "parked" : "error");
  if (!canGoOn) core.kickQueue(sessionId);
}

/** Withdraws the remaining requests of a turn that a person had stopped before the gateway died. */
async function finishStop(core: Core, sessionId: string): Promise<void> {
  const held = (await listOpen(core, sessionId)).filter(isHeld);
  for (const { interaction } of held) await core.withdraw(interaction.interactionId, STOPPED);
}

/** Decides each open interaction. Resolves to true when the agent is parked at the only one. */
async function recoverWaits(
  core: Core,
  session: StoredSession,
  outstanding: readonly StoredInteraction[],
): Promise<boolean> {
  await using agent = await openAgent(core, session);
  const open: StoredInteraction[] = [];
  for (const stored of outstanding) {
    if (isHeld(stored) || !(await isSettled(core, agent, stored))) open.push(stored);
  }
  const only = onlyCallOf(open);
  const mayGoOn = only !== undefined && mayWait(only);
  if (mayGoOn && (await agent?.canResume?.(only.interaction.toolCallId))) {
    await core.settle(only, { type: "park", at: toInstant(core.clock.now()) });
    return true;
  }
  await giveUpHeld(core, session.sessionId, open.filter(isHeld));
  for (const stored of open.filter((row) => !isHeld(row))) {
    // Only the answer to a gateway tool can be open though nobody knows whether it was taken.
    await giveUpAnswered(core, stored, { isNotTaken: stored.call === undefined });
  }
  return false;
}

/** Whether an answer needs no further work: its agent has it, or no one can find out. */
async function isSettled(
  core: Core,
  agent: AgentSession | undefined,
  stored: StoredInteraction,
): Promise<boolean> {
  const knowledge = await knowledgeOf(agent, stored);
  // The same call gets the result, or an error if the result is unknown.
  const mayComeAgain = stored.call !== undefined && knowledge === "unknown";
  if (knowledge === "not_taken" || mayComeAgain) return false;
  await recordDelivery(core, stored, knowledge);
  return true;
}

function isHeld({ interaction }: StoredInteraction): boolean {
  return isHolding(interaction);
}

/** Interactions that the agent waited for, and answers that it still has to get. */
async function listOpen(core: Core, sessionId: string): Promise<StoredInteraction[]> {
  const { items } = await core.store.listInteractions({
    statuses: OUTSTANDING_STATUSES,
    sessionId,
    limit: PAGE_SIZE,
  });
  const open: StoredInteraction[] = [];
  for (const stored of items) {
    const { interaction } = stored;
    if (isKept(interaction)) continue;
    const isAnswered = interaction.status === "answered" && !isResuming(interaction);
    const isOpen = isAnswered
      ? !(await isSentOn(core, stored))
      : isHolding(interaction) && !isParked(interaction);
    if (isOpen) open.push(stored);
  }
  return open;
}

/** Parked interactions have no deadline. A deadline that denies, or that a handler decides on, prevents parking. */
function mayWait({ interaction }: StoredInteraction): boolean {
  return interaction.deadlineAt === undefined || interaction.onTimeout === "wait";
}

/** Opens the agent to read its own files. An agent that cannot be opened cannot be resumed. */
async function openAgent(core: Core, session: StoredSession): Promise<AgentSession | undefined> {
  try {
    return await startAgent(core, session);
  } catch (error: unknown) {
    core.onError(error, "recovery");
    return undefined;
  }
}
