import { describe, expect, test, vi } from "vitest";

import { ada, never } from "../testing/gateway-fixture.ts";
import { openProbe, probeTool, valueOf } from "../testing/probe-tool.ts";
import { openScene, type ToolScene } from "../testing/tool-scene.ts";
import type { PersonResponse } from "./person-response.ts";
import type { ToolContext } from "./tool-context.ts";

const emailForm = {
  kind: "form",
  inputSchema: {
    type: "object",
    properties: { email: { type: "string", title: "E-mail" } },
    required: ["email"],
  },
} as const;

describe("an approval", () => {
  test("[R-4] is delivered to the handler or as a message, never both, whenever the turn is stopped", async () => {
    const both: number[] = [];
    for (let steps = 0; steps < 40; steps += 1) {
      let handled = 0;
      const { scene } = await openProbe((context) =>
        context.requestInteraction({
          kind: "approval",
          onResponse: ({ action }) => {
            handled += 1;
            return { complete: action };
          },
        }),
      );
      await using _ = scene;
      const answered = scene.answer({ action: "approve" });
      for (let step = 0; step < steps; step += 1) await Promise.resolve();
      await scene.gateway.stopTurn(ada, scene.sessionId);
      await answered;
      await scene.clock.settle();
      if (handled + scene.adapter.messages.length > 1) both.push(steps);
    }
    expect(both).toEqual([]);
  });

  test("[R-5] ends the turn with a denial even if the tool cannot handle it", async () => {
    const { scene, result } = await openProbe((context) =>
      context.requestInteraction({
        kind: "approval",
        onResponse({ action }) {
          throw new Error(`It was ${action}.`);
        },
      }),
    );
    await using _ = scene;
    await scene.answer({ action: "deny", stopTurn: true });
    await result;
    expect((await scene.events(scene.sessionId)).at(-1)).toMatchObject({
      type: "turn_ended",
      reason: "stopped",
    });
  });

  test("[R-6] shows and digests exactly the arguments, and passes on exactly those", async () => {
    const args = { files: ["a", "b,c"], deep: { x: 1 } };
    const { scene, result } = await openProbe(
      (context) => context.requestInteraction({ kind: "approval", prompt: "Delete?" }),
      args,
    );
    await using _ = scene;
    expect(await scene.waiting()).toMatchObject({
      kind: "approval",
      prompt: "Delete?",
      approval: { input: args, cwd: "/work", scopes: ["once", "session"], editable: false },
      onTimeout: "wait",
      presentation: "tool",
      attempt: 1,
    });
    await scene.answer({ action: "approve", approvalScope: "session" });
    expect(await valueOf(result)).toMatchObject({
      action: "approve",
      approvalScope: "session",
      input: args,
      by: { person: "Ada" },
    });
  });

  test("[R-5] arrives as a denial without input when it is cancelled", async () => {
    const { scene, result } = await openProbe((context) =>
      context.requestInteraction({ kind: "approval" }),
    );
    await using _ = scene;
    await scene.answer({ action: "cancel", reason: "not now" });
    const value = await valueOf(result);
    expect(value).toMatchObject({ action: "deny", reason: "not now" });
    expect(value).not.toHaveProperty("input");
  });

  test("[R-11] accepts no scope that was not offered", async () => {
    const { scene, result } = await openProbe((context) =>
      context.requestInteraction({ kind: "approval", approvalScopes: ["once"] }),
    );
    await using _ = scene;
    expect(await scene.answer({ action: "approve", approvalScope: "always" })).toMatchObject({
      problem: { code: "INVALID_RESPONSE" },
    });
    await scene.answer({ action: "approve" });
    expect(await valueOf(result)).toMatchObject({ approvalScope: "once" });
  });

  test("[R-6] passes on an edit", async () => {
    const { scene, result } = await openProbe((context) =>
      context.requestInteraction({ kind: "approval", input: { command: "rm" }, editable: true }),
    );
    await using _ = scene;
    await scene.answer({ action: "approve", editedInput: { command: "ls" } });
    expect(await valueOf(result)).toMatchObject({ input: { command: "ls" } });
  });

  test("reaches the handler before the turn ends, even if it ends the turn", async () => {
    const { scene, result } = await openProbe((context) =>
      context.requestInteraction({
        kind: "approval",
        onResponse: ({ action }) => ({ complete: action }),
      }),
    );
    await using _ = scene;
    await scene.answer({ action: "deny", stopTurn: true });
    expect(await result).toMatchObject({ structured: { code: "INTERACTION_CANCELLED" } });
    expect((await scene.events(scene.sessionId)).at(-1)).toMatchObject({ reason: "stopped" });
    const [interaction] = await scene.interactions("delivered");
    expect(interaction).not.toHaveProperty("failure");
  });
});

