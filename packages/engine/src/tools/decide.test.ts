import { describe, expect, test } from "vitest";

import { openProbe, valueOf } from "../testing/probe-tool.ts";
import type { InteractionOutcome } from "./interaction-request.ts";
import type { PersonResponse } from "./person-response.ts";
import { ToolError } from "./tool-error.ts";

const emailForm = {
  kind: "form",
  inputSchema: {
    type: "object",
    properties: { email: { type: "string", title: "E-mail" } },
    required: ["email"],
  },
} as const;

describe("a reprompt", () => {
  const validate = (response: PersonResponse): InteractionOutcome =>
    String(response.values?.["email"]).includes("@")
      ? { complete: response.values }
      : {
          reprompt: {
            prompt: "Again, please.",
            error: "That is no address.",
            fieldErrors: { email: "An @ is missing." },
          },
        };

  test("delivers the previous round and asks again, with the error and the sent values", async () => {
    const { scene, result } = await openProbe((context) =>
      context.requestInteraction({ ...emailForm, prompt: "Your address?", onResponse: validate }),
    );
    await using _ = scene;
    const first = await scene.waiting();
    await scene.answer({ action: "submit", values: { email: "ada" } });
    const second = await scene.waiting();
    expect(second.interactionId).not.toBe(first.interactionId);
    expect(second).toMatchObject({
      previousId: first.interactionId,
      attempt: 2,
      prompt: "Again, please.",
      error: "That is no address.",
      fieldErrors: { email: "An @ is missing." },
      form: { ...first.form, initialValues: { email: "ada" } },
      toolCallId: first.toolCallId,
    });
    expect(await scene.interactions("delivered")).toMatchObject([
      { interactionId: first.interactionId, how: "resumed" },
    ]);
    await scene.answer({ action: "submit", values: { email: "ada@example.org" } });
    expect(await valueOf(result)).toEqual({ email: "ada@example.org" });
  });

  test("fills in other values if it has them, and never a secret", async () => {
    const { scene } = await openProbe((context) =>
      context.requestInteraction({
        kind: "form",
        inputSchema: {
          type: "form",
          fields: [
            { id: "name", type: "text", label: "Name" },
            { id: "pin", type: "text", label: "PIN", sensitive: true },
          ],
        },
        onResponse: ({ values }) =>
          values!["name"] === "own"
            ? { reprompt: { initialValues: { name: "ours" } } }
            : { reprompt: {} },
      }),
    );
    await using _ = scene;
    await scene.answer({ action: "submit", values: { name: "sent", pin: "12345" } });
    expect((await scene.waiting()).form?.initialValues).toEqual({ name: "sent" });
    await scene.answer({ action: "submit", values: { name: "own", pin: "12345" } });
    expect((await scene.waiting()).form?.initialValues).toEqual({ name: "ours" });
  });

  test("may change the request and its handlers", async () => {
    const { scene, result } = await openProbe((context) =>
      context.requestInteraction({
        ...emailForm,
        onResponse: ({ values }) => ({
          reprompt: {
            kind: "approval",
            prompt: "Really?",
            input: { ...values },
            approvalScopes: ["once"],
            onResponse: ({ action, input }) => ({ complete: { action, input } }),
          },
        }),
      }),
    );
    await using _ = scene;
    await scene.answer({ action: "submit", values: { email: "ada@example.org" } });
    expect(await scene.waiting()).toMatchObject({ kind: "approval", attempt: 2 });
    await scene.answer({ action: "approve" });
    expect(await valueOf(result)).toEqual({
      action: "approve",
      input: { email: "ada@example.org" },
    });
  });

  test("[R-20] works five times; the sixth is a typed error, and nothing stays open", async () => {
    const { scene, result } = await openProbe((context) =>
      context.requestInteraction({ ...emailForm, onResponse: validate }),
    );
    await using _ = scene;
    for (let round = 1; round <= 6; round += 1) {
      expect((await scene.waiting()).attempt).toBe(round);
      await scene.answer({ action: "submit", values: { email: "no" } });
    }
    expect(await valueOf(result)).toMatchObject({ code: "REPROMPT_LIMIT" });
    expect(await scene.interactions("pending", "answered")).toEqual([]);
    const delivered = await scene.interactions("delivered");
    expect(delivered).toHaveLength(6);
    expect(delivered.filter(({ failure }) => failure !== undefined)).toMatchObject([
      { attempt: 6, failure: "The tool asked too often." },
    ]);
  });

  test("asks again after a timeout, too", async () => {
    const { scene, result } = await openProbe((context) =>
      context.requestInteraction({
        ...emailForm,
        timeoutMs: 1000,
        onTimeout: () => ({ reprompt: { prompt: "Still there?", timeoutMs: 60_000 } }),
        onResponse: ({ values }) => ({ complete: values }),
      }),
    );
    await using _ = scene;
    const first = await scene.waiting();
    await scene.clock.advance(1000);
    expect(await scene.waiting()).toMatchObject({
      previousId: first.interactionId,
      prompt: "Still there?",
    });
    expect(await scene.interactions("expired")).toHaveLength(1);
    await scene.answer({ action: "submit", values: { email: "a" } });
    expect(await valueOf(result)).toEqual({ email: "a" });
  });
});

