import { ATTACHMENT_LIMITS, PICTURE_LIMITS, type SessionEventType } from "@holdpoint/protocol";
import { sampleImages } from "@holdpoint/protocol/testing";
import { describe, expect, test, vi } from "vitest";

import type { TurnContext } from "../ports/agent-adapter.ts";
import {
  ada,
  approval,
  type GatewayFixture,
  never,
  openFixture,
  say,
} from "../testing/gateway-fixture.ts";

const toData = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
const { png, gif, jpeg, webp, pdf } = sampleImages;
const SVG = toData(new TextEncoder().encode("<svg xmlns='http://www.w3.org/2000/svg'/>"));
const DAY_MS = 24 * 60 * 60 * 1000;

async function returnPictures(
  context: TurnContext,
  toolCallId: string,
  pictures: readonly string[],
  content = "took it",
): Promise<void> {
  await context.emit({ type: "tool_call", toolCallId, toolName: "screenshot", input: {} });
  void context.emit({ type: "tool_result", toolCallId, content, isError: false, pictures });
}

/** A digest is made outside of the simulated time. */
async function untilLogged(
  fixture: GatewayFixture,
  sessionId: string,
  type: SessionEventType,
): Promise<void> {
  await vi.waitFor(async () => {
    await fixture.clock.settle();
    const types = (await fixture.events(sessionId)).map((event) => event.type);
    expect(types).toContain(type);
  }, 20_000);
}

async function resultsOf(pictures: readonly string[], content?: string) {
  const fixture = await openFixture(async (_message, context) => {
    await returnPictures(context, "t1", pictures, content);
    return { reason: "done" };
  });
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  await untilLogged(fixture, sessionId, "turn_ended");
  const events = await fixture.events(sessionId);
  const [result] = events.flatMap((event) => (event.type === "tool_result" ? [event] : []));
  return { ...fixture, sessionId, result };
}

describe("pictures in the result of a tool call", () => {
  test.each([
    ["PNG", png(30, 20), "image/png"],
    ["JPEG", jpeg(30, 20), "image/jpeg"],
    ["GIF", gif(30, 20), "image/gif"],
    ["WebP", webp(30, 20), "image/webp"],
  ])(
    "a %s is stored next to the log, and read like a file of a message",
    async (_, bytes, type) => {
      const data = toData(bytes);
      await using scene = await resultsOf([data, data]);
      const { gateway, sessionId, result } = scene;
      const facts = { mediaType: type, width: 30, height: 20, bytes: bytes.length };
      expect(result).toMatchObject({ content: "took it", attachments: [facts] });
      expect(result?.attachments).toHaveLength(1);
      expect(JSON.stringify(result)).not.toContain(data);
      const { attachmentId } = result!.attachments![0]!;
      const read = await gateway.readAttachment(ada, sessionId, attachmentId);
      expect(read).toMatchObject({ ...facts, data });
      const other = await scene.createSession();
      await expect(gateway.readAttachment(ada, other, attachmentId)).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    },
  );

  test.each([
    ["an SVG", SVG, /^\[image: 1 KiB, not kept, because it is no PNG, JPEG, GIF or WebP image\]$/],
    ["a PDF", toData(pdf), /it is no PNG/],
    ["data that is no Base64", "<svg>", /its data is broken/],
    ["nothing", "", /it is empty/],
    ["an image of too many pixels", toData(png(9000, 9000)), /too many pixels/],
    [
      "an image that is too large",
      btoa("x".repeat(ATTACHMENT_LIMITS.messageBytes + 1)),
      /too large/,
    ],
  ])("[R-20] %s is named with the reason, and the result is logged", async (_, data, words) => {
    await using scene = await resultsOf([data], "");
    const { result } = scene;
    expect(result?.content).toMatch(words);
    expect(result).not.toHaveProperty("attachments");
  });

  test("[R-20] are limited in number, and the result has the number of omitted ones", async () => {
    const many = Array.from({ length: PICTURE_LIMITS.perResult + 2 }, (_, n) =>
      toData(png(n + 1, 1)),
    );
    await using scene = await resultsOf(many);
    const { result } = scene;
    expect(result?.attachments).toHaveLength(PICTURE_LIMITS.perResult);
    expect(result?.content).toBe("took it\n[2 more images: only 20 are kept]");
  });

  test("[R-20] leave room for people's files", async () => {
    let next = 1;
    const twenty = () => Array.from({ length: 20 }, () => toData(png(next++, 1)));
    await using fixture = await openFixture(async ({ content }, context) => {
      for (let results = 0; results < PICTURE_LIMITS.perSession / 20; results += 1) {
        await returnPictures(context, `${content}${results}`, twenty());
      }
      await returnPictures(context, content, [toData(png(next++, 1))]);
      return { reason: "done" };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    await untilLogged(fixture, sessionId, "turn_ended");
    expect((await fixture.events(sessionId)).at(-2)).toMatchObject({
      type: "tool_result",
      content:
        "took it\n[image: image/png, 1 KiB, not kept, because there is no room for more pictures]",
    });
  });

  test("[R-8] are stored before anything later than their result is logged", async () => {
    await using fixture = await openFixture(async (_message, context) => {
      await returnPictures(context, "t1", [toData(png(3, 2))]);
      void say(context, "m1", "after one");
      await returnPictures(context, "t2", [toData(png(4, 2))]);
      await context.hold(approval("t3"), { signal: never });
      return { reason: "done" };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    await untilLogged(fixture, sessionId, "interaction_request");
    const [pending] = await fixture.interactions("pending");
    const digest = pending!.approval!.digest;
    await fixture.gateway.respond(ada, pending!.interactionId, { action: "approve", digest });
    await untilLogged(fixture, sessionId, "turn_ended");
    expect((await fixture.eventTypes(sessionId)).slice(3)).toEqual([
      "tool_call",
      "tool_result",
      "assistant_message",
      "tool_call",
      "tool_result",
      "interaction_request",
      "interaction_response",
      "interaction_delivered",
      "turn_ended",
    ]);
  });

  test("stay as long as their session, and no message can carry or delete them", async () => {
    await using scene = await resultsOf([toData(png(3, 2))]);
    const { gateway, sessionId, clock, result } = scene;
    const { attachmentId } = result!.attachments![0]!;
    const sent = gateway.sendMessage(ada, sessionId, {
      content: "x",
      attachments: [attachmentId],
    });
    await expect(sent).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    await clock.advance(400 * DAY_MS);
    expect(await gateway.readAttachment(ada, sessionId, attachmentId)).toMatchObject({
      attachmentId,
    });
  });
});
