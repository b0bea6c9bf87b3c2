import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createHttpTransport } from "@holdpoint/client";
import { afterAll, beforeAll, expect, test } from "vitest";

import { Api, pending, until } from "./support/api.ts";
import { startGateway, TOKEN } from "./support/gateway-process.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-on-disconnect-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("[R-5] `onDisconnect: deny` in the config denies pending requests once every client has gone", async () => {
  const config = join(folder, "holdpoint.config.json");
  await writeFile(config, JSON.stringify({ onDisconnect: "deny" }));
  await using gateway = await startGateway({ args: ["--config", config] });
  const api = new Api(gateway.url);
  await using page = createHttpTransport({ baseUrl: gateway.url, token: TOKEN, clientId: "page" });
  const left = new AbortController();
  const frames = page.followOverview({ signal: left.signal })[Symbol.asyncIterator]();
  await frames.next();

  const { sessionId } = await api.createSession({ agent: "demo" });
  await api.send(sessionId, "Edit a file with my approval");
  const { interactionId } = await pending(api, sessionId);
  left.abort();
  await frames.next().catch(() => undefined); // It was aborted.
  const closed = await until(async () => {
    const interaction = await api.interaction(interactionId);
    return interaction.status === "pending" ? undefined : interaction;
  }, "the end of the wait");
  expect(closed).toMatchObject({ status: "withdrawn" });
  expect(closed).not.toHaveProperty("response");
});