describe("a handler that fails", () => {
  test("is an error for the agent, a plain text for people, and leaves nothing pending", async () => {
    const { scene, result } = await openProbe((context) =>
      context.requestInteraction({
        kind: "approval",
        async onResponse() {
          throw new Error("connect ECONNREFUSED db:5432");
        },
      }),
    );
    await using _ = scene;
    await scene.answer({ action: "approve" });
    expect(await result).toMatchObject({
      isError: true,
      structured: { code: "HANDLER_FAILED", message: "connect ECONNREFUSED db:5432" },
    });
    const [interaction] = await scene.interactions("delivered");
    expect(interaction).toMatchObject({
      how: "resumed",
      failure: "The tool failed while it handled this response.",
    });
    expect(await scene.interactions("pending", "answered")).toEqual([]);
    const events = await scene.events(scene.sessionId);
    expect(events.find(({ type }) => type === "interaction_delivered")).toMatchObject({
      failure: "The tool failed while it handled this response.",
    });
  });

  test("may handle its own failure", async () => {
    const { scene, result } = await openProbe(async (context) => {
      try {
        return await context.requestInteraction({
          kind: "approval",
          onResponse: () => {
            throw new ToolError("INVALID_RESULT", "no");
          },
        });
      } catch {
        return "handled";
      }
    });
    await using _ = scene;
    await scene.answer({ action: "approve" });
    expect(await valueOf(result)).toBe("handled");
  });

  test("gets an error for returning nothing", async () => {
    const { scene, result } = await openProbe((context) =>
      context.requestInteraction({ kind: "approval", onResponse: (() => undefined) as never }),
    );
    await using _ = scene;
    await scene.answer({ action: "approve" });
    expect(await valueOf(result)).toMatchObject({ code: "INVALID_RESULT" });
    expect(await scene.interactions("delivered")).toMatchObject([
      { failure: expect.any(String) as string },
    ]);
  });

  test("closes the question at the deadline", async () => {
    const { scene, result } = await openProbe((context) =>
      context.requestInteraction({
        kind: "approval",
        timeoutMs: 1000,
        onTimeout: () => {
          throw new Error("mail server down");
        },
      }),
    );
    await using _ = scene;
    await scene.clock.advance(1000);
    expect(await valueOf(result)).toMatchObject({ message: "mail server down" });
    expect(await scene.interactions("expired")).toHaveLength(1);
  });
});

