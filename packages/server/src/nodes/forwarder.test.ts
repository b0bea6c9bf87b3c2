import { once } from "node:events";
import { type IncomingMessage, request as httpRequest, type RequestListener } from "node:http";
import { request as linkRequest } from "node:https";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";

import { expect, test, vi } from "vitest";

import { FENCE, LINK_KEY, openDoor, openStandbyNode } from "../testing/serve-nodes.ts";
import { rawRequest } from "../testing/serve.ts";
import { toForwardingHeaders } from "./forwarding-headers.ts";
import { clientLink } from "./node-link.ts";

type Seen = Pick<IncomingMessage, "headers" | "method" | "url">;

const NO_NODE = { status: 503, headers: expect.objectContaining({ "retry-after": "1" }) };

test("a forwarded request arrives unchanged, without headers of one connection or of a node", async () => {
  const seen: Seen[] = [];
  await using door = await openDoor((incoming, outgoing) => {
    seen.push(incoming);
    outgoing.writeHead(207, [
      "Set-Thing",
      "a",
      "Set-Thing",
      "b",
      "Connection",
      "x-own",
      "X-Own",
      "1",
      "Keep-Alive",
      "timeout=9",
    ]);
    outgoing.end("done");
  });
  await using node = await openStandbyNode(door);
  const answer = await rawRequest(node.port, {
    path: "/api/x?y=1",
    method: "PUT",
    headers: {
      host: `127.0.0.1:${node.port}`,
      authorization: "Bearer token",
      connection: "close, x-hop",
      "x-hop": "1",
      te: "trailers",
      "proxy-authorization": "Basic x",
      "holdpoint-node-client": "203.0.113.9",
      "Holdpoint-Node-Fence": "99",
      "x-forwarded-for": "203.0.113.8",
    },
    body: "the body",
  });
  expect(answer).toMatchObject({ status: 207, text: "done" });
  expect(answer.headers["set-thing"]).toBe("a, b");
  expect(answer.headers).not.toHaveProperty("x-own");
  expect(answer.headers["keep-alive"]).not.toBe("timeout=9");
  const [{ headers, method, url }] = seen as [Seen];
  expect([method, url]).toEqual(["PUT", "/api/x?y=1"]);
  expect(headers).toMatchObject({
    host: `127.0.0.1:${node.port}`,
    authorization: "Bearer token",
    "x-forwarded-for": "203.0.113.8",
    "holdpoint-node-client": "127.0.0.1",
    "holdpoint-node-fence": String(FENCE),
  });
  for (const name of ["x-hop", "te", "proxy-authorization"]) {
    expect(headers).not.toHaveProperty(name);
  }
});

test.each([
  ["no node works", undefined, {}],
  ["another node has the lease", "door", { fence: FENCE - 1 }],
  ["the node has another cluster secret", "door", { key: Buffer.alloc(32, 4) }],
] as const)(
  "when %s, the response reports it, with the time to come again",
  async (_, at, options) => {
    const handled = vi.fn<RequestListener>((_incoming, outgoing) => void outgoing.end());
    await using door = await openDoor(handled);
    await using node = await openStandbyNode(at && door, options);
    const headers = { host: `127.0.0.1:${node.port}` };
    for (const method of ["GET", "POST"]) {
      const answer = await rawRequest(node.port, { path: "/api/agents", method, headers });
      expect(answer).toMatchObject(NO_NODE);
      expect(JSON.parse(answer.text)).toMatchObject({
        code: "NO_WORKING_NODE",
        retryAfterMs: 1000,
      });
    }
    const ready = await rawRequest(node.port, { path: "/readyz", headers });
    expect([ready.status, ready.text]).toEqual([
      503,
      '{"status":"no_working_node","role":"standby"}',
    ]);
    expect(handled).not.toHaveBeenCalled();
  },
);

test("a request is never forwarded twice: a door without a working gateway reports that none works", async () => {
  await using idle = await openDoor();
  await using node = await openStandbyNode(idle);
  const answer = await rawRequest(node.port, {
    path: "/api/agents",
    headers: { host: `127.0.0.1:${node.port}` },
  });
  expect(answer).toMatchObject(NO_NODE);
});

