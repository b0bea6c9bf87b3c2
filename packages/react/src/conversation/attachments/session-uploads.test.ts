// @vitest-environment happy-dom
import { ClientError, createMemoryDrafts, type Transport } from "@holdpoint/client";
import { createSimulatedClock } from "@holdpoint/client/testing";
import { ProtocolError, type Attachment } from "@holdpoint/protocol";
import { beforeEach, expect, test, vi } from "vitest";

import { parseAttachments } from "../../hooks/draft-attachments.ts";
import type { PickedFile } from "./read-file.ts";
import { uploadsOf, type UploadsContext } from "./session-uploads.ts";

const AWAY = new ClientError("CONNECTION_CLOSED", "Gone.");
const toFile = (name: string): PickedFile => ({
  name,
  bytes: 3,
  data: "VGVh",
  mediaType: "text/plain",
});

beforeEach(() => sessionStorage.clear());

/** A page with a gateway that takes an upload whenever it is not away. */
function openPage() {
  const clock = createSimulatedClock();
  const drafts = createMemoryDrafts();
  let trouble: Error | undefined;
  const uploadAttachment = vi.fn<Transport["uploadAttachment"]>(async (_, { name }) => {
    if (trouble !== undefined) throw trouble;
    return { attachmentId: name, name, mediaType: "text/plain", bytes: 3 } satisfies Attachment;
  });
  const context: UploadsContext = {
    clock,
    drafts,
    draftChanges: new EventTarget(),
    transport: { uploadAttachment } as Partial<Transport> as Transport,
  };
  return {
    clock,
    uploadAttachment,
    uploads: uploadsOf(context, "session"),
    again: () => uploadsOf(context, "session"),
    away: (error: Error | undefined) => void (trouble = error),
    draft: () => parseAttachments(drafts.read("attachments:session")).map(({ name }) => name),
  };
}

test("a file is uploaded once the gateway is back, even if its session was left in the meantime", async () => {
  const page = openPage();
  page.away(AWAY);
  page.uploads.add(toFile("a.txt"));
  await page.clock.advance(20_000);
  expect(page.uploads.getState().open).toMatchObject([{ error: AWAY, triesAgain: true }]);
  expect(page.again()).toBe(page.uploads);
  page.away(undefined);
  await page.clock.advance(30_000);
  expect(page.draft()).toEqual(["a.txt"]);
  expect(page.uploads.getState()).toEqual({ open: [], lost: [] });
});

test("files keep the order in which they were added, whichever upload ends first, fails or is removed", async () => {
  const page = openPage();
  const ends = new Map<string, (isTaken: boolean) => void>();
  page.uploadAttachment.mockImplementation(
    (_, { name }) =>
      new Promise((resolve, reject) => {
        ends.set(name, (isTaken) =>
          isTaken
            ? resolve({ attachmentId: name, name, mediaType: "text/plain", bytes: 3 })
            : reject(new ProtocolError("TOO_LARGE", "Too large.")),
        );
      }),
  );
  for (const name of ["a.png", "b.png", "c.png", "d.png"]) page.uploads.add(toFile(name));
  const end = async (name: string, isTaken = true): Promise<void> => {
    ends.get(name)?.(isTaken);
    await page.clock.advance(0);
  };
  await end("d.png");
  await end("b.png");
  await end("a.png", false);
  expect(page.draft()).toEqual(["b.png", "d.png"]);
  const [failed, open] = page.uploads.getState().open;
  page.uploads.remove(open?.key ?? "");
  await end("c.png");
  page.uploads.retry(failed?.key ?? "");
  await end("a.png");
  expect(page.draft()).toEqual(["a.png", "b.png", "d.png"]);
});

test("an upload is tried eleven times, each time later, and then left to the person", async () => {
  const page = openPage();
  page.away(AWAY);
  page.uploads.add(toFile("a.txt"));
  await page.clock.advance(7000);
  expect(page.uploadAttachment).toHaveBeenCalledTimes(4);
  await page.clock.advance(60 * 60 * 1000);
  expect(page.uploadAttachment).toHaveBeenCalledTimes(11);
  expect(page.clock.sleeperCount).toBe(0);
  const [open] = page.uploads.getState().open;
  expect(open).toEqual({ key: open?.key, file: toFile("a.txt"), error: AWAY });
  page.away(undefined);
  page.uploads.retry(open!.key);
  await page.clock.advance(0);
  expect(page.draft()).toEqual(["a.txt"]);
});

test("an upload that the gateway refuses is not retried, and a press retries at once", async () => {
  const page = openPage();
  page.away(new ProtocolError("STORE_UNAVAILABLE", "Full."));
  page.uploads.add(toFile("a.txt"));
  await page.clock.advance(60 * 60 * 1000);
  expect(page.uploadAttachment).toHaveBeenCalledOnce();
  page.away(AWAY);
  page.uploads.retry(page.uploads.getState().open[0]!.key);
  await page.clock.advance(0);
  page.away(undefined);
  page.uploads.retry(page.uploads.getState().open[0]!.key);
  await page.clock.advance(60_000);
  expect(page.uploadAttachment).toHaveBeenCalledTimes(3);
  expect(page.draft()).toEqual(["a.txt"]);
});

test("a removed file is not retried, and is not in the message", async () => {
  const page = openPage();
  page.away(AWAY);
  page.uploads.add(toFile("a.txt"));
  await page.clock.advance(0);
  page.uploads.remove(page.uploads.getState().open[0]!.key);
  page.away(undefined);
  page.uploads.add(toFile("b.txt"));
  page.uploads.remove(page.uploads.getState().open[0]!.key);
  await page.clock.advance(60_000);
  expect(page.uploadAttachment).toHaveBeenCalledTimes(2);
  expect(page.draft()).toEqual([]);
  expect(page.clock.sleeperCount).toBe(0);
  expect(openPage().uploads.getState().lost).toEqual([]);
});

test("a reloaded page names the files that were lost, until they are chosen again or the notice is closed", async () => {
  const before = openPage();
  before.away(AWAY);
  before.uploads.add(toFile("a.txt"));
  before.uploads.add(toFile("b.txt"));
  await before.clock.advance(0);
  const page = openPage();
  expect(page.uploads.getState()).toEqual({ open: [], lost: ["a.txt", "b.txt"] });
  page.uploads.add(toFile("a.txt"));
  await page.clock.advance(0);
  expect(page.uploads.getState()).toEqual({ open: [], lost: ["b.txt"] });
  expect(openPage().uploads.getState().lost).toEqual(["b.txt"]);
  page.uploads.forgetLost();
  expect(openPage().uploads.getState().lost).toEqual([]);
});
