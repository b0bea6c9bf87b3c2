import type { UUID } from "node:crypto";

import type {
  ElicitationResult,
  SDKMessage,
  SDKResultMessage,
} from "@anthropic-ai/claude-agent-sdk";
import type {
  AgentOffers,
  AgentSession,
  ApprovedCall,
  TurnContext,
  TurnMessage,
  TurnRecord,
  TurnResult,
} from "@holdpoint/engine";
import { ProtocolError } from "@holdpoint/protocol";

import { loggedCall } from "./already-logged.ts";
import type { ClaudeProcess } from "./claude-process.ts";
import { ClaudeTurn } from "./claude-turn.ts";
import { deny } from "./denials.ts";
import type { Elicitation } from "./elicitation.ts";
import { findHopelessRetry } from "./hopeless-retry.ts";
import { KeptProcess } from "./kept-process.ts";
import {
  findResult,
  findResumableCall,
  markCall,
  untilRecorded,
  type ParkingPlace,
  type ResumableCall,
  type ResumedCall,
} from "./parking.ts";
import { findPermissionMode } from "./permission-modes.ts";
import { toPrompt } from "./prompt-content.ts";
import { refuseCommand } from "./refuse-command.ts";
import { SessionFacts } from "./session-facts.ts";
import type { ClaudeSessionOptions } from "./session-options.ts";
import { startProcess, type ProcessOwner } from "./start-process.ts";
import { stopTurn } from "./stop-turn.ts";
import { toUuid } from "./to-uuid.ts";
import { forThisTimeOnly, type Decision, type ToolAsk } from "./tool-ask.ts";
import { parseNote, toNote } from "./turn-note.ts";
import {
  CALL_GONE,
  crashed,
  isConversationGone,
  resultOfLoss,
  toTurnResult,
} from "./turn-result.ts";
import type { TurnStart } from "./turn-start.ts";
import { UnansweredServers } from "./unanswered-servers.ts";

/** How long a process that resumes a call may stay silent. */
const RESUME_LIMIT_MS = 60_000;

/** One conversation with Claude. A turn uses the process that is kept, or starts one that resumes the conversation. */
export class ClaudeSession implements AgentSession {
  readonly #options: ClaudeSessionOptions;
  readonly #facts: SessionFacts;
  readonly #kept: KeptProcess;
  readonly #unheard = new UnansweredServers();
  #turn: ClaudeTurn | undefined;
  /** The running turn's process. Messages of other processes belong to no turn. */
  #serving: ClaudeProcess | undefined;
  /** The runtime's id of the message that starts the running turn, if there is one. */
  #promptId: UUID | undefined;
  /** The call that the running turn resumes. Until the call has its result, the process is in the call's mode. */
  #resumed: ResumedCall | undefined;
  #isParking = false;
  /** Whether the agent is left to the next gateway. */
  #isDetached = false;
  #isConversationGone = false;

  constructor(options: ClaudeSessionOptions) {
    this.#options = options;
    this.#facts = new SessionFacts(options, (turn, error) => this.#fail(turn, error));
    this.#kept = new KeptProcess(options);
  }

