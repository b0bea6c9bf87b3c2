import type { TurnResult } from "@holdpoint/engine";

import type { Judge } from "../protection/judge-tool-use.ts";

/** Commands of Claude's own that run nothing of the folder, nor write a prompt from it. */
const HARMLESS: ReadonlySet<string> = new Set(
  (
    "autocompact clear compact config context cost effort fast goal init mcp model output-style " +
    "recap reload-skills rename usage"
  ).split(" "),
);
const COMMAND = /^\s*\/([^\s/]+)(?:\s|$)/u;

/**
 * How a turn ends whose message is a command that must not be sent, or `undefined`. A command can have further ones in its
 * text: the runtime runs these before anybody is asked, and no hook hears of them.
 */
export async function refuseCommand(
  content: string,
  { judgeUnasked, cwd }: { readonly judgeUnasked: Judge; readonly cwd: string },
): Promise<TurnResult | undefined> {
  const [, skill] = COMMAND.exec(content) ?? [];
  if (skill === undefined || HARMLESS.has(skill)) return undefined;
  const verdict = await judgeUnasked({ toolName: "Skill", input: { skill }, cwd });
  if (verdict === undefined) return undefined;
  const message = `${verdict.reason} Ask for it in your own words, and you can allow it.`;
  return { reason: "error", code: "AGENT_FAILED", message };
}
