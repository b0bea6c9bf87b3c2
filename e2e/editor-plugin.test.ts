import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { callTool, inOrder, openScriptedModel, say } from "@holdpoint/agents/testing";
import type { Transport } from "holdpoint/client";
import { afterEach, beforeEach, expect, test } from "vitest";

import { openPlugin } from "../guides/examples/editor-plugin.ts";
import { until } from "./support/api.ts";

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-plugin-")));
});
afterEach(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));

const pendingIn = (transport: Transport) =>
  until(async () => (await transport.listInteractions({ status: ["pending"] })).items[0], "a card");

test("[R-6] an editor plugin runs Claude in its own process, and its log survives a restart", async () => {
  await using model = await openScriptedModel(
    inOrder([[callTool("Bash", { command: "touch made.txt" })], [say("Made it.")]]),
  );
  const options = {
    folder: root,
    dataDir: join(root, "log"),
    env: { ...process.env, ...model.env(join(root, "claude")) },
  };
  let sessionId: string;
  {
    await using plugin = await openPlugin(options);
    const { transport } = plugin;
    ({ sessionId } = await transport.createSession({ agent: "claude" }));
    await transport.sendMessage(sessionId, { content: "Make a file." });
    const { interactionId, approval } = await pendingIn(transport);
    expect(existsSync(join(root, "made.txt"))).toBe(false);
    const digest = approval!.digest;
    await transport.respond(interactionId, { action: "approve", digest });
    await until(
      async () => (await transport.getSession(sessionId)).status === "idle",
      "the end of the turn",
    );
    expect(existsSync(join(root, "made.txt"))).toBe(true);
  }
  await using again = await openPlugin(options);
  const { items } = await again.transport.readEvents(sessionId);
  expect(items.map(({ type }) => type)).toContain("interaction_delivered");
  expect(JSON.stringify(items)).toContain("Made it.");
  expect(model.failures).toEqual([]);
});
