import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, statSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import {
  encodeFrame,
  FrameDecoder,
  HOST_VERSION,
  type HostFrame,
  type HostSetup,
} from "./host-protocol.ts";

type Setup = HostSetup & { readonly folder: string };

interface Started {
  readonly host: ChildProcessWithoutNullStreams;
  readonly setup: Setup;
}

function startHost(gatewayPid: number): Started {
  const folder = mkdtempSync(join(tmpdir(), "host-"));
  const setup = { folder, socketPath: join(folder, "s"), token: "the-right-token" };
  const host = spawn(process.execPath, [new URL("./host-program.ts", import.meta.url).pathname]);
  host.stdin.end(JSON.stringify({ ...setup, gatewayPid }));
  return { host, setup };
}

async function openHost(): Promise<Started> {
  const started = startHost(process.pid);
  await once(started.host.stdout, "data");
  return started;
}

async function connect(setup: HostSetup): Promise<net.Socket> {
  const socket = net.connect(setup.socketPath);
  await once(socket, "connect");
  return socket;
}

function attach(token: string, version = HOST_VERSION): Buffer {
  return encodeFrame({ type: "attach", version, token });
}

const START = encodeFrame({
  type: "start",
  command: "cat",
  args: [],
  env: { PATH: process.env["PATH"] ?? "" },
});

test("a stranger without the token is cut off, and the gateway can still attach", async () => {
  const { host, setup } = await openHost();
  expect(statSync(setup.folder).mode & 0o777).toBe(0o700);
  const attacks = [
    attach("a-wrong-token"),
    attach("the-right-tokem"),
    attach(""),
    encodeFrame({ type: "signal", signal: "SIGKILL" }),
    encodeFrame({ type: "input", bytes: Buffer.from("the-right-token") }),
    Buffer.from("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    Buffer.from([0, 0, 0, 4, 0, 110, 117, 108, 108]),
  ];
  for (const attack of attacks) {
    const socket = await connect(setup);
    socket.write(attack);
    const answers: Buffer[] = [];
    socket.on("data", (bytes) => answers.push(bytes));
    await once(socket, "close");
    expect(answers).toEqual([]);
  }
  const socket = await connect(setup);
  socket.write(Buffer.concat([attach("the-right-token"), START]));
  const [bytes] = (await once(socket, "data")) as [Buffer];
  expect(new FrameDecoder().push(bytes)[0]).toMatchObject({ type: "attached" });
  socket.destroy();
  await once(host, "exit");
});

test("no one else can connect once a gateway is attached", async () => {
  const { host, setup } = await openHost();
  const early = await connect(setup);
  const earlyClosed = once(early, "close");
  const gateway = await connect(setup);
  gateway.write(Buffer.concat([attach("the-right-token"), START]));
  await once(gateway, "data");
  await earlyClosed;
  expect(existsSync(setup.folder)).toBe(false);
  gateway.destroy();
  await once(host, "exit");
});

test("frames cut anywhere arrive whole and in order", () => {
  const frames: HostFrame[] = [
    { type: "input", bytes: Buffer.from("ä\n") },
    { type: "input_end" },
    { type: "output", bytes: Buffer.alloc(0) },
    { type: "exited", code: null, signal: "SIGTERM" },
  ];
  const bytes = Buffer.concat(frames.map((frame) => encodeFrame(frame)));
  for (let size = 1; size < bytes.byteLength; size += 1) {
    const decoder = new FrameDecoder();
    const decoded: HostFrame[] = [];
    for (let at = 0; at < bytes.byteLength; at += size) {
      decoded.push(...decoder.push(bytes.subarray(at, at + size)));
    }
    expect(decoded).toEqual(frames);
  }
});

test("a frame that claims to be huge is refused before it is read", () => {
  expect(() => new FrameDecoder().push(Buffer.from([255, 255, 255, 255, 0]))).toThrow("too long");
});

test(
  "a host whose gateway dies before it attaches ends long before its time is up",
  { timeout: 10_000 },
  async () => {
    // No longer the parent: the host is started at the moment its gateway dies.
    const { host, setup } = startHost(process.ppid);
    await once(host, "exit");
    expect(existsSync(setup.socketPath)).toBe(false);
  },
);
