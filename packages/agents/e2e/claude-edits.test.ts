import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { callTool, inOrder, say } from "../src/testing/index.ts";
import { approve, openClaudeScene, runTurn, type ClaudeScene } from "./support/claude-scene.ts";

let scene: ClaudeScene;
beforeEach(async () => {
  scene = await openClaudeScene();
});
afterEach(() => scene[Symbol.asyncDispose]());

const textOf = (name: string): string =>
  existsSync(join(scene.folder, name)) ? readFileSync(join(scene.folder, name), "utf8") : "";

/** Runs one call that a person allows with a changed input. Resolves to the model's tool result. */
async function edit(call: ReturnType<typeof callTool>, input: Record<string, unknown>) {
  scene.model.play(inOrder([[call], [say("Done.")]]));
  const outcome = { ...approve({ editedInput: input }), input };
  await runTurn(await scene.openSession(), "go", () => outcome);
  return JSON.stringify(scene.model.requests.at(-1)?.body["messages"]);
}

const bash = (command: string) => callTool("Bash", { command, description: "Try it" });

test("[R-6] the result tells the model that its call was changed, even if the call failed", async () => {
  expect(await edit(bash("rm -rf build"), { command: "echo KEEP > kept.txt" })).toContain(
    "The user changed the call of Bash (",
  );
  expect(textOf("kept.txt")).toBe("KEEP\n");
  expect(await edit(bash("touch a.txt"), { command: "echo OTHER; exit 3" })).toContain(
    "echo OTHER",
  );
});

test("the result of a call that was allowed unchanged has no note for the model", async () => {
  const call = bash("touch b.txt");
  expect(await edit(call, { command: "touch b.txt", description: "Try it" })).not.toContain(
    "The user changed",
  );
});

test.each<[string, Record<string, unknown>]>([
  ["no field", {}],
  ["an empty command", { command: "" }],
  ["a command that is null", { command: null }],
  ["another field alone", { other: "x" }],
])("[R-6] never runs the original for an edit with %s", async (_, input) => {
  await edit(bash("echo ORIGINAL > ran.txt"), input);
  expect(textOf("ran.txt")).toBe("");
});

test("[R-6] never writes the original file for an edit without fields", async () => {
  const path = join(scene.folder, "ran.txt");
  const sent = await edit(callTool("Write", { file_path: path, content: "ORIGINAL" }), {});
  expect(textOf("ran.txt")).toBe("");
  expect(sent).toContain("Write was not run: Claude would run the original");
});
