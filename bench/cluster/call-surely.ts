import { setTimeout as sleep } from "node:timers/promises";

import type { ApiAnswer } from "../../e2e/support/api.ts";
import { TOKEN } from "../../e2e/support/gateway-process.ts";
import type { Book } from "./book.ts";
import type { ClusterScene } from "./scene.ts";

const PAUSE_MS = 100;
/** A node without an answer for this long would keep a person waiting. */
const ANSWER_LIMIT_MS = 30_000;

export interface SureCall {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** Default: the gateway owner's token. */
  readonly token?: string | undefined;
  /** Whether to stop retrying when too much is pending. */
  readonly givesUp?: boolean;
}

/**
 * Sends a request until its answer is not "later": each time to any node, as a balancer does, and with the same key
 * if its body has one, as pages and programs do.
 */
export async function callSurely<TBody>(
  scene: ClusterScene,
  book: Book,
  call: SureCall,
): Promise<ApiAnswer<TBody>> {
  for (;;) {
    const { urls } = scene;
    const url = urls[Math.floor(Math.random() * urls.length)];
    const answer = url === undefined ? undefined : await send<TBody>(url, book, call);
    const isLater = !answer || answer.status >= 500 || answer.status === 429;
    if (answer && (!isLater || (call.givesUp && answer.status === 429))) return answer;
    book.refused(answer?.status ?? 0);
    await sleep(PAUSE_MS);
  }
}

/** Returns `undefined` when the connection broke. */
async function send<TBody>(
  url: string,
  book: Book,
  { method, path, body, token = TOKEN }: SureCall,
): Promise<ApiAnswer<TBody> | undefined> {
  try {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/json",
        ...(body && { "content-type": "application/json" }),
      },
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === "" ? undefined : JSON.parse(text)) as TBody };
  } catch (error: unknown) {
    const isSilent = error instanceof Error && error.name === "TimeoutError";
    if (isSilent) book.problem(`${method} ${path} got no answer for ${ANSWER_LIMIT_MS / 1000} s`);
    return undefined;
  }
}
