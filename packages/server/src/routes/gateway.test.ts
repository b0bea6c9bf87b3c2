import type { HoldRequest, TurnContext } from "@holdpoint/engine";
import type { Interaction, Problem, Session } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { readStream } from "../testing/read-stream.ts";
import { serveEngine } from "../testing/serve-engine.ts";
import { waitFor } from "../testing/wait-for.ts";

/** A server over the real engine, whose agent asks for one approval and one question in each turn. */
async function serveAsking(runTurn: (context: TurnContext) => Promise<void> = askBoth) {
  const served = await serveEngine(async (_, context) => {
    await runTurn(context);
    return { reason: "done" };
  });
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    served.call(path, { method: "POST", body, headers });
  const created = await post("/api/sessions", { agent: "scripted" });
  const { sessionId } = (await created.json()) as Session;
  const base = `/api/sessions/${sessionId}`;

  /** Sends a message and gives the interactions that wait then. */
  const ask = async (count: number): Promise<Interaction[]> => {
    expect((await post(`${base}/messages`, { content: "Go" })).status).toBe(202);
    return waitFor(async () => {
      const answer = await served.call("/api/interactions?status=pending");
      const { items } = (await answer.json()) as { items: Interaction[] };
      expect(items).toHaveLength(count);
      return items;
    });
  };
  const answerTo = ({ interactionId }: Interaction) =>
    `/api/interactions/${interactionId}/response`;
  return {
    ...served,
    post,
    base,
    ask,
    answerTo,
  };
}

const approval: HoldRequest = {
  kind: "approval",
  toolCallId: "call_1",
  toolName: "Bash",
  input: { command: "ls" },
  display: {},
  scopes: ["once"],
  scopeText: {},
  editable: false,
};
const question: HoldRequest = {
  kind: "question",
  toolCallId: "call_2",
  toolName: "AskUserQuestion",
  questions: [
    {
      id: "q1",
      header: "Drink",
      question: "Tea or coffee?",
      multiSelect: false,
      options: [
        { id: "q1o1", label: "Tea" },
        { id: "q1o2", label: "Coffee" },
      ],
    },
  ],
};

async function hold(context: TurnContext, request: HoldRequest): Promise<void> {
  const result = await context.hold(request, { signal: context.signal });
  if (result.outcome === "answered") await result.delivered();
}

async function askBoth(context: TurnContext): Promise<void> {
  await Promise.all([hold(context, approval), hold(context, question)]);
}

function askApproval(context: TurnContext): Promise<void> {
  return hold(context, approval);
}

async function problemOf(answer: Response): Promise<Problem> {
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  return (await answer.json()) as Problem;
}

