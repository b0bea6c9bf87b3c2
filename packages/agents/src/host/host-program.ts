/*
 * The agent host: a program that owns an agent's standard input and output, so that they stay open when the gateway
 * dies. It then ends the agent in order: a gateway cannot attach to an agent that runs already.
 *
 *   listening ─attach with the right token─▶ attached ─agent exits─▶ gone
 *       └─timeout─────▶ gone                    └─gateway lost─▶ terminating ─agent exits─▶ gone
 */
import { timingSafeEqual } from "node:crypto";
import { rmSync } from "node:fs";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { startAgent, type AgentProcess } from "./agent-process.ts";
import {
  encodeFrame,
  FrameDecoder,
  OUTPUT_WINDOW_BYTES,
  type AgentCommand,
  type HostFrame,
  type HostSetup,
} from "./host-protocol.ts";

const ATTACH_TIMEOUT_MS = 15_000;

const setup = await readSetup();
const attached = new AbortController();
const server = net.createServer(welcome);
const strangers = new Set<net.Socket>();

process.once("exit", () => rmSync(setup.folder, { recursive: true, force: true }));
server.listen(setup.socketPath, () => process.stdout.write("ready\n"));
// The gateway that reads this pipe may have died.
process.stdout.on("error", () => undefined);
sleep(ATTACH_TIMEOUT_MS, undefined, { signal: attached.signal }).then(
  () => process.exit(3),
  () => undefined, // a gateway came
);

async function readSetup(): Promise<HostSetup> {
  let text = "";
  for await (const chunk of process.stdin) text += String(chunk);
  return JSON.parse(text) as HostSetup;
}

function welcome(socket: net.Socket): void {
  const decoder = new FrameDecoder();
  strangers.add(socket);
  socket.on("error", () => undefined); // "close" follows, and is handled
  socket.once("close", () => strangers.delete(socket));
  socket.on("data", function first(chunk: Buffer) {
    try {
      const [attach, ...rest] = decoder.push(chunk);
      if (attach === undefined) return;
      if (attach.type !== "attach" || !isToken(attach.token)) {
        socket.destroy();
        return;
      }
      socket.off("data", first);
      strangers.delete(socket);
      closeDoor();
      serve(socket, { decoder, start: attach.start, frames: rest });
    } catch {
      socket.destroy(); // it does not speak our protocol
    }
  });
}

function isToken(token: unknown): boolean {
  const expected = Buffer.from(setup.token);
  const given = Buffer.from(String(token));
  return given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
}

/** Once its gateway has attached, the host removes its socket, so that no other process can attach. */
function closeDoor(): void {
  attached.abort();
  server.close();
  for (const stranger of strangers) stranger.destroy();
  rmSync(setup.folder, { recursive: true, force: true });
}

interface Conversation {
  readonly decoder: FrameDecoder;
  readonly start: AgentCommand;
  readonly frames: readonly HostFrame[];
}

function serve(socket: net.Socket, { decoder, start, frames }: Conversation): void {
  let agent: AgentProcess;
  try {
    agent = startAgent(start);
  } catch (error: unknown) {
    leave(socket, toFailed(error));
    return;
  }
  const send = (frame: HostFrame): boolean => socket.writable && socket.write(encodeFrame(frame));
  const output = passOutput(agent, socket, send);
  const receive = (frame: HostFrame): void => obey(frame, { agent, output, socket, send });
  const lose = (): void => {
    output.discard();
    agent.terminate();
  };
  socket.on("data", (chunk: Buffer) => {
    try {
      for (const frame of decoder.push(chunk)) receive(frame);
    } catch {
      socket.destroy(); // bytes that are no frame: the same as a lost gateway
    }
  });
  // "end" too: a connection that is half open is lost.
  socket.once("end", lose);
  socket.once("close", lose);
  for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(name, () => agent.terminate());
  }
  // Whatever ends this program, the agent goes first: before its input closes.
  process.once("exit", () => agent.signal("SIGKILL"));

  if (agent.process.pid !== undefined) send({ type: "started", pid: agent.process.pid });
  for (const frame of frames) receive(frame);
  agent.exited.then(
    (exit) => leave(socket, { type: "exited", ...exit }),
    (error: unknown) => leave(socket, toFailed(error)),
  );
}

interface Attached {
  readonly agent: AgentProcess;
  readonly output: Output;
  readonly socket: net.Socket;
  readonly send: (frame: HostFrame) => boolean;
}

/** Does what one frame of the gateway says. A frame that only a host sends ends the connection. */
function obey(frame: HostFrame, { agent, output, socket, send }: Attached): void {
  switch (frame.type) {
    case "input": {
      const taken = { type: "taken", byteCount: frame.bytes.byteLength } as const;
      agent.process.stdin?.write(frame.bytes, () => send(taken));
      return;
    }
    case "input_end":
      agent.process.stdin?.end();
      return;
    case "taken":
      output.taken(frame.byteCount);
      return;
    case "signal":
      agent.signal(frame.signal);
      return;
    case "terminate":
      agent.terminate();
      return;
    case "attach":
    case "started":
    case "failed":
    case "exited":
    case "output":
    case "error_output":
      socket.destroy();
  }
}

function toFailed(error: unknown): HostFrame {
  const { code, message } = error as NodeJS.ErrnoException;
  return { type: "failed", message, ...(code === undefined ? {} : { code }) };
}

interface Output {
  taken(byteCount: number): void;
  /** The gateway is gone: drops the output, but reads it, so that the agent does not block while it shuts down. */
  discard(): void;
}

function passOutput(
  agent: AgentProcess,
  socket: net.Socket,
  send: (frame: HostFrame) => boolean,
): Output {
  const { stdin, stdout, stderr } = agent.process;
  let onTheWayBytes = 0;
  stdin?.on("error", () => undefined); // the agent closed its input; its exit tells the rest
  stdout?.on("data", (bytes: Buffer) => {
    onTheWayBytes += bytes.byteLength;
    send({ type: "output", bytes });
    // What an agent leaves behind when it exits is at most a pipe's content.
    if (onTheWayBytes >= OUTPUT_WINDOW_BYTES && agent.process.exitCode === null) stdout.pause();
  });
  stderr?.on("data", (bytes: Buffer) => {
    if (!send({ type: "error_output", bytes }) && socket.writable) {
      stderr.pause();
      socket.once("drain", () => stderr.resume());
    }
  });
  const discard = (): void => {
    onTheWayBytes = Number.NEGATIVE_INFINITY;
    stdout?.resume();
    stderr?.resume();
  };
  agent.process.once("exit", discard);
  return {
    taken(byteCount) {
      onTheWayBytes -= byteCount;
      if (onTheWayBytes < OUTPUT_WINDOW_BYTES / 2) stdout?.resume();
    },
    discard,
  };
}

/** Sends the last frame, and exits once it is written or the socket is closed. */
function leave(socket: net.Socket, last: HostFrame): void {
  if (!socket.writable) process.exit(0);
  socket.once("close", () => process.exit(0));
  socket.end(encodeFrame(last));
}
