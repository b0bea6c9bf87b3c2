import type { Clock } from "@holdpoint/client";
import type { HighlightCode } from "@holdpoint/react";

import type { CodeAnswer, CodeRequest } from "./highlight-worker.ts";

/** After this time, code keeps one colour. */
const LIMIT_MS = 10_000;
/** How many blocks are cached for repeated drawing. */
const MAX_KNOWN = 100;

export interface CodeWorker {
  postMessage(request: CodeRequest): void;
  addEventListener(
    type: "message",
    listener: (event: { readonly data: CodeAnswer }) => void,
    options: { readonly signal: AbortSignal },
  ): void;
  addEventListener(
    type: "error",
    listener: () => void,
    options: { readonly signal: AbortSignal },
  ): void;
  terminate(): void;
}

interface CodeHighlighterOptions {
  readonly start: () => CodeWorker;
  readonly clock: Pick<Clock, "sleep">;
}

type Tokens = CodeAnswer["tokens"];

/** Tokenizes code in a worker, one block at a time. */
export interface CodeHighlighter {
  readonly highlight: HighlightCode;
  /** Starts the worker ahead of its first use. Does nothing if it has already been started. */
  readonly start: () => void;
}

/**
 * Starts the worker only once: a script loaded later might come from a program that has taken over the gateway's
 * address. A worker that takes too long is terminated, and from then on code has one colour.
 */
export function createCodeHighlighter({ start, clock }: CodeHighlighterOptions): CodeHighlighter {
  const known = new Map<string, Promise<Tokens>>();
  let worker: CodeWorker | "ended" | undefined;
  let nextId = 0;
  let last: Promise<unknown> = Promise.resolve();

  const askWorker = async (code: string, language: string): Promise<Tokens> => {
    const own = (worker ??= start());
    if (own === "ended") return undefined;
    nextId += 1;
    const id = nextId;
    const over = new AbortController();
    const { signal } = over;
    const { promise, resolve } = Promise.withResolvers<Tokens | "failed">();
    const fail = (): void => resolve("failed");
    own.addEventListener(
      "message",
      ({ data }) => {
        if (data.id === id) resolve(data.tokens);
      },
      { signal },
    );
    own.addEventListener("error", fail, { signal });
    clock.sleep(LIMIT_MS, { signal }).then(fail, () => undefined); // Aborted after the answer.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
    own.postMessage({ id, code, language });
    const answer = await promise;
    over.abort();
    if (answer !== "failed") return answer;
    own.terminate();
    worker = "ended";
    return undefined;
  };
  return {
    start: () => void (worker ??= start()),
    highlight(code, language) {
      const key = `${language}\n${code}`;
      const before = known.get(key);
      if (before) return before;
      const asked = last.then(() => askWorker(code, language)).catch(() => undefined);
      last = asked;
      known.set(key, asked);
      const [oldest] = known.keys();
      if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
      return asked;
    },
  };
}
