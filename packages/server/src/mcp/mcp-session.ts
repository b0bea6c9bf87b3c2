import type { Clock, ToolInfo } from "@holdpoint/engine";
import {
  type CallToolRequest,
  type CallToolResult,
  isJSONRPCRequest,
  ProtocolError as McpError,
  ProtocolErrorCode,
  Server,
  type Tool,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

import { createSecret } from "../auth/secrets.ts";
import { toClientError } from "../http/problem-response.ts";
import { describeError, type ServerLog } from "../http/request-log.ts";
import { callTool, whileReporting } from "./call-tool.ts";
import { GET_ANSWERS, getAnswers } from "./get-answers.ts";
import { watchGivingUp } from "./giving-up.ts";
import { holdLimitMs } from "./hold-limit.ts";
import type { ServedTools } from "./served-tools.ts";

const INSTRUCTIONS =
  "A person answers through these tools. Some calls wait until they have decided. A result with the status `queued` means that the answer will come later: go on without it, and do not call again for the same thing.";
const HOW_TO_FETCH = " Call get_answers to see what was answered since.";
/** Where Claude says which of its own tool calls a call belongs to. */
const TOOL_USE_ID = "claudecode/toolUseId";
const CONNECTION_LOST = "The connection was lost.";

/** What all sessions of a gateway share. */
export interface McpOptions {
  readonly tools: ServedTools;
  readonly clock: Clock;
  readonly log: ServerLog;
  readonly version: string;
  /** Takes the message for an agent that the gateway has not started. */
  readonly takeMessage: (sessionId: string) => Promise<string | undefined>;
  /** How long a call may hold a client that does not wait forever; default: by what is known of the client. */
  readonly holdLimitMs: number | undefined;
}

interface McpSessionOptions extends McpOptions {
  /** Cannot be guessed: it is all that a request needs to join the session, beside the token. */
  readonly id: string;
  /** The session of the gateway that its calls belong to. */
  readonly sessionId: string;
  /** The gateway started this agent itself, and takes its word for which tool call it makes. */
  readonly isOwnAgent: boolean;
}

/** One client's session of the Model Context Protocol: lists the gateway's tools and calls them. */
export class McpSession {
  readonly id: string;
  readonly #options: McpSessionOptions;
  readonly #server: Server;
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  /** What the agent is yet to be told. */
  #messages: readonly string[] = [];
  #calls = 0;
  #isClosed = false;
  #isStopping = false;

  constructor(options: McpSessionOptions) {
    this.#options = options;
    this.id = options.id;
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => options.id,
    });
    this.#server = new Server(
      { name: "holdpoint", title: "Holdpoint", version: options.version },
      {
        capabilities: { tools: { listChanged: true } },
        instructions: options.isOwnAgent ? INSTRUCTIONS : INSTRUCTIONS + HOW_TO_FETCH,
      },
    );
  }

  /** A call runs. */
  get isBusy(): boolean {
    return this.#calls > 0;
  }

  /** Makes it ready for requests; `onClose` is called once, when the client or the gateway has closed it. */
  async open(onClose: () => void): Promise<void> {
    this.#server.setRequestHandler("tools/list", () => ({ tools: this.#listTools() }));
    this.#server.setRequestHandler("tools/call", (request, { mcpReq }) =>
      this.#call(request.params, {
        signal: mcpReq.signal,
        sendProgress: (progressToken, progress) =>
          mcpReq.notify({
            method: "notifications/progress",
            params: { progressToken, progress, message: "Waiting for a person" },
          }),
      }),
    );
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK knows no other way
    this.#server.onclose = () => {
      this.#isClosed = true;
      onClose();
    };
    await this.#server.connect(this.#transport);
  }

  /** Answers one HTTP request. A call whose client leaves before its answer is cancelled. */
  async handle(request: Request, body: unknown, gone: AbortSignal): Promise<Response> {
    const response = await this.#transport.handleRequest(request, { parsedBody: body });
    if (gone.aborted) this.#cancel(body);
    else gone.addEventListener("abort", () => this.#cancel(body), { once: true });
    return response;
  }

  /** Tells the client that there are other tools now. */
  async announceTools(): Promise<void> {
    await this.#server.sendToolListChanged();
  }

  /** Ends its streams and cancels its calls. */
  async close(): Promise<void> {
    await this.#server.close();
  }

  /** Closes it with the gateway, which ends every call now. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.close();
  }

  /** An agent that the gateway has started gets late answers as messages, and needs no tool for them. */
  #listTools(): Tool[] {
    const listed = this.#options.tools.list().map(toTool);
    const isTaken = listed.some(({ name }) => name === GET_ANSWERS.name);
    return this.#options.isOwnAgent || isTaken ? listed : [...listed, GET_ANSWERS];
  }

  async #call(
    params: CallToolRequest["params"],
    {
      signal,
      sendProgress,
    }: {
      signal: AbortSignal;
      sendProgress: (token: string | number, count: number) => Promise<void>;
    },
  ): Promise<CallToolResult> {
    const { tools, clock, sessionId } = this.#options;
    const { name, arguments: args = {}, _meta: meta } = params;
    const isServed = tools.list().some((tool) => tool.name === name);
    const isGetAnswers = name === GET_ANSWERS.name && !isServed && !this.#options.isOwnAgent;
    if (!isServed && !isGetAnswers) {
      throw new McpError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}.`);
    }
    const token = meta?.progressToken;
    const limitMs = holdLimitMs({
      isOwnAgent: this.#options.isOwnAgent,
      clientName: this.#server.getClientVersion()?.name,
      wantsProgress: token !== undefined,
      configuredMs: this.#options.holdLimitMs,
    });
    this.#calls += 1;
    using givingUp = watchGivingUp(signal, {
      clock,
      isLost: () => this.#isLost(signal.reason),
    });
    const report = token === undefined ? undefined : (count: number) => sendProgress(token, count);
    try {
      if (isGetAnswers) {
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
      await this.#takeMessage();
      const request = { sessionId, toolCallId: this.#toToolCallId(meta), name, args };
      const result = await callTool(request, {
        tools,
        clock,
        signal: givingUp.signal,
        limitMs,
        sendProgress: report,
      });
      return signal.aborted ? result : this.#withMessages(result);
    } catch (error) {
      throw this.#toMcpError(error);
    } finally {
      this.#calls -= 1;
    }
  }

  /** Whether a call has ended with its connection, and its agent may have died. */
  #isLost(reason: unknown): boolean {
    if (!this.#options.isOwnAgent || this.#isStopping) return false;
    return this.#isClosed || reason === CONNECTION_LOST;
  }

  /** Before the call, which then is no part of the message's turn. */
  async #takeMessage(): Promise<void> {
    const { isOwnAgent, sessionId, takeMessage } = this.#options;
    const message = isOwnAgent ? undefined : await takeMessage(sessionId);
    if (message !== undefined) this.#messages = [...this.#messages, message];
  }

  /** What a call that was given up has taken comes first. */
  async #takeNext(): Promise<string | undefined> {
    const [kept, ...rest] = this.#messages;
    this.#messages = rest;
    return kept ?? this.#options.takeMessage(this.#options.sessionId);
  }

  #withMessages(result: CallToolResult): CallToolResult {
    const messages = this.#messages.map((text) => ({ type: "text" as const, text }));
    this.#messages = [];
    return { ...result, content: [...result.content, ...messages] };
  }

  /** There is no result at all: the gateway stops, the session is gone, or something is broken. */
  #toMcpError(error: unknown): McpError {
    const { code, message } = toClientError(error);
    if (code === "INTERNAL") this.#options.log.error(describeError(error), "tool call failed");
    return new McpError(ProtocolErrorCode.InternalError, message);
  }

  /**
   * The agent's own tool call, so that what the tool asks is shown there. Others could name a call again to get the
   * answer that a person gave it.
   */
  #toToolCallId(meta: CallToolRequest["params"]["_meta"]): string {
    const named = meta?.[TOOL_USE_ID];
    const isUsable = typeof named === "string" && named.length > 0 && named.length <= 128;
    return this.#options.isOwnAgent && isUsable ? named : `mcp_${createSecret(128)}`;
  }

  #cancel(body: unknown): void {
    for (const message of [body].flat()) {
      if (!isJSONRPCRequest(message)) continue;
      const params = { requestId: message.id, reason: CONNECTION_LOST };
      this.#transport.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    }
  }
}

function toTool({ name, description, inputSchema, readOnly }: ToolInfo): Tool {
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: "object" },
    annotations: { readOnlyHint: readOnly },
  };
}
