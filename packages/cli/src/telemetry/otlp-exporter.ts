import type { Clock } from "@holdpoint/engine";

import type { InteractionSpan } from "./interaction-span.ts";

const FLUSH_MS = 2000;
const MOST_QUEUED = 2048;
const BATCH = 256;
const TIMEOUT_MS = 5000;
const CLOSING_MS = 300;

export interface OtlpOptions {
  /** Of the collector, without `/v1/traces`. */
  readonly url: string;
  readonly clock: Clock;
  readonly version: string;
  /** Spans were lost: the collector does not take them. */
  readonly onLost: (count: number) => void;
}

/**
 * Sends spans to a collector over OTLP/HTTP, as JSON. It never makes anything wait: what the collector does not take is sent again
 * with the next batch, and beyond a limit the oldest spans are lost.
 */
export class OtlpExporter implements AsyncDisposable {
  readonly #options: OtlpOptions;
  readonly #queue: InteractionSpan[] = [];
  readonly #ended = new AbortController();
  #timer: Disposable | undefined;
  #sending: Promise<void> | undefined;

  constructor(options: OtlpOptions) {
    this.#options = options;
  }

  add(span: InteractionSpan): void {
    this.#queue.push(span);
    const surplus = this.#queue.length - MOST_QUEUED;
    if (surplus > 0) {
      this.#queue.splice(0, surplus);
      this.#options.onLost(surplus);
    }
    this.#arm();
  }

  /** Sends what is left, if the collector takes it soon. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    const limit = this.#options.clock.after(CLOSING_MS, () => this.#ended.abort());
    await this.#sending;
    await this.#flush();
    limit[Symbol.dispose]();
    this.#ended.abort();
    if (this.#queue.length > 0) this.#options.onLost(this.#queue.length);
  }

  #arm(): void {
    if (this.#ended.signal.aborted) return;
    this.#timer ??= this.#options.clock.after(FLUSH_MS, () => {
      this.#timer = undefined;
      this.#sending = this.#flush().then(() => {
        this.#sending = undefined;
        if (this.#queue.length > 0) this.#arm();
      });
    });
  }

  /** Never rejects. Stops at the first batch that is not taken. */
  async #flush(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, BATCH);
      if (!(await this.#send(batch))) return;
      const sent = new Set(batch);
      const left = this.#queue.filter((span) => !sent.has(span));
      this.#queue.splice(0, this.#queue.length, ...left);
    }
  }

  async #send(spans: readonly InteractionSpan[]): Promise<boolean> {
    const { url, version, clock } = this.#options;
    const tooLong = new AbortController();
    using _ = clock.after(TIMEOUT_MS, () => tooLong.abort());
    try {
      const answer = await fetch(`${url.replace(/\/$/, "")}/v1/traces`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(toRequest(spans, version)),
        signal: AbortSignal.any([this.#ended.signal, tooLong.signal]),
        // A collector that sends its client elsewhere is none.
        redirect: "error",
      });
      await answer.body?.cancel();
      // What is malformed for it now will be so again.
      return answer.ok || answer.status === 400;
    } catch {
      return false;
    }
  }
}

function toRequest(spans: readonly InteractionSpan[], version: string): object {
  const resource = { "service.name": "holdpoint", "service.version": version };
  return {
    resourceSpans: [
      {
        resource: { attributes: toAttributes(resource) },
        scopeSpans: [{ scope: { name: "holdpoint", version }, spans: spans.map(toJson) }],
      },
    ],
  };
}

function toJson(span: InteractionSpan): object {
  const { traceId, spanId, parentSpanId, name, kind, startMs, endMs, attributes, events } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name,
    kind,
    startTimeUnixNano: toNanoseconds(startMs),
    endTimeUnixNano: toNanoseconds(endMs),
    attributes: toAttributes(attributes),
    events: events.map((event) => ({ name: event.name, timeUnixNano: toNanoseconds(event.atMs) })),
  };
}

function toAttributes(values: Readonly<Record<string, string | number>>): object[] {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value },
  }));
}

/** A text, since no number holds them. */
function toNanoseconds(milliseconds: number): string {
  return `${BigInt(Math.round(milliseconds)) * 1_000_000n}`;
}
