import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { createMemoryStore, createSystemIds, openGateway } from "@holdpoint/engine";
import { SimulatedClock } from "@holdpoint/engine/testing";
import { expect, test, vi } from "vitest";

import { callTool, inOrder, say } from "../src/testing/index.ts";
import { openClaudeScene } from "./support/claude-scene.ts";

const ada = { principal: "person", person: "Ada", client: "laptop" } as const;

test("[R-5] Claude asks again, even in the middle of a turn, once its time with everything allowed is over", async () => {
  await using scene = await openClaudeScene();
  const clock = new SimulatedClock();
  await using gateway = await openGateway({
    store: createMemoryStore(),
    clock,
    ids: createSystemIds(),
    agents: new Map([["claude", scene.adapter]]),
    defaultCwd: scene.folder,
    onError: (error) => expect.unreachable(String(error)),
  });
  const path = (name: string): string => join(scene.folder, name);
  const bash = (command: string) => callTool("Bash", { command, description: "Try it" });
  const errand = callTool("Agent", {
    description: "Errand",
    prompt: "ERRAND",
    subagent_type: "general-purpose",
  });
  const main = inOrder([
    [bash("touch first.txt; until [ -e go.txt ]; do sleep 0.05; done")],
    [bash("touch second.txt")],
    [errand],
    [say("Done.")],
  ]);
  scene.model.play((request) => {
    if (!request.firstPrompt.includes("ERRAND")) return main(request);
    return request.allResults.length === 0 ? [bash("touch errand.txt")] : [say("Errand done.")];
  });
  const { sessionId } = await gateway.createSession(ada, { agent: "claude" });
  await gateway.updateSession(ada, sessionId, {
    permissionMode: "bypassPermissions",
    permissionModeMinutes: 15,
  });
  await gateway.sendMessage(ada, sessionId, { content: "Do it." });
  await vi.waitFor(() => expect(existsSync(path("first.txt"))).toBe(true));

  // Its first command continues to run; the next ones need approval.
  await clock.advance(15 * 60_000);
  await writeFile(path("go.txt"), "");
  for (const file of ["second.txt", "errand.txt"]) {
    const asked = await vi.waitFor(
      async () => {
        const pending = await gateway.listInteractions(ada, { status: ["pending"], limit: 10 });
        const [interaction] = pending.items;
        expect(interaction?.approval?.input).toMatchObject({ command: `touch ${file}` });
        return interaction!;
      },
      { timeout: 30_000 },
    );
    expect(asked.agentTask).toBe(file === "errand.txt" ? "Errand" : undefined);
    expect(existsSync(path(file))).toBe(false);
    const digest = asked.approval!.digest;
    await gateway.respond(ada, asked.interactionId, { action: "approve", digest });
  }
  await vi.waitFor(
    async () => expect((await gateway.getSession(ada, sessionId)).status).toBe("idle"),
    { timeout: 30_000 },
  );
  expect(existsSync(path("errand.txt"))).toBe(true);
  expect((await gateway.getSession(ada, sessionId)).permissionMode).toBe("default");
  expect(scene.model.failures).toEqual([]);
});
