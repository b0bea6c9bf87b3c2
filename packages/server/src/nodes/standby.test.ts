import { expect, test } from "vitest";

import type { ServerOptions } from "../server-options.ts";
import { loadStaticFiles } from "../static/static-files.ts";
import { openSocket } from "../testing/open-socket.ts";
import {
  FENCE,
  openDoor,
  openStandbyNode,
  openWorkingFront,
  type StandbyNode,
} from "../testing/serve-nodes.ts";
import { AGENT_TOKEN, PERSON_TOKEN, rawRequest, serve } from "../testing/serve.ts";
import { withWebRoot } from "../testing/web-root.ts";

/** A working node with a gateway's server, and a standby node. */
async function serveNodes(
  options: Parameters<typeof openStandbyNode>[1] = {},
  serving: Pick<ServerOptions, "publicUrl" | "webRoot"> = {},
) {
  await using opening = new AsyncDisposableStack();
  const front = await openWorkingFront(options.publicUrl);
  opening.defer(() => front.close());
  const door = opening.use(await openDoor());
  const served = opening.use(await serve({ ...serving, nodes: { front, door, fence: FENCE } }));
  const node: StandbyNode = opening.use(await openStandbyNode(door, options));
  const open = opening.move();
  return { served, node, door, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

const bearer = { authorization: `Bearer ${PERSON_TOKEN}` };

test("any node answers: operations, errors and documents are the same at both", async () => {
  await using nodes = await serveNodes();
  const { served, node } = nodes;
  served.gateway.addSession("ses_1");
  for (const [path, headers] of [
    ["/api/sessions/ses_1", bearer],
    ["/api/sessions/ses_2", bearer],
    ["/api/sessions", { authorization: `Bearer ${AGENT_TOKEN}` }],
    ["/api/sessions", {}],
    ["/openapi.json", {}],
    ["/nothing", {}],
  ] as const) {
    const [here, there] = await Promise.all(
      [served.url, node.url].map(async (url) => {
        const answer = await fetch(url + path, { headers });
        return [answer.status, answer.headers.get("content-type"), await answer.text()];
      }),
    );
    expect([path, there]).toEqual([path, here]);
  }
  const headers = { ...bearer, "content-type": "application/json" };
  const body = JSON.stringify({ agent: "scripted" });
  const made = await fetch(`${node.url}/api/sessions`, { method: "POST", headers, body });
  expect(made.status).toBe(201);
  // The limits of bodies apply as well.
  const large = JSON.stringify({ agent: "x".repeat(300_000) });
  const refused = await fetch(`${node.url}/api/sessions`, { method: "POST", headers, body: large });
  expect(refused.status).toBe(413);
});

test("roles: either node answers monitors, and the metrics show which one was asked", async () => {
  await using nodes = await serveNodes();
  const { served, node } = nodes;
  for (const [url, role] of [
    [served.url, "working"],
    [node.url, "standby"],
  ] as const) {
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: "ok", role });
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: "ready", role });
    const figures = await (await fetch(`${url}/metrics`, { headers: bearer })).text();
    expect(figures).toContain(`node{role="${role}"} 1`);
  }
  served.gateway.isWritable = false;
  expect((await fetch(`${node.url}/readyz`)).status).toBe(503);
});

test("streams: events and WebSockets come through, and end with the node's work", async () => {
  await using nodes = await serveNodes();
  const { served, node } = nodes;
  served.gateway.addSession("ses_1");
  const accept = { ...bearer, accept: "text/event-stream" };
  const stream = await fetch(`${node.url}/api/sessions/ses_1/events`, { headers: accept });
  expect(stream.headers.get("content-type")).toContain("text/event-stream");
  const socket = await openSocket(node);
  socket.send({ type: "hello", token: PERSON_TOKEN, clientId: "page" });
  expect(await socket.next()).toMatchObject({ type: "welcome" });
  // A client with a valid credential is no longer a stranger to the node.
  await expect.poll(() => node.front.strangers.size).toBe(0);
  // A forwarded connection ends when another node takes over.
  await using second = await openStandbyNode(nodes.door);
  const silent = await openSocket(second);
  second.forwarder.pointTo(undefined);
  expect(await silent.closed).toMatchObject({ code: 1006 });
  const closing = Promise.all([stream.text(), socket.closed]);
  await served.server.close();
  const [text, { code }] = await closing;
  expect([text.includes("draining"), code]).toEqual([true, 1012]);
  // A refused socket gets the reason from every node.
  nodes.door.use(undefined);
  await expect(openSocket(node)).rejects.toThrow("503");
});

