import { z } from "zod";

import { ATTACHMENT_LIMITS } from "./limits.ts";
import { idSchema } from "./primitives.ts";

/** What a file is, as its bytes say. `text/plain` is any text, such as source code, HTML or SVG. */
export const attachmentTypeSchema = z.enum([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "application/pdf",
  "text/plain",
]);
export type AttachmentType = z.infer<typeof attachmentTypeSchema>;

/** An image or file that messages of one session can carry. It says nothing of the bytes but what they are. */
export const attachmentSchema = z.object({
  /** The same file with the same name has the same id in a session; it is of no use in another one. */
  attachmentId: idSchema,
  /** Without folders, and without characters that nobody sees. */
  name: z.string(),
  mediaType: attachmentTypeSchema,
  bytes: z.int().min(1),
  /** Images: in pixels, as their bytes say. */
  width: z.int().min(1).optional(),
  height: z.int().min(1).optional(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

/** The attachments of a message; absent: it has none. */
export const attachmentsSchema = z.array(attachmentSchema).min(1).optional();

export const uploadAttachmentBodySchema = z.strictObject({
  /** What the person calls the file. Its ending says nothing of what the file is. */
  name: z.string().min(1).max(1024),
  /** The bytes in Base64, with its padding and without anything else. */
  data: z.string().min(4).max(ATTACHMENT_LIMITS.dataUnits),
});
export type UploadAttachmentBody = z.infer<typeof uploadAttachmentBodySchema>;

/** An attachment with its bytes, in Base64. */
export const attachmentDataSchema = attachmentSchema.extend({ data: z.string() });
export type AttachmentData = z.infer<typeof attachmentDataSchema>;
