import {
  ProtocolError,
  type Caller,
  type Interaction,
  type RespondBody,
  type RespondResult,
  type SessionFrame,
} from "@holdpoint/protocol";
import { expect } from "vitest";

import { ada, bob, never } from "../gateway-fixture.ts";
import type { Disk } from "../memory-disk.ts";
import { createSequentialIds } from "../sequential-ids.ts";
import { AgentCall } from "./agent-call.ts";
import { CallModel, type ModelCall } from "./call-model.ts";
import { Follower } from "./follower.ts";
import { startProcess, type GatewayProcess } from "./gateway-process.ts";
import { RuleLedger } from "./rule-ledger.ts";
import { checkDisk } from "./schedule-disk.ts";
import { findCall, phasesBetween, type CallRow } from "./schedule-rows.ts";
import {
  clientCount,
  sessionCount,
  talkSession,
  type EarlyAnswer,
  type PlainStep,
  type Step,
} from "./schedule-steps.ts";

type PlainStepOf<TType> = Extract<PlainStep, { type: TType }>;

/** What came of a response: `accepted`, or the code of the problem. */
interface Reply {
  readonly code: string;
  readonly result: RespondResult | undefined;
}

/**
 * A gateway beside its model: both take every step. What the two must agree on, and what must hold anyway, is in
 * `schedule-checks.ts`.
 */
export class Schedule implements AsyncDisposable {
  readonly ledger: RuleLedger;
  readonly sessions: readonly string[];
  /** A page for each session that is there all the time. */
  readonly followers: readonly Follower[];
  readonly model = new CallModel(clientCount);
  readonly calls: AgentCall[] = [];
  /** Interaction → what a person said of which they were told that it counts. */
  readonly acknowledged = new Map<string, RespondBody["action"]>();
  /** Interactions that a person has tried to answer, and how. */
  readonly said = new Map<string, Set<RespondBody["action"]>>();
  /** How many gateways have died. */
  crashes = 0;
  readonly #disk: Disk;
  readonly #ids: ReturnType<typeof createSequentialIds>;
  #process: GatewayProcess;
  #onFrame: ((sessionId: string, frame: SessionFrame) => void) | undefined;

