import { ATTACHMENT_LIMITS, type Attachment } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import type { TurnMessage } from "../ports/agent-adapter.ts";
import { ada, openFixture, type GatewayFixture } from "../testing/gateway-fixture.ts";
import { createScriptedAdapter, type TurnScript } from "../testing/scripted-adapter.ts";

const toData = (text: string): string => btoa(text);
const agent = { principal: "agent", person: "Ada", client: "agent" } as const;
const DAY_MS = 24 * 60 * 60 * 1000;

interface Scene extends GatewayFixture {
  readonly sessionId: string;
  readonly got: TurnMessage[];
  upload(name: string, text: string, sessionId?: string): Promise<Attachment>;
  /** Lets the running turn end. */
  finish(): Promise<void>;
}

async function openScene(takesAttachments = true): Promise<Scene> {
  const got: TurnMessage[] = [];
  let end = Promise.withResolvers<void>();
  const script: TurnScript = async (message, { signal }) => {
    got.push(message);
    signal.addEventListener("abort", () => end.resolve());
    await end.promise;
    end = Promise.withResolvers<void>();
    return { reason: signal.aborted ? "stopped" : "done" };
  };
  const info = takesAttachments ? ({ takesAttachments: true } as const) : {};
  const fixture = await openFixture(script, { adapter: createScriptedAdapter(script, info) });
  const sessionId = await fixture.createSession();
  return {
    ...fixture,
    sessionId,
    got,
    upload: (name, text, id = sessionId) =>
      fixture.gateway.uploadAttachment(ada, id, { name, data: toData(text) }),
    async finish() {
      end.resolve();
      await fixture.clock.settle();
    },
  };
}

