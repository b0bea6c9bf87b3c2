import { withinTimeout, type TimeoutOptions } from "../within-timeout.ts";
import { brokenConnection, readError, readJson } from "./http-answer.ts";

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
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpRequester {
  /**
   * One exchange, within the request timeout. Rejects with `ProtocolError` when the gateway states a problem, with
   * `ClientError` when there is no readable answer, and with the signal's reason when aborted. An empty answer resolves
   * to `undefined`.
   */
  readonly request: <T>(call: HttpCall) => Promise<T>;
  /** An event stream, once its head has arrived within the request timeout. Aborting `signal` ends its body as well. */
  readonly openStream: (
    call: HttpCall & { readonly signal: AbortSignal; readonly headers?: Record<string, string> },
  ) => Promise<Response>;
}

export function createHttpRequester(options: HttpRequesterOptions): HttpRequester {
  return {
    request: <T>(call: HttpCall) =>
      withinTimeout(options, call.signal, async (signal) => {
        const response = await send(options, { ...call, signal, accept: "application/json" });
        if (!response.ok) throw await readError(response);
        return (await readJson(response)) as T;
      }),
    openStream: (call) =>
      withinTimeout(options, call.signal, async (signal) => {
        const response = await send(options, { ...call, signal, accept: "text/event-stream" });
        if (!response.ok) throw await readError(response);
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