test("only a fellow node is trusted to name a request's client", async () => {
  await using nodes = await serveNodes({ trustProxy: ["127.0.0.1"] });
  const { node, served } = nodes;
  const wrong = { authorization: "Bearer wrong" };
  const ask = (port: number, headers: Record<string, string>) =>
    rawRequest(port, { path: "/api/agents", headers: { host: `127.0.0.1:${port}`, ...headers } });
  // Each client has its own limit of wrong credentials, although all come over the same node.
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await ask(node.port, {
      ...wrong,
      authorization: `Bearer wrong-${tries}`,
      "x-forwarded-for": "203.0.113.1",
    });
    if (answer.status === 429) break;
  }
  const blocked = { ...wrong, "x-forwarded-for": "203.0.113.1" };
  expect((await ask(node.port, blocked)).status).toBe(429);
  expect((await ask(node.port, { ...wrong, "x-forwarded-for": "203.0.113.2" })).status).toBe(401);
  // Headers of a node count only on the connection between nodes.
  const lie = { ...wrong, "holdpoint-node-client": "203.0.113.1", "holdpoint-node-fence": "7" };
  expect((await ask(served.port, lie)).status).toBe(401);
});

test("a node refuses foreign names and pages before it forwards anything", async () => {
  await using nodes = await serveNodes();
  const { node } = nodes;
  const own = `127.0.0.1:${node.port}`;
  const ask = async (headers: Record<string, string>): Promise<number> =>
    (await rawRequest(node.port, { path: "/api/agents", headers: { ...bearer, ...headers } }))
      .status;
  expect(await ask({ host: own })).toBe(200);
  expect(await ask({ host: "rebound.example" })).toBe(421);
  expect(await ask({ host: own, origin: "https://evil.example" })).toBe(403);
  expect(await ask({ host: own, "sec-fetch-site": "cross-site" })).toBe(403);
});

test("the page comes from the node itself, even while none works", async () => {
  await using web = await withWebRoot();
  const files = await loadStaticFiles(web.root);
  await using node = await openStandbyNode(undefined, { files });
  const navigate = { accept: "text/html", host: `127.0.0.1:${node.port}` };
  for (const [path, status] of [
    ["/", 200],
    ["/sessions/ses_1", 200],
    ["/theme.js", 200],
    ["/missing.js", 404],
    ["/api/sessions", 503],
  ] as const) {
    const answer = await rawRequest(node.port, { path, headers: navigate });
    expect([path, answer.status]).toEqual([path, status]);
    expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
  }
});

test("a page of another release comes from the working node, for the requested path", async () => {
  await using web = await withWebRoot({ "index.html": '<html data-place="./">' });
  const address = "https://example.org/holdpoint";
  const serving = { publicUrl: address, webRoot: web.root };
  await using nodes = await serveNodes({ publicUrl: new URL(address) }, serving);
  const { node, served } = nodes;
  for (const { port } of [served, node]) {
    const ask = (path: string) =>
      rawRequest(port, { path, headers: { host: `127.0.0.1:${port}`, accept: "text/html" } });
    expect((await ask("/")).text).toBe('<html data-place="/">');
    expect((await ask("/holdpoint/s/ses_1")).text).toBe('<html data-place="/holdpoint/">');
    const bare = await ask("/holdpoint?a=b");
    expect([bare.status, bare.headers["location"]]).toEqual([308, "/holdpoint/?a=b"]);
  }
});
