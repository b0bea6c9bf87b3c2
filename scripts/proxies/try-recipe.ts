import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setDefaultCACertificates } from "node:tls";

import { createHttpTransport, createWebSocketTransport, type Transport } from "@holdpoint/client";
import type { SessionEvent } from "@holdpoint/protocol";
import { createCertificate } from "@holdpoint/server/testing";

import { startGateway, TOKEN } from "../../e2e/support/gateway-process.ts";
import type { Recipe } from "./recipes.ts";

/** A frame that a proxy holds back arrives only with the next heartbeat, after 15 seconds. */
const MOST_MS = 5000;
const START_MS = 10_000;

/**
 * Runs a gateway behind the proxy, and asks and answers through it in each way. Throws when something does not work.
 */
export async function tryRecipe(recipe: Recipe, print: (line: string) => void): Promise<void> {
  await using open = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-proxy-"));
  open.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const port = await freePort();
  const baseUrl = `https://localhost:${port}${recipe.path ?? ""}`;
  const args = ["--public-url", baseUrl, "--trust-proxy", "127.0.0.1"];
  const gateway = open.use(await startGateway({ args }));

  const { cert, key } = createCertificate({ hosts: ["localhost"] });
  setDefaultCACertificates([cert]);
  const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const configFile = join(folder, "config");
  const place = { port, gateway: new URL(gateway.url).host, certFile, keyFile };
  await writeFile(certFile, cert);
  await writeFile(keyFile, key, { mode: 0o600 });
  await writeFile(configFile, recipe.config(place));
  const proxy = spawn(recipe.program, recipe.args(configFile, folder), {
    cwd: folder,
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  proxy.stderr.on("data", (bytes: Buffer) => (said += bytes.toString()));
  const ended = once(proxy, "exit");
  open.defer(async () => {
    proxy.kill("SIGKILL");
    await ended;
  });
  await Promise.race([
    listening(port),
    ended.then(() => Promise.reject(new Error(`It did not start: ${said}`))),
  ]);

  const page = await fetch(baseUrl);
  if (page.status !== 200) throw new Error(`The page: ${page.status}`);
  const script = /<script type="module" [^>]*src="(?<path>[^"]+)"/u.exec(await page.text());
  const code = await fetch(new URL(script?.groups?.["path"] ?? "/missing", baseUrl));
  if (code.status !== 200) throw new Error(`The page's code: ${code.status}`);
  print("the page");
  const options = { baseUrl, token: TOKEN };
  const ways = {
    "requests and event streams": createHttpTransport({ ...options, clientId: "http" }),
    "a WebSocket": createWebSocketTransport({ ...options, clientId: "socket" }),
  };
  for (const [way, transport] of Object.entries(ways)) {
    await using through = transport;
    const slowestMs = await askAndAnswer(through);
    if (slowestMs > MOST_MS) throw new Error(`${way}: a frame came ${slowestMs} ms late.`);
    print(`${way}: a question and its answer, each seen within ${slowestMs.toFixed(0)} ms`);
  }
}

/** Answers a question of the demo agent, and returns the longest wait of a follower. */
async function askAndAnswer(transport: Transport): Promise<number> {
  const { sessionId } = await transport.createSession({ agent: "demo" });
  const left = new AbortController();
  const events = eventsOf(transport, sessionId, left.signal);
  // The stream is open before anything happens, so that all events have to come through it.
  const begun = events.next();
  await transport.sendMessage(sessionId, { content: "Ask me two questions" });
  await begun;
  const askedAtMs = performance.now();
  const asked = await nextOf(events, "interaction_request");
  const waitedMs = performance.now() - askedAtMs;
  if (asked.type !== "interaction_request") throw new Error("It asked nothing.");
  const { interactionId } = asked.interaction;
  const answeredAtMs = performance.now();
  await transport.respond(interactionId, { action: "submit", reply: "As you like." });
  await nextOf(events, "interaction_response");
  const toldMs = performance.now() - answeredAtMs;
  left.abort();
  return Math.max(waitedMs, toldMs);
}

async function* eventsOf(
  transport: Transport,
  sessionId: string,
  signal: AbortSignal,
): AsyncGenerator<SessionEvent, undefined> {
  for await (const batch of transport.followSession(sessionId, { seq: 0 }, { signal })) {
    yield* batch.filter((frame) => "seq" in frame);
  }
}

async function nextOf(
  events: AsyncGenerator<SessionEvent, undefined>,
  type: SessionEvent["type"],
): Promise<SessionEvent> {
  for (;;) {
    const { value } = await events.next();
    if (value === undefined) throw new Error(`The stream ended before ${type}.`);
    if (value.type === type) return value;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return address.port;
}

async function listening(port: number): Promise<void> {
  const limit = performance.now() + START_MS;
  while (performance.now() < limit) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "error").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("The proxy does not listen.");
}
