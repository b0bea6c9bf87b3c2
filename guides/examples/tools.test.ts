import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openToolBench } from "holdpoint/testing";
import { describe, expect, test } from "vitest";

import { createAskLater } from "../../examples/ask-later/ask-later.ts";
import { collectEmail } from "../../examples/collect-email/collect-email.ts";
import { createPublishPost } from "./publish-post.ts";
import { createRestartService } from "./restart-service.ts";
import { createSignIn } from "./sign-in.ts";
import sendInvoice from "./tools/send-invoice.ts";

describe("send_invoice", () => {
  const invoice = { customer: "Ada", cents: 4200 };

  async function openInvoices() {
    const cwd = await mkdtemp(join(tmpdir(), "holdpoint-guide-"));
    const bench = await openToolBench({ tool: sendInvoice, cwd });
    const outbox = () => readFile(join(cwd, "outbox.jsonl"), "utf8").catch(() => "");
    const clean = async () => {
      await bench.stop();
      await rm(cwd, { recursive: true, force: true });
    };
    return { ...bench, outbox, [Symbol.asyncDispose]: clean };
  }

  test("[R-6] sends the approved invoice", async () => {
    await using bench = await openInvoices();
    const result = bench.call(invoice);
    const [asked] = await bench.waiting();
    expect(asked).toMatchObject({
      prompt: "Send an invoice to Ada?",
      approval: { input: invoice, scopes: ["once"] },
    });
    expect(await bench.outbox()).toBe("");
    await bench.answer({ action: "approve" });
    expect(await result).toEqual({ sent: true, invoice });
    expect(JSON.parse(await bench.outbox())).toEqual(invoice);
  });

  test("[R-5] writes nothing that was denied or not answered", async () => {
    await using bench = await openInvoices();
    const denied = bench.call(invoice);
    await bench.answer({ action: "deny", reason: "Paid already." });
    expect(await denied).toEqual({ sent: false, reason: "Paid already." });
    const alone = bench.call(invoice, "call-2");
    await bench.waiting();
    await bench.clock.advance(600_000);
    expect(await alone).toMatchObject({ code: "INTERACTION_TIMEOUT" });
    expect(await bench.outbox()).toBe("");
  });
});

describe("collect_email", () => {
  test("asks again with the sent values, and accepts a usable address", async () => {
    await using bench = await openToolBench({ tool: collectEmail });
    const result = bench.call({ reason: "For the report" });
    await expect(bench.answer({ action: "submit", values: { email: "ada" } })).rejects.toThrow(
      "fit",
    );
    await bench.answer({ action: "submit", values: { email: "ada@example.com" } });
    expect(await bench.waiting()).toMatchObject([
      {
        attempt: 2,
        fieldErrors: { email: "Use an address of your own." },
        form: { initialValues: { email: "ada@example.com" } },
      },
    ]);
    await bench.answer({ action: "submit", values: { email: "Ada@Lovelace.example" } });
    expect(await result).toEqual({
      status: "collected",
      email: "ada@lovelace.example",
      newsletter: false,
    });
  });
});

describe("ask_later", () => {
  const question = "Which colour?";

  test.each([true, false])(
    "reminds, ends as queued, and leaves the question open (reminder sent: %s)",
    async (isSent) => {
      const reminders: object[] = [];
      const remind = async (reminder: object) => {
        reminders.push(reminder);
        if (!isSent) throw new Error("The mail server is down.");
      };
      await using bench = await openToolBench({ tool: createAskLater({ waitMs: 60_000, remind }) });
      const result = bench.call({ question });
      await bench.waiting();
      await bench.clock.advance(60_000);
      expect(await result).toMatchObject({ status: "queued" });
      expect(reminders).toEqual([{ sessionId: bench.sessionId, question }]);
      await bench.clock.advance(7 * 24 * 3_600_000);
      expect(await bench.waiting()).toMatchObject([{ hold: "queued" }]);
      await bench.answer({ action: "submit", values: { answer: "Green" } });
      const messages = (await bench.events()).filter(({ type }) => type === "user_message");
      expect(messages).toMatchObject([{ content: expect.stringContaining("Green") as string }]);
    },
  );
});

