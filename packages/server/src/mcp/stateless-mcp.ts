import {
  type CallToolResult,
  createMcpHandler,
  type InputRequiredResult,
  isLegacyRequest,
  type McpHttpHandler,
  type McpRequestContext,
  Server,
  type ServerContext as McpContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";

import { AgentTools, type Calling, type CallParams } from "./agent-tools.ts";
import type { AskedState } from "./asked-states.ts";
import type { McpOptions } from "./mcp-options.ts";
import { ownerOf, type PagedCaller, PagedCalls, refused } from "./paged-calls.ts";
import { TaskCalls, TASKS } from "./task-calls.ts";
import { traceOf } from "./trace-of.ts";

/** The most open subscriptions to changes of the tools, per token. */
const MAX_SUBSCRIPTIONS = 8;

export interface StatelessCaller {
  readonly tokenId: string;
  readonly sessionId: string;
  /** Aborts when the client disconnects. */
  readonly gone: AbortSignal;
  readonly afterSent: (run: () => void) => void;
}

interface KnownAgent {
  readonly tools: AgentTools;
  /** One per token, so that subscriptions of different tokens share no limit. */
  readonly handler: McpHttpHandler;
  readonly revoked: AbortController;
}

/** Answers requests of 2026-07-28. This version has no sessions: each request is self-contained. */
export class StatelessMcp {
  readonly #options: McpOptions;
  readonly #calls: PagedCalls;
  readonly #tasks: TaskCalls;
  /** By token id. */
  readonly #agents = new Map<string, KnownAgent>();

  constructor(options: McpOptions) {
    this.#options = options;
    this.#calls = new PagedCalls(options);
    this.#tasks = new TaskCalls(options);
  }

  /** True for a request of this protocol version. */
  async takes(request: Request, body: unknown): Promise<boolean> {
    return !(await isLegacyRequest(request, body));
  }

  async handle(request: Request, body: unknown, caller: StatelessCaller): Promise<Response> {
    const { tokenId, sessionId, gone, afterSent } = caller;
    const agent = this.#agents.get(tokenId) ?? this.#meet(tokenId, sessionId);
    const paged: PagedCaller = { tokenId, sessionId, tools: agent.tools, gone, afterSent };
    const signal = AbortSignal.any([gone, agent.revoked.signal]);
    const { url, method, headers } = request;
    return agent.handler.fetch(new Request(url, { method, headers, signal }), {
      parsedBody: body,
      authInfo: { token: "", clientId: tokenId, scopes: [], extra: { paged } },
    });
  }

  announceTools(): void {
    for (const { handler } of this.#agents.values()) handler.notify.toolsChanged();
  }

  revoke(tokenId: string): void {
    this.#calls.revoke(tokenId);
    this.#tasks.revoke(tokenId);
    this.#agents.get(tokenId)?.revoked.abort();
    this.#agents.delete(tokenId);
  }

  async close(): Promise<void> {
    this.#calls.clear();
    this.#tasks.clear();
    const agents = [...this.#agents.values()];
    for (const { revoked } of agents) revoked.abort();
    await Promise.all(agents.map(({ handler }) => handler.close()));
  }

  #meet(tokenId: string, sessionId: string): KnownAgent {
    const tools = new AgentTools({ ...this.#options, sessionId, isOwnAgent: false });
    const handler = createMcpHandler((context) => this.#serverFor(context), {
      legacy: "reject",
      maxSubscriptions: MAX_SUBSCRIPTIONS,
    });
    const agent = { tools, handler, revoked: new AbortController() };
    this.#agents.set(tokenId, agent);
    return agent;
  }

  #serverFor({ authInfo }: McpRequestContext): Server {
    const { version } = this.#options;
    // Set by `handle`.
    const caller = authInfo?.extra?.["paged"] as PagedCaller;
    const { tools } = caller;
    const server = new Server(
      { name: "holdpoint", title: "Holdpoint", version },
      {
        capabilities: { tools: { listChanged: true }, extensions: { [TASKS]: {} } },
        instructions: tools.instructions,
      },
    );
    server.setRequestHandler("tools/list", () => ({ tools: tools.list() }));
    server.setRequestHandler("tools/call", ({ params }, context) =>
      this.#call(params, caller, { ...context, server }),
    );
    this.#serveTasks(server, caller);
    return server;
  }

  #serveTasks(server: Server, caller: PagedCaller): void {
    const byId = { params: z.object({ taskId: z.string() }) };
    server.setRequestHandler("tasks/get", byId, async ({ taskId }) => ({
      ...(await this.#tasks.get(taskId, caller, showsPages(server))),
    }));
    server.setRequestHandler("tasks/cancel", byId, async ({ taskId }) => {
      await this.#tasks.cancel(taskId, caller);
      return {};
    });
    // The client's reply to a page is ignored.
    server.setRequestHandler("tasks/update", byId, ({ taskId }) => {
      this.#tasks.assertKnown(taskId, caller);
      return {};
    });
  }

  async #call(
    params: CallParams,
    caller: PagedCaller,
    { mcpReq, server, ...context }: McpContext & { readonly server: Server },
  ): Promise<CallToolResult | InputRequiredResult> {
    const { tools } = caller;
    const calling: Calling = {
      signal: mcpReq.signal,
      clientName: server.getClientVersion()?.name,
      graceMs: () => 0,
      traceparent: traceOf(params, context),
      sendProgress: (progressToken, progress) =>
        mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress, message: "Waiting for a person" },
        }),
    };
    const state = mcpReq.requestState<string>();
    if (state !== undefined) {
      const opened = this.#open(state, params, caller);
      return this.#calls.resume(opened, params, { caller, calling });
    }
    if (!tools.mayAsk(params.name)) return tools.call(params, calling);
    if (takesTasks(server) && !this.#tasks.isFull(caller.tokenId)) {
      const { task, result } = await this.#tasks.start(params, caller, calling);
      // The SDK's types do not include the extension's result.
      return result ?? ({ ...task, resultType: "task" } as unknown as CallToolResult);
    }
    const isPaged = showsPages(server) && !this.#calls.isFull(caller.tokenId);
    return isPaged ? this.#calls.start(params, caller, calling) : tools.call(params, calling);
  }

  #open(state: string, params: CallParams, caller: PagedCaller): AskedState {
    const opened = this.#options.states.open(state, ownerOf(params, caller));
    if (!opened) throw refused("Invalid or expired requestState", "invalid_request_state");
    return opened;
  }
}

function showsPages(server: Server): boolean {
  return server.getClientCapabilities()?.elicitation?.url !== undefined;
}

function takesTasks(server: Server): boolean {
  return server.getClientCapabilities()?.extensions?.[TASKS] !== undefined;
}
