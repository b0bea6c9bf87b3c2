import { isHolding, isKept, isParked, isResuming, OUTSTANDING_STATUSES } from "@holdpoint/protocol";

import { eachLimited } from "../lib/each-limited.ts";
import { toInstant } from "../lib/instant.ts";
import type { AgentSession } from "../ports/agent-adapter.ts";
import type { StoredInteraction, StoredSession } from "../ports/store.ts";
import { startAgent } from "../session/agent-session.ts";
import { knowledgeOf, onlyCallOf } from "../turn/close-interactions.ts";
import { STOPPED } from "../turn/stop-turn.ts";
import type { Core } from "./core.ts";
import { endInterruptedTurn, lastTurn } from "./interrupted-turn.ts";
import { giveUpAnswered, giveUpHeld, isSentOn, recordDelivery } from "./repair.ts";

const AT_ONCE = 8;
const RETRY_MS = 1000;
const PAGE_SIZE = 1000;

/**
 * Sessions in which an agent waited when the gateway before this one died with it. Whether the agent can go on is in its own
 * files, so they are looked at once the gateway is open, a few at a time. Until then the session runs nothing, and an answer
 * to what it asked waits.
 */
export class Recovery {
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

  /** Resolves once it is known what becomes of the session, or the gateway closes. Looks at it now if nobody has. */
  async done(sessionId: string): Promise<void> {
    if (!this.#sessions.has(sessionId)) return;
    const looking = this.#sessions.get(sessionId) ?? this.#look(sessionId);
    this.#sessions.set(sessionId, looking);
    await looking;
  }

  /** Looks at all of them. */
  async run(): Promise<void> {
    await eachLimited(this.#sessions.keys(), AT_ONCE, (sessionId) => this.done(sessionId));
  }

  async #look(sessionId: string): Promise<void> {
    const core = this.#core();
    while (!core.draining.aborted) {
      try {
        await recoverSession(core, sessionId);
        this.#sessions.delete(sessionId);
        core.sessions.refreshStatus(sessionId);
        core.overview.sessionChanged(sessionId);
        return;
      } catch (error: unknown) {
        core.onError(error, "recovery");
        await core.clock.sleep(RETRY_MS, { signal: core.draining }).catch(() => undefined);
      }
    }
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

/** A person has stopped the turn, and the gateway died before all that it asked was withdrawn. */
async function finishStop(core: Core, sessionId: string): Promise<void> {
  const held = (await listOpen(core, sessionId)).filter(isHeld);
  for (const { interaction } of held) await core.withdraw(interaction.interactionId, STOPPED);
}

/** Finds out what becomes of each. True: the agent is parked at the only one. */
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
  for (const stored of open.filter((row) => !isHeld(row))) await giveUpAnswered(core, stored);
  return false;
}

/** Whether nothing is left to be done about an answer: its agent has got it, or nobody can know. */
async function isSettled(
  core: Core,
  agent: AgentSession | undefined,
  stored: StoredInteraction,
): Promise<boolean> {
  const knowledge = await knowledgeOf(agent, stored);
  // The same call gets the result, or hears that nobody knows it.
  const mayComeAgain = stored.call !== undefined && knowledge === "unknown";
  if (knowledge === "not_taken" || mayComeAgain) return false;
  await recordDelivery(core, stored, knowledge);
  return true;
}

function isHeld({ interaction }: StoredInteraction): boolean {
  return isHolding(interaction);
}

/** What the agent waited for, or has been answered and must be told. */
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

/** What is parked has no deadline; one that denies, or that a handler decides about, is kept. */
function mayWait({ interaction }: StoredInteraction): boolean {
  return interaction.deadlineAt === undefined || interaction.onTimeout === "wait";
}

/** To look at the agent's own files. One that cannot be opened cannot go on. */
async function openAgent(core: Core, session: StoredSession): Promise<AgentSession | undefined> {
  try {
    return await startAgent(core, session);
  } catch (error: unknown) {
    core.onError(error, "recovery");
    return undefined;
  }
}
