import type { ProtocolError } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import {
  awaitEvent,
  rejectionCodeOf,
  rejectionOf,
  startTurn,
  type Clients,
} from "./transport-harness.ts";

const UNKNOWN = "ses_unknown";

export function describeSessions(connect: () => Promise<Clients>): void {
  describe("sessions", () => {
    test("[R-16] agents are listed with their capabilities", async () => {
      const { one } = await connect();
      expect(await one.listAgents()).toMatchObject([{ agent: "scripted", available: true }]);
    });

    test("[R-16] a session is created, read, changed, listed and deleted", async () => {
      const { one, other } = await connect();
      const created = await one.createSession({ agent: "scripted", title: "First" });
      expect(created).toMatchObject({ agent: "scripted", title: "First", status: "idle" });
      const { sessionId } = created;
      expect(await other.getSession(sessionId)).toEqual(created);
      const changed = await other.updateSession(sessionId, { title: "Renamed" });
      expect(changed).toMatchObject({ sessionId, title: "Renamed" });
      expect((await one.listSessions()).items).toMatchObject([{ sessionId, title: "Renamed" }]);
      expect(await one.deleteSession(sessionId)).toBeUndefined();
      expect(await rejectionCodeOf(one.getSession(sessionId))).toBe("NOT_FOUND");
      expect(await other.listSessions()).toEqual({ items: [] });
    });

    test("[R-16] a file is uploaded, sent, read, and unknown in another session", async () => {
      const { one, other } = await connect();
      const { sessionId } = await one.createSession({ agent: "scripted" });
      const uploaded = await one.uploadAttachment(sessionId, { name: "a/b.txt", data: "VGVh" });
      const { attachmentId } = uploaded;
      expect(uploaded).toEqual({ attachmentId, name: "b.txt", mediaType: "text/plain", bytes: 3 });
      const again = await one.uploadAttachment(sessionId, { name: "b.txt", data: "VGVh" });
      expect(again).toEqual(uploaded);
      await one.sendMessage(sessionId, { content: "say x", attachments: [attachmentId] });
      await awaitEvent(other, sessionId, "turn_ended");
      const { items } = await other.readEvents(sessionId);
      expect(items[0]).toMatchObject({ type: "user_message", attachments: [uploaded] });
      const read = await other.readAttachment(sessionId, attachmentId);
      expect(read).toEqual({ ...uploaded, data: "VGVh" });
      const another = await one.createSession({ agent: "scripted" });
      const stolen = one.readAttachment(another.sessionId, attachmentId);
      expect(await rejectionCodeOf(stolen)).toBe("NOT_FOUND");
      const refused = one.uploadAttachment(sessionId, { name: "b.txt", data: "AAAA" });
      expect(await rejectionCodeOf(refused)).toBe("INVALID_REQUEST");
    });

    test("[R-16] a session is archived, found there, and taken back", async () => {
      const { one, other } = await connect();
      const { sessionId } = await one.createSession({ agent: "scripted", title: "Äpfel kaufen" });
      const archived = await one.updateSession(sessionId, { archived: true });
      expect(archived.archivedAt).toBe(archived.updatedAt);
      expect((await other.listSessions()).items).toEqual([]);
      const found = await other.listSessions({ archived: "only", words: "ÄPFEL" });
      expect(found.items).toEqual([archived]);
      expect((await other.listSessions({ archived: "only", words: "pears" })).items).toEqual([]);
      const back = await other.updateSession(sessionId, { archived: false });
      expect((await one.listSessions()).items).toEqual([back]);
      expect(await rejectionCodeOf(one.listSessions({ archived: "yes" as never }))).toBe(
        "BAD_REQUEST",
      );
    });

    test("[R-16] lists are paged", async () => {
      const { one } = await connect();
      const ids = new Set<string>();
      for (const title of ["a", "b", "c"]) {
        ids.add((await one.createSession({ agent: "scripted", title })).sessionId);
      }
      const first = await one.listSessions({ limit: 2 });
      expect(first.items).toHaveLength(2);
      const { items } = await one.listSessions({ limit: 2, cursor: first.nextCursor! });
      expect(new Set([...first.items, ...items].map(({ sessionId }) => sessionId))).toEqual(ids);
    });

    test("[R-16] a returned object is a copy", async () => {
      const { one } = await connect();
      const session = await one.createSession({ agent: "scripted", title: "Mine" });
      Object.assign(session, { title: "Scribbled" });
      expect(await one.getSession(session.sessionId)).toMatchObject({ title: "Mine" });
    });

    test("[R-16] an unknown id is NOT_FOUND", async () => {
      const { one } = await connect();
      expect(await rejectionCodeOf(one.getSession(UNKNOWN))).toBe("NOT_FOUND");
      expect(await rejectionCodeOf(one.updateSession(UNKNOWN, { title: "x" }))).toBe("NOT_FOUND");
      expect(await rejectionCodeOf(one.deleteSession(UNKNOWN))).toBe("NOT_FOUND");
      expect(await rejectionCodeOf(one.sendMessage(UNKNOWN, { content: "say x" }))).toBe(
        "NOT_FOUND",
      );
      expect(await rejectionCodeOf(one.readEvents(UNKNOWN))).toBe("NOT_FOUND");
      expect(await rejectionCodeOf(one.getInteraction("int_unknown"))).toBe("NOT_FOUND");
      expect(await rejectionCodeOf(one.respond("int_unknown", { action: "deny" }))).toBe(
        "NOT_FOUND",
      );
    });

    test("[R-16] malformed input is BAD_REQUEST, with the same message", async () => {
      const { one } = await connect();
      const { sessionId } = await one.createSession({ agent: "scripted" });
      const wrong = [
        one.createSession({} as never),
        one.createSession({ agent: "scripted", extra: 1 } as never),
        one.createSession(undefined as never),
        one.updateSession(sessionId, { title: "   " }),
        one.sendMessage(sessionId, { content: " " }),
        one.sendMessage(sessionId, { content: "say x", idempotencyKey: "short" }),
        one.respond("int_unknown", { action: "shrug" } as never),
        one.respond("int_unknown", { action: "deny", more: true } as never),
        one.submitAnswers(sessionId, "call", { q1: 7 } as never),
        one.readEvents(sessionId, { after: 1, before: 2 }),
        one.readEvents(sessionId, { limit: 0 }),
        one.listInteractions({ status: ["odd" as never] }),
        one.setInteractionMode("yes" as never),
      ];
      const errors = await Promise.all(wrong.map(rejectionOf));
      for (const error of errors) {
        expect(error).toMatchObject({ name: "ProtocolError", code: "BAD_REQUEST" });
      }
      expect(
        errors.map((error) => Object.keys((error as ProtocolError).extras.fieldErrors ?? {})),
      ).toEqual([
        ["agent"],
        [""],
        [""],
        ["title"],
        ["content"],
        ["idempotencyKey"],
        ["action"],
        [""],
        ["answers.q1"],
        [""],
        ["limit"],
        ["status.0"],
        ["enabled"],
      ]);
    });

    test("[R-16] a body that is too large is TOO_LARGE", async () => {
      const { one } = await connect();
      const { sessionId } = await one.createSession({ agent: "scripted" });
      const huge = "x".repeat(300_000);
      expect(await rejectionCodeOf(one.sendMessage(sessionId, { content: huge }))).toBe(
        "TOO_LARGE",
      );
      const reason = "x".repeat(70_000);
      expect(await rejectionCodeOf(one.respond("int_unknown", { action: "deny", reason }))).toBe(
        "TOO_LARGE",
      );
    });

    test("[R-16] an aborted call rejects with the reason, and does nothing if aborted before", async () => {
      const { one } = await connect();
      const { sessionId } = await one.createSession({ agent: "scripted" });
      const reason = new Error("Changed my mind.");
      const before = { signal: AbortSignal.abort(reason) };
      const call = one.sendMessage(sessionId, { content: "say x" }, before);
      expect(await rejectionOf(call)).toBe(reason);
      expect((await one.readEvents(sessionId)).items).toEqual([]);
      const during = new AbortController();
      const reading = rejectionOf(one.listSessions({}, during));
      during.abort(reason);
      expect(await reading).toBe(reason);
    });

    test("[R-16] a disposed transport is closed", async () => {
      const { one } = await connect();
      await one[Symbol.asyncDispose]();
      expect(await rejectionCodeOf(one.listSessions())).toBe("CONNECTION_CLOSED");
    });
  });

  describe("messages", () => {
    test("[R-16] a message starts a turn whose events can be read in pages", async () => {
      const { one } = await connect();
      const { sessionId } = await startTurn(one, "say hello");
      await awaitEvent(one, sessionId, "turn_ended");
      const { items, epoch } = await one.readEvents(sessionId);
      const whole = items.map(({ seq }) => seq);
      expect(whole).toEqual(items.map((_, index) => index + 1));
      expect(items.find(({ type }) => type === "assistant_message")).toMatchObject({
        text: "hello",
      });
      expect(epoch).toEqual(expect.any(String));
      const last = await one.readEvents(sessionId, { limit: 2 });
      expect(last.items).toEqual(items.slice(-2));
      const before = await one.readEvents(sessionId, { before: last.items[0]!.seq, limit: 2 });
      expect(before.items).toEqual(items.slice(-4, -2));
      const after = await one.readEvents(sessionId, { after: 1, limit: 2 });
      expect(after.items).toEqual(items.slice(1, 3));
      expect(after.nextCursor).toBe("3");
    });

    test("[R-16] the same idempotency key sends once", async () => {
      const { one } = await connect();
      const { sessionId } = await one.createSession({ agent: "scripted" });
      const body = { content: "say once", idempotencyKey: "key-of-one-message", queue: true };
      const first = await one.sendMessage(sessionId, body);
      expect(await one.sendMessage(sessionId, body)).toMatchObject({ messageId: first.messageId });
    });

    test("[R-16] while a turn runs, a message is refused or queued; a queued one can be taken back", async () => {
      const { one, other } = await connect();
      const { sessionId } = await startTurn(one, "wait");
      await awaitEvent(one, sessionId, "turn_started");
      expect(await rejectionCodeOf(other.sendMessage(sessionId, { content: "say x" }))).toBe(
        "TURN_RUNNING",
      );
      const queued = await other.sendMessage(sessionId, { content: "say next", queue: true });
      expect(queued).toMatchObject({ queued: true });
      const { messageId } = queued;
      expect(await one.listQueue(sessionId)).toMatchObject([{ messageId, content: "say next" }]);
      expect(await one.removeQueuedMessage(sessionId, messageId)).toBeUndefined();
      expect(await one.listQueue(sessionId)).toEqual([]);
      expect(await rejectionCodeOf(one.removeQueuedMessage(sessionId, messageId))).toBe(
        "NOT_FOUND",
      );
    });

    test("[R-16] stopping ends the turn, and does nothing when none runs", async () => {
      const { one, other } = await connect();
      const { sessionId } = await startTurn(one, "wait");
      await awaitEvent(one, sessionId, "turn_started");
      expect(await other.stopTurn(sessionId)).toBeUndefined();
      expect(await awaitEvent(one, sessionId, "turn_ended")).toMatchObject({ reason: "stopped" });
      expect(await other.stopTurn(sessionId)).toBeUndefined();
    });
  });
}
