import { lookup as lookupAddress, type LookupAddress } from "node:dns";
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";

import type { Clock } from "@holdpoint/engine";

import type { AddressRule } from "./address-rules.ts";

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 4096;
/** The time limit for a response body. A slower response is cut off, because connections are few. */
const MAX_ANSWER_MS = 1000;
const MAX_RETRY_AFTER_MS = 60 * 60 * 1000;
const CONNECTIONS = { keepAlive: true, maxSockets: 4, maxFreeSockets: 2, maxTotalSockets: 16 };

export interface PostRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The addresses that the host name may resolve to. */
  readonly mayConnect: AddressRule;
  readonly signal: AbortSignal;
}

/** The outcome of a request. The response body is discarded. */
export type PostResult =
  | { readonly kind: "answered"; readonly status: number; readonly retryAfterMs?: number }
  | { readonly kind: "unreachable"; readonly reason: string };

/** Sends background requests. Limits their time and response size, and follows no redirects. */
export interface Poster extends Disposable {
  /** Never rejects. An aborted request is `unreachable`. */
  post(request: PostRequest): Promise<PostResult>;
}

interface PosterOptions {
  /** Resolves host names. Default: the system resolver. */
  readonly lookup?: typeof lookupAddress;
}

export function createPoster(
  clock: Pick<Clock, "now" | "after">,
  { lookup = lookupAddress }: PosterOptions = {},
): Poster {
  const agents = { http: new HttpAgent(CONNECTIONS), https: new HttpsAgent(CONNECTIONS) };
  return {
    async post(request) {
      const late = new AbortController();
      using _ = clock.after(TIMEOUT_MS, () => late.abort());
      const signal = AbortSignal.any([request.signal, late.signal]);
      try {
        const answer = await send({ ...request, signal }, { ...agents, lookup });
        const { statusCode = 0, headers } = answer;
        drop(answer, clock);
        const retryAfterMs = readRetryAfter(headers["retry-after"], clock.now());
        return {
          kind: "answered",
          status: statusCode,
          ...(retryAfterMs !== undefined && { retryAfterMs }),
        };
      } catch (error: unknown) {
        return { kind: "unreachable", reason: late.signal.aborted ? "no answer" : codeOf(error) };
      }
    },
    [Symbol.dispose]() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function send(
  { url, headers, body, mayConnect, signal }: PostRequest,
  agents: {
    readonly http: HttpAgent;
    readonly https: HttpsAgent;
    readonly lookup: typeof lookupAddress;
  },
): Promise<IncomingMessage> {
  const isSecure = url.protocol === "https:";
  const host = url.hostname.replaceAll(/^\[|\]$/gu, "");
  // An IP address skips the lookup, so it is checked here. `createLookup` checks each address of a host name.
  if (isIP(host) !== 0 && !mayConnect(host)) return Promise.reject(refused());
  const options = {
    method: "POST",
    headers: { ...headers, "content-length": String(body.length) },
    lookup: createLookup(mayConnect, agents.lookup),
    maxHeaderSize: MAX_ANSWER_BYTES * 4,
    signal,
  };
  return new Promise((resolve, reject) => {
    const request = isSecure
      ? requestHttps(url, { ...options, agent: agents.https })
      : requestHttp(url, { ...options, agent: agents.http });
    request.on("response", resolve);
    request.on("error", reject);
    request.end(body);
  });
}

function createLookup(mayConnect: AddressRule, lookup: typeof lookupAddress): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      const addresses: LookupAddress[] = error ? [] : found;
      const allowed = addresses.every(({ address }) => mayConnect(address));
      const [first] = addresses;
      if (error || first === undefined) return done(error ?? refused(), "", 0);
      if (!allowed) return done(refused(), "", 0);
      return options.all ? done(null, addresses) : done(null, first.address, first.family);
    });
  };
}

/** Reads a short response to its end so that the connection can be reused, and destroys a long or slow one. */
function drop(answer: IncomingMessage, clock: Pick<Clock, "after">): void {
  let bytes = 0;
  const slow = clock.after(MAX_ANSWER_MS, () => answer.destroy());
  answer.on("close", () => slow[Symbol.dispose]());
  answer.on("error", () => undefined); // The body is not needed.
  answer.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) answer.destroy();
  });
}

/** Converts `Retry-After` (seconds or a date, RFC 9110) to milliseconds, at most one hour. */
function readRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const waitMs = /^\d{1,9}$/u.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS);
}

function refused(): NodeJS.ErrnoException {
  return Object.assign(new Error("Connections to this address are not allowed."), {
    code: "ADDRESS_REFUSED",
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : "failed";
}
