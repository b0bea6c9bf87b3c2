import {
  ProtocolError,
  type Interaction,
  type RespondBody,
  type SessionFrame,
  type SessionStatus,
} from "@holdpoint/protocol";
import { expect } from "vitest";

import { ada, bob, never } from "../gateway-fixture.ts";
import type { Disk } from "../memory-disk.ts";
import { createSequentialIds } from "../sequential-ids.ts";
import { AgentCall } from "./agent-call.ts";
import { CallModel, GRACE_MS, type ModelCall } from "./call-model.ts";
import { Doubts, RETRIES_MS } from "./doubts.ts";
import { Errands, type Told } from "./errands.ts";
import { Follower } from "./follower.ts";
import { startProcess, type GatewayProcess, type Outside } from "./gateway-process.ts";
import { RuleLedger } from "./rule-ledger.ts";
import { checkDisk } from "./schedule-disk.ts";
import { approvalOf, type Reply, SchedulePersons } from "./schedule-persons.ts";
import { findCall, phasesBetween, type CallRow } from "./schedule-rows.ts";
import {
  clientCount,
  errandSession,
  sessionCount,
  talkSession,
  type CrashStep,
  type EarlyAnswer,
  type PlainStep,
  type PlainStepOf,
  type Step,
} from "./schedule-steps.ts";

/** Longer than the graces, and than the detection of a changed wall clock. */
const QUIET_MS = 10_001;

/**
 * A gateway and its model: both take every step. `schedule-checks.ts` contains the comparisons, and the rules that
 * always apply.
 */
export class Schedule implements AsyncDisposable {
  readonly ledger: RuleLedger;
  readonly sessions: readonly string[];
  /** A page for each session, connected all the time. */
  readonly followers: readonly Follower[];
  readonly model = new CallModel(clientCount);
  readonly calls: AgentCall[] = [];
  /** Interaction → the acknowledged action of a person. */
  readonly acknowledged = new Map<string, RespondBody["action"]>();
  /** Interactions that people tried to answer, with the actions tried. */
  readonly said = new Map<string, Set<RespondBody["action"]>>();
  /** How many gateways have died. */
  crashes = 0;
  /** The sessions in which a write was reported as failed. */
  readonly failed = new Set<string>();
  /** Whether a write of this step fails. */
  isDiskBroken = false;
  readonly errands: Errands;
  readonly doubts = new Doubts(this);
  readonly #persons = new SchedulePersons(this);
  readonly #outside: Outside;
  readonly #disk: Disk;
  readonly #ids: ReturnType<typeof createSequentialIds>;
  #process: GatewayProcess;
  #restartedMs = -Infinity;
  #onFrame: ((sessionId: string, frame: SessionFrame) => void) | undefined;

