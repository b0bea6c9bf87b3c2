import type { Interaction, RespondBody, SessionEvent } from "@holdpoint/protocol";
import { expect } from "vitest";

import { ada, approval, never } from "../gateway-fixture.ts";
import type { TurnScript } from "../scripted-adapter.ts";
import type { SchedulePersons } from "./schedule-persons.ts";
import {
  errandSession,
  type CrashStep,
  type PlainStep,
  type PlainStepOf,
} from "./schedule-steps.ts";
import type { Schedule } from "./schedule.ts";

/** Errand → the answers that its agent got, over all of its lives. */
export type Told = Map<string, Set<string>>;

/**
 * An agent that can be parked and that survives its gateway in a host. Each errand asks for one approval, without a
 * time limit.
 */
export function createErrandScript(told: Told): TurnScript {
  return async ({ messageId, content }, context) => {
    const say = (text: string) =>
      context.emit({ type: "assistant_message", messageId: `said ${text}`, text, channel: "text" });
    if (!isErrand(content)) {
      await say(`notes ${messageId}`);
      return { reason: "done" };
    }
    await say(`begins ${content}`);
    const result = await context.hold(approval(content, { timeoutMs: Infinity }), {
      signal: never,
    });
    const heard = result.outcome === "answered" ? result.response.action : result.outcome;
    told.set(content, (told.get(content) ?? new Set()).add(heard));
    if (result.outcome === "answered") await result.delivered();
    await say(`ends ${content}`);
    return { reason: context.signal.aborted ? "stopped" : "done" };
  };
}

function isErrand(content: string): boolean {
  return /^errand \d+$/.test(content);
}

/** `open`: held, parked, or changing between them. `late`: its answer is a queued message. */
type Phase = "waiting" | "open" | "orphaned" | "withdrawn" | "late" | "delivered";

interface Errand {
  readonly name: string;
  phase: Phase;
  said: RespondBody["action"] | undefined;
  /** The id of its interaction, from the first time it was seen. */
  interactionId: string | undefined;
  /** Its agent's record of it was lost during parking: its answer is delivered as a message. */
  isForgotten: boolean;
}

/**
 * The errands of one session with the expected state of each, however often its agent is parked, resumed or taken
 * over.
 */
export class Errands {
  readonly #schedule: Schedule;
  readonly #persons: SchedulePersons;
  #sent = 0;
  #errands: Errand[] = [];
  /** Names of errands that are queued, or whose answer is. */
  #queue: string[] = [];

  constructor(schedule: Schedule, persons: SchedulePersons) {
    this.#schedule = schedule;
    this.#persons = persons;
  }

  get hasOpen(): boolean {
    return this.#errands.some(({ phase }) => phase === "open");
  }

  async send(): Promise<void> {
    const name = `errand ${this.#sent}`;
    this.#sent += 1;
    const asked = { said: undefined, interactionId: undefined, isForgotten: false };
    this.#errands.push({ name, phase: "waiting", ...asked });
    this.#queue.push(name);
    const content = { content: name, queue: true };
    await this.#schedule.process.gateway.sendMessage(ada, this.#sessionId, content);
  }