describe("files of messages", () => {
  test("reach the agent with their bytes, and the log has only their facts", async () => {
    await using scene = await openScene();
    const { gateway, sessionId, clock } = scene;
    const { attachmentId, ...facts } = await scene.upload("../notes.txt", "Tea");
    expect(facts).toEqual({ name: "notes.txt", mediaType: "text/plain", bytes: 3 });
    expect(await scene.upload("notes.txt", "Tea")).toMatchObject({ attachmentId });
    const ids = [attachmentId, attachmentId];
    await gateway.sendMessage(ada, sessionId, { content: "", attachments: ids });
    await clock.settle();
    const attachment = { attachmentId, ...facts };
    expect(scene.got).toMatchObject([
      { content: "", attachments: [{ ...attachment, data: "VGVh" }] },
    ]);
    const [message] = await scene.events(sessionId);
    expect(message).toMatchObject({ type: "user_message", content: "", attachments: [attachment] });
    expect(JSON.stringify(message)).not.toContain("VGVh");
    expect((await gateway.getSession(ada, sessionId)).title).toBe("notes.txt");
    await scene.finish();
  });

  test("stay with a queued message, and are there when it was taken back", async () => {
    await using scene = await openScene();
    const { gateway, sessionId, clock } = scene;
    const attachment = await scene.upload("notes.txt", "Tea");
    const attachments = [attachment.attachmentId];
    await scene.send(sessionId, "Go");
    const sent = await gateway.sendMessage(ada, sessionId, {
      content: "x",
      attachments,
      queue: true,
    });
    const { items } = await gateway.listQueue(ada, sessionId);
    expect(items).toMatchObject([{ content: "x", attachments: [attachment] }]);
    await clock.advance(30 * DAY_MS);
    await gateway.removeQueuedMessage(ada, sessionId, sent.messageId);
    await clock.advance(7 * DAY_MS);
    await scene.upload("other.txt", "x");
    await gateway.sendMessage(ada, sessionId, { content: "x", attachments, queue: true });
    await scene.finish();
    expect(scene.got.at(-1)).toMatchObject({ attachments: [{ data: "VGVh" }] });
    await scene.finish();
  });

  test("are deleted a week after their message was taken back, unless another message has them", async () => {
    await using scene = await openScene();
    const { gateway, sessionId, clock } = scene;
    const notes = await scene.upload("notes.txt", "Tea");
    const both = await scene.upload("both.txt", "Milk");
    const send = (ids: string[]) =>
      gateway.sendMessage(ada, sessionId, { content: "x", attachments: ids, queue: true });
    await send([both.attachmentId]);
    const { messageId } = await send([notes.attachmentId, both.attachmentId]);
    await gateway.removeQueuedMessage(ada, sessionId, messageId);
    await clock.advance(7 * DAY_MS + 1);
    await scene.upload("other.txt", "x");
    const gone = gateway.readAttachment(ada, sessionId, notes.attachmentId);
    await expect(gone).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await gateway.readAttachment(ada, sessionId, both.attachmentId)).toMatchObject(both);
    await scene.finish();
  });

  test("are deleted when they were not sent for a week, and sending them then reports that", async () => {
    await using scene = await openScene();
    const { gateway, sessionId, clock } = scene;
    const { attachmentId } = await scene.upload("notes.txt", "Tea");
    await clock.advance(7 * DAY_MS + 1);
    await scene.upload("other.txt", "x");
    await expect(
      gateway.sendMessage(ada, sessionId, { content: "x", attachments: [attachmentId] }),
    ).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      extras: { fieldErrors: { attachments: expect.stringContaining("Attach it again") } },
    });
    expect(scene.got).toEqual([]);
  });

  test("[R-15] cannot be read or sent in another session, even with their id", async () => {
    await using scene = await openScene();
    const { gateway, sessionId } = scene;
    const { attachmentId } = await scene.upload("notes.txt", "Tea");
    const other = await scene.createSession();
    await expect(gateway.readAttachment(ada, other, attachmentId)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(
      gateway.sendMessage(ada, other, { content: "x", attachments: [attachmentId] }),
    ).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    expect(await gateway.readAttachment(ada, sessionId, attachmentId)).toMatchObject({
      data: "VGVh",
    });
    await gateway.deleteSession(ada, sessionId);
    await expect(gateway.readAttachment(ada, sessionId, attachmentId)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test("[R-13] cannot be uploaded by an agent or a program that only reads", async () => {
    await using scene = await openScene();
    const { gateway, sessionId } = scene;
    const { attachmentId } = await scene.upload("notes.txt", "Tea");
    const body = { name: "a.txt", data: "YQ==" };
    const reader = { ...ada, scope: "read" } as const;
    const forbidden = { code: "FORBIDDEN" };
    await expect(gateway.uploadAttachment(agent, sessionId, body)).rejects.toMatchObject(forbidden);
    await expect(gateway.uploadAttachment(reader, sessionId, body)).rejects.toMatchObject(
      forbidden,
    );
    await expect(gateway.readAttachment(agent, sessionId, attachmentId)).rejects.toMatchObject(
      forbidden,
    );
    expect(await gateway.readAttachment(reader, sessionId, attachmentId)).toBeDefined();
  });

  test.each([
    ["no Base64", { name: "a", data: "a b=" }, "INVALID_REQUEST"],
    ["unused bits", { name: "a", data: "YR==" }, "INVALID_REQUEST"],
    ["a program", { name: "a.png", data: toData("\u007FELF\u0001\0") }, "INVALID_REQUEST"],
    ["a long text", { name: "a.txt", data: toData("x".repeat(300_000)) }, "TOO_LARGE"],
  ])("[R-20] %s is refused, and nothing is kept", async (_, body, code) => {
    await using scene = await openScene();
    const { gateway, sessionId } = scene;
    await expect(gateway.uploadAttachment(ada, sessionId, body)).rejects.toMatchObject({ code });
    await expect(gateway.uploadAttachment(ada, "ses_none", body)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test("[R-20] are bounded in size per message and per session", async () => {
    await using scene = await openScene();
    const { gateway, sessionId } = scene;
    const pdf = `%PDF-${"x".repeat(ATTACHMENT_LIMITS.messageBytes / 2)}`;
    const two = [await scene.upload("a.pdf", pdf), await scene.upload("b.pdf", pdf)];
    const attachments = two.map(({ attachmentId }) => attachmentId);
    await expect(
      gateway.sendMessage(ada, sessionId, { content: "x", attachments }),
    ).rejects.toMatchObject({ code: "TOO_LARGE" });
    const uploads = Array.from({ length: ATTACHMENT_LIMITS.perSession }, (_, n) =>
      scene.upload("a.txt", `${n}`),
    );
    const results = await Promise.allSettled(uploads);
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused).toHaveLength(two.length);
    expect(refused[0]?.reason).toMatchObject({ code: "NO_ROOM" });
    expect(await scene.upload("a.pdf", pdf, await scene.createSession())).toBeDefined();
  });

  test("are refused for an agent that takes none", async () => {
    await using scene = await openScene(false);
    await expect(scene.upload("notes.txt", "Tea")).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: "This agent does not accept images or files.",
    });
  });

  test("are refused under the key of a message with other files", async () => {
    await using scene = await openScene();
    const { gateway, sessionId, clock } = scene;
    const { attachmentId } = await scene.upload("notes.txt", "Tea");
    const body = { content: "x", idempotencyKey: "key-number-1", attachments: [attachmentId] };
    const { messageId } = await gateway.sendMessage(ada, sessionId, body);
    expect(await gateway.sendMessage(ada, sessionId, body)).toMatchObject({ messageId });
    const { attachments: _, ...without } = body;
    await expect(gateway.sendMessage(ada, sessionId, without)).rejects.toMatchObject({
      code: "KEY_REUSED",
    });
    await expect(gateway.sendMessage(ada, sessionId, { content: " " })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
    await clock.settle();
    await scene.finish();
  });
});
