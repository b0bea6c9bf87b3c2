import type { AskBody, Ask } from "holdpoint/protocol";
import { expect, test } from "vitest";

import { releaseWhatTheySay } from "./release.ts";
import { runGraph } from "./resume-graph.ts";
import { serveAsks } from "./serve-asks.ts";

test("a program asks by a schema and gets values of its type, then a yes", async () => {
  await using served = await serveAsks();
  const released = releaseWhatTheySay(served.url, served.token);
  await served.answer("Release what?", { action: "submit", values: { version: "1.4.2" } });
  await served.answer("Release 1.4.2 now?", { action: "approve" });
  expect(await released).toBe("1.4.2 is released.");
  const again = releaseWhatTheySay(served.url, served.token);
  await served.answer("Release what?", { action: "cancel" });
  expect(await again).toBe("Nothing is released: declined.");
});

test("[R-5] a no to the second question is not a yes", async () => {
  await using served = await serveAsks();
  const released = releaseWhatTheySay(served.url, served.token);
  await served.answer("Release what?", { action: "submit", values: { version: "2" } });
  await served.answer("Release 2 now?", { action: "deny", reason: "Not on a Friday." });
  expect(await released).toBe("Not released: declined.");
});

/** A graph with nodes that wait in parallel, like LangGraph's: an answer without an id resumes all of them. */
function waitingGraph(questions: Readonly<Record<string, string>>) {
  const resumed: Record<string, unknown>[] = [];
  const ids = Object.keys(questions);
  return {
    resumed,
    toCommand: (resume: unknown) => ({ resume }),
    async invoke(input: unknown) {
      if (typeof input === "object" && input !== null && "resume" in input) {
        const { resume } = input;
        const isById = typeof resume === "object" && resume !== null;
        const given = isById ? resume : Object.fromEntries(ids.map((id) => [id, resume]));
        resumed.push(given as Record<string, unknown>);
        return { published: given };
      }
      return { __interrupt__: ids.map((id) => ({ id, value: { question: questions[id] } })) };
    },
  };
}

test("an interrupt of a LangGraph thread is answered by a person, and the thread resumed once", async () => {
  await using served = await serveAsks();
  const graph = waitingGraph({ i1: "Publish it?" });
  const ended = runGraph(served.transport, graph, { threadId: "t1", input: {} });
  await served.answer("Publish it?", { action: "approve" });
  expect(await ended).toEqual({ published: { i1: true } });
  expect(graph.resumed).toEqual([{ i1: true }]);
});

test("[R-5] a yes to one interrupt of a LangGraph thread is not a yes to another pending one", async () => {
  await using served = await serveAsks();
  const graph = waitingGraph({ i1: "Publish it?", i2: "Pay for it?" });
  const ended = runGraph(served.transport, graph, { threadId: "t1", input: {} });
  await served.answer("Publish it?", { action: "approve" });
  await served.answer("Pay for it?", { action: "deny" });
  expect(await ended).toEqual({ published: { i1: true, i2: false } });
});

test("asks again with the same key after the connection broke", async () => {
  await using served = await serveAsks();
  const keys: unknown[] = [];
  const { transport } = served;
  const shaky = {
    ...transport,
    async createAsk(body: AskBody): Promise<Ask> {
      keys.push(body.idempotencyKey);
      const made = await transport.createAsk(body);
      if (keys.length > 1) return made;
      throw served.brokenConnection();
    },
  };
  const graph = waitingGraph({ i1: "Publish it?" });
  const ended = runGraph(shaky, graph, { threadId: "t1", input: {} });
  await served.answer("Publish it?", { action: "approve" });
  expect(await ended).toEqual({ published: { i1: true } });
  expect(new Set(keys).size).toBe(1);
  expect(await served.count()).toBe(1);
});
