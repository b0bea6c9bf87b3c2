import { z } from "zod";

export const fileQuerySchema = z.object({
  /** A part of the path, in any case. Default: any path. */
  text: z.string().max(256).default(""),
  limit: z.coerce.number<number>().int().min(1).max(100).default(50),
});

/** A directory in which no session need be. */
export const folderQuerySchema = z.object({
  /** Default: the gateway's own working directory. */
  cwd: z.string().min(1).max(4096).optional(),
});

export const folderFileQuerySchema = z.object({
  ...fileQuerySchema.shape,
  ...folderQuerySchema.shape,
});

export const fileListSchema = z.object({
  /** Relative to the directory, with `/` between names and after the name of a folder. The best ones first. */
  items: z.array(z.object({ path: z.string() })),
  /** There are more files than the gateway looks at: what is not here may exist. */
  isPartial: z.literal(true).optional(),
});
export type FileList = z.infer<typeof fileListSchema>;
