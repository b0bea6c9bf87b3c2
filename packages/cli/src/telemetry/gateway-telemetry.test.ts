import {
  createMemoryStore,
  createSystemClock,
  createSystemIds,
  type Gateway,
  type HoldRequest,
  openGateway,
} from "@holdpoint/engine";
import { createScriptedAdapter } from "@holdpoint/engine/testing";
import { sampleInteraction } from "@holdpoint/protocol/testing";
import {
  type Context,
  context,
  type ContextManager,
  ROOT_CONTEXT,
  trace,
} from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { expect, onTestFinished, test } from "vitest";

import { createGatewayTelemetry } from "./gateway-telemetry.ts";

const SECRET = "cobalt-otter";
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const ada = { principal: "person", person: "Ada", client: "Test" } as const;

/** A program's SDK that keeps the exported data in memory. */
function openSdk() {
  const spans = new InMemorySpanExporter();
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metrics });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(spans)],
  });
  return {
    tracerProvider,
    meterProvider,
    spans,
    /** The values of each metric, by its name. */
    async read() {
      metrics.reset();
      await reader.forceFlush();
      const read = metrics.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics);
      return new Map(
        read.flatMap((scope) => scope.metrics).map((metric) => [metric.descriptor.name, metric]),
      );
    },
    async [Symbol.asyncDispose]() {
      await meterProvider.shutdown();
    },
  };
}

/** Makes everything run in one trace. */
function alwaysIn(active: Context): ContextManager {
  const manager: ContextManager = {
    active: () => active,
    with: (_context, run, self, ...args) => run.call(self as never, ...args),
    bind: (_context, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  return manager;
}

/** Lets the agent ask something that names the secret, and denies it with the secret. */
async function denyOne(gateway: Gateway): Promise<void> {
  const { sessionId } = await gateway.createSession(ada, { agent: "a", title: SECRET });
  await gateway.sendMessage(ada, sessionId, { content: SECRET });
  const list = () => gateway.listInteractions(ada, { status: ["pending"], limit: 2 });
  await expect.poll(async () => (await list()).items.length).toBe(1);
  const [asked] = (await list()).items;
  await gateway.respond(ada, asked!.interactionId, { action: "deny", reason: SECRET });
}

test("[R-19] the program's own SDK gets a span and the metrics, and no text of requests or answers", async () => {
  await using sdk = openSdk();
  const telemetry = createGatewayTelemetry(sdk);
  const adapter = createScriptedAdapter(async (_message, context) => {
    const request: HoldRequest = {
      kind: "approval",
      toolCallId: "call_1",
      toolName: SECRET,
      input: { to: SECRET },
      display: {},
      scopes: ["once"],
      scopeText: {},
      editable: false,
    };
    await context.hold(request, context);
    return { reason: "done" };
  });
  await using gateway = await openGateway({
    store: createMemoryStore(),
    clock: createSystemClock(),
    ids: createSystemIds(),
    agents: new Map([["a", adapter]]),
    defaultCwd: "/work",
    onInteraction: telemetry.onInteraction,
  });
  using _ = telemetry.measure(gateway);
  expect((await sdk.read()).get("holdpoint.pending_interactions")?.dataPoints).toHaveLength(3);
  await denyOne(gateway);
  await expect.poll(() => sdk.spans.getFinishedSpans().length).toBe(1);
  const [span] = sdk.spans.getFinishedSpans();
  expect(span).toMatchObject({
    name: "interaction approval",
    parentSpanContext: undefined,
    events: [{ name: "asked" }, { name: "answered" }, { name: "delivered" }],
  });
  const read = await sdk.read();
  // No page was open: the agent was parked, and got its answer as a message.
  const valuesOf = (name: string) =>
    read.get(name)?.dataPoints.map(({ attributes, value }) => [attributes, value]);
  expect(valuesOf("holdpoint.interactions")).toContainEqual([
    { kind: "approval", happening: "answered" },
    1,
  ]);
  expect(valuesOf("holdpoint.deliveries")).toEqual([[{ how: "user_message" }, 1]]);
  expect(read.get("holdpoint.answer")).toMatchObject({
    descriptor: { unit: "s" },
    dataPoints: [{ value: { count: 1 } }],
  });
  const { attributes, events } = span!;
  const said = JSON.stringify([attributes, events, [...read]]);
  expect(said).not.toContain(SECRET);
  expect(said).not.toContain("deny");
});

test("a span may begin before its process, and joins only the trace of its requester", async () => {
  await using sdk = openSdk();
  const { onInteraction } = createGatewayTelemetry(sdk);
  const startedAt = "2020-01-02T03:04:05.000Z";
  const interaction = sampleInteraction({ status: "withdrawn", startedAt });
  const other = trace.setSpanContext(ROOT_CONTEXT, {
    traceId: "f".repeat(32),
    spanId: "f".repeat(16),
    traceFlags: 1,
  });
  context.setGlobalContextManager(alwaysIn(other));
  onTestFinished(() => context.disable());
  for (const traceparent of [`00-${TRACE}-${PARENT}-01`, `00-${TRACE}-${PARENT}-01-more`]) {
    onInteraction({ interaction, traceparent }, "pending");
  }
  const [placed, alone] = sdk.spans.getFinishedSpans();
  expect(placed?.startTime).toEqual([Date.parse(startedAt) / 1000, 0]);
  expect(placed?.spanContext().traceId).toBe(TRACE);
  expect(placed?.parentSpanContext).toMatchObject({ spanId: PARENT, isRemote: true });
  expect(alone?.parentSpanContext).toBe(undefined);
  // Its caller asked not to sample it.
  onInteraction({ interaction, traceparent: `00-${TRACE}-${PARENT}-00` }, "pending");
  expect(sdk.spans.getFinishedSpans()).toHaveLength(2);
});

test("a failing SDK and an unreadable gateway disturb nothing", async () => {
  await using sdk = openSdk();
  const getTracer = () => ({
    startSpan: () => {
      throw new Error("The processor is broken.");
    },
  });
  const tracerProvider = { getTracer: getTracer as never };
  const telemetry = createGatewayTelemetry({ ...sdk, tracerProvider });
  telemetry.onInteraction({ interaction: sampleInteraction({ status: "withdrawn" }) }, "pending");
  using _ = telemetry.measure({
    readFigures: () => Promise.reject(new Error("The store is away.")),
  });
  expect((await sdk.read()).get("holdpoint.sessions")?.dataPoints ?? []).toEqual([]);
});
