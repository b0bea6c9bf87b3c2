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
import { watchCancellation } from "./call-cancellation.ts";
import { callTool, whileReporting } from "./call-tool.ts";
import { GET_ANSWERS, getAnswers } from "./get-answers.ts";
import { holdLimitMs } from "./hold-limit.ts";
import type { McpOptions } from "./mcp-options.ts";
import { UndeliveredResults } from "./undelivered-results.ts";

const INSTRUCTIONS =
  "A person answers through these tools. Some calls wait until they have decided. A result with the status `queued` means that the answer will come later: continue without it, and do not call again for the same thing.";
const HOW_TO_FETCH = " Call get_answers to get new answers.";
/**
 * Added to an agent's first result if there are earlier answers: a gateway that was killed may have taken a message for
 * a call whose result was never delivered.
 */
const EARLIER =
  "People have answered earlier calls of yours: call get_answers if you do not have these answers.";
/** Where Claude puts the id of the tool call that a request belongs to. */
const TOOL_USE_ID = "claudecode/toolUseId";
/** How long a client that was shown a page may be away, after a lost connection or a restart of the gateway. */
export const BACK_MS = 60_000;

export interface AgentToolsOptions extends McpOptions {
  /** The gateway session that the calls belong to. */
  readonly sessionId: string;
  /** True if the gateway started this agent. Its tool call ids are trusted then. */
  readonly isOwnAgent: boolean;
}

export type CallParams = CallToolRequest["params"];

/** The client of one call. */
export interface Calling {
  /** Aborts when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  /** The client's name for itself. */
  readonly clientName: string | undefined;
  /** How long the call continues after `signal` aborts, in milliseconds. 0: the client cancelled it. */
  readonly graceMs: () => number;
  /** Reports progress with the client's progress token. `count` starts at 1. */
  readonly sendProgress: (token: string | number, count: number) => Promise<void>;
  /** Called with each interaction that the call waits for. */
  readonly onAsked?: (interactionId: string) => void;
  readonly traceparent: string | undefined;
}

/** The gateway's tools for one agent. Results also carry messages that have arrived for the agent. */
export class AgentTools {
  readonly #options: AgentToolsOptions;
  /** Messages to add to the next result. */
  #messages: readonly string[] = [];
  readonly #unheard = new UndeliveredResults();
  #hasLooked = false;
  /** True if the next result is to mention earlier answers. */
  #hasEarlier = false;

  constructor(options: AgentToolsOptions) {
    this.#options = options;
  }

  get instructions(): string {
    return this.#options.isOwnAgent ? INSTRUCTIONS : INSTRUCTIONS + HOW_TO_FETCH;
  }

  /**
   * Lists the tools. Agents started by the gateway get late answers as messages, and so are not offered `get_answers`.
   */
  list(): Tool[] {
    const listed = this.#options.tools.list().map(toTool);
    const isTaken = listed.some(({ name }) => name === GET_ANSWERS.name);
    return this.#options.isOwnAgent || isTaken ? listed : [...listed, GET_ANSWERS];
  }

