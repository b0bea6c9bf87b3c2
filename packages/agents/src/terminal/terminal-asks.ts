import { createHash } from "node:crypto";
import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";

import type { PermissionResult } from "@anthropic-ai/claude-agent-sdk";
import type { Clock, Gateway, PersonResponse } from "@holdpoint/engine";

import { QUESTION_TOOL } from "../claude/decide-question.ts";
import {
  readCall,
  readEvent,
  readPrompt,
  type TerminalEvent,
  type TerminalPrompt,
} from "./hook-input.ts";
import { OpenAsk, type Visit } from "./open-ask.ts";
import type { Passes } from "./passes.ts";
import { TERMINAL_AGENT } from "./terminal-adapter.ts";
import {
  NO_DECISION,
  toHookOutput,
  toPassOutput,
  toTerminalQuestion,
} from "./terminal-decision.ts";

export interface TerminalAsksOptions {
  readonly gateway: Pick<Gateway, "ensureSession" | "tools">;
  readonly clock: Clock;
  readonly passes: Passes;
  readonly onError: (error: unknown) => void;
}

const MAX_OPEN = 200;
const ENDS_TURN: ReadonlySet<string> = new Set([
  "SessionEnd",
  "Stop",
  "StopFailure",
  "UserPromptSubmit",
]);
const IN_TERMINAL = "Answered in the terminal.";
const ENDED = "The session in the terminal has ended.";

/**
 * What terminals ask now. Their hooks come and go: each ask has an id that its hook has made, and the same ask coming again, as after
 * a restart of the gateway, is the same.
 */
export class TerminalAsks implements Disposable {
  readonly #options: TerminalAsksOptions;
  readonly #open = new Map<string, OpenAsk>();

  constructor(options: TerminalAsksOptions) {
    this.#options = options;
  }

  /** Takes what a hook asks. False: it is no prompt, or there are too many. The hook then has to do nothing. */
  ask(id: string, body: unknown): boolean {
    const prompt = readPrompt(body);
    if (!prompt) return false;
    const known = this.#open.get(id);
    if (known) return isDeepStrictEqual(known.prompt, prompt);
    if (this.#open.size >= MAX_OPEN) return false;
    const ask = new OpenAsk(prompt, this.#options.clock);
    this.#open.set(id, ask);
    void this.#settle(id, ask);
    return true;
  }

  /** A hook that waits for its answer. `undefined`: nothing is asked under this id. */
  visit(id: string): Visit | undefined {
    return this.#open.get(id)?.visit();
  }

  /** What the hook prints for a call that is about to run: what was refused and a person has allowed passes once. Never rejects. */
  async pass(body: unknown): Promise<string> {
    const call = readCall(body);
    const mayPass = call !== undefined && (await this.#options.passes.take(call));
    return mayPass ? toPassOutput(call) : NO_DECISION;
  }

  /** Something has happened in a terminal. What was answered there is asked no more. */
  tell(body: unknown): void {
    const event = readEvent(body);
    if (!event) return;
    if (ENDS_TURN.has(event.name)) void this.#options.passes.end(event.session);
    const reason = event.name === "SessionEnd" ? ENDED : IN_TERMINAL;
    for (const ask of this.#answeredBy(event)) ask.giveUp(reason);
  }

  [Symbol.dispose](): void {
    for (const ask of this.#open.values()) ask.leave();
  }

  #answeredBy(event: TerminalEvent): readonly OpenAsk[] {
    const own = [...this.#open.values()].filter(({ prompt }) => prompt.session === event.session);
    const ofAgent = own.filter(({ prompt }) => prompt.agentId === event.agentId);
    switch (event.name) {
      case "SessionEnd":
        return own;
      case "Stop":
      case "StopFailure":
      case "SubagentStop":
      case "UserPromptSubmit":
        return ofAgent;
      case "PostToolUse":
      case "PostToolUseFailure":
        // Of two calls that are the same, one has run.
        return ofAgent
          .filter(({ prompt }) => prompt.refusal === undefined && isCallOf(prompt, event))
          .slice(0, 1);
      default:
        return [];
    }
  }

  /** Runs it, and sends its hook away where there was no decision. Never rejects. */
  async #settle(id: string, ask: OpenAsk): Promise<void> {
    try {
      await this.#run(id, ask);
    } catch (error: unknown) {
      // While the gateway stops, the hook finds nobody, and asks the next gateway.
      if (Object(error).code === "DRAINING") ask.leave();
      else this.#options.onError(error);
    }
    await ask.finish(NO_DECISION);
    this.#open.delete(id);
  }

  async #hand(ask: OpenAsk, decision: PermissionResult): Promise<void> {
    const { prompt } = ask;
    const { passes } = this.#options;
    const needsPass = prompt.refusal !== undefined && decision.behavior === "allow";
    // The agent may try again before the hook has ended.
    if (needsPass) await passes.give(prompt);
    try {
      await ask.hand(toHookOutput(prompt, decision));
    } catch (error: unknown) {
      if (needsPass) await passes.take(prompt);
      throw error;
    }
  }

  async #run(id: string, ask: OpenAsk): Promise<void> {
    const { prompt } = ask;
    const question = await toTerminalQuestion(prompt);
    if (!question) return;
    const { gateway } = this.#options;
    const sessionId = `ses_t${digestOf(prompt.session)}`;
    await gateway.ensureSession({
      sessionId,
      agent: TERMINAL_AGENT,
      cwd: prompt.cwd,
      title: basename(prompt.cwd) || prompt.cwd,
      createdBy: "terminals",
    });
    const call = gateway.tools.call(
      {
        sessionId,
        toolCallId: `toolu_t${digestOf(id)}`,
        name: prompt.toolName,
        args: prompt.input,
        handler: (_args, { requestInteraction }) => {
          const { request } = question;
          const onResponse = async (response: PersonResponse) => {
            const decision = question.toDecision(response);
            await this.#hand(ask, decision);
            return { complete: { answer: decision.behavior } };
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

/** Answers to questions are added to the input of their call. */
function isCallOf({ toolName, input }: TerminalPrompt, event: TerminalEvent): boolean {
  if (event.toolName !== toolName) return false;
  if (toolName !== QUESTION_TOOL) return isDeepStrictEqual(input, event.input);
  return isDeepStrictEqual(input["questions"], event.input?.["questions"]);
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 24);
}
