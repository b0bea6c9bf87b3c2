import { PassThrough } from "node:stream";

import { expect, onTestFinished, test, vi } from "vitest";

import { KeyPrompt } from "./key-prompt.ts";

const OFFER = {
  hash: "0".repeat(64),
  files: [
    {
      name: "tools/a.mjs",
      path: "/p/tools/a.mjs",
      role: "tool",
      change: "new",
      text: "run();\u001b[2J\u202eend",
    },
    {
      name: "tools/b\u001b[1A.mjs",
      path: "/p/b",
      role: "tool",
      change: "changed",
      text: "",
      difference: "@@ line 1 @@\n- old\n+ new",
    },
    { name: "tools/c.mjs", path: "/p/tools/c.mjs", role: "tool", change: "same", text: "same();" },
  ],
  removed: [],
  packages: ["left-pad"],
  settings: [{ name: "onDisconnect", now: '"wait"', value: '"deny"' }],
} as const;
const TRUST = { path: "/p", loaded: false, watched: false, needsStart: [], failed: [] };

function openPrompt() {
  let nowMs = 0;
  const input = Object.assign(new PassThrough(), { setRawMode: vi.fn<(isRaw: boolean) => void>() });
  const output: string[] = [];
  const prompt = new KeyPrompt({
    input: input as never,
    output: { write: (text: string) => output.push(text) > 0 },
    clock: { monotonic: () => nowMs } as never,
  });
  const asking = new AbortController();
  const offer = structuredClone(OFFER) as unknown as Parameters<KeyPrompt["ask"]>[1];
  return {
    answer: prompt.ask(TRUST, offer, asking.signal),
    asking,
    askAgain: () => prompt.ask(TRUST, offer, new AbortController().signal),
    input,
    said: () => output.join(""),
    press: async (keys: string, afterMs = 1000): Promise<void> => {
      nowMs += afterMs;
      input.write(keys);
      await new Promise(setImmediate);
    },
  };
}

test.each([
  ["y", true],
  ["Y", true],
  ["n", false],
  ["\r", false],
])("%j is an answer", async (key, isYes) => {
  const { answer, press, input } = openPrompt();
  await press(key);
  expect(await answer).toBe(isYes);
  expect(input.setRawMode.mock.calls).toEqual([[true], [false]]);
});

test("earlier input, pasted text and other keys are no answer", async () => {
  const { answer, press } = openPrompt();
  await press("y", 100);
  await press("yyyy");
  await press("\u001b[A");
  await press("x");
  await press("n");
  expect(await answer).toBe(false);
});

test("shows the list of files, and their texts on request, without control characters", async () => {
  const { answer, press, said } = openPrompt();
  for (const line of [
    "tools/a.mjs  (new)",
    "tools/b[ESC[1A].mjs  (changed)",
    'onDisconnect: "deny" (now "wait")',
    "left-pad",
  ]) {
    expect(said()).toContain(line);
  }
  await press("d");
  for (const line of ["run();[ESC[2J]", "- old", "+ new"]) {
    expect(said()).toContain(line);
  }
  expect(said()).not.toContain("same();");
  expect(said()).toMatch(/^(?:[^\p{Cc}\p{Cf}]|\n)*$/u);
  await press("y");
  expect(await answer).toBe(true);
});

test("[R-6] names the changed files of a folder that was trusted before, and counts the others", async () => {
  const { press, said, answer } = openPrompt();
  expect(said()).toContain("Files in /p have changed since you trusted them.");
  expect(said()).toContain("1 more as you trusted them");
  expect(said()).not.toContain("tools/c.mjs");
  await press("n");
  expect(await answer).toBe(false);
});

test("a withdrawn question is no yes", async () => {
  const { answer, asking, input } = openPrompt();
  asking.abort();
  expect(await answer).toBe(undefined);
  expect(input.setRawMode).toHaveBeenLastCalledWith(false);
});

test("a closed terminal is no yes", async () => {
  const { answer, input } = openPrompt();
  input.destroy(new Error("EIO"));
  expect(await answer).toBe(false);
});

test("a question that replaces another one is answered with one key", async () => {
  const { answer, asking, askAgain, press, input } = openPrompt();
  asking.abort();
  const again = askAgain();
  expect(await answer).toBe(undefined);
  expect(input.setRawMode).toHaveBeenLastCalledWith(true);
  await press("y");
  expect(await again).toBe(true);
  expect(input.setRawMode).toHaveBeenLastCalledWith(false);
});

test("[R-5] an input that ends, before the question or at it, answers no", async () => {
  const { answer, input, askAgain } = openPrompt();
  input.end();
  expect(await answer).toBe(false);
  expect(await askAgain()).toBe(false);
});

test("Ctrl+C stops the gateway, and answers nothing", async () => {
  const onSignal = vi.fn<() => void>();
  process.once("SIGINT", onSignal);
  onTestFinished(() => void process.off("SIGINT", onSignal));
  const { answer, press, said, input } = openPrompt();
  await press("\u0003");
  expect(await answer).toBe(undefined);
  await vi.waitFor(() => expect(onSignal).toHaveBeenCalledOnce());
  expect(said()).toMatch(/ {2}\n$/u);
  expect(input.setRawMode).toHaveBeenLastCalledWith(false);
});