  async runTurn(message: TurnMessage, context: TurnContext): Promise<TurnResult> {
    const passesAll = this.#facts.mode.mayAllowAll;
    const refused = passesAll ? undefined : await refuseCommand(message.content, this.#options);
    if (refused) return refused;
    const beginning: TurnStart = {
      open: async () => {
        this.#promptId = toUuid(this.#options.ids.next("msg"));
        return this.#kept.current ?? this.#start();
      },
      go: (_, process) => process?.send(toPrompt(message, this.#promptId)),
    };
    const result = await this.#serve(context, beginning);
    if (!this.#isConversationGone) return result;
    this.#facts.conversation.forget();
    await context.emit({
      type: "error",
      code: "AGENT_CANNOT_RESUME",
      message: "Claude has lost its record of this conversation and starts a new one.",
    });
    return this.#serve(context, beginning);
  }

  async canResume(toolCallId: string): Promise<boolean> {
    const turn = this.#turn;
    const find = async (): Promise<boolean> =>
      turn?.hasOtherOpenCalls(toolCallId) !== true &&
      (await findResumableCall(this.#place, toolCallId)) !== undefined;
    if (turn === undefined || turn.isEnded) return find();
    return untilRecorded(find, { clock: this.#options.clock, signal: turn.context.signal });
  }

  async findResult(toolCallId: string): Promise<"error" | "success" | undefined> {
    return findResult(this.#place, toolCallId);
  }

  async hasNotActed(approved: ApprovedCall): Promise<boolean> {
    return (await this.#options.hasNotActed(approved).catch(() => undefined)) === true;
  }

  async park(): Promise<void> {
    const turn = this.#turn;
    if (turn === undefined || this.#serving === undefined) return;
    this.#isParking = true;
    // By force: an agent that sees the end of its input takes it for an answer.
    this.#serving.kill();
    await turn.ended;
  }

  async resumeTurn(toolCallId: string, context: TurnContext): Promise<TurnResult> {
    // An idle process may still be writing to the record.
    await this.#kept.end();
    const found = await findResumableCall(this.#place, toolCallId);
    if (found === undefined) return CALL_GONE;
    const result = await this.#serve(context, {
      told: [loggedCall(found)],
      resumed: found,
      open: () => this.#startAt(found),
      go: (turn) => void this.#expectLife(turn),
    });
    return this.#isConversationGone ? CALL_GONE : result;
  }

  async attachTurn(context: TurnContext, record: TurnRecord): Promise<TurnResult> {
    const { told, asked, readMessage } = record;
    const { resumed, promptId } = parseNote(this.#options.noteOfLeft());
    let unsaid: TurnMessage | undefined;
    const isOver = told.some(
      (event) => event.type === "tool_result" && event.toolCallId === resumed?.toolCallId,
    );
    return this.#serve(context, {
      told: resumed ? [loggedCall(resumed), ...told] : told,
      asked,
      resumed,
      isLeft: true,
      open: async () => {
        if (!isOver) this.#resumed = resumed;
        this.#promptId = promptId;
        const process = await this.#start(resumed, true);
        if (resumed && isOver) this.#enterMode(process, resumed);
        if (promptId !== undefined && !(await process.hasGot(promptId))) {
          unsaid = await readMessage();
        }
        return process;
      },
      go: (_, process) => unsaid && process?.send(toPrompt(unsaid, promptId)),
    });
  }

  async detach(): Promise<void> {
    this.#isDetached = true;
    await this.#serving?.detach();
  }

  async setPermissionMode(mode: string): Promise<void> {
    const found = findPermissionMode(mode, this.#options.modeConditions);
    if (found === undefined) {
      throw new ProtocolError("INVALID_REQUEST", `Claude has no permission mode "${mode}" here.`);
    }
    // Set first, so that the runtime's own report of the change is not taken for another change.
    const takeBack = this.#facts.mode.choose(found);
    // While a call is being resumed, the process stays in the call's mode.
    if (this.#resumed !== undefined) return;
    try {
      await this.#kept.tell((process) => process.setPermissionMode(found));
    } catch (error: unknown) {
      takeBack();
      throw error;
    }
  }

  async setModel(model: string | undefined): Promise<void> {
    await this.#kept.tell((process) => process.setModel(model));
    this.#facts.model.choose(model);
  }

  /** The offers reported by the process; `undefined` without a process. */
  async offers(): Promise<AgentOffers | undefined> {
    // A process that is ending reports nothing.
    return this.#kept.current?.offers().catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#kept[Symbol.asyncDispose]();
    if (!this.#isDetached) await this.#turn?.end({ reason: "stopped" });
    this.#options.onDispose();
  }

  async #serve(context: TurnContext, beginning: TurnStart): Promise<TurnResult> {
    if (this.#turn !== undefined) throw new Error("A turn of this session is running.");
    this.#kept.occupy();
    const { clock, cwd } = this.#options;
    const turn = new ClaudeTurn({ context, cwd, clock, ...beginning });
    this.#turn = turn;
    this.#promptId = undefined;
    this.#isConversationGone = false;
    const onStop = (): void => void stopTurn(turn, this.#kept, clock);
    context.signal.addEventListener("abort", onStop, { once: true });
    try {
      await this.#unheard.tell(context);
      await this.#begin(turn, beginning);
      const result = await turn.ended;
      return context.signal.aborted ? { reason: "stopped" } : result;
    } finally {
      context.signal.removeEventListener("abort", onStop);
      // The process's tools and mode may be for this turn alone, and it writes to its record until it has ended.
      if (beginning.resumed) await this.#kept.end();
      this.#serving?.setTurn({});
      this.#resumed = undefined;
      this.#isParking = false;
      this.#turn = undefined;
      this.#serving = undefined;
      this.#kept.release();
    }
  }

  async #begin(turn: ClaudeTurn, { open, go, resumed, isLeft }: TurnStart): Promise<void> {
    try {
      // A process left by another gateway is opened even for a stopped turn, so that it can be ended.
      if (isLeft || this.#canGoOn(turn)) this.#serving = await open();
      if (this.#canGoOn(turn)) {
        const note = toNote({ resumed, promptId: this.#promptId });
        this.#serving?.setTurn({ turnId: turn.context.turnId, note });
        go(turn, this.#serving);
        return;
      }
      // Nothing was sent, so there is no end to wait for; the process may be half started.
      this.#kept.drop();
      await turn.end({ reason: "stopped" });
    } catch (error: unknown) {
      this.#kept.drop();
      const result = await this.#options.withCause(crashed(error));
      await turn.end({ ...result, ...(isLeft && { isAgentLost: true }) });
    }
  }

  #canGoOn({ context }: ClaudeTurn): boolean {
    return !context.signal.aborted && !this.#kept.isDisposed;
  }

  /** Starts a process at this call. It gets no message: the runtime continues once the call has its result. */
  async #startAt(found: ResumableCall): Promise<ClaudeProcess> {
    await markCall(found, this.#options);
    this.#resumed = found;
    return this.#start(found);
  }

  /** Ends the turn if the process stays silent: a runtime that does not know the mark would wait forever. */
  async #expectLife(turn: ClaudeTurn): Promise<void> {
    const { clock } = this.#options;
    // Wakes early when the agent has begun or the turn has ended.
    await clock.sleep(RESUME_LIMIT_MS, { signal: turn.begun }).catch(() => undefined);
    if (turn.begun.aborted) return;
    this.#kept.drop();
    await turn.end(CALL_GONE);
  }

  #start(resumed?: ResumedCall, isLeft = false): Promise<ClaudeProcess> {
    const owner: ProcessOwner = {
      onCreated: (process) => {
        this.#kept.keep(process);
        this.#serving = process;
      },
      onMessage: (process, message) => this.#receive(process, message),
      onEnd: (process, error) => this.#lose(process, error),
      onToolsMissing: async (problem) =>
        this.#turn?.complain("Claude could not be connected to the gateway's tools", problem),
      decide: (process, ask) => this.#decide(process, ask),
      elicit: (process, asked) => this.#elicit(process, asked),
      hasTurn: (process) => this.#turnOf(process) !== undefined,
      mayAllowAll: () => this.#facts.mode.mayAllowAll,
      interrupt: () => this.#kept.interrupt(),
      takeEdit: (call) => this.#turn?.takeEdit(call),
      noteDirectory: (call, directory) => this.#turn?.noteDirectory(call, directory),
    };
    const plan = {
      mode: resumed?.mode ?? this.#facts.mode.current,
      model: this.#facts.model.chosen,
      conversationId: this.#facts.conversation.id,
      resumed,
      isLeft,
    };
    return startProcess(this.#options, plan, owner);
  }

  get #place(): ParkingPlace | undefined {
    return this.#facts.conversation.placeIn(this.#options);
  }

  async #receive(process: ClaudeProcess, message: SDKMessage): Promise<void> {
    const turn = this.#turnOf(process);
    // Between turns the agent does no work, so a message without a turn carries nothing that is needed.
    if (turn === undefined) return;
    const hopeless = findHopelessRetry(message);
    if (hopeless) return this.#giveUp(turn, hopeless);
    this.#facts.hear(message, { turn, process, resumedMode: this.#resumed?.mode });
    let receipts: readonly string[] = [];
    try {
      if (message.type === "result") await this.#finish(message, turn);
      else receipts = await turn.take(message);
      if (message.uuid !== undefined) process.settle(message.uuid);
    } catch (error: unknown) {
      this.#fail(turn, error);
    }
    const resumed = this.#resumed;
    if (resumed === undefined || !receipts.includes(resumed.toolCallId)) return;
    this.#resumed = undefined;
    this.#enterMode(process, resumed);
  }

  /** Switches to the session's own mode once the resumed call has its result. */
  #enterMode(process: ClaudeProcess, resumed: ResumedCall): void {
    const { current } = this.#facts.mode;
    if (current === resumed.mode) return;
    // If the change fails, the process stays in a mode that asks more.
    process.setPermissionMode(current).catch(() => undefined);
  }

  async #finish(result: SDKResultMessage, turn: ClaudeTurn): Promise<void> {
    const promptId = this.#promptId;
    const answered = result.user_message_uuids;
    if (promptId !== undefined && answered?.includes(promptId) === false) return;
    this.#isConversationGone = isConversationGone(result);
    if (this.#isConversationGone) this.#kept.drop();
    else this.#facts.count(result, turn);
    await turn.end(toTurnResult(result, turn.complaint, turn.limitEndsAt), { isByRuntime: true });
  }

  #lose(process: ClaudeProcess, error: Error | undefined): void {
    this.#kept.forget(process);
    if (this.#serving !== process || this.#isDetached) return;
    const turn = this.#turn;
    if (this.#isParking) void turn?.end({ reason: "parked" });
    else void this.#options.withCause(resultOfLoss(error)).then((result) => turn?.end(result));
  }

  /** Stops the agent when the log rejects its events. */
  #fail(turn: ClaudeTurn, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#giveUp(turn, { reason: "error", code: "AGENT_FAILED", message });
  }

  #giveUp(turn: ClaudeTurn, result: TurnResult): void {
    this.#kept.drop();
    void turn.end(result);
  }

  /** The turn that this process works for; `undefined` once that turn has ended. */
  #turnOf(process: ClaudeProcess): ClaudeTurn | undefined {
    return this.#serving === process && this.#turn?.isEnded === false ? this.#turn : undefined;
  }

  async #decide(process: ClaudeProcess, ask: ToolAsk): Promise<Decision> {
    const turn = this.#turnOf(process);
    if (turn === undefined) {
      return deny(`${ask.toolName} was not run: its turn has ended, so no person can be asked.`);
    }
    const { judge, cwd } = this.#options;
    const { toolName, input, about: asked } = ask;
    const use = { toolName, input, cwd, callId: asked.toolUseID };
    const verdict = await judge(use, asked.signal);
    if (verdict?.action === "deny") return deny(verdict.reason);
    const { about } = verdict ? forThisTimeOnly(ask, verdict) : ask;
    const signal = process.cancellationOf(about.signal);
    return turn.decide(
      { ...ask, about: { ...about, signal } },
      this.#resumed?.mode ?? this.#facts.mode.current,
    );
  }

  async #elicit(process: ClaudeProcess, asked: Elicitation): Promise<ElicitationResult> {
    const turn = this.#turnOf(process);
    if (turn === undefined) {
      this.#unheard.note(asked.request.serverName);
      return { action: "cancel" };
    }
    return turn.elicit({ ...asked, signal: process.cancellationOf(asked.signal) });
  }
}