describe("respond", () => {
  test("[R-1] the first response wins, the same one by key gets the same result, and others get the winner", async () => {
    await using served = await serveAsking(askApproval);
    const [waiting] = await served.ask(1);
    const path = served.answerTo(waiting!);
    const { digest } = waiting!.approval!;
    const body = { action: "approve", digest, idempotencyKey: "key-number-1" };
    const first = await served.post(path, body);
    expect(first.status).toBe(200);
    const { interaction } = (await first.json()) as { interaction: Interaction };
    expect(interaction).toMatchObject({ response: { action: "approve" }, by: { person: "Ada" } });

    expect((await served.post(path, body)).status).toBe(200);
    const late = await served.post(path, { action: "deny", reason: "Too late." });
    expect(late.status).toBe(409);
    expect(await problemOf(late)).toMatchObject({
      code: "ALREADY_ANSWERED",
      winner: { action: "approve", by: { person: "Ada", client: "person's program" } },
    });
  });

  test("[R-1] one of a hundred simultaneous responses wins", async () => {
    await using served = await serveAsking(askApproval);
    const [waiting] = await served.ask(1);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        served.post(served.answerTo(waiting!), { action: "deny", reason: `Number ${index}` }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(99);
  });

  test("[R-6] an approval of another input is 409 and leaves it pending", async () => {
    await using served = await serveAsking(askApproval);
    const [waiting] = await served.ask(1);
    const path = served.answerTo(waiting!);
    const wrong = await served.post(path, { action: "approve", digest: "0".repeat(64) });
    expect(wrong.status).toBe(409);
    expect((await problemOf(wrong)).code).toBe("DIGEST_MISMATCH");
    expect((await served.post(path, { action: "deny" })).status).toBe(200);
  });

  test("[R-11] a response that was not offered is 422 with the field, and leaves it pending", async () => {
    await using served = await serveAsking();
    const pending = await served.ask(2);
    const path = served.answerTo(pending.find(({ kind }) => kind === "question")!);
    const wrong = await served.post(path, {
      action: "submit",
      answers: [{ questionId: "q1", selected: ["q9o9"] }],
    });
    expect(wrong.status).toBe(422);
    const problem = await problemOf(wrong);
    expect(problem.code).toBe("INVALID_RESPONSE");
    expect(Object.keys(problem.fieldErrors ?? {})).not.toEqual([]);
    const right = await served.post(path, {
      action: "submit",
      answers: [{ questionId: "q1", selected: ["q1o1"] }],
    });
    expect(right.status).toBe(200);
  });

  test("[R-5] a response after a stop is 410", async () => {
    await using served = await serveAsking(askApproval);
    const [waiting] = await served.ask(1);
    expect((await served.post(`${served.base}/stop`, {})).status).toBe(202);
    await waitFor(async () => {
      const answer = await served.post(served.answerTo(waiting!), { action: "deny" });
      expect(answer.status).toBe(410);
      expect((await problemOf(answer)).code).toBe("WITHDRAWN");
    });
  });

  test("an interaction that does not exist is 404", async () => {
    await using served = await serveAsking();
    const answer = await served.post("/api/interactions/int_none/response", { action: "deny" });
    expect(answer.status).toBe(404);
    expect((await problemOf(answer)).code).toBe("NOT_FOUND");
  });

  test("[R-13] a client with interaction disabled is refused by the server", async () => {
    await using served = await serveAsking(askApproval);
    const [waiting] = await served.ask(1);
    const mode = "/api/clients/cli_1/interaction-mode";
    await served.call(mode, { method: "PUT", body: { enabled: false } });
    const client = { "x-holdpoint-client": "cli_1" };
    const path = served.answerTo(waiting!);
    const refused = await served.post(path, { action: "deny" }, client);
    expect(refused.status).toBe(403);
    expect((await problemOf(refused)).code).toBe("INTERACTION_DISABLED");
    await served.call(mode, { method: "PUT", body: { enabled: true } });
    expect((await served.post(path, { action: "deny" }, client)).status).toBe(200);
  });
});

describe("aliases by tool call", () => {
  test("approve and submit-answers are responses", async () => {
    await using served = await serveAsking();
    const pending = await served.ask(2);
    const digest = pending.find(({ approval: asked }) => asked)!.approval!.digest;
    const approved = await served.post(`${served.base}/approve`, { toolCallId: "call_1", digest });
    expect(approved.status).toBe(200);
    expect(await approved.json()).toMatchObject({
      interaction: { response: { action: "approve" } },
    });
    const answered = await served.post(`${served.base}/submit-answers`, {
      toolCallId: "call_2",
      answers: { "Tea or coffee?": "Coffee" },
    });
    expect(answered.status).toBe(200);
    expect(await answered.json()).toMatchObject({
      interaction: { response: { answers: [{ questionId: "q1", selected: ["q1o2"] }] } },
    });
  });

  test("deny carries its reason", async () => {
    await using served = await serveAsking(askApproval);
    await served.ask(1);
    const body = { toolCallId: "call_1", reason: "Not that." };
    const answer = await served.post(`${served.base}/deny`, body);
    expect(await answer.json()).toMatchObject({
      interaction: { response: { action: "deny", reason: "Not that." } },
    });
  });

  test.each(["submit-answers", "approve", "deny"] as const)(
    "%s: 400 without, 404 with nothing pending",
    async (alias) => {
      await using served = await serveAsking();
      const path = `${served.base}/${alias}`;
      expect((await served.post(path, {})).status).toBe(400);
      const further = { "submit-answers": { answers: {} }, approve: { digest: "0" }, deny: {} };
      const body = { toolCallId: "call_9", ...further[alias] };
      expect((await served.post(path, body)).status).toBe(404);
    },
  );

  test("unknown or missing keys of answers are 422", async () => {
    await using served = await serveAsking();
    await served.ask(2);
    for (const answers of [{}, { q1: "Tea", q2: "Tea" }, { "No such question": "Tea" }]) {
      const body = { toolCallId: "call_2", answers };
      expect((await served.post(`${served.base}/submit-answers`, body)).status).toBe(422);
    }
  });
});

describe("sessions", () => {
  test.each([{ agent: "nobody" }, { agent: "scripted", permissionMode: "yolo" }])(
    "%o is a valid body, but not here: 422",
    async (body) => {
      await using served = await serveAsking();
      const answer = await served.post("/api/sessions", body);
      expect(answer.status).toBe(422);
      expect((await problemOf(answer)).code).toBe("INVALID_REQUEST");
    },
  );

  test("a second message during a turn is 409, or queued on request, and can be taken back", async () => {
    await using served = await serveAsking(askApproval);
    await served.ask(1);
    const refused = await served.post(`${served.base}/messages`, { content: "More" });
    expect(refused.status).toBe(409);
    expect((await problemOf(refused)).code).toBe("TURN_RUNNING");
    const sent = await served.post(`${served.base}/messages`, { content: "More", queue: true });
    expect(sent.status).toBe(202);
    const { messageId } = (await sent.json()) as { messageId: string };
    const queue = await (await served.call(`${served.base}/queue`)).json();
    expect(queue).toMatchObject({ items: [{ messageId, content: "More" }] });
    const path = `${served.base}/queue/${messageId}`;
    expect((await served.call(path, { method: "DELETE" })).status).toBe(204);
    expect((await served.call(path, { method: "DELETE" })).status).toBe(404);
  });

  test("a stream of a session that is deleted ends with the reason", async () => {
    await using served = await serveAsking();
    const stream = readStream(await served.call(`${served.base}/events`));
    expect((await served.call(served.base, { method: "DELETE" })).status).toBe(204);
    const frames = await stream.take(100);
    expect(frames.at(-1)).toEqual({ data: { type: "closing", reason: "session_deleted" } });
    expect((await served.call(`${served.base}/events`)).status).toBe(404);
  });
});

test("[R-7] [R-10] a stream cut at any event and resumed shows the same log as one that was never cut", async () => {
  await using served = await serveAsking(askApproval);
  const [waiting] = await served.ask(1);
  await served.post(served.answerTo(waiting!), { action: "deny" });
  const page = async () => {
    const headers = { accept: "application/json" };
    const answer = await served.call(`${served.base}/events?after=0`, { headers });
    return (await answer.json()) as { epoch: string; items: { seq: number; type: string }[] };
  };
  await waitFor(async () =>
    expect((await page()).items.at(-1)).toMatchObject({ type: "turn_ended" }),
  );
  const { items, epoch } = await page();
  expect(epoch).toBe("e1");
  expect(items.map(({ seq }) => seq)).toEqual(items.map((_, index) => index + 1));
  for (let cut = 0; cut < items.length; cut += 1) {
    const headers = { "last-event-id": `${epoch}.${cut}` };
    const stream = readStream(await served.call(`${served.base}/events`, { headers }));
    const rest = await stream.take(items.length - cut);
    expect(rest.map(({ data }) => data)).toEqual(items.slice(cut));
    await stream.leave();
  }
  const headers = { "last-event-id": "another.3" };
  const stream = readStream(await served.call(`${served.base}/events`, { headers }));
  expect(await stream.take(2)).toMatchObject([{ data: { type: "reset", epoch } }, { id: "e1.1" }]);
  await stream.leave();
});
