import { fromProblem } from "@holdpoint/protocol";

import type { GatewayAnswer } from "../gateway-answer.ts";
import { withinTimeout } from "../within-timeout.ts";
import type { TimeoutOptions } from "../within-timeout.ts";
import { brokenConnection, readJson, readProblem } from "./http-answer.ts";

export interface HttpRequesterOptions extends TimeoutOptions {
  readonly baseUrl: string;
  readonly token: string | (() => string | undefined);
  readonly clientId: string | undefined;
  /** Default: that of the platform. */
  readonly fetch?: typeof fetch | undefined;
}

export interface HttpCall {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpRequester {
  /**
   * One exchange, within the request timeout. Rejects with `ClientError` when there is no readable answer, and
   * with the signal's reason when aborted. An empty answer resolves to `undefined`.
   */
  readonly ask: <T>(call: HttpCall) => Promise<GatewayAnswer<T>>;
  /** Like `ask`, but a problem rejects as `ProtocolError`. */
  readonly request: <T>(call: HttpCall) => Promise<T>;
  /** An event stream, once its head has arrived within the request timeout. Aborting `signal` ends its body as well. */
  readonly openStream: (
    call: HttpCall & { readonly signal: AbortSignal; readonly headers?: Record<string, string> },
  ) => Promise<Response>;
}

export function createHttpRequester(options: HttpRequesterOptions): HttpRequester {
  const ask = <T>(call: HttpCall): Promise<GatewayAnswer<T>> =>
    withinTimeout(options, call.signal, async (signal) => {
      const response = await send(options, { ...call, signal, accept: "application/json" });
      if (!response.ok) return { ok: false, problem: await readProblem(response) };
      return { ok: true, value: (await readJson(response)) as T };
    });
  return {
    ask,
    async request<T>(call: HttpCall) {
      const answer = await ask<T>(call);
      if (!answer.ok) throw fromProblem(answer.problem);
      return answer.value;
    },
    openStream: (call) =>
      withinTimeout(options, call.signal, async (signal) => {
        const response = await send(options, { ...call, signal, accept: "text/event-stream" });
        if (!response.ok) throw fromProblem(await readProblem(response));
        return response;
      }),
  };
}

async function send(
  { fetch = globalThis.fetch, token, baseUrl, clientId }: HttpRequesterOptions,
  call: HttpCall & {
    readonly signal: AbortSignal;
    readonly accept: string;
    readonly headers?: Record<string, string>;
  },
): Promise<Response> {
  const headers = new Headers({ ...call.headers, Accept: call.accept });
  if (clientId !== undefined) headers.set("X-Holdpoint-Client", clientId);
  const bearer = typeof token === "string" ? token : token();
  if (bearer !== undefined) headers.set("Authorization", `Bearer ${bearer}`);
  const init: RequestInit = {
    method: call.method,
    headers,
    signal: call.signal,
    cache: "no-store",
  };
  if (call.body !== undefined) {
    headers.set("Content-Type", "application/json");
    init.body = JSON.stringify(call.body);
  }
  try {
    return await fetch(toUrl(baseUrl, call), init);
  } catch (error: unknown) {
    throw brokenConnection(error);
  }
}

function toUrl(baseUrl: string, { path, query = {} }: HttpCall): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const search = parameters.size === 0 ? "" : `?${parameters.toString()}`;
  return `${baseUrl.replace(/\/+$/, "")}${path}${search}`;
}
