import { createMemoryDrafts } from "@holdpoint/client";
import { createLinkedGateway } from "@holdpoint/client/testing";
import { ProtocolError, type Attachment, type QueuedMessage } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { attachmentsKey, parseAttachments, toAttachmentsText } from "./draft-attachments.ts";
import type { HoldpointContext } from "./provider.tsx";
import { takeBackQueue } from "./take-back-queue.ts";

const queued = (messageId: string, origin: QueuedMessage["origin"] = "person") =>
  ({ messageId, content: `text of ${messageId}`, origin }) as QueuedMessage;

const file = (attachmentId: string): Attachment => ({
  attachmentId,
  name: `${attachmentId}.txt`,
  mediaType: "text/plain",
  bytes: 3,
});

/**
 * Takes back a queue in which some removals fail as given; resolves with the removed messages, and the draft
 * afterwards.
 */
async function takeBack(queue: readonly QueuedMessage[], failures: Record<string, Error> = {}) {
  const removed: string[] = [];
  const drafts = createMemoryDrafts();
  drafts.write("message:ses", "typed");
  drafts.write(attachmentsKey("ses"), toAttachmentsText([file("typed")]));
  const draftChanges = new EventTarget();
  let changes = 0;
  draftChanges.addEventListener("message:ses", () => (changes += 1));
  const transport = {
    ...createLinkedGateway().transport,
    listQueue: async () => [...queue],
    async removeQueuedMessage(_sessionId: string, messageId: string) {
      if (failures[messageId] !== undefined) throw failures[messageId];
      removed.push(messageId);
    },
  };
  const context = { transport, drafts, draftChanges } as unknown as HoldpointContext;
  await takeBackQueue(context, "ses");
  const kept = parseAttachments(drafts.read(attachmentsKey("ses")));
  const files = kept.map(({ attachmentId }) => attachmentId);
  return { removed, draft: drafts.read("message:ses"), files, changes };
}

test("queued messages are put before the typed text, in their order", async () => {
  expect(await takeBack([queued("one"), queued("two")])).toEqual({
    removed: ["one", "two"],
    draft: "text of one\ntext of two\ntyped",
    files: ["typed"],
    changes: 1,
  });
});

test("the files of queued messages come back with them, each once, except files that the agent has", async () => {
  const sent = { ...queued("sent"), attachments: [file("a")] };
  const queue = [sent, { ...queued("one"), content: "", attachments: [file("b"), file("typed")] }];
  const gone = { sent: new ProtocolError("NOT_FOUND", "It is gone.") };
  expect(await takeBack(queue, gone)).toMatchObject({ draft: "typed", files: ["b", "typed"] });
});

test("[R-4] an answer on its way stays in the queue", async () => {
  const { removed, draft } = await takeBack([queued("answer", "late_response"), queued("one")]);
  expect(removed).toEqual(["one"]);
  expect(draft).toBe("text of one\ntyped");
});

test("a message that the agent already has does not come back, and a possibly lost one does", async () => {
  const { draft } = await takeBack([queued("sent"), queued("unknown")], {
    sent: new ProtocolError("NOT_FOUND", "It is gone."),
    unknown: new TypeError("fetch failed"),
  });
  expect(draft).toBe("text of unknown\ntyped");
});
