import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo, Socket } from "node:net";

import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { WebSocketServer } from "ws";

import { Api, until } from "../support/api.ts";
import { test } from "./support/behind-line.ts";
import { button, card, CARDS, PROMPTS, startDemo } from "./support/conversation.ts";
import type { Line } from "./support/line.ts";
import type { DevicePlace, OpenDevice } from "./support/test.ts";

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Another program at the gateway's address, which accepts and records every request. */
interface Squatter extends AsyncDisposable {
  readonly requests: readonly Received[];
  /** Messages received over WebSockets. */
  readonly frames: readonly string[];
  readonly text: string;
}

/**
 * Takes the gateway's end of the line. `answer` replies to every request: with nothing, or as another program would.
 */
async function squat(
  line: Line,
  answer: (request: Received) => Promise<{ status: number; body: string; type: string }>,
): Promise<Squatter> {
  const requests: Received[] = [];
  const frames: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    const answerNow = async (): Promise<void> => {
      const { method = "", url: path = "", headers } = incoming;
      const received = { method, path, headers, body: Buffer.concat(chunks).toString() };
      requests.push(received);
      const { status, body, type } = await answer(received);
      outgoing.writeHead(status, { "content-type": type }).end(body);
    };
    incoming.on("end", () => void answerNow());
  });
  const webSockets = new WebSocketServer({ server });
  webSockets.on("connection", (socket) => {
    socket.on("message", (data: Buffer) => frames.push(data.toString()));
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  line.connectTo((server.address() as AddressInfo).port);
  return {
    requests,
    frames,
    get text() {
      return JSON.stringify([requests, frames]);
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

const nothing = async () => ({ status: 200, body: "<p>Hello", type: "text/html" });
const ok = async () => ({ status: 200, body: '{"items":[]}', type: "application/json" });

/** A stranger's page contains no part of the gateway's page. */
const problems = /404|401|ERR_|WebSocket|Failed to load|Unexpected/;

/** The secrets that a thief finds in the browser's storage. */
async function readStorage(page: Page): Promise<{ token: string; exported: string }> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open("holdpoint");
      opening.addEventListener("success", () => resolve(opening.result));
      opening.addEventListener("error", () => reject(opening.error ?? new Error("No database.")));
    });
    const device = await new Promise<{ token: string; key: { privateKey: CryptoKey } }>(
      (resolve) => {
        const reading = database.transaction("device").objectStore("device").get("signed-in");
        reading.addEventListener("success", () => resolve(reading.result));
      },
    );
    const { privateKey } = device.key;
    const exported = await Promise.allSettled(
      (["pkcs8", "jwk", "raw"] as const).map((format) =>
        crypto.subtle.exportKey(format as "pkcs8", privateKey),
      ),
    );
    database.close();
    return {
      token: device.token,
      exported: `${exported.map(({ status }) => status).join()} ${JSON.stringify(localStorage)}`,
    };
  });
}

/**
 * A signed-in page whose gateway's address another program is about to take. It has no request on its way: the
 * browser repeats a request whose connection is lost before the gateway has it.
 */
async function openSignedIn(openDevice: OpenDevice, place: DevicePlace) {
  const device = await openDevice(place);
  device.allowProblem(problems);
  const { page } = device;
  const open = new Set<unknown>();
  let lastAt = 0;
  page.on("request", (request) => {
    open.add(request);
    lastAt = performance.now();
  });
  for (const end of ["requestfinished", "requestfailed"] as const) {
    page.on(end as "requestfinished", (request) => open.delete(request));
  }
  await device.open();
  await button(page, PROMPTS.tour).waitFor();
  // Only the stream stays open.
  await until(async () => open.size <= 1 && performance.now() - lastAt > 1000, "a quiet page");
  const { token } = await readStorage(page);
  return { page, token };
}