test.each([["2"], [undefined]])(
  "a node with headers of version %s is refused, and its request does not arrive",
  async (version) => {
    const handled = vi.fn<RequestListener>((_incoming, outgoing) => void outgoing.end());
    await using door = await openDoor(handled);
    const [host, port] = door.address.split(":") as [string, string];
    const words = toForwardingHeaders({
      client: { address: "203.0.113.1" },
      pageUrls: new Set(["https://next.example"]),
      fence: FENCE,
    });
    const at = words.indexOf("holdpoint-node-link");
    words.splice(at, 2, ...(version === undefined ? [] : ["holdpoint-node-link", version]));
    const asking = linkRequest({
      ...clientLink(LINK_KEY),
      host,
      port,
      method: "POST",
      path: "/api/x",
      agent: false,
      headers: ["Host", "x", ...words] as unknown as Record<string, string>,
    });
    asking.end();
    const [answer] = (await once(asking, "response")) as [IncomingMessage];
    expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "1"]);
    expect(JSON.parse(await text(answer))).toMatchObject({
      code: "NO_WORKING_NODE",
      detail: expect.stringContaining("has another release"),
    });
    expect(handled).not.toHaveBeenCalled();
  },
);

test("a door accepts no one without the cluster secret, in any way", async () => {
  await using door = await openDoor((_incoming, outgoing) => outgoing.end("in"));
  const [host, port] = door.address.split(":") as [string, string];
  const attempts = {
    plain: () => connect(Number(port), host),
    otherKey: () => connectTls({ host, port: Number(port), ...clientLink(Buffer.alloc(32, 9)) }),
    noKey: () => connectTls({ host, port: Number(port), rejectUnauthorized: false }),
  };
  for (const [name, open] of Object.entries(attempts)) {
    const socket = open();
    let got = "";
    socket.on("data", (chunk: Buffer) => (got += chunk.toString("latin1")));
    socket.on("error", () => undefined);
    if (name === "plain") socket.write("GET /api/agents HTTP/1.1\r\nHost: x\r\n\r\n");
    await new Promise((resolve) => socket.once("close", resolve));
    expect([name, got.includes("in")]).toEqual([name, false]);
  }
  const right = connectTls({ host, port: Number(port), ...clientLink(LINK_KEY) });
  await once(right, "secureConnect");
  right.destroy();
});

test("[R-4] a POST that may have arrived is cut, not sent again, and a GET is answered", async () => {
  const methods: string[] = [];
  await using door = await openDoor((incoming) => {
    methods.push(incoming.method ?? "");
    incoming.socket.destroy();
  });
  await using node = await openStandbyNode(door);
  const headers = { host: `127.0.0.1:${node.port}` };
  const post = rawRequest(node.port, { path: "/api/x", method: "POST", headers, body: "{}" });
  await expect(post).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(await rawRequest(node.port, { path: "/api/x", headers })).toMatchObject({ status: 503 });
  expect(methods).toEqual(["POST", "GET"]);
});

test("a broken response is cut, so that no one takes it for whole", async () => {
  await using door = await openDoor((_incoming, outgoing) => {
    outgoing.write("half");
    setTimeout(() => outgoing.destroy(), 20);
  });
  await using node = await openStandbyNode(door);
  const response = await fetch(`${node.url}/api/x`);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow("terminated");
});

test("[R-18] a forwarded request ends when its client leaves, and when another node works", async () => {
  const ended: string[] = [];
  const begun: string[] = [];
  await using door = await openDoor(({ url = "" }, outgoing) => {
    begun.push(url);
    outgoing.once("close", () => ended.push(url));
    if (url !== "/api/waits") outgoing.writeHead(200).flushHeaders();
  });
  await using node = await openStandbyNode(door);
  const leave = new AbortController();
  const { signal } = leave;
  const waits = fetch(`${node.url}/api/waits`, { signal });
  const left = await fetch(`${node.url}/api/left`, { signal });
  await expect.poll(() => begun).toHaveLength(2);
  leave.abort();
  await Promise.allSettled([waits, left.text()]);
  await expect.poll(() => ended.toSorted()).toEqual(["/api/left", "/api/waits"]);
  const stream = await fetch(`${node.url}/api/stream`);
  node.forwarder.pointTo(undefined);
  await expect(stream.text()).rejects.toThrow("terminated");
  await expect.poll(() => ended.at(-1)).toBe("/api/stream");
});

test("a body is forwarded as it comes, and one that is refused early ends with its response", async () => {
  const chunks: string[] = [];
  await using door = await openDoor((incoming, outgoing) => {
    incoming.once("data", (chunk: Buffer) => {
      chunks.push(chunk.toString());
      outgoing.writeHead(413, { Connection: "close" }).end("too large");
    });
  });
  await using node = await openStandbyNode(door);
  const sending = httpRequest({
    port: node.port,
    host: "127.0.0.1",
    path: "/api/x",
    method: "POST",
  });
  sending.on("error", () => undefined);
  sending.write("first");
  const [answer] = (await once(sending, "response")) as [IncomingMessage];
  expect([answer.statusCode, chunks]).toEqual([413, ["first"]]);
  answer.resume();
  await once(sending, "close");
});
