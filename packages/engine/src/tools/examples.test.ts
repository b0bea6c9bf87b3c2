/*
 * The tools that people write first: one that needs approval and remembers it, one that only asks, one that checks what
 * it gets, and one that does not wait.
 */
import type { ApprovalScope } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";
import { z } from "zod";

import { ada } from "../testing/gateway-fixture.ts";
import { createMachine, openScene, type ToolScene } from "../testing/tool-scene.ts";
import type { StoreFaults } from "../testing/wrapped-store.ts";
import { defineTool } from "./define-tool.ts";

async function call(scene: ToolScene, name: string, args: unknown, toolCallId = "call_1") {
  const { result } = scene.call({ name, args, toolCallId });
  await scene.clock.settle();
  return { value: result.then(({ content }) => JSON.parse(content) as unknown) };
}

describe("a tool with approval", () => {
  const deleted: string[][] = [];

  const deleteFiles = defineTool({
    name: "delete_files",
    description: "Deletes files.",
    parameters: z.object({ files: z.array(z.string()).min(1) }),
    async handler({ files }, { approvals, requestInteraction }) {
      const deleteAll = () => {
        deleted.push(files);
        return { ok: true, count: files.length };
      };
      const key = JSON.stringify(files);
      if (await approvals.get(key)) return deleteAll();
      return requestInteraction({
        kind: "approval",
        prompt: `Delete ${files.length} files?`,
        approvalScopes: ["once", "session", "always"],
        async onResponse({ action, approvalScope, reason }) {
          if (action !== "approve") return { complete: { ok: false, denied: true, reason } };
          if (approvalScope !== undefined) await approvals.set(key, approvalScope);
          return { complete: deleteAll() };
        },
        onTimeout: () => ({ complete: { ok: false, error: "Approval timed out" } }),
      });
    },
  });

  async function open() {
    deleted.length = 0;
    return openScene({ tools: [deleteFiles] });
  }

  test("does its work once approved", async () => {
    await using scene = await open();
    const { value } = await call(scene, "delete_files", { files: ["a", "b"] });
    expect(deleted).toEqual([]);
    await scene.answer({ action: "approve" });
    expect(await value).toEqual({ ok: true, count: 2 });
    expect(deleted).toEqual([["a", "b"]]);
  });

  test("[R-5] does nothing when denied, cancelled or left alone, and reports why", async () => {
    await using scene = await open();
    const denied = await call(scene, "delete_files", { files: ["a"] }, "a");
    await scene.answer({ action: "deny", reason: "I need it." });
    expect(await denied.value).toEqual({ ok: false, denied: true, reason: "I need it." });
    const cancelled = await call(scene, "delete_files", { files: ["a"] }, "b");
    await scene.answer({ action: "cancel" });
    expect(await cancelled.value).toEqual({ ok: false, denied: true });
    const alone = await call(scene, "delete_files", { files: ["a"] }, "c");
    await scene.clock.advance(600_000);
    expect(await alone.value).toEqual({ ok: false, error: "Approval timed out" });
    expect(deleted).toEqual([]);
  });

  test.each<[ApprovalScope, boolean, boolean]>([
    ["once", true, true],
    ["session", false, true],
    ["always", false, false],
  ])(
    "approved for %s asks again in this session: %s, in another: %s",
    async (approvalScope, asksHere, asksThere) => {
      await using scene = await open();
      const first = await call(scene, "delete_files", { files: ["a"] }, "first");
      await scene.answer({ action: "approve", approvalScope });
      await first.value;
      const other = await scene.createSession();
      for (const [sessionId, asks] of [
        [scene.sessionId, asksHere],
        [other, asksThere],
      ] as const) {
        const again = scene.call({
          sessionId,
          name: "delete_files",
          toolCallId: "again",
          args: { files: ["a"] },
        });
        await scene.clock.settle();
        expect(await scene.interactions("pending")).toHaveLength(asks ? 1 : 0);
        if (asks) await scene.answer({ action: "deny" });
        expect((await again.result).structured).toMatchObject({ ok: !asks });
      }
    },
  );

  test("asks again for other files, even if their joined names are the same", async () => {
    await using scene = await open();
    const first = await call(scene, "delete_files", { files: ["a", "b,c"] }, "first");
    await scene.answer({ action: "approve", approvalScope: "always" });
    await first.value;
    scene.call({ name: "delete_files", args: { files: ["a,b", "c"] }, toolCallId: "second" });
    await scene.clock.settle();
    expect(await scene.waiting()).toMatchObject({ approval: { input: { files: ["a,b", "c"] } } });
    expect(deleted).toHaveLength(1);
  });

  test("[R-5] run again after a crash deletes the files approved before, and asks for nothing else", async () => {
    deleted.length = 0;
    const machine = createMachine();
    const faults: StoreFaults = {};
    const first = await machine.start({ tools: [deleteFiles] }, faults);
    const { sessionId } = first;
    first.call({ name: "delete_files", args: { files: ["a"] } });
    await machine.clock.settle();
    faults.dead = true;
    await using scene = await machine.start({ tools: [deleteFiles], sessionId });
    const { value } = await call(scene, "delete_files", { files: ["a"] });
    await scene.answer({ action: "approve", approvalScope: "session" });
    expect(await value).toEqual({ ok: true, count: 1 });
    expect(deleted).toEqual([["a"]]);
  });
});