describe("Another program that takes the gateway's port", () => {
  test("gets no secret from an open page, and cannot replay the requests it received", async ({
    startBehindLine,
    line,
    openDevice,
    annotate,
  }) => {
    const first = await startBehindLine();
    const device = await openDevice(first.viaLine);
    device.allowProblem(problems);
    const { page } = device;
    const sent: Received[] = [];
    page.on("request", (request) => {
      const keep = (headers: Received["headers"]): void => {
        const { pathname: path } = new URL(request.url());
        sent.push({ method: request.method(), path, headers, body: request.postData() ?? "" });
      };
      // A request that the end of the test cuts off has reached no one.
      request.allHeaders().then(keep, () => undefined);
    });
    const sessionId = await startDemo(first, PROMPTS.edit);
    await device.open(`/s/${sessionId}`);
    await card(page, CARDS.checklist).waitFor();
    const missing = await listMissingScripts(page);
    await until(async () => (await missing()).length === 0, "all of the code");
    const { token } = await readStorage(page);
    await first.stop("SIGKILL");
    let recorded: Received[] = [];
    {
      await using squatter = await squat(line, ok);
      await page.getByText("Another program is answering at this address.").waitFor();
      // The person continues to work, and the page keeps retrying.
      await button(card(page, CARDS.checklist), "Deny").click();
      await until(async () => squatter.requests.length > 5, "some tries");
      expect(squatter.text).not.toContain(token);
      const paths = new Set(squatter.requests.map(({ path }) => path));
      expect(paths).toEqual(new Set(["/api/auth/hello"]));
      expect(squatter.requests.flatMap(({ headers }) => headers["dpop"] ?? [])).toEqual([]);
      expect(squatter.frames).toEqual([]);
      recorded = [...squatter.requests];
    }
    const second = await startBehindLine({ dataDir: first.dataDir });
    await page
      .getByText("Another program is answering at this address.")
      .waitFor({ state: "detached" });

    // Everything that an eavesdropper has seen so far, including the earlier requests.
    const replayed = [...recorded, ...sent].filter(({ path }) => path.startsWith("/api/"));
    const withProof = replayed.filter(({ headers }) => headers["dpop"] !== undefined);
    expect(withProof.length).toBeGreaterThan(3);
    const succeeded: string[] = [];
    for (const { method, path, headers, body } of withProof) {
      const { authorization = "", dpop = "" } = headers;
      const answer = await fetch(line.url + path, {
        method,
        headers: { authorization, dpop: String(dpop), "content-type": "application/json" },
        ...(body !== "" && { body }),
      });
      if (answer.status !== 401) succeeded.push(`${method} ${path} ${answer.status}`);
      await answer.body?.cancel();
    }
    expect(succeeded).toEqual([]);
    await annotate(`${withProof.length} requests replayed, 0 succeeded`, "cases");
    // The person's own page continues to work.
    const { body } = await new Api(second.url).call<{ items: unknown[] }>("GET", "/devices");
    expect(body.items).toHaveLength(1);
  });

  test("is never asked for code of the page, however early it takes the port", async ({
    startBehindLine,
    line,
    openDevice,
  }) => {
    const first = await startBehindLine();
    const device = await openDevice(first.viaLine);
    device.allowProblem(problems);
    const { page } = device;
    // The page does not get to load its later code.
    await page.route(/\/assets\/(?:german|highlight|http-streams|overview-pages)/, (route) =>
      route.abort(),
    );
    await device.open();
    await button(page, PROMPTS.tour).waitFor();
    await first.stop("SIGKILL");
    await using squatter = await squat(line, ok);
    await page.getByText("Another program is answering at this address.").waitFor();
    const code = squatter.requests.filter(({ path }) => path.startsWith("/assets/"));
    expect(code.map(({ path }) => path)).toEqual([]);
  });

  test("gets no secret from a reloaded page or a launch link", async ({
    startBehindLine,
    line,
    openDevice,
  }) => {
    const first = await startBehindLine();
    const { page, token } = await openSignedIn(openDevice, first.viaLine);
    const link = await first.nextLink();
    await first.stop("SIGKILL");
    await using squatter = await squat(line, nothing);
    await page.reload();
    // Coming from the same page, the link would only change the address, without a request.
    await page.goto("about:blank");
    await page.goto(link);
    expect(squatter.requests.filter(({ path }) => path === "/")).toHaveLength(2);
    expect(squatter.text).not.toContain(token);
    expect(squatter.text).not.toContain(new URL(link).hash.slice(6, 28));
    expect(squatter.requests.flatMap(({ headers }) => headers["dpop"] ?? [])).toEqual([]);
    expect(squatter.frames).toEqual([]);
  });

  test("gets no secret by forwarding everything to the gateway, which has moved to another port", async ({
    startBehindLine,
    startGateway,
    line,
    openDevice,
  }) => {
    const first = await startBehindLine();
    const { page, token } = await openSignedIn(openDevice, first.viaLine);
    await first.stop("SIGKILL");
    const moved = await startGateway({ dataDir: first.dataDir });
    const { host } = new URL(moved.url);
    await using squatter = await squat(line, async ({ method, path, headers, body }) => {
      const { authorization = "", dpop = "", "content-type": contentType = "" } = headers;
      const answer = await fetch(moved.url + path, {
        method,
        headers: {
          host,
          origin: moved.url,
          authorization,
          dpop: String(dpop),
          "content-type": contentType,
        },
        ...(body !== "" && { body }),
      });
      const type = answer.headers.get("content-type") ?? "text/plain";
      return { status: answer.status, body: await answer.text(), type };
    });
    await page.getByText("Another program is answering at this address.").waitFor();
    await until(async () => squatter.requests.length > 5, "some tries");
    expect(squatter.text).not.toContain(token);
    expect(squatter.frames).toEqual([]);
  });

  test("a token stolen from the browser's storage is useless elsewhere", async ({
    startGateway,
    openDevice,
  }) => {
    const gateway = await startGateway();
    const device = await openDevice(gateway);
    await device.open();
    const { token, exported } = await readStorage(device.page);
    expect(exported).toMatch(/^rejected,rejected,rejected /);
    expect(exported).not.toContain(token);
    for (const scheme of ["Bearer", "DPoP"]) {
      const answer = await fetch(`${gateway.url}/api/sessions`, {
        headers: { authorization: `${scheme} ${token}` },
      });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ code: "PROOF_REQUIRED" });
    }
  });

  test("two tabs share one key, and an open page has loaded all of its code", async ({
    gateway,
    openDevice,
  }) => {
    const device = await openDevice(gateway);
    const { page, context } = device;
    await device.open();
    await button(page, PROMPTS.tour).waitFor();
    const other = await context.newPage();
    await other.goto(gateway.url);
    await button(other, PROMPTS.tour).waitFor();
    const before = await readStorage(page);
    expect(await readStorage(other)).toEqual(before);
    const missing = await listMissingScripts(page);
    await until(async () => (await missing()).length === 0, "the rest of the code");
  });
});

/** Returns a function that lists the scripts of the built page that a page has not loaded. */
async function listMissingScripts(page: Page): Promise<() => Promise<string[]>> {
  const folder = new URL("../../packages/web/dist/assets/", import.meta.url);
  const scripts = (await readdir(folder)).filter((name) => name.endsWith(".js"));
  return async () => {
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname),
    );
    return scripts.filter((name) => !loaded.includes(`/assets/${name}`));
  };
}
