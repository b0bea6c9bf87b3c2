import type { UnplacedEvent } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import {
  attachmentRow,
  creation,
  instant,
  messageEvent,
  ROOM,
} from "../testing/store-contract/store-fixtures.ts";
import { readAgentEvents, readTurnMessage } from "./turn-log.ts";

const at = instant(0);
const started = (turnId: string): UnplacedEvent => ({ at, type: "turn_started", turnId });
const message = (turnId: string, content: string): UnplacedEvent => ({
  ...messageEvent(content),
  turnId,
});
const said = (turnId: string, text: string): UnplacedEvent => ({
  at,
  type: "assistant_message",
  turnId,
  messageId: `m_${text}`,
  text,
  channel: "text",
});

async function storeWith(events: readonly UnplacedEvent[]) {
  const store = createMemoryStore();
  await store.append(creation("ses_a"));
  await store.attachments.put(attachmentRow("ses_a", "att_1"), ROOM);
  await store.append({ sessionId: "ses_a", events });
  const turn = (turnId: string) => ({ sessionId: "ses_a", turnId });
  return {
    message: (turnId: string) => readTurnMessage(store, turn(turnId)),
    told: (turnId: string) => readAgentEvents(store, turn(turnId)),
  };
}

test("[R-4] the message that began a turn is read with its files, however long the turn is", async () => {
  const { uploadedAtMs: _, sessionId: __, ...file } = attachmentRow("ses_a", "att_1");
  const { data: ___, ...attachment } = file;
  const texts = Array.from({ length: 450 }, (_, index) => `${index}`);
  const log = await storeWith([
    message("trn_1", "before"),
    started("trn_1"),
    { ...message("trn_2", "go"), attachments: [attachment] } as UnplacedEvent,
    started("trn_2"),
    ...texts.map((text) => said("trn_2", text)),
  ]);
  expect(await log.message("trn_2")).toEqual({
    messageId: "msg_1",
    content: "go",
    attachments: [file],
  });
  expect((await log.told("trn_2")).map((event) => "text" in event && event.text)).toEqual(texts);
});

test("a turn that resumes at a parked call has no message, whatever comes before it", async () => {
  const log = await storeWith([message("trn_1", "before"), started("trn_1"), started("trn_2")]);
  expect(await log.message("trn_2")).toBeUndefined();
  const alone = await storeWith([started("trn_2")]);
  expect(await alone.message("trn_2")).toBeUndefined();
});
