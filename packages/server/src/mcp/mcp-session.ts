import {
  type CallToolResult,
  isJSONRPCRequest,
  ProtocolErrorCode,
  Server,
  type Tool,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

import {
  AgentTools,
  type AgentToolsOptions,
  type Calling,
  type CallParams,
} from "./agent-tools.ts";
import { GET_ANSWERS } from "./get-answers.ts";
import { OpenRequests } from "./open-requests.ts";
import { PAGE_MESSAGE } from "./page-message.ts";
import { SessionTasks, TASK_CAPABILITIES } from "./session-tasks.ts";
import { type PageSender, ShownPages } from "./shown-pages.ts";
import type { TaskCalls } from "./task-calls.ts";
import { traceOf } from "./trace-of.ts";

/** Longer than any call of such a client is held. */
const SHOWN_MS = 24 * 60 * 60_000;
const CONNECTION_LOST = "The connection was lost.";
/** The cancellation reason when an agent host's connection is lost: it makes the call again. */
const LINE_LOST = "The connection to the agent's host was lost.";
/** An agent that dies loses its connections, often before the gateway notices that the process ended. */
const DEATH_GRACE_MS = 2000;
/** As long as an agent host waits for a gateway. */
const LINE_GRACE_MS = 10 * 60_000;
/** Header of agent hosts. Without an explicit cancellation, they make a call again. */
const CALLS_AGAIN_HEADER = "holdpoint-calls-again";

interface McpSessionOptions extends AgentToolsOptions {
  /** Unguessable: apart from the token, it is all that a request needs to join the session. */
  readonly id: string;
  readonly tokenId: string;
  /** Shared by all clients of this protocol version. */
  readonly taskCalls: TaskCalls;
}

/** One client's MCP session: lists the gateway's tools and calls them. */
export class McpSession {
  readonly id: string;
  readonly #isOwnAgent: boolean;
  readonly #tools: AgentTools;
  /** Not for agents that the gateway started: their calls may wait indefinitely. */
  readonly #tasks: SessionTasks | undefined;
  readonly #toCardUrl: (interactionId: string) => string;
  readonly #server: Server;
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  readonly #open = new OpenRequests();
  #calls = 0;
  #isClosed = false;
  #isStopping = false;

  constructor(options: McpSessionOptions) {
    this.#isOwnAgent = options.isOwnAgent;
    this.#tools = new AgentTools(options);
    this.#tasks = options.isOwnAgent
      ? undefined
      : new SessionTasks(options.taskCalls, { ...options, tools: this.#tools });
    this.#toCardUrl = options.toCardUrl;
    this.id = options.id;
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => options.id,
    });
    const send = this.#transport.send.bind(this.#transport);
    this.#transport.send = (message, about) => {
      // Before sending: a client may reuse the id once it has the response.
      this.#open.noteSent(message);
      return send(message, about);
    };
    this.#server = new Server(
      { name: "holdpoint", title: "Holdpoint", version: options.version },
      {
        capabilities: {
          tools: { listChanged: true },
          ...(this.#tasks && { tasks: TASK_CAPABILITIES }),
        },
        instructions: this.#tools.instructions,
      },
    );
  }

  /** True while a call runs. */
  get isBusy(): boolean {
    return this.#calls > 0;
  }

  /** Prepares it for requests. `onClose` is called once, when the client or the gateway has closed it. */
  async open(onClose: () => void): Promise<void> {
    this.#server.setRequestHandler("tools/list", () => ({ tools: this.#list() }));
    this.#tasks?.serve(this.#server);
    this.#server.setRequestHandler("tools/call", ({ params }, { mcpReq, ...context }) =>
      this.#call(params, {
        signal: mcpReq.signal,
        traceparent: traceOf(params, context),
        pages: {
          show: (interactionId, signal) =>
            mcpReq.elicitInput(this.#toPage(interactionId), { signal, timeout: SHOWN_MS }),
          done: (elicitationId) =>
            mcpReq.notify({
              method: "notifications/elicitation/complete",
              params: { elicitationId },
            }),
        },
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

  /**
   * Answers one HTTP request. A call is cancelled when its client disconnects before the answer. A request with the id
   * of an open one is refused.
   */
  async handle(request: Request, body: unknown, gone: AbortSignal): Promise<Response> {
    const taken = this.#open.take(body);
    if (!taken) return idInUse();
    const response = await this.#transport.handleRequest(request, { parsedBody: body });
    this.#open.noteCancelled(body);
    const lose = (): void => {
      taken[Symbol.dispose]();
      this.#lose(request, body);
    };
    if (!response.ok) taken[Symbol.dispose]();
    if (gone.aborted) lose();
    else gone.addEventListener("abort", lose, { once: true });
    return response;
  }

  /** Notifies the client that the list of tools has changed. */
  async announceTools(): Promise<void> {
    await this.#server.sendToolListChanged();
  }

  /** Ends its streams and cancels its calls. */
  async close(): Promise<void> {
    await this.#server.close();
  }

  /** Closes the session because the gateway stops, which ends every call itself. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.close();
  }

  async #call(
    params: CallParams,
    {
      signal,
      sendProgress,
      traceparent,
      pages,
    }: Pick<Calling, "sendProgress" | "signal" | "traceparent"> & { readonly pages: PageSender },
  ): Promise<CallToolResult> {
    if (this.#tasks?.isWanted(params)) return this.#tasks.begin(params, { traceparent });
    this.#calls += 1;
    using shown = this.#showsPages() ? new ShownPages(pages) : undefined;
    try {
      return await this.#tools.call(params, {
        signal,
        sendProgress,
        traceparent,
        ...(shown && { onAsked: (interactionId) => shown.show(interactionId) }),
        clientName: this.#server.getClientVersion()?.name,
        graceMs: () => this.#graceMs(signal.reason),
      });
    } finally {
      this.#calls -= 1;
    }
  }

  #list(): Tool[] {
    const tasks = this.#tasks;
    const listed = this.#tools.list();
    if (!tasks) return listed;
    return listed.map((tool) => (tool.name === GET_ANSWERS.name ? tool : tasks.offer(tool)));
  }

  /** Not for agents that the gateway started: their requests already appear in their own session. */
  #showsPages(): boolean {
    const { elicitation } = this.#server.getClientCapabilities() ?? {};
    return !this.#isOwnAgent && elicitation?.url !== undefined;
  }

  #toPage(interactionId: string) {
    const url = this.#toCardUrl(interactionId);
    return { mode: "url", message: PAGE_MESSAGE, elicitationId: interactionId, url } as const;
  }

  /** How long a call continues after its connection was lost: its agent may have died, or may make the call again. */
  #graceMs(reason: unknown): number {
    if (!this.#isOwnAgent || this.#isStopping) return 0;
    if (reason === LINE_LOST) return LINE_GRACE_MS;
    return this.#isClosed || reason === CONNECTION_LOST ? DEATH_GRACE_MS : 0;
  }

  #lose(request: Request, body: unknown): void {
    const reason = request.headers.has(CALLS_AGAIN_HEADER) ? LINE_LOST : CONNECTION_LOST;
    for (const message of [body].flat()) {
      if (!isJSONRPCRequest(message)) continue;
      const params = { requestId: message.id, reason };
      this.#transport.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    }
  }
}

/** Contains no id: clients could take it for the response to the open request. */
function idInUse(): Response {
  const message =
    "Invalid Request: a request with this id is open in this session. Use a different id for each request.";
  const error = { code: ProtocolErrorCode.InvalidRequest, message };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 400 });
}
