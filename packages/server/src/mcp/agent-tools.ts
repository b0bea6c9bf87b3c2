import type { ToolInfo } from "@holdpoint/engine";
import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError as McpError,
  ProtocolErrorCode,
  type Tool,
} from "@modelcontextprotocol/server";

import { createSecret } from "../auth/secrets.ts";
import { toClientError } from "../http/problem-response.ts";
import { describeError } from "../http/request-log.ts";
import { callTool, whileReporting } from "./call-tool.ts";
import { GET_ANSWERS, getAnswers } from "./get-answers.ts";
import { watchGivingUp } from "./giving-up.ts";
import { holdLimitMs } from "./hold-limit.ts";
import type { McpOptions } from "./mcp-options.ts";
import { UnheardResults } from "./unheard-results.ts";

const INSTRUCTIONS =
  "A person answers through these tools. Some calls wait until they have decided. A result with the status `queued` means that the answer will come later: go on without it, and do not call again for the same thing.";
const HOW_TO_FETCH = " Call get_answers to see what was answered since.";
/** A gateway that was killed may have taken a message for a call whose result never came. */
const EARLIER =
  "People have answered calls of yours before: get_answers has it, if you do not know it.";
/** Where Claude says which of its own tool calls a call belongs to. */
const TOOL_USE_ID = "claudecode/toolUseId";
/** So long a client that was shown a page may take to come back, whether its line broke or the gateway was started again. */
export const BACK_MS = 60_000;

export interface AgentToolsOptions extends McpOptions {
  /** The session of the gateway that its calls belong to. */
  readonly sessionId: string;
  /** The gateway started this agent itself, and takes its word for which tool call it makes. */
  readonly isOwnAgent: boolean;
}

export type CallParams = CallToolRequest["params"];

/** The client of one call. */
export interface Calling {
  /** Aborts when the client cancels the call or is gone. */
  readonly signal: AbortSignal;
  /** What the client calls itself. */
  readonly clientName: string | undefined;
  /** Once it is aborted: for how long the call goes on without it. 0: the client has cancelled the call. */
  readonly graceMs: () => number;
  /** Tells the client that the call still runs, with the token that it gave for that. `count` grows from 1. */
  readonly sendProgress: (token: string | number, count: number) => Promise<void>;
  /** Is told of each interaction that the call waits for. */
  readonly onAsked?: (interactionId: string) => void;
  /** The trace that the call belongs to, from `traceOf`. */
  readonly traceparent: string | undefined;
}

/** The gateway's tools as one agent has them. With a result it is told what people have answered meanwhile. */
export class AgentTools {
  readonly #options: AgentToolsOptions;
  /** What the agent is yet to be told. */
  #messages: readonly string[] = [];
  readonly #unheard = new UnheardResults();
  #hasLooked = false;
  /** The agent is to be told that there are earlier answers. */
  #hasEarlier = false;

  constructor(options: AgentToolsOptions) {
    this.#options = options;
  }

  get instructions(): string {
    return this.#options.isOwnAgent ? INSTRUCTIONS : INSTRUCTIONS + HOW_TO_FETCH;
  }

  /** An agent that the gateway has started gets late answers as messages, and needs no tool for them. */
  list(): Tool[] {
    const listed = this.#options.tools.list().map(toTool);
    const isTaken = listed.some(({ name }) => name === GET_ANSWERS.name);
    return this.#options.isOwnAgent || isTaken ? listed : [...listed, GET_ANSWERS];
  }

