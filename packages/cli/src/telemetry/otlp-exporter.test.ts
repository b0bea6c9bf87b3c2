import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { createSystemClock } from "@holdpoint/engine";
import { SimulatedClock } from "@holdpoint/engine/testing";
import { sampleInteraction } from "@holdpoint/protocol/testing";
import { expect, test } from "vitest";

import { toSpan } from "./interaction-span.ts";
import { OtlpExporter } from "./otlp-exporter.ts";

const span = (index: number) =>
  toSpan({ interaction: sampleInteraction({ interactionId: `int_${index}` }) }, Date.now());

/** A collector on loopback that answers with the next status. */
async function openCollector(statuses: number[]) {
  const bodies: string[] = [];
  const server = createServer((incoming, outgoing) => {
    void text(incoming).then((body) => {
      bodies.push(`${incoming.url} ${body}`);
      outgoing.writeHead(statuses.shift() ?? 200, { location: "/elsewhere" }).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    bodies,
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function openExporter(url: string) {
  const clock = new SimulatedClock();
  const lost: number[] = [];
  const onLost = (count: number) => void lost.push(count);
  return { clock, lost, exporter: new OtlpExporter({ url, clock, version: "1.2.3", onLost }) };
}

test("spans go together, and again when the collector does not take them", async () => {
  await using collector = await openCollector([503, 302]);
  const { clock, lost, exporter } = openExporter(collector.url);
  exporter.add(span(1));
  exporter.add(span(2));
  for (const tries of [1, 2, 3]) {
    await clock.advance(2000);
    await expect.poll(() => collector.bodies.length).toBe(tries);
    // The answer has to come back before the next look.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const [, , last = ""] = collector.bodies;
  expect(last).toMatch(/^\/v1\/traces /);
  expect(JSON.parse(last.slice(11))).toMatchObject({
    resourceSpans: [{ scopeSpans: [{ spans: [{ name: "interaction approval" }, {}] }] }],
  });
  await exporter[Symbol.asyncDispose]();
  expect([collector.bodies.length, lost]).toEqual([3, []]);
});

test("[R-18] a collector that is away keeps nothing up, and takes no more memory than there is room for", async () => {
  const lost: number[] = [];
  const exporter = new OtlpExporter({
    url: "http://127.0.0.1:9",
    clock: createSystemClock(),
    version: "1.2.3",
    onLost: (count) => lost.push(count),
  });
  for (let index = 0; index < 3000; index += 1) exporter.add(span(index));
  expect(lost.reduce((sum, count) => sum + count, 0)).toBe(3000 - 2048);
  await exporter[Symbol.asyncDispose]();
  expect(lost.reduce((sum, count) => sum + count, 0)).toBe(3000);
});
