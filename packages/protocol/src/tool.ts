import { z } from "zod";

/** A tool of the gateway. Without a name: a file that contains no tool because of an error. */
export const toolSummarySchema = z.object({
  name: z.string().optional(),
  description: z.string().optional(),
  /** `built-in`, or the tool's file, relative to the folder of the config file. */
  source: z.string(),
  /** The error in the file. Tools from its earlier version are still listed. */
  error: z.string().optional(),
});
export type ToolSummary = z.infer<typeof toolSummarySchema>;
export const toolListSchema = z.object({ items: z.array(toolSummarySchema) });