  private constructor(start: {
    readonly disk: Disk;
    readonly ids: ReturnType<typeof createSequentialIds>;
    readonly process: GatewayProcess;
    readonly outside: Outside;
    readonly sessions: readonly string[];
    readonly ledger: RuleLedger;
  }) {
    this.#disk = start.disk;
    this.#ids = start.ids;
    this.#process = start.process;
    this.#outside = start.outside;
    this.errands = new Errands(this, this.#persons);
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
    const outside: Outside = { transcripts: new Map(), told: new Map() };
    const process = await startProcess(disk, { ids, outside });
    const sessions: string[] = [];
    while (sessions.length < sessionCount) {
      const agent = sessions.length === errandSession ? "parkable" : "scripted";
      sessions.push((await process.gateway.createSession(ada, { agent })).sessionId);
    }
    return new Schedule({ disk, ids, process, outside, sessions, ledger });
  }

  /** For this long after a crash a gateway waits for repeated calls. */
  get mayCallAgain(): boolean {
    return this.model.nowMs - this.#restartedMs <= GRACE_MS + RETRIES_MS;
  }

  /** The answers to the agents that can be parked, over all of their lives. */
  get told(): Told {
    return this.#outside.told;
  }

  /** The running gateway. */
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
        await this.#persons.race(step.call);
        break;
      case "nonsense":
        await this.#persons.talkNonsense(step.call);
        break;
      case "mode":
        await this.process.gateway.updateSession(ada, this.sessions[talkSession]!, {
          permissionMode: step.mode,
        });
        break;
      case "dismiss":
        await this.#persons.dismiss(step.call);
        break;
      case "jump":
        await this.#jump(step.ms);
        break;
      case "fault":
        await this.#fail(step);
        break;
      case "crash":
        await this.#crash(step);
        break;
      default:
        await this.#act(step);
    }
    this.model.settle();
    this.errands.settle();
    await this.process.clock.settle();
    await this.doubts.check();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.followers.map((follower) => follower.disconnect()));
    await this.process[Symbol.asyncDispose]();
  }

  /** The session's status, as people see it. */
  async statusOf(sessionId: string): Promise<SessionStatus> {
    return (await this.process.gateway.getSession(ada, sessionId)).status;
  }

  /** The store's data of the call. */
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
        return this.#persons.answer(step);
      case "finish":
        return this.#finish(step.call);
      case "advance":
        return this.#advance(step);
      case "stop":
        if (step.session === errandSession) return this.#unlessBroken(() => this.errands.stop());
        this.model.stop(step.session);
        return this.#unlessBroken(() =>
          this.process.gateway.stopTurn(ada, this.sessions[step.session]!),
        );
      case "talk":
        return this.#unlessBroken(() =>
          this.process.send(this.sessions[talkSession]!, String(step.prompts)),
        );
      case "errand":
        return this.#unlessBroken(() => this.errands.send());
      case "errand_answer":
        return this.#unlessBroken(() => this.errands.answer(step));
      case "reply":
        return this.#unlessBroken(() => this.#persons.replyTo(step.prompt));
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
      const reply = this.#persons.respond(bob, asked!, approvalOf(asked!));
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
        const { code } = await this.#persons.respond(bob, interaction, approvalOf(interaction));
        if (!this.doubts.has(interaction.sessionId)) codes.push(code);
      };
    }
    await clock.advance(durationMs);
    store.onDue = undefined;
    if (!answersDue) return;
    const expected = due
      .filter((index) => !this.doubts.has(this.calls[index]!.sessionId))
      .map((index) => this.model.answer(index, "approved"));
    this.ledger.check("R-3", () => expect(codes).toEqual(expected));
  }

  #finish(pick: number): void {
    if (this.calls.length === 0) return;
    const index = pick % this.calls.length;
    this.model.finishAsQueued(index);
    this.calls[index]!.finishAsQueued();
  }

  async #unlessBroken(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error: unknown) {
      const isReported = this.isDiskBroken && ProtocolError.isInstance(error);
      if (!this.process.store.isDead && !isReported) throw error;
    }
  }

  /** All graces end when the wall clock is set, so that the result does not depend on their order. */
  async #jump(ms: number): Promise<void> {
    const { clock } = this.process;
    this.model.advance(QUIET_MS);
    await clock.advance(QUIET_MS);
    this.model.jumpWall(ms);
    clock.jumpWall(ms);
    this.model.advance(QUIET_MS);
    await clock.advance(QUIET_MS);
  }

  async #fail({ during, write, moment }: Extract<Step, { type: "fault" }>): Promise<void> {
    const { store, clock } = this.process;
    const earlier = store.failed.length;
    this.isDiskBroken = true;
    store.failAt(write, moment);
    await this.#act(during);
    this.model.settle();
    await clock.settle();
    store.failAt(0, moment);
    this.model.advance(RETRIES_MS);
    await clock.advance(RETRIES_MS);
    this.isDiskBroken = false;
    const failed = store.failed.slice(earlier);
    if (failed.length === 0) return;
    this.ledger.meet(moment === "after_commit" ? "a write that lied" : "a write that failed");
    for (const sessionId of failed) this.failed.add(sessionId);
    this.doubts.begin(failed);
    if (during.type === "call") await this.#forgetRefused();
    await this.errands.lookAfterFault(during, failed);
  }

  /** The request of the last call failed, and its agent knows. */
  async #forgetRefused(): Promise<void> {
    const call = this.calls.at(-1)!;
    if (await findCall(this.process.store, call)) return;
    this.ledger.check("R-5", () => expect(call.outcome).toBe("refused"));
    this.ledger.meet("refused");
    this.calls.pop();
    this.model.calls.pop();
  }

  async #crash(step: CrashStep): Promise<void> {
    const { during, write, moment, agentsCallAgain, agents } = step;
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
    if (agents === "forget") this.#outside.transcripts.clear();
    this.#process = await startProcess(this.#disk, {
      ids: this.#ids,
      outside: this.#outside,
      nowMs: dying.clock.now(),
      hasHosts: agents === "live",
    });
    this.#restartedMs = this.model.nowMs;
    for (const follower of this.followers) follower.connect(this.process.gateway);
    await this.process.clock.settle();
    await this.errands.lookAfterCrash(step);
    const again = this.model.restart(found, agentsCallAgain);
    for (const [index, call] of this.calls.entries()) {
      if (this.model.calls[index]!.outcome === "lost") call.lose();
    }
    this.doubts.endWithProcess();
    for (const index of again) {
      this.model.comeAgain(index);
      this.#begin(this.calls[index]!);
    }
  }

  /** The calls found on the disk. Answers of a gateway in its last moment do not count. */
  async #lookAtDisk(before: readonly ModelCall[]): Promise<CallRow[]> {
    await using disk = await this.#disk.open();
    await checkDisk(this, disk);
    const found: CallRow[] = [];
    for (const [index, call] of this.calls.entries()) {
      const row = await findCall(disk, call);
      const model = this.model.calls[index]!;
      if (row) found.push(row);
      // The last one may have died before its request.
      else expect(index).toBe(before.length);
      if (row && !this.doubts.has(call.sessionId)) {
        expect(phasesBetween(before[index]?.phase ?? "pending", model.phase)).toContain(row.phase);
      }
      model.outcome = before[index]?.outcome;
    }
    this.calls.length = found.length;
    this.model.calls.length = found.length;
    return found;
  }
}