describe("publish_post", () => {
  test("[R-4] run again after a restart asks only the unanswered question, and publishes once", async () => {
    const published: unknown[] = [];
    const tool = createPublishPost(async (...post) => void published.push(post));
    const first = await openToolBench({ tool });
    void first.call({ title: "News" });
    await first.answer({
      action: "submit",
      answers: [{ questionId: "q1", selected: ["blog", "mail"] }],
    });
    expect(await first.waiting()).toMatchObject([{ prompt: "Publish?" }]);
    await first.stop();
    expect(published).toEqual([]);

    await using again = await openToolBench({ tool, left: first });
    const result = again.call({ title: "News" });
    expect(await again.waiting()).toMatchObject([
      { prompt: "Publish?", approval: { input: { places: ["blog", "mail"] } } },
    ]);
    await again.answer({ action: "approve" });
    expect(await result).toEqual({ published: true, places: ["blog", "mail"] });
    expect(published).toEqual([["News", ["blog", "mail"]]]);
    const asked = (await again.events()).filter(({ type }) => type === "interaction_request");
    expect(asked).toHaveLength(2);
  });

  test("publishes nothing when the question is skipped", async () => {
    const tool = createPublishPost(() => Promise.reject(new Error("It was published.")));
    await using bench = await openToolBench({ tool });
    const result = bench.call({ title: "News" });
    await bench.answer({ action: "cancel" });
    expect(await result).toEqual({ published: false });
  });
});

describe("restart_service", () => {
  test("asks once for a service that is allowed for the session, and again for each other service", async () => {
    const restarted: string[] = [];
    const tool = createRestartService(async (service) => void restarted.push(service));
    await using bench = await openToolBench({ tool });
    const first = bench.call({ service: "mail", reason: "It hangs." });
    expect(await bench.waiting()).toMatchObject([
      { approval: { display: { reason: "It hangs." }, scopes: ["once", "session", "always"] } },
    ]);
    await bench.answer({ action: "approve", approvalScope: "session" });
    expect(await first).toEqual({ restarted: true, approvedFor: "session" });
    const second = await bench.call({ service: "mail", reason: "It hangs again." }, "call-2");
    expect(second).toEqual({ restarted: true, approvedFor: "session" });
    expect((await bench.events()).filter(({ type }) => type === "grant_used")).toHaveLength(1);

    const other = bench.call({ service: "web", reason: "It hangs." }, "call-3");
    await bench.answer({ action: "deny" });
    expect(await other).toEqual({ restarted: false });
    expect(restarted).toEqual(["mail", "mail"]);
  });
});

describe("sign_in", () => {
  const tool = createSignIn(async (user, password) => user === "ada" && password === "s3cret-one");
  const enter = (password: string) =>
    ({ action: "submit", values: { user: "ada", password } }) as const;

  test("[R-19] discloses the password to no one: neither the agent, nor the log, nor the next round", async () => {
    await using bench = await openToolBench({ tool });
    const result = bench.call({});
    await bench.answer(enter("s3cret-two"));
    expect(await bench.waiting()).toMatchObject([
      {
        error: "The shop does not know this user and password.",
        form: { initialValues: { user: "ada" } },
      },
    ]);
    await bench.answer(enter("s3cret-one"));
    expect(await result).toEqual({ signedIn: true });
    expect(JSON.stringify(await bench.events())).not.toContain("s3cret");
  });

  test("[R-5] continues when no one signs in in time, and when no one is there", async () => {
    await using bench = await openToolBench({ tool });
    const late = bench.call({});
    await bench.waiting();
    await bench.clock.advance(120_000);
    expect(await late).toEqual({ signedIn: false, reason: "Nobody did so in time." });

    await using empty = await openToolBench({ tool, present: false });
    const alone = empty.call({});
    await empty.waiting();
    await empty.clock.advance(20_000);
    expect(await alone).toEqual({ signedIn: false, reason: "Nobody is there to sign in." });
  });
});
