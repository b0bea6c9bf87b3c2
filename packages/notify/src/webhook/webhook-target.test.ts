import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { createSystemClock } from "@holdpoint/engine";
import { SimulatedClock } from "@holdpoint/engine/testing";
import { expect, onTestFinished, test } from "vitest";

import { createPoster } from "../lib/post.ts";
import { toCloseMessage } from "../message.ts";
import { createWebhookTarget } from "./webhook-target.ts";

interface Received {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

async function open(secret: string, status = 204) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      response.writeHead(status).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const clock = createSystemClock();
  const poster = createPoster(clock);
  onTestFinished(() => {
    poster[Symbol.dispose]();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const parts = { clock, poster, pageUrl: () => "https://example.org/holdpoint/" };
  const target = createWebhookTarget(parts, { url: `http://127.0.0.1:${port}/hook`, secret });
  const { signal } = new AbortController();
  return { target, received, send: target.send, options: { messageId: "dlv_1.tell", signal } };
}

const asked = {
  interactionId: "int_1",
  sessionId: "ses_1",
  kind: "approval",
  agent: "Claude",
  folder: "orders-api",
} as const;
const message = {
  step: "tell",
  tag: "int_1",
  title: "Run npm run build?",
  body: "Claude in orders-api",
  said: { title: [], body: [] },
  path: "/i/int_1",
  asked,
} as const;

test.each([
  ["a secret of sixteen or more", Buffer.from("a secret of sixteen or more")],
  [
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64"),
  ],
])("a webhook is signed as a receiver computes it, with the secret %s", async (secret, key) => {
  const { send, received, options } = await open(secret);
  expect(await send(message, options)).toEqual({ kind: "sent" });
  const [{ headers, body }] = received as [Received];
  const said = JSON.parse(body) as object;
  expect(said).toEqual({
    type: "interaction.pending",
    timestamp: expect.any(String),
    data: {
      tag: "int_1",
      title: message.title,
      body: message.body,
      url: "https://example.org/holdpoint/i/int_1",
      ...asked,
    },
  });
  expect(headers["webhook-id"]).toBe("dlv_1.tell");
  expect(Math.abs(Number(headers["webhook-timestamp"]) - Date.now() / 1000)).toBeLessThan(60);
  const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  const signature = createHmac("sha256", key).update(signed).digest("base64");
  expect(headers["webhook-signature"]).toBe(`v1,${signature}`);
});

test("a webhook limited to groups is notified only of requests that name one of them, from that step on", async () => {
  const clock = new SimulatedClock();
  const poster = createPoster(clock);
  onTestFinished(() => poster[Symbol.dispose]());
  const parts = { clock, poster, pageUrl: () => "https://example.org/holdpoint/" };
  const secret = "a secret of sixteen or more";
  const to = (groups?: string[]) =>
    createWebhookTarget(parts, { url: "http://127.0.0.1:9/", secret, ...(groups && { groups }) });
  const steps = [{ who: [{ group: "managers" }], afterMs: 60_000 }];
  const startedAt = new Date(clock.now()).toISOString();
  const about = { interactionId: "int_1", sessionId: "ses_1", kind: "approval" } as const;
  const anybody = { ...about, startedAt, startedAtMs: clock.now() };
  const ops = { ...anybody, responders: { circles: [{ who: [{ group: "ops" }], steps }] } };
  expect(to().mayAnswer).toBeUndefined();
  expect([to(["ops"]), to(["managers"])].map((each) => each.mayAnswer?.(ops))).toEqual([
    true,
    false,
  ]);
  expect(to(["ops"]).mayAnswer?.(anybody)).toBe(false);
  await clock.advance(60_000);
  expect(to(["managers"]).mayAnswer?.(ops)).toBe(true);
});

test("a webhook is notified when a request is settled, and failures are retried only where that helps", async () => {
  const settled = await open("a secret of sixteen or more");
  await settled.send(toCloseMessage("int_1"), settled.options);
  expect(JSON.parse(settled.received[0]!.body)).toMatchObject({
    type: "interaction.settled",
    data: { tag: "int_1" },
  });
  for (const [status, kind] of [
    [500, "missed"],
    [429, "missed"],
    [401, "refused"],
    [302, "refused"],
    [410, "gone"],
  ] as const) {
    const { send, options } = await open("a secret of sixteen or more", status);
    expect(await send(message, options)).toMatchObject({ kind });
  }
});
