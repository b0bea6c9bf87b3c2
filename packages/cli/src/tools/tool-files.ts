import { defineTool, type Tool } from "@holdpoint/engine";
import { saying } from "@holdpoint/protocol";
import { z } from "zod";

import type { ImportOwn } from "../trust/own-modules.ts";
import { UsageError } from "../usage-error.ts";

/** The default export of the file: a tool, or a list of tools. Rejects with the file's problem. */
export async function importTools(path: string, importOwn: ImportOwn): Promise<Tool[]> {
  const exported = await importOwn(path);
  if (exported === undefined) throw new UsageError(saying("tool_no_export"));
  return (Array.isArray(exported) ? exported : [exported]).map(checkTool);
}

/** Throws a `TypeError` that names the tool. Plain objects with a tool's shape are tools. */
export function checkTool(value: unknown): Tool {
  return defineTool(value as Parameters<typeof defineTool>[0]);
}

/** The tools in a config file. */
export const toolsSchema = z.array(z.unknown().transform(toTool));

function toTool(value: unknown, context: z.RefinementCtx): Tool {
  try {
    return checkTool(value);
  } catch (error) {
    context.addIssue({ code: "custom", message: error instanceof Error ? error.message : "" });
    return z.NEVER;
  }
}
