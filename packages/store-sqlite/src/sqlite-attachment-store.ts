import type { DatabaseSync } from "node:sqlite";

import type { AttachmentRoom, AttachmentStore, StoredAttachment } from "@holdpoint/engine";
import type { Attachment, AttachmentData } from "@holdpoint/protocol";

import type { Work } from "./group-commit.ts";
import type { StoreAccess } from "./sqlite-credential-store.ts";
import { toKey } from "./text-key.ts";

type Statements = ReturnType<typeof prepareStatements>;
type Put = "kept" | "no_room" | "no_session";

/** Stores attachments as rows, so that they are as durable as all others and are deleted with their sessions. */
export function createAttachmentStore(
  database: DatabaseSync,
  { read, write }: StoreAccess,
): AttachmentStore {
  const statements = prepareStatements(database);
  return {
    put(attachment, room) {
      // Copied, so that later changes to the object have no effect.
      const copy = { ...attachment };
      const data = Buffer.from(copy.data, "base64");
      return write(() => put(statements, { attachment: copy, data, room }));
    },
    get: (sessionId, id) =>
      read((): AttachmentData | undefined => {
        const row = statements.get.get(toKey(sessionId), toKey(id)) as
          | { json: string; data: Uint8Array }
          | undefined;
        return row && { ...parse(row), data: toBase64(row.data) };
      }),
    find: (sessionId, id) =>
      read((): Attachment | undefined => {
        const row = statements.find.get(toKey(sessionId), toKey(id)) as
          | { json: string }
          | undefined;
        return row && parse(row);
      }),
  };
}

interface Upload {
  readonly attachment: StoredAttachment;
  readonly data: Buffer;
  readonly room: AttachmentRoom;
}

function put(statements: Statements, { attachment, data, room }: Upload): Work<Put> {
  const { sessionId, uploadedAtMs, data: _, ...facts } = attachment;
  const key = toKey(facts.attachmentId);
  const session = statements.findSession.get(toKey(sessionId)) as { number: number } | undefined;
  if (!session) return { keep: false, value: "no_session" };
  statements.forget.run(room.forgetBeforeMs);
  const { changes } = statements.renew.run(uploadedAtMs, session.number, key);
  if (changes === 1) return { keep: true, value: "kept" };
  if (!hasRoom(statements, session.number, { bytes: facts.bytes, room })) {
    return { keep: true, value: "no_room" };
  }
  const json = JSON.stringify(facts);
  statements.insert.run(session.number, key, uploadedAtMs, facts.bytes, json, data);
  return { keep: true, value: "kept" };
}

function hasRoom(
  { sumOfSession, sumOfAll }: Statements,
  sessionNumber: number,
  { bytes, room }: { readonly bytes: number; readonly room: AttachmentRoom },
): boolean {
  const own = sumOfSession.get(sessionNumber) as unknown as { count: number; sum: number };
  const all = sumOfAll.get() as unknown as { sum: number };
  return (
    own.count < room.perSession &&
    own.sum + bytes <= room.sessionBytes &&
    all.sum + bytes <= room.gatewayBytes
  );
}

function parse({ json }: { readonly json: string }): Attachment {
  return JSON.parse(json) as Attachment;
}

function toBase64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

function prepareStatements(database: DatabaseSync) {
  const ofSession = `
      WHERE session_number = (SELECT session_number FROM sessions WHERE session_id = ?)
        AND attachment_id = ?`;
  return {
    findSession: database.prepare(`
      SELECT session_number AS number FROM sessions WHERE session_id = ?`),
    forget: database.prepare(`
      DELETE FROM attachments INDEXED BY attachments_unsent
      WHERE message_count = 0 AND uploaded_at_ms < ?`),
    renew: database.prepare(`
      UPDATE attachments SET uploaded_at_ms = ? WHERE session_number = ? AND attachment_id = ?`),
    sumOfSession: database.prepare(`
      SELECT count(*) AS count, coalesce(sum(size), 0) AS sum FROM attachments
      INDEXED BY attachments_by_size WHERE session_number = ?`),
    sumOfAll: database.prepare(`
      SELECT coalesce(sum(size), 0) AS sum FROM attachments INDEXED BY attachments_by_size`),
    insert: database.prepare(`
      INSERT INTO attachments
        (session_number, attachment_id, uploaded_at_ms, size, json, data) VALUES (?, ?, ?, ?, ?, ?)`),
    get: database.prepare(`SELECT json, data FROM attachments ${ofSession}`),
    find: database.prepare(`SELECT json FROM attachments ${ofSession}`),
  };
}