describe("a question", () => {
  test("gets ids for questions without one", async () => {
    const { scene, result } = await openProbe((context) =>
      context.requestInteraction({
        kind: "question",
        questions: [
          { question: "Which color?", header: "Color", options: ["Red", "Blue"] },
          { id: "size", question: "Which size?", options: [{ id: "s", label: "Small" }, "Large"] },
        ],
      }),
    );
    await using _ = scene;
    expect((await scene.waiting()).questions).toEqual([
      {
        id: "q1",
        header: "Color",
        question: "Which color?",
        multiSelect: false,
        options: [
          { id: "o1", label: "Red" },
          { id: "o2", label: "Blue" },
        ],
      },
      {
        id: "size",
        header: "",
        question: "Which size?",
        multiSelect: false,
        options: [
          { id: "s", label: "Small" },
          { id: "o2", label: "Large" },
        ],
      },
    ]);
    const answers = [
      { questionId: "q1", selected: ["o2"] },
      { questionId: "size", selected: [], other: "Huge" },
    ];
    await scene.answer({ action: "submit", answers });
    expect(await valueOf(result)).toMatchObject({ action: "submit", answers });
  });
});

describe("a form", () => {
  test("becomes a schema from a list of fields", async () => {
    const { scene, result } = await openProbe((context) =>
      context.requestInteraction({
        kind: "form",
        inputSchema: {
          type: "form",
          fields: [
            { id: "name", type: "text", label: "Name", required: true, defaultValue: "Ada" },
          ],
        },
      }),
    );
    await using _ = scene;
    expect((await scene.waiting()).form).toEqual({
      schema: {
        type: "object",
        properties: { name: { type: "string", title: "Name" } },
        required: ["name"],
      },
      initialValues: { name: "Ada" },
    });
    expect(await scene.answer({ action: "submit", values: {} })).toMatchObject({
      problem: { code: "INVALID_RESPONSE" },
    });
    await scene.answer({ action: "submit", values: { name: "Grace" } });
    expect(await valueOf(result)).toMatchObject({ values: { name: "Grace" } });
  });

  test("[R-19] passes secrets to the handler, and to no one else", async () => {
    const secret = "hunter2-hunter2";
    let seen: PersonResponse | undefined;
    const { scene, result } = await openProbe((context) =>
      context.requestInteraction({
        kind: "form",
        inputSchema: {
          type: "form",
          fields: [{ id: "token", type: "text", label: "Token", sensitive: true }],
        },
        onResponse(response) {
          seen = response;
          throw new Error(`The token ${secret} was refused.`);
        },
      }),
    );
    await using _ = scene;
    await scene.answer({ action: "submit", values: { token: secret } });
    expect(seen?.values).toEqual({ token: secret });
    expect(await valueOf(result)).toMatchObject({ message: "The token ••• was refused." });
    await scene.clock.settle();
    const log = JSON.stringify(await scene.events(scene.sessionId));
    expect(log).toContain("redacted");
    expect(log).not.toContain(secret);
  });

  test("[R-19] masks secrets in the log of a separate turn, even if the result repeats them", async () => {
    const { scene, result } = await openProbe(async (context) => {
      const { values } = await context.requestInteraction({
        kind: "form",
        inputSchema: {
          type: "form",
          fields: [{ id: "token", type: "text", label: "Token", sensitive: true }],
        },
      });
      return { used: values!["token"] };
    });
    await using _ = scene;
    await scene.answer({ action: "submit", values: { token: 'se"cret' } });
    expect(await valueOf(result)).toEqual({ used: 'se"cret' });
    await scene.clock.settle();
    const events = await scene.events(scene.sessionId);
    expect(events.find(({ type }) => type === "tool_result")).toMatchObject({
      content: '{"used":"•••"}',
    });
  });
});

