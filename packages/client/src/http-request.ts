import { fromProblem } from "@holdpoint/protocol";
import type { Problem } from "@holdpoint/protocol";

import { ClientError } from "./client-error.ts";
import type { Clock } from "./clock.ts";
import { brokenConnection, readJson, readProblem } from "./http-answer.ts";

export interface HttpRequesterOptions {
  readonly baseUrl: string;
  readonly token: string | (() => string | undefined);
  readonly clientId: string | undefined;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly requestTimeoutMs: number;
  /** Aborts when the owner is disposed. */
  readonly closed: AbortSignal;
}

export interface HttpCall {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** A call's answer: what it carries, or the problem that the gateway states. */
export type HttpAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };

export interface HttpRequester {
  /**
   * One exchange, within the request timeout. Rejects with `ClientError` when there is no readable answer, and
   * with the signal's reason when aborted. An empty answer resolves to `undefined`.
   */
  readonly ask: <T>(call: HttpCall) => Promise<HttpAnswer<T>>;
  /** Like `ask`, but a problem rejects as `ProtocolError`. */
  readonly request: <T>(call: HttpCall) => Promise<T>;
  /** An event stream, once its head has arrived within the request timeout. Aborting `signal` ends its body as well. */
  readonly openStream: (
    call: HttpCall & { readonly signal: AbortSignal; readonly headers?: Record<string, string> },
  ) => Promise<Response>;
}

export function createHttpRequester(options: HttpRequesterOptions): HttpRequester {
  const ask = <T>(call: HttpCall): Promise<HttpAnswer<T>> =>
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
  { fetch, token, baseUrl, clientId }: HttpRequesterOptions,
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

/** Ends `work` by timeout, by the caller or by the owner; says which of them it was. */
async function withinTimeout<T>(
  { clock, requestTimeoutMs, closed }: HttpRequesterOptions,
  callerSignal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  callerSignal?.throwIfAborted();
  if (closed.aborted) throw new ClientError("CONNECTION_CLOSED", "The transport is closed.");
  const settled = new AbortController();
  const timedOut = new AbortController();
  const watch = clock.sleep(requestTimeoutMs, { signal: settled.signal }).then(
    () => timedOut.abort(),
    () => undefined,
  );
  const callerSignals = callerSignal ? [callerSignal] : [];
  try {
    return await work(AbortSignal.any([timedOut.signal, closed, ...callerSignals]));
  } catch (error: unknown) {
    callerSignal?.throwIfAborted();
    if (!timedOut.signal.aborted) throw error;
    throw new ClientError("REQUEST_TIMEOUT", "The gateway did not answer in time.", {
      cause: error,
    });
  } finally {
    settled.abort();
    await watch;
  }
}