  /** True for a tool that may ask a person. Throws when there is no such tool. */
  mayAsk(name: string): boolean {
    const isServed = this.#options.tools.list().some((tool) => tool.name === name);
    if (!isServed && (name !== GET_ANSWERS.name || this.#options.isOwnAgent)) {
      throw new McpError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}.`);
    }
    return isServed;
  }

  /** How long a call may keep this client waiting, in milliseconds; `undefined` without a limit. */
  limitOf({ _meta: meta }: CallParams, clientName: string | undefined): number | undefined {
    return holdLimitMs({
      isOwnAgent: this.#options.isOwnAgent,
      clientName,
      wantsProgress: meta?.progressToken !== undefined,
      configuredMs: this.#options.holdLimitMs,
    });
  }

  /** Calls a tool for as long as the client waits. Rejects with a protocol error. */
  async call(params: CallParams, calling: Calling): Promise<CallToolResult> {
    const { tools, clock, sessionId } = this.#options;
    const { name, arguments: args = {}, _meta: meta } = params;
    const mayAsk = this.mayAsk(name);
    const limitMs = this.limitOf(params, calling.clientName);
    const { signal, graceMs, onAsked, traceparent } = calling;
    using givingUp = watchCancellation(signal, { clock, graceMs });
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
        // A longer grace after a restart: the person may still be on the card's page in another window.
        ...(onAsked && { comesWithinMs: BACK_MS }),
        ...(traceparent && { traceparent }),
      };
      const result = await callTool(request, {
        tools,
        clock,
        signal: givingUp.signal,
        connection: connectionOf(named, signal),
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

  /**
   * Takes the message for an agent that the gateway did not start. Call it before a tool runs, so that the call is not
   * part of the message's turn.
   */
  async takeMessage(): Promise<void> {
    const { isOwnAgent, sessionId, takeMessage } = this.#options;
    if (isOwnAgent) return;
    if (!this.#hasLooked) await this.#lookForEarlier();
    const message = await takeMessage(sessionId);
    if (message !== undefined) this.#messages = [...this.#messages, message];
  }

  /** Checks once per client for earlier answers, since each new client may be an agent that lost its gateway. */
  async #lookForEarlier(): Promise<void> {
    this.#hasLooked = true;
    const { answers } = await this.#options.tools.lateAnswers(this.#options.sessionId);
    const hasGetAnswers = this.list().some(({ name }) => name === GET_ANSWERS.name);
    this.#hasEarlier = answers.length > 0 && hasGetAnswers;
  }

  /** Adds the pending messages to a result. */
  withMessages(result: CallToolResult): CallToolResult {
    const texts = this.#hasEarlier ? [...this.#messages, EARLIER] : this.#messages;
    const messages = texts.map((text) => ({ type: "text" as const, text }));
    this.#messages = [];
    this.#hasEarlier = false;
    return { ...result, content: [...result.content, ...messages] };
  }

  /** Converts the error of a call without a result, such as when the gateway stops or the session is gone. */
  toMcpError(error: unknown): McpError {
    if (error instanceof McpError) return error;
    const { code, message } = toClientError(error);
    if (code === "INTERNAL") this.#options.log.error(describeError(error), "tool call failed");
    return new McpError(ProtocolErrorCode.InternalError, message);
  }

  /** Messages taken by an abandoned call come first. */
  async #takeNext(): Promise<string | undefined> {
    this.#hasEarlier = false;
    this.#hasLooked = true;
    const [kept, ...rest] = this.#messages;
    this.#messages = rest;
    return kept ?? this.#options.takeMessage(this.#options.sessionId);
  }

  /** Returns a new, unguessable call id, or the id of the same call that a restart of the gateway cut short. */
  async callIdFor({ name, arguments: args = {} }: CallParams): Promise<string> {
    const { tools, sessionId, isOwnAgent } = this.#options;
    const left = isOwnAgent ? undefined : await tools.takeLeft(sessionId, name, args);
    return left ?? `mcp_${createSecret(128)}`;
  }

  /**
   * The id of the agent's own tool call, under which the request is then shown. Only accepted from agents that the
   * gateway started: others could reuse an id to get the answer given to that call.
   */
  #namedCall(meta: CallParams["_meta"]): string | undefined {
    const named = meta?.[TOOL_USE_ID];
    const isUsable = typeof named === "string" && named.length > 0 && named.length <= 128;
    return this.#options.isOwnAgent && isUsable ? named : undefined;
  }
}

/** Only a call that its agent names can be made again after its connection was lost. */
function connectionOf(named: string | undefined, connection: AbortSignal): AbortSignal | undefined {
  return named === undefined ? undefined : connection;
}

/** Returns the function that reports progress, if the client asked for progress. */
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
