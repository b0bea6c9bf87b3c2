import { mkdirSync } from "node:fs";
import { mkdtemp, rm, readlink, stat, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { askGateway } from "./ask-gateway.ts";
import { openControl } from "./open-control.ts";
import { listenAt, socketAt } from "./socket-place.ts";

const url = "http://127.0.0.1:4870";

async function makeFolder(length: number): Promise<string> {
  const base = await mkdtemp(join(tmpdir(), "hp-"));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const folder = join(base, "h".repeat(Math.max(1, length - base.length)));
  mkdirSync(folder);
  return folder;
}

const openFor = (dataDir: string) =>
  openControl({ dataDir, url, prune: () => Promise.reject(new Error()) } as never);

test.each([40, 88, 89, 90, 91, 92, 93, 100, 107, 108, 200])(
  "the command line reaches the gateway of a data folder whose path has %i characters",
  async (length) => {
    const dataDir = await makeFolder(length);
    await using _ = await openFor(dataDir);
    expect(await askGateway(dataDir, { command: "url" })).toEqual({ url });
  },
);

test("the socket of a long data folder is its user's alone, and leaves nothing behind", async () => {
  const dataDir = await makeFolder(150);
  const control = await openFor(dataDir);
  const place = await readlink(join(dataDir, "control.sock"));
  expect((await stat(place)).mode & 0o777).toBe(0o600);
  expect((await stat(dirname(place))).mode & 0o777).toBe(0o700);
  await control[Symbol.asyncDispose]();
  await expect(stat(dirname(place))).rejects.toThrow("ENOENT");
  await expect(askGateway(dataDir, { command: "url" })).rejects.toThrow("No gateway runs");
});

test("a killed gateway's remains in a long data folder are replaced", async () => {
  const dataDir = await makeFolder(150);
  const left = await mkdtemp(join(tmpdir(), "holdpoint-"));
  await symlink(join(left, "host"), join(dataDir, "control.sock"));
  await using _ = await openFor(dataDir);
  expect(await askGateway(dataDir, { command: "url" })).toEqual({ url });
  await expect(stat(left)).rejects.toThrow("ENOENT");
});

test("a gateway that cannot be reached for another reason is not reported as missing", async () => {
  const dataDir = await makeFolder(40);
  const server = createServer((socket) => socket.end("no JSON"));
  const path = join(dataDir, "control.sock");
  await using _ = await listenAt(server, path);
  onTestFinished(() => void server.close());
  expect(socketAt(path)).toBe(path);
  await expect(askGateway(dataDir, { command: "url" })).rejects.toThrow("cannot be reached");
});
