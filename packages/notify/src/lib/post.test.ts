import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

import { createSystemClock } from "@holdpoint/engine";
import { SimulatedClock } from "@holdpoint/engine/testing";
import { expect, onTestFinished, test } from "vitest";

import { isNotLinkLocal, isPublicAddress } from "./address-rules.ts";
import { createPoster, type PostRequest, type PostResult } from "./post.ts";

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { server, url: new URL(`http://127.0.0.1:${port}/a`), port };
}

function post(
  changes: Partial<PostRequest> & Pick<PostRequest, "url">,
  clock: Parameters<typeof createPoster>[0] = createSystemClock(),
): Promise<PostResult> {
  const poster = createPoster(clock);
  onTestFinished(() => poster[Symbol.dispose]());
  return poster.post({
    headers: {},
    body: Buffer.from("{}"),
    mayConnect: isNotLinkLocal,
    signal: new AbortController().signal,
    ...changes,
  });
}

test("a redirect is a response, and is never followed", async () => {
  const asked: (string | undefined)[] = [];
  const { url } = await serve((request, response) => {
    asked.push(request.url);
    response.writeHead(307, { location: "/b" }).end();
  });
  expect(await post({ url })).toEqual({ kind: "answered", status: 307 });
  expect(asked).toEqual(["/a"]);
});

test("an endless response is not read to its end", async () => {
  const ended = Promise.withResolvers<void>();
  const { url } = await serve((_, response) => {
    response.on("close", () => ended.resolve());
    const more = (): void => {
      if (!response.destroyed) response.write("x".repeat(10_000), () => setImmediate(more));
    };
    more();
  });
  expect(await post({ url })).toEqual({ kind: "answered", status: 200 });
  await ended.promise;
});

test("responses that begin and never end do not delay later messages", async () => {
  let arrived = 0;
  const { url } = await serve((_, response) => {
    arrived += 1;
    response.writeHead(201).write("x");
  });
  const poster = createPoster(createSystemClock());
  onTestFinished(() => poster[Symbol.dispose]());
  const { signal } = new AbortController();
  const request = { url, headers: {}, body: Buffer.from("{}"), mayConnect: isNotLinkLocal, signal };
  for (let index = 0; index < 6; index += 1) {
    expect(await poster.post(request)).toEqual({ kind: "answered", status: 201 });
  }
  expect(arrived).toBe(6);
});

test("a host that never responds is given up after ten seconds", async () => {
  const arrived = Promise.withResolvers<void>();
  const { url } = await serve(() => arrived.resolve());
  const clock = new SimulatedClock();
  const result = post({ url }, clock);
  await arrived.promise;
  await clock.advance(9_999);
  await clock.advance(1);
  expect(await result).toEqual({ kind: "unreachable", reason: "no answer" });
});

test("endless response heads are refused", async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(200, { "x-long": "x".repeat(100_000) }).end();
  });
  expect(await post({ url })).toMatchObject({ kind: "unreachable" });
});

test("a forbidden address is not connected to, by number or by name", async () => {
  let asked = 0;
  const { url, port } = await serve((_, response) => {
    asked += 1;
    response.end();
  });
  const refused = { kind: "unreachable", reason: "ADDRESS_REFUSED" };
  const mayConnect = isPublicAddress;
  expect(await post({ url, mayConnect })).toEqual(refused);
  expect(await post({ url: new URL(`http://localhost:${port}/`), mayConnect })).toEqual(refused);
  expect(await post({ url: new URL("http://169.254.169.254/latest/meta-data") })).toEqual(refused);
  expect(await post({ url: new URL("http://[fd00:ec2::254]/latest") })).toEqual(refused);
  expect(asked).toBe(0);
  expect(await post({ url: new URL(`http://localhost:${port}/`) })).toMatchObject({ status: 200 });
});

test.each([
  ["120", 120_000],
  ["0", 0],
  ["99999999", 60 * 60 * 1000],
  ["Wed, 21 Oct 2015 07:28:00 GMT", 0],
  ["soon", undefined],
])("Retry-After: %s is %s", async (text, retryAfterMs) => {
  const { url } = await serve((_, response) => {
    response.writeHead(429, { "retry-after": text }).end();
  });
  expect(await post({ url })).toEqual({
    kind: "answered",
    status: 429,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
});

test("an abort ends the request", async () => {
  const { url } = await serve(() => undefined);
  const { signal } = Object.assign(new AbortController());
  const aborted = AbortSignal.any([signal, AbortSignal.timeout(50)]);
  expect(await post({ url, signal: aborted })).toMatchObject({ kind: "unreachable" });
});