  private constructor(start: {
    readonly disk: Disk;
    readonly ids: ReturnType<typeof createSequentialIds>;
    readonly process: GatewayProcess;
    readonly sessions: readonly string[];
    readonly ledger: RuleLedger;
  }) {
    this.#disk = start.disk;
    this.#ids = start.ids;
    this.#process = start.process;
    this.ledger = start.ledger;
    this.sessions = start.sessions;
    this.followers = start.sessions.map(
      (sessionId) =>
        new Follower(sessionId, { onFrame: (frame) => this.#onFrame?.(sessionId, frame) }),
    );
    for (const follower of this.followers) follower.connect(start.process.gateway);
  }

  static async open(disk: Disk, ledger: RuleLedger = new RuleLedger()): Promise<Schedule> {
    const ids = createSequentialIds();
    const process = await startProcess(disk, { ids });
    const sessions: string[] = [];
    while (sessions.length < sessionCount) sessions.push(await process.createSession());
    return new Schedule({ disk, ids, process, sessions, ledger });
  }

  /** The gateway that runs now. */
  get process(): GatewayProcess {
    return this.#process;
  }

  async take(step: Step): Promise<void> {
    switch (step.type) {
      case "connect":
      case "disconnect":
        this.model.setClient(step.client, { connected: step.type === "connect" });
        this.process.clients[step.client]![step.type]();
        break;
      case "toggle":
        this.model.setClient(step.client, { enabled: step.enabled });
        await this.process.gateway.setInteractionMode(ada, `client_${step.client}`, {
          enabled: step.enabled,
        });
        break;
      case "race":
        await this.#race(step.call);
        break;
      case "nonsense":
        await this.#talkNonsense(step.call);
        break;
      case "mode":
        await this.process.gateway.updateSession(ada, this.sessions[talkSession]!, {
          permissionMode: step.mode,
        });
        break;
      case "crash":
        await this.#crash(step);
        break;
      default:
        await this.#act(step);
    }
    this.model.settle();
    await this.process.clock.settle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.followers.map((follower) => follower.disconnect()));
    await this.process[Symbol.asyncDispose]();
  }

  /** What the store has of the call. */
  async row(index: number): Promise<CallRow> {
    const call = this.calls[index]!;
    const row = await findCall(this.process.store, call);
    if (!row) throw new Error("A call has asked nothing.");
    this.ledger.check("R-15", () => expect(row.interaction.approval!.input).toEqual(call.args));
    return row;
  }

  async #act(step: PlainStep): Promise<void> {
    switch (step.type) {
      case "call":
        return this.#call(step);
      case "answer":
        return this.#answer(step);
      case "finish":
        return this.#finish(step.call);
      case "advance":
        return this.#advance(step);
      case "stop":
        this.model.stop(step.session);
        return this.#unlessDead(() =>
          this.process.gateway.stopTurn(ada, this.sessions[step.session]!),
        );
      case "talk":
        return this.#unlessDead(() =>
          this.process.send(this.sessions[talkSession]!, String(step.prompts)),
        );
      case "reply":
        return this.#unlessDead(() => this.#replyTo(step.prompt));
    }
  }

  async #call({ kind, session, early }: PlainStepOf<"call">): Promise<void> {
    const sessionId = this.sessions[session]!;
    const index = this.calls.length;
    const earlier = this.calls.filter((call) => call.sessionId === sessionId).length;
    const call = new AgentCall(
      { sessionId, toolCallId: `call_${earlier}` },
      { kind, index, ledger: this.ledger },
    );
    this.calls.push(call);
    this.model.call(kind, session);
    if (!early) return this.#begin(call);
    await this.#answerEarly(call, early);
    this.model.answer(index, "approved");
  }

  #begin(call: AgentCall): void {
    const { sessionId, toolCallId, kind: name, args } = call;
    const request = { sessionId, toolCallId, name, args };
    call.begin(this.process.gateway.tools.call(request, { signal: never }));
  }

  /** Approves a call before its commit ends, while the gateway publishes it, or in the stream of a page. */
  async #answerEarly(call: AgentCall, early: EarlyAnswer): Promise<void> {
    const replies: Promise<Reply>[] = [];
    let asked: Interaction | undefined;
    const isIt = ({ sessionId, toolCallId }: Interaction) =>
      sessionId === call.sessionId && toolCallId === call.toolCallId;
    const approve = () => {
      const reply = this.#respond(bob, asked!, approvalOf(asked!));
      replies.push(reply);
      return reply;
    };
    this.process.onRequest = async (interaction) => {
      if (!isIt(interaction)) return;
      asked = interaction;
      if (early === "commit") await approve();
      if (early === "publication") void approve();
    };
    this.#onFrame = (_, frame) => {
      if (early !== "frame" || frame.type !== "interaction_request") return;
      if (isIt(frame.interaction)) void approve();
    };
    this.#begin(call);
    await this.process.clock.settle();
    this.process.onRequest = undefined;
    this.#onFrame = undefined;
    const codes = (await Promise.all(replies)).map(({ code }) => code);
    const row = await findCall(this.process.store, call);
    this.ledger.check("R-9", () => {
      expect(codes).toEqual(["accepted"]);
      expect(row).toMatchObject({ phase: "delivered", how: "resumed" });
      expect(call.outcome).toBe("approved");
    });
  }

  async #advance({ durationMs, answersDue = false }: PlainStepOf<"advance">): Promise<void> {
    const { store, clock } = this.process;
    const codes: string[] = [];
    const due = this.model.advance(durationMs);
    if (answersDue) {
      store.onDue = async ({ interaction }) => {
        codes.push((await this.#respond(bob, interaction, approvalOf(interaction))).code);
      };
    }
    await clock.advance(durationMs);
    store.onDue = undefined;
    if (!answersDue) return;
    const expected = due.map((index) => this.model.answer(index, "approved"));
    this.ledger.check("R-3", () => expect(codes).toEqual(expected));
  }

  #finish(pick: number): void {
    if (this.calls.length === 0) return;
    const index = pick % this.calls.length;
    this.model.finishAsQueued(index);
    this.calls[index]!.finishAsQueued();
  }

  /** The call that a step is about, and what it has asked; the latest ones are picked most. */
  async #pick(pick: number): Promise<{ index: number; interaction: Interaction } | undefined> {
    if (this.calls.length === 0) return undefined;
    const index = this.calls.length - 1 - (pick % this.calls.length);
    const { interaction } = await this.row(index);
    return { index, interaction };
  }

  async #answer({ client, call, approve }: PlainStepOf<"answer">): Promise<void> {
    const picked = await this.#pick(call);
    if (!picked) return;
    const { index, interaction } = picked;
    const { caller } = this.process.clients[client]!;
    const body = approve ? approvalOf(interaction) : ({ action: "deny" } as const);
    const isEnabled = this.model.clients[client]!.enabled;
    const { code } = await this.#respond(caller, interaction, body);
    const expected = isEnabled
      ? this.model.answer(index, approve ? "approved" : "denied")
      : "INTERACTION_DISABLED";
    if (this.process.store.isDead) return;
    this.ledger.check("R-13", () => expect(code).toBe(expected));
  }

  /** Two persons without a page answer at once. */
  async #race(call: number): Promise<void> {
    const picked = await this.#pick(call);
    if (!picked) return;
    const { index, interaction } = picked;
    const bodies = [approvalOf(interaction), { action: "deny" } as const];
    const persons = [ada, bob];
    const replies = await Promise.all(
      bodies.map((body, person) => this.#respond(persons[person]!, interaction, body)),
    );
    const codes = replies.map(({ code }) => code);
    const winner = codes.indexOf("accepted");
    const first = this.model.answer(index, winner === 0 ? "approved" : "denied");
    const second = this.model.answer(index, "denied");
    this.ledger.check("R-1", () => {
      expect(codes.toSorted()).toEqual([first, second].toSorted());
      if (winner < 0) return;
      const loser = replies[1 - winner]!.result;
      expect(loser).toMatchObject({
        problem: {
          winner: {
            action: bodies[winner]!.action,
            by: { person: persons[winner]!.person },
          },
        },
      });
    });
  }

  async #talkNonsense(call: number): Promise<void> {
    const picked = await this.#pick(call);
    if (!picked) return;
    const { index: place, interaction } = picked;
    const { digest } = approvalOf(interaction);
    const { phase, kind } = this.model.calls[place]!;
    const isOpen =
      phase === "pending" ||
      phase === "queued" ||
      phase === "expired" ||
      (phase === "orphaned" && kind !== "mailer");
    const bodies: RespondBody[] = [
      { action: "submit", values: {} },
      { action: "approve", digest, approvalScope: "always" },
      { action: "approve", digest: "0".repeat(64) },
      { action: "approve" },
    ];
    for (const [index, body] of bodies.entries()) {
      const { code } = await this.#respond(ada, interaction, body);
      const refusal = index === 2 ? "DIGEST_MISMATCH" : "INVALID_RESPONSE";
      this.ledger.check(index === 2 ? "R-6" : "R-11", () =>
        expect(isOpen ? [refusal] : ["WITHDRAWN", "ALREADY_ANSWERED"]).toContain(code),
      );
    }
  }

  async #replyTo(prompt: number): Promise<void> {
    const sessionId = this.sessions[talkSession]!;
    const asked = await this.process.store.listInteractions({
      statuses: ["pending", "orphaned"],
      sessionId,
      limit: 1000,
    });
    const { interaction } = asked.items[prompt % Math.max(1, asked.items.length)] ?? {};
    if (!interaction) return;
    const body: RespondBody =
      interaction.kind === "approval"
        ? { ...approvalOf(interaction), approvalScope: "session" }
        : { action: "submit", answers: [{ questionId: "q1", selected: ["r"] }] };
    const { code } = await this.#respond(ada, interaction, body);
    if (!this.process.store.isDead) expect(code).toBe("accepted");
  }

  async #respond(caller: Caller, interaction: Interaction, body: RespondBody): Promise<Reply> {
    const { interactionId } = interaction;
    const said = this.said.get(interactionId) ?? new Set();
    this.said.set(interactionId, said.add(body.action));
    try {
      const result = await this.process.gateway.respond(caller, interactionId, body);
      if (result.status === "refused") return { code: result.problem.code, result };
      this.acknowledged.set(interactionId, body.action);
      return { code: "accepted", result };
    } catch (error: unknown) {
      if (ProtocolError.isInstance(error)) return { code: error.code, result: undefined };
      throw error;
    }
  }

  async #unlessDead(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error: unknown) {
      if (!this.process.store.isDead) throw error;
    }
  }

  async #crash({
    during,
    write,
    moment,
    agentsCallAgain,
  }: Extract<Step, { type: "crash" }>): Promise<void> {
    const dying = this.process;
    const before = this.model.calls.map((call): ModelCall => ({ ...call }));
    dying.store.killAt(write, moment);
    await this.#act(during);
    this.model.settle();
    await dying.clock.settle();
    dying.store.kill();
    this.crashes += 1;
    await Promise.all(this.followers.map((follower) => follower.disconnect()));
    const found = await this.#lookAtDisk(before);
    this.#process = await startProcess(this.#disk, { ids: this.#ids, nowMs: dying.clock.now() });
    for (const follower of this.followers) follower.connect(this.process.gateway);
    await this.process.clock.settle();
    const again = this.model.restart(found, agentsCallAgain);
    for (const [index, call] of this.calls.entries()) {
      if (this.model.calls[index]!.outcome === "lost") call.lose();
    }
    for (const index of again) {
      this.model.comeAgain(index);
      this.#begin(this.calls[index]!);
    }
  }

  /** What is left of the calls. What an agent heard from a gateway in its last moment counts for nothing. */
  async #lookAtDisk(before: readonly ModelCall[]): Promise<CallRow[]> {
    await using disk = await this.#disk.open();
    await checkDisk(this, disk);
    const found: CallRow[] = [];
    for (const [index, call] of this.calls.entries()) {
      const row = await findCall(disk, call);
      const model = this.model.calls[index]!;
      if (row) found.push(row);
      // The last one may have died before it asked.
      else expect(index).toBe(before.length);
      if (row) {
        expect(phasesBetween(before[index]?.phase ?? "pending", model.phase)).toContain(row.phase);
      }
      model.outcome = before[index]?.outcome;
    }
    this.calls.length = found.length;
    this.model.calls.length = found.length;
    return found;
  }
}

function approvalOf({ approval }: Interaction): { action: "approve"; digest: string } {
  return { action: "approve", digest: approval!.digest };
}