test.each([
  [{ kind: "poll" }, /kind/],
  [{ kind: "approval", approvalScopes: [] }, /approvalScopes/],
  [{ kind: "approval", approvalScopes: ["forever"] }, /approvalScopes/],
  [{ kind: "approval", timeoutMs: 0 }, /timeoutMs/],
  [{ kind: "approval", timeoutMs: Number.NaN }, /timeoutMs/],
  [{ kind: "approval", input: { size: 1n } }, /not JSON/],
  [{ kind: "question", questions: [] }, /no question/],
  [{ kind: "question", questions: [{ question: 7, options: ["a"] }] }, /questions\.0\.question/],
  [{ kind: "question", questions: [{ question: "?", options: [{}] }] }, /options\.0\.label/],
  [{ kind: "approval", prompt: {} }, /prompt/],
  [{ kind: "approval", display: { title: 7 } }, /approval\.display\.title/],
  [
    {
      kind: "question",
      questions: [
        { id: "a", question: "1", options: ["x"] },
        { id: "a", question: "2", options: ["x"] },
      ],
    },
    /the same/,
  ],
  [{ kind: "form", inputSchema: { type: "object", properties: { a: { type: "file" } } } }, /form/],
  [
    { kind: "form", inputSchema: { type: "form", fields: [{ id: "a", type: "radio" }] } },
    /options/,
  ],
])("an invalid request is a typed error, and no one sees it: %#", async (request, problem) => {
  const { scene, result } = await openProbe((context) =>
    context.requestInteraction(request as never),
  );
  await using _ = scene;
  expect(await valueOf(result)).toMatchObject({
    code: "INVALID_REQUEST",
    message: expect.stringMatching(problem) as string,
  });
  expect(await scene.eventTypes(scene.sessionId)).not.toContain("interaction_request");
  expect(scene.errors).toEqual([]);
});

describe("a handler that asks several times", () => {
  test("gets each answer where it asked, one after the other or at once", async () => {
    const ask = (context: ToolContext, name: string) =>
      context.requestInteraction({
        ...emailForm,
        prompt: name,
        onResponse: ({ values }) => ({ complete: `${name}: ${String(values?.["email"])}` }),
      });
    const { scene, result } = await openProbe(async (context) => [
      await ask(context, "first"),
      ...(await Promise.all([ask(context, "left"), ask(context, "right")])),
    ]);
    await using _ = scene;
    await scene.answer({ action: "submit", values: { email: "1" } });
    const both = await scene.interactions("pending");
    for (const { interactionId, prompt } of both.toReversed()) {
      await scene.gateway.respond(scene.page.caller, interactionId, {
        action: "submit",
        values: { email: prompt },
      });
      await scene.clock.settle();
    }
    expect(await valueOf(result)).toEqual(["first: 1", "left: left", "right: right"]);
  });

  test("[R-20] gets an error for too many requests, and earlier ones still count", async () => {
    const refused = vi.fn<(error: unknown) => void>();
    const scene: ToolScene = await openScene({
      limits: { pendingPerSession: 2 },
      tools: [
        probeTool((context) =>
          Promise.all(
            [1, 2, 3].map((number) =>
              context
                .requestInteraction({ kind: "approval", prompt: String(number) })
                .catch((error: unknown) => refused(error)),
            ),
          ),
        ),
      ],
    });
    await using _ = scene;
    const { result } = scene.call({ name: "probe" }, { signal: never });
    await scene.clock.settle();
    expect(refused).toHaveBeenCalledOnce();
    expect(refused.mock.calls[0]).toMatchObject([{ code: "INTERACTION_REFUSED" }]);
    for (const { interactionId } of await scene.interactions("pending")) {
      await scene.gateway.respond(scene.page.caller, interactionId, { action: "deny" });
    }
    expect(await valueOf(result)).toMatchObject([{ action: "deny" }, { action: "deny" }, null]);
  });
});

test("a tool's request is marked as the tool's, with a prompt or without", async () => {
  for (const prompt of ["Go on?", undefined]) {
    const { scene } = await openProbe((context) =>
      context.requestInteraction({
        kind: "question",
        ...(prompt !== undefined && { prompt }),
        questions: [{ question: "Which one?", options: ["This", "That"] }],
        onResponse: () => ({ complete: "done" }),
      }),
    );
    await using _ = scene;
    const asked = (await scene.events(scene.sessionId)).find(
      ({ type }) => type === "interaction_request",
    );
    expect(asked).toMatchObject({ interaction: { askedBy: "tool" } });
  }
});