  /** Whether this is a tool that may ask a person. Throws for one that is not there. */
  mayAsk(name: string): boolean {
    const isServed = this.#options.tools.list().some((tool) => tool.name === name);
    if (!isServed && (name !== GET_ANSWERS.name || this.#options.isOwnAgent)) {
      throw new McpError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}.`);
    }
    return isServed;
  }

  /** How long a call of this client may hold it; `undefined` without end. */
  limitOf({ _meta: meta }: CallParams, clientName: string | undefined): number | undefined {
    return holdLimitMs({
      isOwnAgent: this.#options.isOwnAgent,
      clientName,
      wantsProgress: meta?.progressToken !== undefined,
      configuredMs: this.#options.holdLimitMs,
    });
  }

  /** Calls a tool for as long as its client waits. Rejects with an error of the protocol. */
  async call(params: CallParams, calling: Calling): Promise<CallToolResult> {
    const { tools, clock, sessionId } = this.#options;
    const { name, arguments: args = {}, _meta: meta } = params;
    const mayAsk = this.mayAsk(name);
    const limitMs = this.limitOf(params, calling.clientName);
    const { signal, graceMs, onAsked, traceparent } = calling;
    using givingUp = watchGivingUp(signal, { clock, graceMs });
    const report = reporter(params, calling);
    try {
      if (!mayAsk) {
        return await whileReporting(report, clock, () =>
          getAnswers(args, {
            tools,
            clock,
            signal: givingUp.signal,
            sessionId,
            limitMs,
            takeMessage: () => this.#takeNext(),
          }),
        );
      }
      await this.takeMessage();
      const named = this.#namedCall(meta);
      const call = JSON.stringify([named, name, args]);
      const unheard = named === undefined ? undefined : this.#unheard.take(call);
      if (unheard) return unheard;
      const toolCallId = named ?? (await this.callIdFor(params));
      const request = {
        sessionId,
        toolCallId,
        name,
        args,
        // Its person has the page in another window, and goes on there.
        ...(onAsked && { comesWithinMs: BACK_MS }),
        ...(traceparent && { traceparent }),
      };
      const result = await callTool(request, {
        tools,
        clock,
        signal: givingUp.signal,
        limitMs,
        sendProgress: report,
        onAsked,
      });
      if (!signal.aborted) return this.withMessages(result);
      if (named !== undefined && graceMs() > 0) this.#unheard.keep(call, result);
      return result;
    } catch (error) {
      throw this.toMcpError(error);
    }
  }

  /** Before a call, which then is no part of the message's turn. */
  async takeMessage(): Promise<void> {
    const { isOwnAgent, sessionId, takeMessage } = this.#options;
    if (isOwnAgent) return;
    if (!this.#hasLooked) await this.#lookForEarlier();
    const message = await takeMessage(sessionId);
    if (message !== undefined) this.#messages = [...this.#messages, message];
  }

  /** Once, since each client that comes anew may be one that has lost its gateway. */
  async #lookForEarlier(): Promise<void> {
    this.#hasLooked = true;
    const { answers } = await this.#options.tools.lateAnswers(this.#options.sessionId);
    const hasGetAnswers = this.list().some(({ name }) => name === GET_ANSWERS.name);
    this.#hasEarlier = answers.length > 0 && hasGetAnswers;
  }

  /** The result, and what the agent is yet to be told. */
  withMessages(result: CallToolResult): CallToolResult {
    const texts = this.#hasEarlier ? [...this.#messages, EARLIER] : this.#messages;
    const messages = texts.map((text) => ({ type: "text" as const, text }));
    this.#messages = [];
    this.#hasEarlier = false;
    return { ...result, content: [...result.content, ...messages] };
  }

  /** There is no result at all: the gateway stops, the session is gone, or something is broken. */
  toMcpError(error: unknown): McpError {
    if (error instanceof McpError) return error;
    const { code, message } = toClientError(error);
    if (code === "INTERNAL") this.#options.log.error(describeError(error), "tool call failed");
    return new McpError(ProtocolErrorCode.InternalError, message);
  }

  /** What a call that was given up has taken comes first. */
  async #takeNext(): Promise<string | undefined> {
    this.#hasEarlier = false;
    this.#hasLooked = true;
    const [kept, ...rest] = this.#messages;
    this.#messages = rest;
    return kept ?? this.#options.takeMessage(this.#options.sessionId);
  }

  /** A new call, or the same one that a restart of the gateway has cut short. */
  async callIdFor({ name, arguments: args = {} }: CallParams): Promise<string> {
    const { tools, sessionId, isOwnAgent } = this.#options;
    const left = isOwnAgent ? undefined : await tools.takeLeft(sessionId, name, args);
    // Nobody can guess it.
    return left ?? `mcp_${createSecret(128)}`;
  }

  /**
   * The agent's own tool call, so that what the tool asks is shown there. Others could name a call again to get the
   * answer that a person gave it.
   */
  #namedCall(meta: CallParams["_meta"]): string | undefined {
    const named = meta?.[TOOL_USE_ID];
    const isUsable = typeof named === "string" && named.length > 0 && named.length <= 128;
    return this.#options.isOwnAgent && isUsable ? named : undefined;
  }
}

/** Tells the client of progress, if it asked for that. */
export function reporter(
  { _meta: meta }: CallParams,
  { sendProgress }: Pick<Calling, "sendProgress">,
): ((count: number) => Promise<void>) | undefined {
  const token = meta?.progressToken;
  return token === undefined ? undefined : (count) => sendProgress(token, count);
}

function toTool({ name, description, inputSchema, readOnly }: ToolInfo): Tool {
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: "object" },
    annotations: { readOnlyHint: readOnly },
  };
}