test("nothing is delivered before the handler has decided", async () => {
  const decision = Promise.withResolvers<void>();
  const { scene, result } = await openProbe((context) =>
    context.requestInteraction({
      kind: "approval",
      async onResponse() {
        await decision.promise;
        return { complete: "done" };
      },
    }),
  );
  await using _ = scene;
  await scene.answer({ action: "approve" });
  expect(await scene.interactions("answered")).toHaveLength(1);
  expect(await scene.eventTypes(scene.sessionId)).not.toContain("interaction_delivered");
  decision.resolve();
  expect(await valueOf(result)).toBe("done");
  expect(await scene.interactions("delivered")).toHaveLength(1);
});

describe("[R-5] no answer in time", () => {
  test("is a typed error without a handler, and a late answer comes as a message", async () => {
    const { scene, result } = await openProbe((context) =>
      context.requestInteraction({ kind: "approval", prompt: "Sure?", timeoutMs: 1000 }),
    );
    await using _ = scene;
    await scene.clock.advance(1000);
    expect(await result).toMatchObject({
      isError: true,
      structured: {
        code: "INTERACTION_TIMEOUT",
        message: expect.stringContaining("Nothing was approved") as string,
      },
    });
    const [expired] = await scene.interactions("expired");
    await scene.gateway.respond(scene.page.caller, expired!.interactionId, {
      action: "approve",
      digest: expired!.approval!.digest,
    });
    await scene.clock.settle();
    expect(scene.adapter.messages).toHaveLength(1);
  });

  test("accepts no late answer under the policy deny", async () => {
    const { scene, result } = await openProbe((context) =>
      context.requestInteraction({ kind: "approval", timeoutMs: 1000, onTimeoutPolicy: "deny" }),
    );
    await using _ = scene;
    await scene.clock.advance(1000);
    expect(await valueOf(result)).toMatchObject({ code: "INTERACTION_TIMEOUT" });
    const [expired] = await scene.interactions("expired");
    expect(
      await scene.gateway.respond(scene.page.caller, expired!.interactionId, { action: "deny" }),
    ).toMatchObject({ problem: { code: "EXPIRED" } });
  });

  test("has the result that the handler returns", async () => {
    const { scene, result } = await openProbe((context) =>
      context.requestInteraction({
        kind: "approval",
        timeoutMs: 1000,
        onTimeout: async () => ({ complete: { ok: false, error: "timed out" } }),
      }),
    );
    await using _ = scene;
    await scene.clock.advance(1000);
    expect(await valueOf(result)).toEqual({ ok: false, error: "timed out" });
    expect(await scene.interactions("expired")).toHaveLength(1);
    expect(await scene.interactions("pending")).toEqual([]);
  });

  test("[R-3] an answer while the handler decides is delivered as a message", async () => {
    const decision = Promise.withResolvers<void>();
    const { scene, result } = await openProbe((context) =>
      context.requestInteraction({
        kind: "approval",
        timeoutMs: 1000,
        async onTimeout() {
          await decision.promise;
          return { complete: "gave up" };
        },
      }),
    );
    await using _ = scene;
    await scene.clock.advance(1000);
    expect(await scene.answer({ action: "deny", reason: "no" })).toMatchObject({
      status: "accepted",
    });
    decision.resolve();
    expect(await valueOf(result)).toBe("gave up");
    await scene.clock.settle();
    expect(scene.adapter.messages).toHaveLength(1);
    expect(await scene.interactions("delivered")).toMatchObject([{ how: "user_message" }]);
  });

  test("does not end a request without a deadline", async () => {
    const { scene, result } = await openProbe((context) =>
      context.requestInteraction({ kind: "approval", timeoutMs: Infinity }),
    );
    await using _ = scene;
    expect(await scene.waiting()).not.toHaveProperty("deadlineAt");
    await scene.clock.advance(30 * 24 * 3_600_000);
    await scene.answer({ action: "approve" });
    expect(await valueOf(result)).toMatchObject({ action: "approve" });
  });
});
