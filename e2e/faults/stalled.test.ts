/*
 * Clients that open a stream and then read nothing, while their session grows by megabytes. Checked against the same
 * run without them: how much more memory the gateway has in use, and how much more is resident. Afterwards one of
 * them continues to read from its cursor, and misses nothing.
 */
import { connect, type Socket } from "node:net";

import { createHttpTransport } from "@holdpoint/client";
import { afterEach, expect, test } from "vitest";

import { endOfTurn, until } from "../support/api.ts";
import { TOKEN } from "../support/gateway-process.ts";
import { FollowingClient } from "./support/following-client.ts";
import { startTalking } from "./support/start-talking.ts";

const CLIENTS = Number(process.env["CAMPAIGN_CASES"] ?? 100);
const TEXTS = 400;
const TEXT_BYTES = 20_000;
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
    const heldMiB = stalled.heldMiB - alone.heldMiB;
    const residentMiB = stalled.residentMiB - alone.residentMiB;
    expect(stalled.opened).toBe(CLIENTS);
    await annotate(
      `${stalled.opened} clients that read nothing: ${heldMiB.toFixed(0)} MiB more in use, ${residentMiB.toFixed(0)} MiB more resident`,
      "cases",
    );
    expect(heldMiB).toBeLessThan(MOST_MIB);
    expect(residentMiB).toBeLessThan(MOST_MIB);
  },
);

interface Measured {
  readonly heldMiB: number;
  readonly residentMiB: number;
  readonly opened: number;
}

/** Measures the same traffic with this many clients that read nothing. */
async function measure(clients: number): Promise<Measured> {
  await using gateway = await startTalking();
  const { api } = gateway;
  // The first session includes the one-time cost of the process.
  await talk((await api.createSession({ agent: "scripted" })).sessionId);
  const { sessionId } = await api.createSession({ agent: "scripted" });
  const before = await gateway.memory();
  const opened: Socket[] = [];
  while (opened.length < clients) opened.push(await openStalled(gateway.url, sessionId));
  await talk(sessionId);
  const after = await gateway.memory();
  const log = await api.events(sessionId);
  const transport = createHttpTransport({ baseUrl: gateway.url, token: TOKEN, clientId: "late" });
  await using late = new FollowingClient(transport, sessionId);
  await until(async () => late.lastSeq === log.length, "the whole log");
  expect(late.events).toEqual(log);
  return {
    heldMiB: after.heldMiB - before.heldMiB,
    residentMiB: after.residentMiB - before.residentMiB,
    opened: opened.length,
  };

  async function talk(id: string): Promise<void> {
    await api.send(id, `talk ${TEXTS} ${TEXT_BYTES}`);
    await endOfTurn(api, id);
  }
}

/** Opens a stream of which nothing more is read. */
async function openStalled(url: string, sessionId: string): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on("error", () => undefined);
  socket.write(
    `GET /api/sessions/${sessionId}/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${TOKEN}\r\nAccept: text/event-stream\r\n\r\n`,
  );
  const head = await new Promise<Buffer>((resolve) => {
    socket.once("data", (bytes: Buffer) => {
      socket.pause();
      resolve(bytes);
    });
  });
  expect(head.toString("latin1")).toContain("200 OK");
  return socket;
}
