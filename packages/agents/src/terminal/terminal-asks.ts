import { createHash } from "node:crypto";
import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";

import type { Clock, Gateway, PersonResponse } from "@holdpoint/engine";

import { QUESTION_TOOL } from "../claude/decide-question.ts";
import { readEvent, readPrompt, type TerminalEvent, type TerminalPrompt } from "./hook-input.ts";
import { OpenAsk, type Visit } from "./open-ask.ts";
import { TERMINAL_AGENT } from "./terminal-adapter.ts";
import { toHookOutput, toTerminalQuestion } from "./terminal-decision.ts";

export interface TerminalAsksOptions {
  readonly gateway: Pick<Gateway, "ensureSession" | "tools">;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** What the hook prints when the terminal is to go on as if there were no hook. */
export const NO_DECISION = "{}";

const MAX_OPEN = 200;
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

  /** Something has happened in a terminal. What was answered there is asked no more. */
  tell(body: unknown): void {
    const event = readEvent(body);
    if (!event) return;
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
        return ofAgent.filter(({ prompt }) => isCallOf(prompt, event)).slice(0, 1);
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
            await ask.hand(toHookOutput(decision));
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
