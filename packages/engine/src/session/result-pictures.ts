import {
  checkAttachment,
  PICTURE_LIMITS,
  type Attachment,
  type AttachmentProblem,
} from "@holdpoint/protocol";

import { fromBase64 } from "../lib/base64.ts";
import type { AgentEvent } from "../ports/agent-adapter.ts";
import { KEPT_WITH_SESSION } from "../ports/attachment-store.ts";
import type { Store } from "../ports/store.ts";
import { PICTURE_ID, toAttachmentId } from "./attachment-id.ts";

type ResultEvent = Extract<AgentEvent, { type: "tool_result" }>;

/** An agent's event as the log has it. */
export type ToldEvent =
  | Exclude<AgentEvent, ResultEvent>
  | (Omit<ResultEvent, "pictures"> & { readonly attachments?: Attachment[] });

/**
 * Keeps the pictures of a result in its session. A picture that cannot be kept is named in the result's text, with the
 * reason. Never rejects.
 */
export async function keepPictures(
  store: Store,
  sessionId: string,
  { pictures = [], ...result }: ResultEvent,
): Promise<ToldEvent> {
  const kept = new Map<string, Attachment>();
  const lines = result.content === "" ? [] : [result.content];
  const { perResult } = PICTURE_LIMITS;
  for (const data of pictures.slice(0, perResult)) {
    const picture = await keepPicture(store, sessionId, data);
    if (typeof picture === "string") lines.push(`[image: ${picture}]`);
    else kept.set(picture.attachmentId, picture);
  }
  if (pictures.length > perResult) {
    lines.push(`[${pictures.length - perResult} more images: only ${perResult} are kept]`);
  }
  const attachments = [...kept.values()];
  return {
    ...result,
    content: lines.join("\n"),
    ...(attachments.length > 0 && { attachments }),
  };
}

/** What was kept, or why it was not. */
async function keepPicture(
  store: Store,
  sessionId: string,
  data: string,
): Promise<Attachment | string> {
  const bytes = fromBase64(data);
  if (!bytes) return "not kept, because its data is broken";
  const size = `${Math.ceil(bytes.length / 1024)} KiB`;
  const check = checkAttachment(bytes);
  if ("problem" in check) return `${size}, not kept, because ${PROBLEMS[check.problem]}`;
  const { facts } = check;
  if (!facts.mediaType.startsWith("image/")) {
    return `${size}, not kept, because ${PROBLEMS.unknown_type}`;
  }
  const name = `picture.${facts.mediaType.slice("image/".length)}`;
  const attachmentId = await toAttachmentId(PICTURE_ID, name, bytes);
  const attachment: Attachment = { attachmentId, name, bytes: bytes.length, ...facts };
  try {
    const put = await store.attachments.put(
      { ...attachment, sessionId, uploadedAtMs: KEPT_WITH_SESSION, data },
      { ...PICTURE_LIMITS, forgetBeforeMs: 0 },
    );
    if (put === "kept") return attachment;
    return `${facts.mediaType}, ${size}, not kept, because there is no room for more pictures`;
  } catch {
    // The write of the result itself says what is wrong with the store.
    return `${facts.mediaType}, ${size}, not kept, because the store failed`;
  }
}

const PROBLEMS: Readonly<Record<AttachmentProblem, string>> = {
  empty: "it is empty",
  unknown_type: "it is no PNG, JPEG, GIF or WebP image",
  too_large: "it is too large",
  too_many_pixels: "it has too many pixels",
  text_too_large: "it is no PNG, JPEG, GIF or WebP image",
};