  async answer({ pick, approve }: PlainStepOf<"errand_answer">): Promise<void> {
    const asked = this.#errands.filter(({ phase }) => phase !== "waiting");
    const errand = asked.at(-1 - (pick % Math.max(1, asked.length)));
    if (!errand) return;
    const events = await this.#schedule.process.events(this.#sessionId);
    const interaction = await this.#interactionOf(errand, events);
    if (!interaction) return;
    const { digest } = interaction.approval!;
    const body = approve ? ({ action: "approve", digest } as const) : ({ action: "deny" } as const);
    const { code } = await this.#persons.respond(ada, interaction, body);
    if (this.#schedule.isDiskBroken && code === "STORE_UNAVAILABLE") return;
    const { phase } = errand;
    const isOpen = phase === "open" || phase === "orphaned";
    if (isOpen) {
      errand.said = body.action;
      const isLate = phase === "orphaned" || errand.isForgotten;
      errand.phase = isLate ? "late" : "delivered";
      if (isLate) this.#queue.push(errand.name);
    }
    if (this.#schedule.process.store.isDead) return;
    const refusal = phase === "withdrawn" ? "WITHDRAWN" : "ALREADY_ANSWERED";
    this.#schedule.ledger.check("R-1", () => expect(code).toBe(isOpen ? "accepted" : refusal));
  }

  async stop(): Promise<void> {
    for (const errand of this.#errands) if (errand.phase === "open") errand.phase = "withdrawn";
    await this.#schedule.process.gateway.stopTurn(ada, this.#sessionId);
  }

  /** Call it after each step: the next message is taken when nothing is open. */
  settle(): void {
    while (!this.hasOpen && this.#queue.length > 0) {
      const name = this.#queue.shift()!;
      const errand = this.#errands.find((one) => one.name === name)!;
      // A message with an answer may be repeated.
      errand.phase = errand.phase === "waiting" ? "open" : "delivered";
    }
  }

  async lookAfterCrash({ during, agents }: CrashStep): Promise<void> {
    await this.#look({ during, agents });
    this.#schedule.ledger.meet(`agents that ${agents}`);
  }

  /** Call it after failed writes in these sessions. */
  async lookAfterFault(during: PlainStep, failed: readonly string[]): Promise<void> {
    if (failed.includes(this.#sessionId)) await this.#look({ during, agents: undefined });
  }

  /** Reads the state of each errand: no open errand is lost, and a step in progress has happened or not. */
  async #look({ during, agents }: Trouble): Promise<void> {
    const { process, ledger, told } = this.#schedule;
    const queued = await process.store.listQueue(this.#sessionId);
    this.#queue = queued.flatMap(({ content, interactionId }) => {
      const late = this.#errands.find((one) => one.interactionId === interactionId);
      return isErrand(content) ? [content] : late ? [late.name] : [];
    });
    const events = await process.events(this.#sessionId);
    const kept: Errand[] = [];
    for (const errand of this.#errands) {
      const found = await this.#interactionOf(errand, events);
      const phase = found ? this.#phaseOf(found) : "waiting";
      // Its message is queued once the fate of its agent is known.
      if (phase === "late" && !this.#queue.includes(errand.name)) this.#queue.push(errand.name);
      // The last message may not have been taken, or its request could not be written.
      const isGone = !found && !this.#queue.includes(errand.name);
      ledger.check("R-4", () => {
        const allowed = phasesAfter(errand.phase, { during, agents });
        expect(allowed).toContain(isGone ? "gone" : phase);
      });
      if (isGone) {
        ledger.check("R-5", () => expect(told.get(errand.name) ?? []).not.toContain("approve"));
        continue;
      }
      const isForgotten = errand.isForgotten || (agents === "forget" && found?.hold === "parked");
      kept.push({ ...errand, phase, isForgotten });
    }
    this.#errands = kept;
  }

  async check(): Promise<void> {
    const { ledger, process, told } = this.#schedule;
    const events = await process.events(this.#sessionId);
    for (const errand of this.#errands) {
      const interaction = await this.#interactionOf(errand, events);
      const phase = interaction ? this.#phaseOf(interaction) : "waiting";
      ledger.check("R-4", () => {
        expect(`${errand.name} ${phase}`).toBe(`${errand.name} ${errand.phase}`);
      });
      if (!interaction) continue;
      ledger.meet(`errand ${phase} ${interaction.hold}`);
      if (interaction.how) ledger.meet(`errand ${interaction.how}`);
      // The same request of the same call, in every process.
      ledger.check("R-15", () => {
        errand.interactionId ??= interaction.interactionId;
        expect(interaction.interactionId).toBe(errand.interactionId);
      });
      ledger.check("R-5", () => {
        const said = this.#schedule.said.get(interaction.interactionId) ?? new Set();
        const heard = [...(told.get(errand.name) ?? [])];
        expect(heard.filter((one) => one === "approve" && !said.has(one))).toEqual([]);
        if (interaction.how === "resumed") expect(heard).toEqual([interaction.response?.action]);
      });
    }
    const session = await process.store.getSession(this.#sessionId);
    ledger.check("R-4", () => expect(session?.status === "idle" || this.hasOpen).toBe(true));
    const texts = events.flatMap((event) =>
      event.type === "assistant_message" ? [event.text] : [],
    );
    ledger.check("R-8", () => expect(texts).toEqual([...new Set(texts)]));
  }

  get #sessionId(): string {
    return this.#schedule.sessions[errandSession]!;
  }

  /** The interaction of the errand: there is only one, whatever happens to its agent. */
  async #interactionOf(
    errand: Errand,
    events: readonly SessionEvent[],
  ): Promise<Interaction | undefined> {
    const { process, ledger } = this.#schedule;
    const asked = events.flatMap((event) =>
      event.type === "interaction_request" && event.interaction.toolCallId === errand.name
        ? [event.interaction.interactionId]
        : [],
    );
    ledger.check("R-4", () => expect(asked.length).toBeLessThanOrEqual(1));
    const [interactionId] = asked;
    if (interactionId === undefined) return undefined;
    return (await process.store.getInteraction(interactionId))?.interaction;
  }

  #phaseOf({ status, interactionId }: Interaction): Phase {
    switch (status) {
      case "pending":
        return "open";
      case "answered":
        return "late";
      case "orphaned":
      case "withdrawn":
      case "delivered":
        return status;
      case "expired":
        throw new Error(`${interactionId} has no deadline, and has expired.`);
    }
  }
}

/** The trouble during a step: its gateway has died, or a write has failed. */
interface Trouble {
  readonly during: PlainStep;
  /** The fate of the agents, if the gateway has died. */
  readonly agents: CrashStep["agents"] | undefined;
}

/** The possible phases of an errand after trouble, for an errand that existed before the step. */
function phasesAfter(phase: Phase, { during, agents }: Trouble): readonly (Phase | "gone")[] {
  // `phase` is the intended result of the step, which may not have been reached.
  const open = agents === "forget" ? (["orphaned", "open"] as const) : (["open"] as const);
  switch (phase) {
    case "waiting":
    case "open":
      // Its message may not have been taken, or its agent died before it asked.
      return isAboutErrands(during) ? ["waiting", ...open, "gone"] : ["waiting", ...open];
    case "withdrawn":
      return during.type === "stop" ? ["withdrawn", ...open] : ["withdrawn"];
    case "orphaned":
      return ["orphaned"];
    case "late":
    case "delivered":
      return isAboutErrands(during)
        ? ["delivered", "late", "orphaned", ...open]
        : ["delivered", "late"];
  }
}

function isAboutErrands({ type }: CrashStep["during"]): boolean {
  return type === "errand" || type === "errand_answer" || type === "stop";
}
