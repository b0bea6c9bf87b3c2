import {
  ANSWER_SECONDS,
  type Clock,
  createSystemClock,
  type Gateway,
  type GatewayFigures,
  type OnInteraction,
} from "@holdpoint/engine";
import { isTraceparent } from "@holdpoint/protocol";
import type { MetricFamily } from "@holdpoint/server";
import { answerFamily, gatewayFamilies } from "@holdpoint/server/metrics";
import {
  type BatchObservableCallback,
  type Context,
  diag,
  type Meter,
  type MeterProvider,
  metrics,
  type Observable,
  ROOT_CONTEXT,
  SpanKind,
  trace,
  type TracerProvider,
} from "@opentelemetry/api";

import { isOver, toSpan } from "./interaction-span.ts";
import { metricFacts } from "./metric-facts.ts";

export interface GatewayTelemetryOptions {
  /** Receives the spans. Default: the provider of the SDK that the program has registered. */
  readonly tracerProvider?: TracerProvider;
  /** Reads the metrics. Default: the provider of the SDK that the program has registered. */
  readonly meterProvider?: MeterProvider;
  /** Default: the system's clock. */
  readonly clock?: Pick<Clock, "now">;
}

/** Exports an embedded gateway's spans and metrics through the program's own OpenTelemetry SDK. */
export interface GatewayTelemetry {
  /** An option for `openGateway`. */
  readonly onInteraction: OnInteraction;
  /** Lets the SDK read the gateway's metrics until disposed; dispose it before you close the gateway. */
  measure(gateway: Pick<Gateway, "readFigures">): Disposable;
}

const NAME = "holdpoint";
const NOTHING_YET: GatewayFigures = {
  counts: { pending: 0, late: 0, sessions: 0, waitingSessions: 0, workingSessions: 0 },
  pending: new Map(),
  happened: [],
  delivered: new Map(),
  answerSeconds: { bounds: ANSWER_SECONDS, counts: [], sum: 0 },
  archivedSessions: 0,
  agents: 0,
};

/**
 * Creates a span for each interaction, from its request to its end, in the requester's trace, even if another process
 * started the interaction. Also provides the metrics of `/metrics`, except the server's. Neither contains any content
 * of requests or answers.
 */
export function createGatewayTelemetry(options: GatewayTelemetryOptions = {}): GatewayTelemetry {
  const tracer = (options.tracerProvider ?? trace).getTracer(NAME);
  const meter = (options.meterProvider ?? metrics).getMeter(NAME);
  const { clock = createSystemClock() } = options;
  const answers = createAnswers(meter);
  const note: OnInteraction = ({ interaction, traceparent }, before) => {
    const { status, by, startedAt } = interaction;
    if (status === before) return;
    if (status === "answered" && by) answers.record(secondsBetween(startedAt, by.at));
    if (!isOver(interaction)) return;
    const { name, startMs, endMs, attributes, events } = toSpan(interaction, clock.now());
    // As a `Date`: a number could be taken for a time relative to the process's start, which may be later.
    const place = { kind: SpanKind.INTERNAL, attributes, startTime: new Date(startMs) };
    const span = tracer.startSpan(name, place, parentOf(traceparent));
    for (const event of events) span.addEvent(event.name, new Date(event.atMs));
    span.end(new Date(endMs));
  };
  return {
    onInteraction(row, before) {
      try {
        note(row, before);
      } catch (error: unknown) {
        diag.error("holdpoint: a span could not be written", error);
      }
    },
    measure: (gateway) => measure({ meter, clock, gateway }),
  };
}

/** The requester's span as parent, never the span that is active at the end. */
function parentOf(traceparent: string | undefined): Context {
  if (!isTraceparent(traceparent)) return ROOT_CONTEXT;
  const [, traceId = "", spanId = "", flags = ""] = traceparent.split("-");
  const traceFlags = Number.parseInt(flags, 16);
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

interface Measuring {
  readonly meter: Meter;
  readonly clock: Pick<Clock, "now">;
  readonly gateway: Pick<Gateway, "readFigures">;
}

function createAnswers(meter: Meter): ReturnType<Meter["createHistogram"]> {
  const { name, ...facts } = metricFacts(answerFamily(NOTHING_YET));
  const advice = { explicitBucketBoundaries: [...ANSWER_SECONDS] };
  return meter.createHistogram(name, { ...facts, advice });
}

function measure({ meter, clock, gateway }: Measuring): Disposable {
  const families = gatewayFamilies(NOTHING_YET, 0).filter(({ type }) => type !== "histogram");
  const observed = new Map(families.map((family) => [family.name, observable(meter, family)]));
  const read: BatchObservableCallback = async (result) => {
    // No metrics while the store cannot be read, or after the gateway is closed.
    const figures = await gateway.readFigures().catch(() => undefined);
    for (const { name, samples } of figures ? gatewayFamilies(figures, clock.now()) : []) {
      const metric = observed.get(name);
      if (metric) for (const { value, labels } of samples) result.observe(metric, value, labels);
    }
  };
  const all = [...observed.values()];
  meter.addBatchObservableCallback(read, all);
  return { [Symbol.dispose]: () => meter.removeBatchObservableCallback(read, all) };
}

function observable(meter: Meter, family: MetricFamily): Observable {
  const { name, ...facts } = metricFacts(family);
  return family.type === "counter"
    ? meter.createObservableCounter(name, facts)
    : meter.createObservableGauge(name, facts);
}

function secondsBetween(from: string, to: string): number {
  return Math.max(Date.parse(to) - Date.parse(from), 0) / 1000;
}
