import { expect } from "vitest";

import type { AgentSession, TurnResult } from "../ports/agent-adapter.ts";
import type { AdapterSubject, AgentBehaviour } from "./adapter-subject.ts";
import { assertWellFormedTurn } from "./assert-well-formed-turn.ts";
import { createRecordingTurn, type HoldScript, type RecordingTurn } from "./recording-turn.ts";

export interface RanTurn {
  readonly turn: RecordingTurn;
  readonly result: TurnResult;
}

/** A turn with a pending request. */
export interface HeldTurn {
  readonly turn: RecordingTurn;
  readonly ended: Promise<TurnResult>;
}

/** The operations of the adapter contract's tests on one adapter. */
export class AdapterBench {
  readonly #setup: () => Promise<AdapterSubject>;
  readonly #stopWithinMs: number;
  #subject: AdapterSubject | undefined;

  constructor(setup: () => Promise<AdapterSubject>, stopWithinMs: number) {
    this.#setup = setup;
    this.#stopWithinMs = stopWithinMs;
  }

  async prepare(): Promise<void> {
    this.#subject = await this.#setup();
  }

  async clear(): Promise<void> {
    await this.#subject?.adapter[Symbol.asyncDispose]();
    await this.#subject?.[Symbol.asyncDispose]();
    this.#subject = undefined;
  }

  get subject(): AdapterSubject {
    if (this.#subject === undefined) throw new Error("There is no adapter before its test.");
    return this.#subject;
  }

  async open(choice: { permissionMode?: string; state?: string } = {}): Promise<AgentSession> {
    const { adapter, cwd } = this.subject;
    const { defaultPermissionMode } = await adapter.describe({ signal: never });
    const permissionMode = defaultPermissionMode;
    return adapter.openSession({ sessionId: "ses_contract", cwd, permissionMode, ...choice });
  }

  /** Runs one turn to its end, and checks that it is well formed. */
  async run(
    session: AgentSession,
    behaviour: AgentBehaviour,
    script?: HoldScript,
  ): Promise<RanTurn> {
    const turn = createRecordingTurn(script === undefined ? {} : { script });
    const result = await session.runTurn(this.#message(behaviour), turn);
    this.#end(turn, result);
    return { turn, result };
  }

  /** Runs a turn until it waits for the answer to its first request. */
  async runUntilHeld(session: AgentSession, behaviour: AgentBehaviour): Promise<HeldTurn> {
    const held = Promise.withResolvers<void>();
    const turn = createRecordingTurn({
      script: () => {
        held.resolve();
        return new Promise<never>(() => undefined);
      },
    });
    const ended = session.runTurn(this.#message(behaviour), turn).then((result) => {
      this.#end(turn, result);
      return result;
    });
    await Promise.race([held.promise, ended]);
    expect(turn.requests).toHaveLength(1);
    return { turn, ended };
  }

  /** Expects that the session can run another turn as usual. */
  async expectUsable(session: AgentSession): Promise<void> {
    const { turn, result } = await this.run(session, "say_text");
    expect(result).toEqual({ reason: "done" });
    expect(spokenText(turn)).not.toBe("");
  }

  /** Fails if it takes longer than stopping may take. */
  async inTime<T>(work: PromiseLike<T>): Promise<T> {
    const limitMs = this.#stopWithinMs;
    const late = Promise.withResolvers<never>();
    const fail = (): void => late.reject(new Error(`Not done within ${limitMs} ms.`));
    const timer = setTimeout(fail, limitMs);
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  #message(behaviour: AgentBehaviour): { messageId: string; content: string } {
    return { messageId: "msg_user", content: this.subject.prompt(behaviour) };
  }

  #end(turn: RecordingTurn, result: TurnResult): void {
    turn.end();
    assertWellFormedTurn(turn, result);
  }
}

/** A signal that never aborts. */
export const never = new AbortController().signal;

/** All text of the turn, without its thinking. */
export function spokenText(turn: RecordingTurn): string {
  return turn.events
    .flatMap((event) =>
      event.type === "assistant_message" && event.channel === "text" ? [event.text] : [],
    )
    .join("\n")
    .trim();
}
