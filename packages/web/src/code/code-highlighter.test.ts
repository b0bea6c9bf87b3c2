import { expect, test } from "vitest";

import { createCodeHighlighter, type CodeWorker } from "./code-highlighter.ts";
import type { CodeAnswer, CodeRequest } from "./highlight-worker.ts";

/** A worker played by the test, and a clock that the test controls. */
function open() {
  const requests: CodeRequest[] = [];
  const listeners: ((event: { data: CodeAnswer }) => void)[] = [];
  let [started, ended] = [0, 0];
  const sleeps: (() => void)[] = [];
  const worker: CodeWorker = {
    postMessage: (request) => void requests.push(request),
    addEventListener: (type: string, listener: never) =>
      void (type === "message" && listeners.push(listener)),
    terminate: () => void (ended += 1),
  };
  const highlighter = createCodeHighlighter({
    start: () => {
      started += 1;
      return worker;
    },
    clock: { sleep: () => new Promise((resolve) => void sleeps.push(resolve)) },
  });
  return {
    ...highlighter,
    requests,
    counts: () => ({ started, ended }),
    answer: (id: number, text: string) => {
      for (const listener of listeners) listener({ data: { id, tokens: [{ text }] } });
    },
    passLimit: () => sleeps.at(-1)?.(),
  };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

test("blocks are read in order, each once, by one worker", async () => {
  const { highlight, start, requests, answer, counts } = open();
  start();
  start();
  const [one, again, other] = [highlight("a", "ts"), highlight("a", "ts"), highlight("b", "ts")];
  await settle();
  expect(requests.map(({ code }) => code)).toEqual(["a"]);
  answer(7, "nobody asked");
  answer(1, "a");
  expect(await one).toEqual([{ text: "a" }]);
  expect(await again).toEqual([{ text: "a" }]);
  await settle();
  answer(2, "b");
  expect(await other).toEqual([{ text: "b" }]);
  expect(counts()).toEqual({ started: 1, ended: 0 });
});

test("[R-18] a block that takes too long ends the worker, and no other one is started", async () => {
  const { highlight, passLimit, counts, requests } = open();
  const endless = highlight("a", "ts");
  await settle();
  passLimit();
  expect(await endless).toBeUndefined();
  expect(await highlight("b", "ts")).toBeUndefined();
  expect(requests).toHaveLength(1);
  expect(counts()).toEqual({ started: 1, ended: 1 });
});

test("[R-20] a hundred of a thousand blocks are cached", async () => {
  const { highlight, answer, requests } = open();
  for (let index = 1; index <= 1000; index += 1) {
    const asked = highlight(`code ${index}`, "ts");
    await settle();
    answer(index, "x");
    await asked;
  }
  void highlight("code 999", "ts");
  await settle();
  expect(requests).toHaveLength(1000);
  void highlight("code 1", "ts");
  await settle();
  expect(requests).toHaveLength(1001);
});
