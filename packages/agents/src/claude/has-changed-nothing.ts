import type { Interaction } from "@holdpoint/protocol";

import { readText } from "./file-change.ts";
import { PLAN_TOOL } from "./wider-scopes.ts";

/** Tools that act on nothing outside their agent, so that a second run does no harm. */
const ACT_ON_NOTHING: ReadonlySet<string> = new Set([PLAN_TOOL, "Read", "Glob", "Grep"]);

/**
 * Whether an approved call, whose agent is gone, has changed nothing: its tool changes nothing, or the file that it was to
 * change is exactly as the person saw it. Of every other call, such as a command, nothing shows whether it began.
 */
export async function hasChangedNothing(interaction: Interaction): Promise<boolean> {
  const { toolName, approval, response } = interaction;
  if (ACT_ON_NOTHING.has(toolName)) return true;
  const change = approval?.change;
  // A person's edit may lead to another file.
  if (change === undefined || response?.editedInput !== undefined) return false;
  const file = await readText(change.path);
  return file !== undefined && file.text === change.before;
}
