import type { AttachmentStore } from "@holdpoint/engine";
import type { Attachment } from "@holdpoint/protocol";

import type { JsonRow, StoreAccess } from "./access.ts";
import { toKey } from "./text-key.ts";
import { toWhole } from "./whole-number.ts";

const OF_SESSION = `
  FROM attachments WHERE attachment_id = $2
    AND session_number = (SELECT session_number FROM sessions WHERE session_id = $1)`;

/** Stores attachments as rows, so that they are as durable as all others and are deleted with their sessions. */
export function createAttachmentStore({ read, write }: StoreAccess): AttachmentStore {
  return {
    async put(attachment, room) {
      const { sessionId, uploadedAtMs, data, ...facts } = attachment;
      return write({
        call: "attachment",
        with: {
          session: toKey(sessionId),
          key: toKey(facts.attachmentId),
          uploadedAtMs: toWhole(uploadedAtMs),
          size: facts.bytes,
          json: JSON.stringify(facts),
          data,
          perSession: room.perSession,
          sessionBytes: room.sessionBytes,
          gatewayBytes: room.gatewayBytes,
          forgetBeforeMs: toWhole(Math.ceil(room.forgetBeforeMs)),
        },
      });
    },
    async get(sessionId, attachmentId) {
      const [row] = await read<JsonRow & { readonly data: Buffer }>(
        `SELECT json, data ${OF_SESSION}`,
        [toKey(sessionId), toKey(attachmentId)],
      );
      return row && { ...parse(row), data: row.data.toString("base64") };
    },
    async find(sessionId, attachmentId) {
      const [row] = await read<JsonRow>(`SELECT json ${OF_SESSION}`, [
        toKey(sessionId),
        toKey(attachmentId),
      ]);
      return row && parse(row);
    },
  };
}

function parse({ json }: JsonRow): Attachment {
  return JSON.parse(json) as Attachment;
}
