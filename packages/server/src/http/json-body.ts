import type { IncomingMessage } from "node:http";

import { ProtocolError, tooLarge } from "@holdpoint/protocol";

import { parseJson } from "./parse-json.ts";

const JSON_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/**
 * Returns the parsed body, or `undefined` when it is empty. The size is counted while reading, so a declared length is
 * not trusted. `assertRight` can refuse the bytes before they are parsed. Rejects with `UNSUPPORTED_MEDIA_TYPE`,
 * `TOO_LARGE`, or `BAD_REQUEST` (like `parseJson`).
 */
export async function readJsonBody(
  incoming: IncomingMessage,
  maxBytes: number,
  assertRight: (bytes: Buffer) => void,
): Promise<unknown> {
  const contentType = incoming.headers["content-type"];
  if (contentType !== undefined && !JSON_TYPE.test(contentType)) throw wrongType();
  const bytes = await readBytes(incoming, maxBytes);
  assertRight(bytes);
  if (bytes.length === 0) return undefined;
  if (contentType === undefined) throw wrongType();
  return parseJson("The body", bytes);
}

async function readBytes(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(incoming.headers["content-length"] ?? 0) > maxBytes) {
    throw tooLarge("The body", maxBytes);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Leaving the loop early must not destroy the socket: the answer is still to be sent on it.
    const pieces: AsyncIterable<Buffer> = incoming.iterator({ destroyOnReturn: false });
    for await (const piece of pieces) {
      size += piece.length;
      if (size > maxBytes) break;
      chunks.push(piece);
    }
  } catch (error) {
    throw new ProtocolError("BAD_REQUEST", "The body broke off.", {}, { cause: error });
  }
  if (size > maxBytes) throw tooLarge("The body", maxBytes);
  return Buffer.concat(chunks);
}

function wrongType(): ProtocolError {
  return new ProtocolError("UNSUPPORTED_MEDIA_TYPE", "A body must be application/json.");
}
