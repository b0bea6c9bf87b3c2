import type { Clock } from "@holdpoint/engine";

import { type OtlpSender, SCOPE, toAttributes, toNanoseconds } from "./otlp-sender.ts";
import type { PlacedSpan } from "./placed-span.ts";

/** The span kind. */
const INTERNAL = 1;
const FLUSH_MS = 2000;
const MOST_QUEUED = 2048;
const BATCH = 256;
const CLOSING_MS = 300;

export interface SpanExporterOptions {
  readonly sender: OtlpSender;
  readonly clock: Clock;
  /** Called when spans are lost because the collector does not take them. */
  readonly onLost: (count: number) => void;
}

/**
 * Sends spans to a collector without making anything wait. Spans that the collector does not take are sent again with
 * the next batch; beyond a limit, the oldest are lost.
 */
export class SpanExporter implements AsyncDisposable {
  readonly #options: SpanExporterOptions;
  readonly #queue: PlacedSpan[] = [];
  readonly #ended = new AbortController();
  #timer: Disposable | undefined;
  #sending: Promise<void> | undefined;

  constructor(options: SpanExporterOptions) {
    this.#options = options;
  }

  add(span: PlacedSpan): void {
    this.#queue.push(span);
    const surplus = this.#queue.length - MOST_QUEUED;
    if (surplus > 0) {
      this.#queue.splice(0, surplus);
      this.#options.onLost(surplus);
    }
    this.#arm();
  }

  /** Sends the remaining spans, if the collector takes them soon. */
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

  #send(spans: readonly PlacedSpan[]): Promise<boolean> {
    const { sender } = this.#options;
    const { resource } = sender;
    const scopeSpans = [{ scope: SCOPE, spans: spans.map(toJson) }];
    return sender.send(
      "/v1/traces",
      { resourceSpans: [{ resource, scopeSpans }] },
      this.#ended.signal,
    );
  }
}

function toJson(span: PlacedSpan): object {
  const { traceId, spanId, parentSpanId, name, startMs, endMs, attributes, events } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name,
    kind: INTERNAL,
    startTimeUnixNano: toNanoseconds(startMs),
    endTimeUnixNano: toNanoseconds(endMs),
    attributes: toAttributes(attributes),
    events: events.map((event) => ({ name: event.name, timeUnixNano: toNanoseconds(event.atMs) })),
  };
}
