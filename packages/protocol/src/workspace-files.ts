import { z } from "zod";

export const fileQuerySchema = z.object({
  /** A part of the path, in any letter case. Default: any path. */
  text: z.string().max(256).default(""),
  limit: z.coerce.number<number>().int().min(1).max(100).default(50),
});

/** A directory, which need not have a session. */
export const folderQuerySchema = z.object({
  /** Default: the working directory of the gateway. */
  cwd: z.string().min(1).max(4096).optional(),
});

export const folderFileQuerySchema = z.object({
  ...fileQuerySchema.shape,
  ...folderQuerySchema.shape,
});

export const fileListSchema = z.object({
  /** The best matches first. Relative to the directory, with `/` between names and at the end of a folder. */
  items: z.array(z.object({ path: z.string() })),
  /** Set if there are more files than the gateway examines, so that other matches may exist. */
  isPartial: z.literal(true).optional(),
});
export type FileList = z.infer<typeof fileListSchema>;
