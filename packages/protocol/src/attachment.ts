import { z } from "zod";

import { ATTACHMENT_LIMITS } from "./limits.ts";
import { idSchema } from "./primitives.ts";

/** The type of a file, derived from its bytes. `text/plain` is any text, such as source code, HTML or SVG. */
export const attachmentTypeSchema = z.enum([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "application/pdf",
  "text/plain",
]);
export type AttachmentType = z.infer<typeof attachmentTypeSchema>;

/** An image or file that messages of one session can carry. Apart from their type, it does not describe the bytes. */
export const attachmentSchema = z.object({
  /** The same file with the same name has the same id within a session. The id is useless in other sessions. */
  attachmentId: idSchema,
  /** The file name without folders and invisible characters. */
  name: z.string(),
  mediaType: attachmentTypeSchema,
  bytes: z.int().min(1),
  /** For images: the width in pixels, read from the bytes. */
  width: z.int().min(1).optional(),
  height: z.int().min(1).optional(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

/** The attachments of a message. Absent if it has none. */
export const attachmentsSchema = z.array(attachmentSchema).min(1).optional();

export const uploadAttachmentBodySchema = z.strictObject({
  /** The person's name for the file. Its extension does not determine the type. */
  name: z.string().min(1).max(1024),
  /** The bytes as padded Base64, without any other characters. */
  data: z.string().min(4).max(ATTACHMENT_LIMITS.dataUnits),
});
export type UploadAttachmentBody = z.infer<typeof uploadAttachmentBodySchema>;

/** An attachment with its bytes in Base64. */
export const attachmentDataSchema = attachmentSchema.extend({ data: z.string() });
export type AttachmentData = z.infer<typeof attachmentDataSchema>;
