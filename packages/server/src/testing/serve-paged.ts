import { expect } from "vitest";

import { hashSecret } from "../auth/secrets.ts";
import type { ServerOptions } from "../server-options.ts";
import { createFakeGateway, type FakeGateway } from "./fake-gateway.ts";
import type { FakeCall, FakeTools } from "./fake-tools.ts";
import { serve, type Served } from "./serve.ts";
import { waitFor } from "./wait-for.ts";

export const VERSION = "2026-07-28";
export const TOKENS = { ann: "n".repeat(43), bob: "b".repeat(43) };
export const ask = { name: "ask_user", arguments: { question: "Which?", why: { a: 1, b: 2 } } };
export const luxon = { content: '"luxon"', isError: false };
export const PAGES = { elicitation: { url: {} } };
export const stateKey = Buffer.alloc(32, 7);

/** What a client gets for one request. */
export interface PagedAnswer {
  readonly result?: {
    readonly resultType?: string;
    readonly requestState?: string;
    readonly inputRequests?: { readonly page: { readonly params: { readonly url: string } } };
    readonly content?: readonly { readonly text: string }[];
    readonly structuredContent?: unknown;
  };
  readonly error?: { readonly code: number; readonly data?: { readonly reason: string } };
}

/** A server over fake tools, and agents that call them as 2026-07-28 has it. */
export interface PagedScene extends Served<FakeGateway> {
  readonly tools: FakeTools;
  /** One request of a client that shows pages, if nothing else is said. */
  readonly send: (params: object, options?: SendOptions) => Promise<PagedAnswer>;
  /** Starts a call, lets it ask, and gives the state that its client gets. */
  readonly asked: (interactionId?: string) => Promise<{ state: string; call: FakeCall }>;
}

interface SendOptions {
  readonly token?: string;
  readonly capabilities?: object;
  readonly signal?: AbortSignal;
  readonly method?: string;
  /** What the client calls itself. */
  readonly name?: string;
  /** What it says in `_meta` beside what it must. */
  readonly meta?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Serves them, for Ann and for Bob. */
export async function serveTools(options: Partial<ServerOptions> = {}): Promise<PagedScene> {
  const gateway = createFakeGateway();
  const toCardUrl = (id: string): string => `https://desk.example/i/${id}`;
  const served = await serve({ toCardUrl, stateKey, ...options, gateway });
  for (const [name, token] of Object.entries(TOKENS)) {
    await served.credentials.add({
      tokenId: `tok_${name}`,
      kind: "agent",
      person: "Ada",
      label: name,
      createdAtMs: 0,
      tokenHash: hashSecret(token),
      sessionId: `ses_${name}`,
    });
  }
  const { tools } = gateway;
  const send: PagedScene["send"] = async (params, sendOptions = {}) => {
    const { token = TOKENS.ann, capabilities = PAGES, signal, method = "tools/call" } = sendOptions;
    const { name = "raw" } = sendOptions;
    const meta = {
      ...sendOptions.meta,
      "io.modelcontextprotocol/protocolVersion": VERSION,
      "io.modelcontextprotocol/clientInfo": { name, version: "1" },
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    };
    const response = await served.call("/mcp", {
      method: "POST",
      token,
      body: { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } },
      headers: {
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": VERSION,
        "mcp-method": method,
        ...sendOptions.headers,
        ...("name" in params && { "mcp-name": String(params.name) }),
        ...("taskId" in params && { "mcp-name": String(params.taskId) }),
      },
      ...(signal && { signal }),
    });
    return (await response.json()) as PagedAnswer;
  };
  const asked: PagedScene["asked"] = async (interactionId = "int_1") => {
    const before = tools.calls.length;
    const answered = send(ask);
    await waitFor(() => expect(tools.calls).toHaveLength(before + 1));
    const call = tools.calls[before]!;
    call.ask(interactionId);
    const { result } = await answered;
    return { state: result!.requestState!, call };
  };
  return { ...served, tools, send, asked };
}

/** Why a request was refused, as a program tells. */
export const reasonOf = ({ error }: PagedAnswer): string | undefined => error?.data?.reason;

/** The call as its tool gets it. */
export function named({ name, arguments: args }: typeof ask) {
  return { name, args };
}
