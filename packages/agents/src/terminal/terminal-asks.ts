import { isDeepStrictEqual } from "node:util";

import type { PermissionResult } from "@anthropic-ai/claude-agent-sdk";
import type { Clock, Gateway, PersonResponse } from "@holdpoint/engine";
import { toTerminalResult, toTerminalRun } from "@holdpoint/protocol";

import { QUESTION_TOOL } from "../claude/decide-question.ts";
import type { CallMarks, TerminalCall } from "./call-marks.ts";
import {
  readCall,
  readEvent,
  readPrompt,
  type TerminalEvent,
  type TerminalPrompt,
} from "./hook-input.ts";
import { OpenAsk, type Visit } from "./open-ask.ts";
import { shortDigestOf, toSessionId } from "./session-id.ts";
import {
  HELD_BACK_MS,
  NO_DECISION,
  toHookOutput,
  toPassOutput,
  toTerminalQuestion,
} from "./terminal-decision.ts";
import { type TerminalKind, TERMINALS } from "./terminal-kind.ts";
import { toNamedSession, TerminalWork } from "./terminal-work.ts";

export interface TerminalAsksOptions {
  readonly gateway: Pick<
    Gateway,
    | "endExternalAgent"
    | "ensureSession"
    | "recordExternalCall"
    | "overrule"
    | "tools"
    | "trackExternalTurn"
  >;
  readonly clock: Clock;
  readonly passes: CallMarks;
  readonly denials: CallMarks;
  readonly allowed: CallMarks;
  /** Whether the program with this process id runs. */
  readonly isAlive: (pid: number) => boolean;
  readonly onError: (error: unknown) => void;
}

const MAX_OPEN = 200;
const ENDS_TURN: ReadonlySet<string> = new Set([
  "Interrupt",
  "SessionEnd",
  "Stop",
  "StopFailure",
  "UserPromptSubmit",
]);
const IN_TERMINAL = "Answered in the terminal.";
const NOBODY = "No one answered here in time, so the terminal asks.";
const ENDED = "The session in the terminal has ended.";

/**
 * The open requests of terminals. Hooks come and go: each hook gives its request an id, and a repeated request, as
 * after a restart of the gateway, is treated as the same one.
 */
export class TerminalAsks implements Disposable {
  readonly #options: TerminalAsksOptions;
  readonly #open = new Map<string, OpenAsk>();
  readonly #work: TerminalWork;
  readonly #settling = new Map<string, Promise<void>>();

  constructor(options: TerminalAsksOptions) {
    this.#options = options;
    this.#work = new TerminalWork(options);
  }

