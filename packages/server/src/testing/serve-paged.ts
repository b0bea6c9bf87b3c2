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

/** The answer to one request of a client. */
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

/** A server with fake tools, and agents that call them according to 2026-07-28. */
export interface PagedScene extends Served<FakeGateway> {
  readonly tools: FakeTools;
  /** One request of a client, which shows pages by default. */
  readonly send: (params: object, options?: SendOptions) => Promise<PagedAnswer>;
  /** Starts a call, makes it ask, and returns the state for its client. */
  readonly asked: (interactionId?: string) => Promise<{ state: string; call: FakeCall }>;
}

interface SendOptions {
  readonly token?: string;
  readonly capabilities?: object;
  readonly signal?: AbortSignal;
  readonly method?: string;
  /** The client's own name. */
  readonly name?: string;
  /** Further fields of `_meta`, in addition to the required ones. */
  readonly meta?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Serves the tools for Ann and for Bob. */
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

/** The reason of a refusal, in machine-readable form. */
export const reasonOf = ({ error }: PagedAnswer): string | undefined => error?.data?.reason;

/** The call as its tool receives it. */
export function named({ name, arguments: args }: typeof ask) {
  return { name, args };
}