describe("a tool that only asks", () => {
  test("ask_user with choices returns the chosen one, and accepts no other", async () => {
    await using scene = await openScene();
    const question = "Which language?";
    const { value } = await call(scene, "ask_user", { question, choices: ["TypeScript", "Go"] });
    expect(await scene.waiting()).toMatchObject({
      kind: "form",
      prompt: question,
      presentation: "questionnaire",
      form: {
        schema: { properties: { answer: { title: "Answer", enum: ["TypeScript", "Go"] } } },
        // Each page says it in its language.
        said: { answer: [{ code: "field_answer" }] },
      },
    });
    expect(await scene.answer({ action: "submit", values: { answer: "COBOL" } })).toMatchObject({
      problem: { code: "INVALID_RESPONSE" },
    });
    await scene.answer({ action: "submit", values: { answer: "Go" } });
    expect(await value).toEqual({ status: "answered", answer: "Go" });
  });

  test("ask_user without choices returns the written text", async () => {
    await using scene = await openScene();
    const { value } = await call(scene, "ask_user", { question: "Why?", multiline: true });
    expect((await scene.waiting()).form?.schema.properties["answer"]).toMatchObject({
      type: "string",
      multiline: true,
    });
    expect(await scene.answer({ action: "submit", values: {} })).toMatchObject({
      problem: { code: "INVALID_RESPONSE" },
    });
    await scene.answer({ action: "submit", values: { answer: "Because.\nSo." } });
    expect(await value).toEqual({ status: "answered", answer: "Because.\nSo." });
  });

  test("ask_user reports a declined question, and one that no one answered", async () => {
    await using scene = await openScene();
    const declined = await call(scene, "ask_user", { question: "Why?" }, "a");
    await scene.answer({ action: "cancel", reason: "Not your business." });
    expect(await declined.value).toEqual({ status: "declined", reason: "Not your business." });
    const alone = await call(scene, "ask_user", { question: "Why?" }, "b");
    await scene.clock.advance(600_000);
    expect(await alone.value).toMatchObject({ code: "INTERACTION_TIMEOUT" });
  });

  test.each([
    {},
    { question: " " },
    { question: "?", choices: ["one"] },
    { question: "?", choices: ["same", "same"] },
    { question: "?", choices: [1, 2] },
  ])("ask_user refuses %j", async (args) => {
    await using scene = await openScene();
    const { value } = await call(scene, "ask_user", args);
    expect(await value).toMatchObject({ code: "INVALID_ARGUMENTS" });
  });
});

describe("a tool that validates its input", () => {
  const collectEmail = defineTool({
    name: "collect_email",
    description: "Asks for an e-mail address.",
    handler: (_args: Record<string, unknown>, context) =>
      context.requestInteraction({
        kind: "form",
        prompt: "Your e-mail address, please.",
        inputSchema: {
          type: "form",
          fields: [{ id: "email", type: "text", label: "Enter your email", required: true }],
        },
        completedView: { summaryTemplate: "Address: {{email}}" },
        onResponse({ action, values }) {
          if (action !== "submit") return { complete: { ok: false, cancelled: true } };
          const { email } = values;
          return email.includes("@")
            ? { complete: { ok: true, email } }
            : { reprompt: { error: "Invalid email address. Please try again." } };
        },
      }),
  });

  test("asks again until it is valid", async () => {
    await using scene = await openScene({ tools: [collectEmail] });
    const { value } = await call(scene, "collect_email", {});
    await scene.answer({ action: "submit", values: { email: "ada" } });
    expect(await scene.waiting()).toMatchObject({
      attempt: 2,
      error: "Invalid email address. Please try again.",
      prompt: "Your e-mail address, please.",
      form: { initialValues: { email: "ada" } },
      completedView: { summaryTemplate: "Address: {{email}}" },
    });
    await scene.answer({ action: "submit", values: { email: "ada@example.org" } });
    expect(await value).toEqual({ ok: true, email: "ada@example.org" });
  });

  test("ends when the person cancels", async () => {
    await using scene = await openScene({ tools: [collectEmail] });
    const { value } = await call(scene, "collect_email", {});
    await scene.answer({ action: "submit", values: { email: "ada" } });
    await scene.answer({ action: "cancel" });
    expect(await value).toEqual({ ok: false, cancelled: true });
  });
});

describe("a tool that does not wait", () => {
  test("messages the person, ends as queued, and the answer comes as a message", async () => {
    const mails: string[] = [];
    const askByMail = defineTool({
      name: "ask_by_mail",
      description: "Asks, and writes a mail when nobody answers.",
      parameters: z.object({ question: z.string(), mail: z.string() }),
      handler: ({ question, mail }, context) =>
        context.requestInteraction({
          kind: "form",
          prompt: question,
          inputSchema: {
            type: "form",
            fields: [{ id: "answer", type: "textarea", label: "Your answer", required: true }],
          },
          timeoutMs: 60_000,
          onResponse: ({ values }) => ({ complete: { ok: true, answer: values?.["answer"] } }),
          async onTimeout() {
            mails.push(mail);
            return { pending: { message: "User notified via email." } };
          },
        }),
    });
    await using scene = await openScene({ tools: [askByMail] });
    const args = { question: "Ship it?", mail: "ada@example.org" };
    const quick = await call(scene, "ask_by_mail", args, "quick");
    await scene.answer({ action: "submit", values: { answer: "Yes." } });
    expect(await quick.value).toEqual({ ok: true, answer: "Yes." });
    const slow = await call(scene, "ask_by_mail", args, "slow");
    await scene.clock.advance(60_000);
    expect(await slow.value).toEqual({ status: "queued", message: "User notified via email." });
    expect(mails).toEqual(["ada@example.org"]);
    await scene.clock.advance(24 * 3_600_000);
    await scene.answer({ action: "submit", values: { answer: "Now, yes." } });
    expect(scene.adapter.messages).toHaveLength(1);
    expect(scene.adapter.messages[0]?.content).toContain("Ship it?");
    expect(scene.adapter.messages[0]?.content).toContain("Now, yes.");
    expect((await scene.gateway.getSession(ada, scene.sessionId)).status).toBe("idle");
  });
});
