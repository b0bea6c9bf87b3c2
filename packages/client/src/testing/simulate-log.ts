import type { Interaction, SessionEvent, SessionFrame, UnplacedEvent } from "@holdpoint/protocol";

/** One step of a simulated session: an event, and the frames a live follower could see before it. */
export interface SimulatedStep {
  readonly event: SessionEvent;
  readonly deltas: readonly SessionFrame[];
}

interface OpenCall {
  readonly toolCallId: string;
  readonly isCalled: boolean;
}

/**
 * A valid log made from a list of numbers; the same numbers give the same log. Turns reuse tool call and message ids,
 * calls have requests before and after they are logged, and answers come in time, late or never.
 */
export function simulateLog(choices: readonly number[]): SimulatedStep[] {
  return new Simulation().run(choices);
}

class Simulation {
  readonly #steps: SimulatedStep[] = [];
  readonly #interactions: Interaction[] = [];
  #turn = 0;
  #isRunning = false;
  #messages = 0;
  #calls: OpenCall[] = [];

  run(choices: readonly number[]): SimulatedStep[] {
    for (const choice of choices) this.#step(choice % 14, Math.floor(choice / 14));
    return this.#steps;
  }

  get #turnId(): string {
    return `turn-${this.#turn}`;
  }

  #step(action: number, detail: number): void {
    if (!this.#isRunning) return this.#startTurn(detail);
    switch (action) {
      case 0:
        return this.#endTurn(detail);
      case 1:
      case 2:
        return this.#say(detail);
      case 3:
        return this.#add({ type: "session_updated", title: `Title ${detail}` });
      case 4:
        return this.#add({ type: "error", code: "AGENT_FAILED", message: `Failure ${detail}` });
      case 5:
      case 6:
        return this.#call();
      case 7:
        return this.#endCall(detail);
      case 8:
      case 9:
        return this.#ask(detail);
      case 10:
      case 11:
        return this.#answer(detail);
      case 12:
        return this.#close(detail);
      default:
        return this.#deliver(detail);
    }
  }

  #startTurn(detail: number): void {
    this.#turn += 1;
    this.#isRunning = true;
    this.#messages = 0;
    this.#calls = [];
    const content = `Question ${detail}`;
    const messageId = `user-${this.#turn}`;
    this.#add({ type: "user_message", messageId, content, origin: "person" });
    this.#add({ type: "turn_started" });
  }

  #endTurn(detail: number): void {
    const reasons = ["done", "stopped", "error", "parked"] as const;
    const stray: SessionFrame = {
      type: "text_delta",
      turnId: this.#turnId,
      messageId: "never-finished",
      channel: "text",
      offset: 0,
      text: "…",
    };
    this.#add({ type: "turn_ended", reason: reasons[detail % 4]! }, [stray]);
    this.#isRunning = false;
  }

  #say(detail: number): void {
    const messageId = `message-${(this.#messages += 1)}`;
    const channel = detail % 3 === 0 ? "thinking" : "text";
    const text = `Words ${detail} of ${messageId}`;
    const half = Math.floor(text.length / 2);
    const delta = {
      type: "text_delta" as const,
      turnId: this.#turnId,
      messageId,
      channel,
    } as const;
    this.#add({ type: "assistant_message", messageId, text, channel }, [
      { ...delta, offset: 0, text: text.slice(0, half) },
      { ...delta, offset: half, text: text.slice(half) },
    ]);
  }

  #call(): void {
    const expected = this.#calls.find(({ isCalled }) => !isCalled);
    const toolCallId = expected?.toolCallId ?? `call-${this.#calls.length + 1}`;
    this.#calls = this.#calls.filter((call) => call !== expected);
    this.#calls.push({ toolCallId, isCalled: true });
    const delta = { type: "tool_call_delta" as const, turnId: this.#turnId, toolCallId };
    this.#add({ type: "tool_call", toolCallId, toolName: "Bash", input: { of: this.#turnId } }, [
      { ...delta, toolName: "Bash", offset: 0, text: '{"of":' },
    ]);
  }

  #endCall(detail: number): void {
    const called = this.#calls.filter(({ isCalled }) => isCalled);
    const call = called[detail % Math.max(1, called.length)];
    if (!call) return this.#call();
    const { toolCallId } = call;
    if (detail % 5 === 0) {
      const grantId = `grant-${detail}`;
      return this.#add({ type: "grant_used", grantId, toolCallId, toolName: "Bash" });
    }
    const content = `Result ${detail}`;
    this.#add({ type: "tool_result", toolCallId, content, isError: detail % 2 === 0 });
  }

  #ask(detail: number): void {
    const isEarly = detail % 3 === 0;
    if (isEarly) this.#calls.push({ toolCallId: `early-${this.#steps.length}`, isCalled: false });
    const call = isEarly
      ? this.#calls.at(-1)
      : this.#calls[detail % Math.max(1, this.#calls.length)];
    if (!call) return this.#call();
    const interaction: Interaction = {
      interactionId: `interaction-${this.#interactions.length + 1}`,
      sessionId: "session",
      turnId: this.#turnId,
      toolCallId: call.toolCallId,
      toolName: "AskUserQuestion",
      kind: "question",
      status: "pending",
      attempt: 1,
      questions: [],
      presentation: detail % 4 === 0 ? "questionnaire" : "tool",
      startedAt: at(this.#steps.length),
      ...(detail % 2 === 0 && { deadlineAt: at(this.#steps.length + 1000) }),
      onTimeout: "wait",
      hold: "held",
    };
    this.#interactions.push(interaction);
    this.#add({ type: "interaction_request", interaction });
  }

  #answer(detail: number): void {
    const interaction = this.#pick(detail, ["pending", "expired", "orphaned"]);
    if (!interaction) return this.#say(detail);
    const by = { person: "Ada", client: "Phone", at: at(this.#steps.length) };
    const response = { action: "submit" as const, answers: [], reply: `Reply ${detail}` };
    const { interactionId } = interaction;
    this.#update(interaction, { status: "answered", response, by });
    this.#add({ type: "interaction_response", interactionId, ...response, by });
  }

  #close(detail: number): void {
    const interaction = this.#pick(detail, ["pending"]);
    if (!interaction) return this.#say(detail);
    if (detail % 4 === 0 && interaction.hold !== "queued") {
      const left = detail % 3 === 0 ? "queued" : "parked";
      return this.#changeHold(interaction, interaction.hold === "parked" ? "held" : left);
    }
    const status = (["expired", "withdrawn", "orphaned"] as const)[detail % 3]!;
    const reason = `Reason ${detail}`;
    this.#update(interaction, { status, closedReason: reason });
    const { interactionId } = interaction;
    this.#add({ type: "interaction_closed", interactionId, status, reason });
  }

  #changeHold(interaction: Interaction, hold: Interaction["hold"]): void {
    const { interactionId } = interaction;
    const { deadlineAt: _, holdChanges: before = 0, ...endless } = interaction;
    const holdChanges = before + 1;
    const changed = { ...endless, hold, holdChanges };
    this.#interactions[this.#interactions.indexOf(interaction)] = changed;
    this.#add({ type: "interaction_hold_changed", interactionId, hold, holdChanges });
  }

  #deliver(detail: number): void {
    const interaction = this.#pick(detail, ["answered"]);
    if (!interaction) return this.#say(detail);
    const { interactionId } = interaction;
    const how = (["resumed", "user_message", "unknown"] as const)[detail % 3]!;
    const failed = detail % 4 === 0 ? { failure: `Failure ${detail}` } : {};
    this.#update(interaction, { status: "delivered", how, ...failed });
    this.#add({ type: "interaction_delivered", interactionId, how, ...failed });
  }

  #pick(detail: number, statuses: readonly Interaction["status"][]): Interaction | undefined {
    const found = this.#interactions.filter(({ status }) => statuses.includes(status));
    return found[detail % Math.max(1, found.length)];
  }

  #update(interaction: Interaction, change: Partial<Interaction>): void {
    this.#interactions[this.#interactions.indexOf(interaction)] = { ...interaction, ...change };
  }

  #add(event: DistributiveOmit<UnplacedEvent, "at" | "turnId">, deltas: SessionFrame[] = []): void {
    const seq = this.#steps.length + 1;
    const placed = { seq, at: at(seq), turnId: this.#turnId, ...event } as SessionEvent;
    this.#steps.push({ event: placed, deltas });
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

function at(seconds: number): string {
  return new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
}
