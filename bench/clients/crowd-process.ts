// Many clients, each with the streams of one page: its session and the overview.
import { Agent, get, request } from "node:http";

import { serveCalls } from "../support/processes.ts";
import type { ClientTransport, CrowdRequest, Place, Told } from "./crowd-protocol.ts";

/** A period without any data for any client counts as the end of the activity. */
const QUIET_MS = 400;
const JOINING_AT_ONCE = 50;
const MARK = '"interaction_response"';

interface Client {
  readonly texts: { session: string; overview: string };
  toldAtMs: number | undefined;
}

const clients: Client[] = [];
const streamAgent = new Agent({ maxSockets: Infinity });
let lastByteAtMs = 0;
let untold = 0;
let onAllTold: () => void = () => {};

function take(client: Client, stream: "session" | "overview", text: string): void {
  lastByteAtMs = performance.now();
  client.texts[stream] += text;
  if (stream === "overview" || client.toldAtMs !== undefined) return;
  if (!client.texts.session.includes(MARK)) return;
  client.toldAtMs = lastByteAtMs;
  untold -= 1;
  if (untold === 0) onAllTold();
}

function openStreams(client: Client, { port, token, sessionId }: Place, id: string) {
  const open = (stream: "session" | "overview", path: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const call = get({
        host: "127.0.0.1",
        port,
        path: `${path}?client=${id}`,
        headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
        agent: streamAgent,
      });
      call.on("error", reject);
      call.on("response", (response) => {
        if (response.statusCode !== 200) reject(new Error(`Refused: ${response.statusCode}`));
        response.setEncoding("utf8");
        response.on("error", () => {});
        response.on("data", (text: string) => {
          resolve();
          take(client, stream, text);
        });
      });
    });
  return Promise.all([
    open("session", `/api/sessions/${sessionId}/events`),
    open("overview", "/api/events"),
  ]);
}

function openSocket(client: Client, { port, token, sessionId }: Place, clientId: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/ws`);
  const send = (frame: object): void => socket.send(JSON.stringify(frame));
  return new Promise<void>((resolve, reject) => {
    socket.addEventListener("error", () => reject(new Error("The socket failed.")));
    socket.addEventListener("open", () => send({ type: "hello", token, clientId }));
    socket.addEventListener("message", ({ data }: { data: string }) => {
      if (data.startsWith('{"type":"welcome"')) {
        send({ type: "subscribe", sessionId });
        send({ type: "subscribe_overview" });
        resolve();
      }
      take(client, data.startsWith('{"type":"overview_frame"') ? "overview" : "session", data);
    });
  });
}

async function join(place: Place, transport: ClientTransport, count: number): Promise<object> {
  for (let joined = 0; joined < count; joined += JOINING_AT_ONCE) {
    const some = Math.min(JOINING_AT_ONCE, count - joined);
    await Promise.all(Array.from({ length: some }, () => joinOne(place, transport)));
  }
  await quiet();
  forget();
  return {};
}

async function joinOne(place: Place, transport: ClientTransport): Promise<void> {
  const client = { texts: { session: "", overview: "" }, toldAtMs: 0 };
  const id = `cli_${crypto.randomUUID()}`;
  clients.push(client);
  await (transport === "sse" ? openStreams(client, place, id) : openSocket(client, place, id));
}

/** Drops everything that came before the answer. */
function forget(): void {
  for (const client of clients) client.texts.session = client.texts.overview = "";
}

async function answer({ path, body, place }: CrowdRequest & { type: "answer" }): Promise<Told> {
  await quiet();
  forget();
  for (const client of clients) client.toldAtMs = undefined;
  untold = clients.length;
  const allTold = new Promise<void>((resolve) => (onAllTold = resolve));
  const text = JSON.stringify(body);
  const startedAtMs = performance.now();
  const call = request({
    host: "127.0.0.1",
    port: place.port,
    path,
    method: "POST",
    headers: {
      authorization: `Bearer ${place.token}`,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
    },
  });
  call.on("response", (response) => response.resume());
  call.end(text);
  await allTold;
  const latenciesMs = clients.map(({ toldAtMs = Number.NaN }) => toldAtMs - startedAtMs);
  await quiet();
  return { latenciesMs, texts: { ...clients[0]!.texts } };
}

async function quiet(): Promise<void> {
  lastByteAtMs = performance.now();
  while (performance.now() - lastByteAtMs < QUIET_MS) {
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS / 4));
  }
}

serveCalls({}, (asked: CrowdRequest) =>
  asked.type === "join" ? join(asked.place, asked.transport, asked.count) : answer(asked),
);
