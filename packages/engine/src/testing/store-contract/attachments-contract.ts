import { expect, test } from "vitest";

import { KEPT_WITH_SESSION } from "../../ports/attachment-store.ts";
import { attachmentRow, creation, messageRow, ROOM } from "./store-fixtures.ts";
import { type Open, SESSION } from "./store-suite.ts";

/** Files are kept in their session as long as they are needed. */
export function describeAttachments(open: Open): void {
  const { sessionId: _, uploadedAtMs: __, ...file } = attachmentRow(SESSION, "att_1");
  const { data: ___, ...attachment } = file;

  test("a file is stored once, byte for byte, and its bytes are read only on request", async () => {
    await using store = await open(creation(SESSION));
    const { attachments } = store;
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const data = btoa(String.fromCharCode(...bytes));
    const image = { mediaType: "image/png", width: 3, height: 4, bytes: 256, data } as const;
    expect(await attachments.put(attachmentRow(SESSION, "att_1"), ROOM)).toBe("kept");
    expect(await attachments.put(attachmentRow(SESSION, "att_2", image), ROOM)).toBe("kept");
    expect(await attachments.get(SESSION, "att_1")).toEqual(file);
    expect(await attachments.find(SESSION, "att_1")).toEqual(attachment);
    expect(await attachments.get(SESSION, "att_2")).toMatchObject(image);
    expect(await attachments.find(SESSION, "att_2")).not.toHaveProperty("data");
    expect(await attachments.put(attachmentRow(SESSION, "att_1"), { ...ROOM, perSession: 2 })).toBe(
      "kept",
    );
  });

  test("[R-15] a session has only its own files, for any id", async () => {
    await using store = await open(creation(SESSION), creation("ses_b"));
    await store.attachments.put(attachmentRow(SESSION, "att_1"), ROOM);
    expect(await store.attachments.get("ses_b", "att_1")).toBeUndefined();
    expect(await store.attachments.find("ses_b", "att_1")).toBeUndefined();
    expect(await store.attachments.put(attachmentRow("ses_none", "att_1"), ROOM)).toBe(
      "no_session",
    );
    const enqueue = [messageRow("ses_b", "msg_1", { attachments: [attachment] })];
    expect(await store.append({ sessionId: "ses_b", enqueue })).toEqual({
      status: "conflict",
      conflict: { kind: "attachment", attachmentId: "att_1" },
    });
    expect(await store.listQueue("ses_b")).toEqual([]);
    // The same file in another session is a different one.
    expect(await store.attachments.put(attachmentRow("ses_b", "att_1"), ROOM)).toBe("kept");
    await store.deleteSession(SESSION);
    expect(await store.attachments.get(SESSION, "att_1")).toBeUndefined();
    expect(await store.attachments.get("ses_b", "att_1")).toEqual(file);
  });

  test("[R-20] a session, and all sessions together, keep no more than there is room for", async () => {
    await using store = await open(creation(SESSION), creation("ses_b"));
    const put = (sessionId: string, id: string, room: Partial<typeof ROOM>) =>
      store.attachments.put(attachmentRow(sessionId, id), { ...ROOM, ...room });
    expect(await put(SESSION, "att_1", { sessionBytes: 2 })).toBe("no_room");
    expect(await put(SESSION, "att_1", { sessionBytes: 3 })).toBe("kept");
    expect(await put(SESSION, "att_2", { sessionBytes: 5 })).toBe("no_room");
    expect(await put(SESSION, "att_2", { perSession: 1 })).toBe("no_room");
    expect(await put("ses_b", "att_2", { gatewayBytes: 5 })).toBe("no_room");
    expect(await put("ses_b", "att_2", { gatewayBytes: 6, sessionBytes: 3 })).toBe("kept");
    expect(await store.attachments.find(SESSION, "att_2")).toBeUndefined();
  });

  test("a file that no message carries is deleted after its time, in all sessions, and others stay", async () => {
    await using store = await open(creation(SESSION), creation("ses_b"));
    const { attachments } = store;
    await attachments.put(attachmentRow(SESSION, "att_1", { uploadedAtMs: 10 }), ROOM);
    await attachments.put(attachmentRow(SESSION, "att_old", { uploadedAtMs: 10 }), ROOM);
    await attachments.put(attachmentRow(SESSION, "att_again", { uploadedAtMs: 10 }), ROOM);
    await attachments.put(attachmentRow(SESSION, "att_again", { uploadedAtMs: 30 }), ROOM);
    const enqueue = [messageRow(SESSION, "msg_1", { attachments: [attachment] })];
    expect(await store.append({ sessionId: SESSION, enqueue })).toMatchObject({
      status: "appended",
    });
    expect(await store.listQueue(SESSION)).toMatchObject([{ attachments: [attachment] }]);
    await store.append({ sessionId: SESSION, dequeue: ["msg_1"] });
    await attachments.put(attachmentRow("ses_b", "att_new", { uploadedAtMs: 40 }), {
      ...ROOM,
      forgetBeforeMs: 30,
    });
    expect(await attachments.find(SESSION, "att_old")).toBeUndefined();
    expect(await attachments.get(SESSION, "att_1")).toEqual(file);
    expect(await attachments.find(SESSION, "att_again")).toBeDefined();
    expect(await attachments.find("ses_b", "att_new")).toBeDefined();
  });

  test("a file that stays with its session is not deleted, even if no message carries it", async () => {
    await using store = await open(creation(SESSION));
    const { attachments } = store;
    const kept = attachmentRow(SESSION, "att_1", { uploadedAtMs: KEPT_WITH_SESSION });
    for (let times = 0; times < 2; times += 1) {
      expect(await attachments.put(kept, ROOM)).toBe("kept");
    }
    const other = attachmentRow(SESSION, "att_2", { uploadedAtMs: 10 });
    await attachments.put(other, { ...ROOM, forgetBeforeMs: Date.parse("9999-12-31") });
    expect(await attachments.get(SESSION, "att_1")).toEqual(file);
    await store.deleteSession(SESSION);
    expect(await attachments.get(SESSION, "att_1")).toBeUndefined();
  });

  test("a file whose last message is taken back counts as unsent, and as new", async () => {
    await using store = await open(creation(SESSION));
    const { attachments } = store;
    const send = (messageId: string) => ({
      sessionId: SESSION,
      enqueue: [messageRow(SESSION, messageId, { attachments: [attachment] })],
    });
    const takeBack = (messageId: string, takenBackAtMs: number) =>
      store.append({ sessionId: SESSION, dequeue: [messageId], takenBackAtMs });
    /** Whether it survives the deletion of files from before this time. */
    const isKept = async (forgetBeforeMs: number): Promise<boolean> => {
      const other = attachmentRow(SESSION, "att_other", { uploadedAtMs: 1000 });
      await attachments.put(other, { ...ROOM, forgetBeforeMs });
      return (await attachments.find(SESSION, "att_1")) !== undefined;
    };
    await attachments.put(attachmentRow(SESSION, "att_1", { uploadedAtMs: 10 }), ROOM);
    for (const id of ["msg_1", "msg_2", "msg_said"]) await store.append(send(id));
    await takeBack("msg_1", 20);
    await takeBack("msg_2", 20);
    expect(await isKept(500)).toBe(true);
    await store.append({ sessionId: SESSION, dequeue: ["msg_said"] });
    expect(await isKept(500)).toBe(true);

    await attachments.put(attachmentRow(SESSION, "att_2", { uploadedAtMs: 10 }), ROOM);
    const second = { ...attachment, attachmentId: "att_2" };
    await store.append({
      sessionId: SESSION,
      enqueue: [messageRow(SESSION, "msg_3", { attachments: [second] })],
    });
    // A batch that is not written takes nothing back.
    const enqueue = [messageRow(SESSION, "msg_3")];
    const refused = { sessionId: SESSION, enqueue, dequeue: ["msg_3"], takenBackAtMs: 15 };
    expect(await store.append(refused)).toMatchObject({ status: "conflict" });
    expect(await isKept(500)).toBe(true);
    expect(await attachments.find(SESSION, "att_2")).toBeDefined();
    await takeBack("msg_3", 30);
    await isKept(30);
    expect(await attachments.get(SESSION, "att_2")).toMatchObject(second);
    await isKept(31);
    expect(await attachments.find(SESSION, "att_2")).toBeUndefined();
    expect(await attachments.get(SESSION, "att_1")).toEqual(file);
  });
}