  /**
   * Takes a hook's request. Returns false if it is not a prompt, or if there are too many; the hook then has nothing to
   * do.
   */
  ask(id: string, body: unknown, kind: TerminalKind = "claude"): boolean {
    const prompt = readPrompt(kind, body);
    if (!prompt) return false;
    const known = this.#open.get(id);
    if (known) return isDeepStrictEqual(known.prompt, prompt);
    if (this.#open.size >= MAX_OPEN) return false;
    const ask = new OpenAsk(prompt, this.#options.clock);
    this.#open.set(id, ask);
    this.#settling.set(id, this.#settle(id, ask));
    return true;
  }

  /** A visit of a hook that waits for its answer. `undefined`: there is no request with this id. */
  visit(id: string): Visit | undefined {
    return this.#open.get(id)?.visit();
  }

  /**
   * The hook's output for a call that is about to run: a refused call that a person has allowed passes once. Never
   * rejects.
   */
  async pass(body: unknown): Promise<string> {
    const call = readCall(body);
    const pass = call && (await this.#options.passes.take(call));
    if (call && pass !== undefined) {
      await this.#options.allowed.put(call, pass).catch(() => undefined);
    }
    return call && pass !== undefined ? toPassOutput(call) : NO_DECISION;
  }

  /** Handles an event in a terminal. Requests that were answered there are withdrawn. `pid`: the agent's process. */
  tell(body: unknown, pid?: number, kind: TerminalKind = "claude"): void {
    const event = readEvent(kind, body);
    if (!event) return;
    this.#work.tell(event, pid);
    const reason = event.name === "SessionEnd" ? ENDED : IN_TERMINAL;
    const answered = this.#answeredBy(event);
    for (const [, ask] of answered) ask.giveUp(reason);
    if (ENDS_TURN.has(event.name)) void this.#endMarks(event.session);
    // With two equal calls, the event belongs to the one that is still open.
    else if (event.call) void this.#noteEnd(event, event.call, answered[0]?.[0]);
  }

  [Symbol.dispose](): void {
    for (const ask of this.#open.values()) ask.leave();
    this.#work[Symbol.dispose]();
  }

  /** By the ids of the asks. */
  #answeredBy(event: TerminalEvent): readonly (readonly [string, OpenAsk])[] {
    const own = [...this.#open].filter(([, { prompt }]) => prompt.session === event.session);
    const ofAgent = own.filter(([, { prompt }]) => prompt.agentId === event.agentId);
    switch (event.name) {
      case "SessionEnd":
        return own;
      case "Interrupt":
      case "Stop":
      case "StopFailure":
      case "SubagentStop":
      case "UserPromptSubmit":
        return ofAgent;
      case "PostToolUse":
      case "PostToolUseFailure":
        // Of two equal calls, one has run.
        return ofAgent
          .filter(([, { prompt }]) => prompt.refusal === undefined && isCallOf(prompt, event.call))
          .slice(0, 1);
      default:
        return [];
    }
  }

  /** Runs the request. Without a decision, sends its hook away at the end. Never rejects. */
  async #settle(id: string, ask: OpenAsk): Promise<void> {
    const { clock } = this.#options;
    const isHeldBack = TERMINALS[ask.prompt.kind].holdsPrompt;
    using _ = isHeldBack ? clock.after(HELD_BACK_MS, () => ask.giveUp(NOBODY)) : undefined;
    try {
      await this.#run(id, ask);
    } catch (error: unknown) {
      // While the gateway stops, the hook finds no one and asks the next gateway.
      const { code } = Object(error) as { readonly code?: unknown };
      if (code === "DRAINING") ask.leave();
      // The gateway reports once that there are too many terminals.
      else if (code !== "NO_ROOM") this.#options.onError(error);
    }
    await ask.finish(NO_DECISION);
    this.#open.delete(id);
    this.#settling.delete(id);
  }

  async #hand(id: string, ask: OpenAsk, decision: PermissionResult): Promise<void> {
    const { prompt } = ask;
    const marks = this.#marksFor(prompt, decision);
    // A run of this allowed call must not count as a run of an equal call that was denied before.
    await this.#options.denials.take(prompt);
    // The agent may run or retry the call before its hook has ended. A refused call is retried as it was.
    const call = prompt.refusal === undefined ? toRunCall(prompt, decision) : prompt;
    await marks?.put(call, id);
    try {
      await ask.hand(toHookOutput(prompt, decision));
    } catch (error: unknown) {
      await marks?.take(call);
      throw error;
    }
  }

  #marksFor(
    { refusal, toolName }: TerminalPrompt,
    { behavior }: PermissionResult,
  ): CallMarks | undefined {
    const { allowed, denials, passes } = this.#options;
    if (refusal !== undefined) return behavior === "allow" ? passes : undefined;
    if (behavior === "deny") return denials;
    return toolName === QUESTION_TOOL ? undefined : allowed;
  }

  /** Records the run of a call that is still open, or that a person has answered here. Never rejects. */
  async #noteEnd(
    { run }: TerminalEvent,
    call: TerminalCall,
    askedId: string | undefined,
  ): Promise<void> {
    if (!run || call.toolName === QUESTION_TOOL) return;
    const { allowed, denials, gateway, onError } = this.#options;
    const sessionId = toSessionId(call);
    try {
      // A denied call that has run was allowed in the terminal.
      const deniedId = askedId === undefined && !run.isError ? await denials.take(call) : undefined;
      const allowedId = await allowed.take(call);
      const id = askedId ?? deniedId ?? allowedId;
      if (id === undefined) return;
      await this.#settling.get(id);
      const toolCallId = toToolCallId(id);
      if (id === deniedId) await gateway.overrule({ sessionId, toolCallId });
      const { isError } = run;
      await gateway.recordExternalCall({
        sessionId,
        toolCallId,
        isError,
        content: toTerminalRun(run),
      });
    } catch (error: unknown) {
      onError(error);
    }
  }

  async #endMarks(session: string): Promise<void> {
    const { allowed, denials, passes } = this.#options;
    for (const marks of [passes, denials, allowed]) await marks.end(session);
  }

  async #run(id: string, ask: OpenAsk): Promise<void> {
    const { prompt } = ask;
    const question = await toTerminalQuestion(prompt);
    if (!question) return;
    const { gateway, denials } = this.#options;
    // A repeated call is a new one, so an earlier denial no longer counts.
    void denials.take(prompt);
    const sessionId = toSessionId(prompt);
    await gateway.ensureSession(toNamedSession(prompt));
    const call = gateway.tools.call(
      {
        sessionId,
        toolCallId: toToolCallId(id),
        name: prompt.toolName,
        args: prompt.input,
        handler: (_args, { requestInteraction }) => {
          const { request } = question;
          const onResponse = async (response: PersonResponse) => {
            const decision = await question.toDecision(response);
            await this.#hand(id, ask, decision);
            return { complete: toTerminalResult(decision.behavior) };
          };
          return request.kind === "approval"
            ? requestInteraction({ ...request, onResponse })
            : requestInteraction({ ...request, onResponse });
        },
      },
      { signal: ask.signal },
    );
    await call.result;
  }
}

/** The call that runs. A person may have changed its input. */
function toRunCall(prompt: TerminalPrompt, decision: PermissionResult): TerminalCall {
  const { session, cwd, toolName, agentId } = prompt;
  const changed = decision.behavior === "allow" ? decision.updatedInput : undefined;
  const input = changed ?? prompt.input;
  return { session, cwd, toolName, input, ...(agentId !== undefined && { agentId }) };
}

/**
 * Whether the prompt is about this call. For questions, compares the questions only, since the answers are added to the
 * input.
 */
function isCallOf({ toolName, input }: TerminalPrompt, call: TerminalCall | undefined): boolean {
  if (call?.toolName !== toolName) return false;
  if (toolName !== QUESTION_TOOL) return isDeepStrictEqual(input, call.input);
  return isDeepStrictEqual(input["questions"], call.input["questions"]);
}

function toToolCallId(id: string): string {
  return `toolu_t${shortDigestOf(id)}`;
}
