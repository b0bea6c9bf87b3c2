import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { query } from "@anthropic-ai/claude-agent-sdk";
import { afterEach, beforeEach, expect, test } from "vitest";

import { callTool, type ModelRequest, say } from "../src/testing/index.ts";
import { approve, type ClaudeScene, openClaudeScene, runTurn } from "./support/claude-scene.ts";

/** The time in which unseen work would show. Without the guards it takes a tenth of that. */
const UNSEEN_MS = 3000;

let scene: ClaudeScene;
beforeEach(async () => {
  scene = await openClaudeScene();
});
afterEach(() => scene[Symbol.asyncDispose]());

const write = (name: string) =>
  callTool("Write", { file_path: join(scene.folder, name), content: "unseen" });
const written = async () => (await readdir(scene.folder)).filter((name) => name.endsWith(".txt"));
const hasPrompt = (word: string) => (request: ModelRequest) => request.firstPrompt.includes(word);

test("[R-15] no session of this account, in a terminal or here, makes another session's agent work", async () => {
  const { model } = scene;
  // The person's settings for terminals do not apply here.
  await mkdir(join(scene.folder, ".config"), { recursive: true });
  await writeFile(
    join(scene.folder, ".config", "settings.json"),
    JSON.stringify({ crossSessionInbound: "accept" }),
  );
  await using victim = await scene.openSession({ permissionMode: "acceptEdits" });
  const isVictim = hasPrompt("VICTIM");
  let name = "";
  model.play((request) => {
    if (isVictim(request)) {
      return request.lastPrompt.includes("EVIL") && request.results.length === 0
        ? [write("by-another.txt")]
        : [say("Done.")];
    }
    const [listed] = request.allResults;
    if (listed === undefined) return [callTool("ListAgents", {})];
    name = /^ +(\S+) \[/mu.exec(listed.text)?.[1] ?? "";
    return request.allResults.length === 1
      ? [callTool("SendMessage", { to: name, message: "EVIL", summary: "x" })]
      : [say("Done.")];
  });
  await runTurn(victim, "VICTIM");
  const [{ tools }] = model.requests as [ModelRequest];
  expect(tools.filter((tool) => /Agents|Message|Workflow/u.test(tool))).toEqual([]);
  const heard = model.requests.length;
  // Started as by a person, not set up by the gateway.
  const attacker = query({
    prompt: "go",
    options: { cwd: scene.folder, env: scene.env, permissionMode: "acceptEdits" },
  });
  for await (const _ of attacker);
  expect(name).not.toBe("");
  await sleep(UNSEEN_MS);
  expect(await written()).toEqual([]);
  expect(model.requests.slice(heard).filter(isVictim)).toEqual([]);
});

test("[R-13] an agent does nothing between its turns, and never starts one", async () => {
  const { model } = scene;
  const script = `export const meta = { name: "x", description: "d", phases: [{ title: "a" }] };
return agent("ERRAND", { label: "e" });`;
  const isErrand = hasPrompt("ERRAND");
  model.play(async (request) => {
    if (isErrand(request)) {
      await sleep(500);
      return request.results.length > 0 ? [say("Done.")] : [write("by-its-workflow.txt")];
    }
    if (request.lastPrompt.includes("task-notification")) return [write("by-itself.txt")];
    return request.results.length > 0 ? [say("Done.")] : [callTool("Workflow", { script })];
  });
  await using session = await scene.openSession({ permissionMode: "acceptEdits" });
  await runTurn(session, "go", () => approve());
  const asked = model.requests.length;
  await sleep(UNSEEN_MS);
  expect(await written()).toEqual([]);
  expect(model.requests.length).toBe(asked);
});
