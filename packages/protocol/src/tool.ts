import { z } from "zod";

/** A tool of the gateway; or, without a name, a file that has none because something is wrong with it. */
export const toolSummarySchema = z.object({
  name: z.string().optional(),
  description: z.string().optional(),
  /** `built-in`, or the file that it comes from, relative to the config file's folder. */
  source: z.string(),
  /** What is wrong with the file. Tools that it had before are listed all the same. */
  error: z.string().optional(),
});
export type ToolSummary = z.infer<typeof toolSummarySchema>;
export const toolListSchema = z.object({ items: z.array(toolSummarySchema) });
