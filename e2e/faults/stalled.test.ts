/*
 * Clients that open a stream and then read nothing, while a session grows by megabytes. Checked against the same run
 * without them: what the gateway's process holds more. The streams are of the real process, over real sockets.
 */
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";

import { afterEach, expect, test } from "vitest";

import { Api, endOfTurn, until } from "../support/api.ts";
import { startGateway, TOKEN } from "../support/gateway-process.ts";

const CLIENTS = Number(process.env["CAMPAIGN_CASES"] ?? 100);
const MESSAGES = 60;
const MESSAGE = "a long message ".repeat(6000);
const MOST_MIB = 30;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

test.skipIf(process.platform !== "linux")(
  `[R-7] [R-20] ${CLIENTS} clients that read nothing cost the gateway at most ${MOST_MIB} MiB`,
  { timeout: 300_000 },
  async ({ annotate }) => {
    const alone = await measure(0);
    const stalled = await measure(CLIENTS);
    const growth = stalled.grownMiB - alone.grownMiB;
    expect(stalled.opened).toBe(CLIENTS);
    expect(stalled.events).toBe(alone.events);
    expect(growth).toBeLessThan(MOST_MIB);
    await annotate(
      `${stalled.opened} clients that read nothing of ${stalled.sentMiB.toFixed(0)} MiB: ${growth.toFixed(0)} MiB more`,
      "cases",
    );
  },
);

interface Measured {
  readonly grownMiB: number;
  readonly opened: number;
  readonly events: number;
  readonly sentMiB: number;
}

/** The same traffic with so many clients that read nothing. */
async function measure(clients: number): Promise<Measured> {
  await using gateway = await startGateway();
  const api = new Api(gateway.url);
  const { sessionId } = await api.createSession({ agent: "demo" });
  await grow(api, sessionId, 10);
  const beforeMiB = residentMiB(gateway.pid);
  const opened = await Promise.all(
    Array.from({ length: clients }, () => openStalled(gateway.url, sessionId)),
  );
  await grow(api, sessionId, MESSAGES);
  const log = await api.events(sessionId);
  const grownMiB = residentMiB(gateway.pid) - beforeMiB;
  const sentMiB = JSON.stringify(log).length / 1024 ** 2;
  return { grownMiB, opened: opened.length, events: log.length, sentMiB };
}

async function grow(api: Api, sessionId: string, messages: number): Promise<void> {
  for (let count = 0; count < messages; count += 1) {
    await api.send(sessionId, `${count} ${MESSAGE}`, true);
  }
  await until(async () => (await api.session(sessionId)).status === "idle", "the end of all turns");
  await endOfTurn(api, sessionId);
}

/** A stream that is open, and of which nothing more is read. */
async function openStalled(url: string, sessionId: string): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on("error", () => undefined);
  socket.write(
    `GET /api/sessions/${sessionId}/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${TOKEN}\r\nAccept: text/event-stream\r\n\r\n`,
  );
  const [head] = await new Promise<Buffer[]>((resolve) => {
    socket.once("data", (bytes: Buffer) => {
      socket.pause();
      resolve([bytes]);
    });
  });
  expect(head!.toString("latin1")).toContain("200 OK");
  return socket;
}

function residentMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
