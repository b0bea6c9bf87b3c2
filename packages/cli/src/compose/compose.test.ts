import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createMemoryCredentialStore, createMemoryStore } from "@holdpoint/engine";
import { createMemoryCallbackStore, createMemoryNotificationStore } from "@holdpoint/notify";
import pino from "pino";
import { expect, test } from "vitest";

import { resolveSettings } from "../config/settings.ts";
import { compose } from "./compose.ts";
import type { OpenedStore } from "./open-store.ts";

const TOKEN = "compose-test-0123456789-abcdefghij";

/** A store whose next write lasts until it is let go. */
function openSlowStore(): OpenedStore & { readonly writing: Promise<void>; letGo(): void } {
  const store = createMemoryStore();
  const write = store.append.bind(store);
  const writing = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  store.append = async (batch) => {
    writing.resolve();
    await released.promise;
    return write(batch);
  };
  return {
    store,
    credentials: createMemoryCredentialStore(),
    notifications: createMemoryNotificationStore(),
    callbacks: createMemoryCallbackStore(),
    secret: { derive: () => Buffer.alloc(32) },
    writing: writing.promise,
    letGo: released.resolve,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

async function isRefused(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const refused = once(socket, "connect").then(
    () => false,
    () => true,
  );
  return refused.finally(() => socket.destroy());
}

test("[R-18] a closing gateway takes no new connection, and completes a running write", async () => {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-compose-"));
  const dataDir = join(folder, "data");
  for (const name of [dataDir, join(folder, "work")]) await mkdir(name);
  await writeFile(join(folder, "index.html"), "");
  await using opened = openSlowStore();
  const gateway = await compose({
    settings: resolveSettings({
      flags: { port: "0", "data-dir": dataDir, cwd: join(folder, "work") },
      env: { HOLDPOINT_TOKEN: TOKEN },
      file: {},
      defaultDataDir: dataDir,
      startDirectory: tmpdir(),
    }),
    openStore: async () => opened,
    env: {},
    webRoot: folder,
    cacheDir: folder,
    configDir: folder,
    log: pino({ level: "silent" }),
    say: () => undefined,
  });
  const created = fetch(`${gateway.url}/api/sessions`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ agent: "demo" }),
  });
  await opened.writing;
  expect(await isRefused(gateway.port)).toBe(false);

  let isClosed = false;
  const closing = gateway.close().then(() => (isClosed = true));
  expect(await isRefused(gateway.port)).toBe(true);
  expect(isClosed).toBe(false);
  opened.letGo();
  await closing;
  expect((await created).status).toBe(201);
  await rm(folder, { recursive: true, force: true });
});
