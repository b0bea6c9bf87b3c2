import { urlAt } from "@holdpoint/protocol";

import { type ClientToken, type Signer, toSigner } from "../signer.ts";
import { untilAborted } from "../until-aborted.ts";
import { withinTimeout, type TimeoutOptions } from "../within-timeout.ts";
import { noteGatewayTime } from "./gateway-skew.ts";
import { brokenConnection, readError, readJson } from "./http-answer.ts";

export interface HttpRequesterOptions extends TimeoutOptions {
  readonly baseUrl: string;
  readonly token: ClientToken;
  readonly clientId: string | undefined;
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

export interface HttpCall {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Extends the request timeout for a slow call. */
  readonly timeoutMs?: number;
}

export interface HttpRequester {
  /**
   * Sends one request within the request timeout. Rejects with `ProtocolError` when the gateway returns a problem, with
   * `ClientError` when there is no readable response, and with the signal's reason when aborted. An empty response
   * resolves to `undefined`.
   */
  readonly request: <T>(call: HttpCall) => Promise<T>;
  /** Resolves when the headers of an event stream arrive within the request timeout. `signal` also aborts its body. */
  readonly openStream: (
    call: HttpCall & { readonly signal: AbortSignal; readonly headers?: Record<string, string> },
  ) => Promise<Response>;
  /** Must be called when a stream has ended: see `Signer`. */
  readonly distrust: () => void;
}

export function createHttpRequester(options: HttpRequesterOptions): HttpRequester {
  const signer = toSigner(options.token);
  const parts = { ...options, signer };
  return {
    request: <T>(call: HttpCall) =>
      withinTimeout(toTimeout(options, call), call.signal, async (signal) => {
        const response = await exchange(parts, { ...call, signal, accept: "application/json" });
        return (await readJson(response)) as T;
      }),
    openStream: (call) =>
      withinTimeout(options, call.signal, (signal) =>
        exchange(parts, { ...call, signal, accept: "text/event-stream" }),
      ),
    distrust: () => signer.distrust(),
  };
}

function toTimeout(options: TimeoutOptions, { timeoutMs = 0 }: HttpCall): TimeoutOptions {
  const { requestTimeoutMs } = options;
  return { ...options, requestTimeoutMs: Math.max(requestTimeoutMs, timeoutMs) };
}

interface SendParts extends HttpRequesterOptions {
  readonly signer: Signer;
}

type SentCall = HttpCall & {
  readonly signal: AbortSignal;
  readonly accept: string;
  readonly headers?: Record<string, string>;
};

/** Returns a successful response, or throws its error. Repeats a request once if its signature was too old. */
async function exchange(parts: SendParts, call: SentCall): Promise<Response> {
  const response = await send(parts, call);
  if (response.ok) return response;
  const error = await readError(response);
  if (error.code !== "PROOF_STALE") throw error;
  const again = await send(parts, call);
  if (again.ok) return again;
  throw await readError(again);
}

async function send(parts: SendParts, call: SentCall): Promise<Response> {
  const { fetch = globalThis.fetch, signer, baseUrl, clientId } = parts;
  const { method, signal } = call;
  const url = toUrl(baseUrl, call);
  const headers = new Headers({ ...call.headers, Accept: call.accept });
  const init: RequestInit = { method, headers, signal, cache: "no-store" };
  if (call.body !== undefined) {
    headers.set("Content-Type", "application/json");
    init.body = JSON.stringify(call.body);
  }
  if (clientId !== undefined) headers.set("X-Holdpoint-Client", clientId);
  const body = init.body as string | undefined;
  const { token, proof } = await untilAborted(signer.sign({ method, url, body }), signal);
  if (proof !== undefined) headers.set("DPoP", proof);
  if (token !== undefined) headers.set("Authorization", `${proof ? "DPoP" : "Bearer"} ${token}`);
  try {
    const response = await fetch(url, init);
    noteGatewayTime(response.headers.get("Date"));
    const nonce = response.headers.get("DPoP-Nonce");
    if (nonce !== null) signer.renew(nonce);
    return response;
  } catch (error: unknown) {
    signer.distrust();
    throw brokenConnection(error);
  }
}

function toUrl(baseUrl: string, { path, query = {} }: HttpCall): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const search = parameters.size === 0 ? "" : `?${parameters.toString()}`;
  return urlAt(baseUrl, path + search);
}
