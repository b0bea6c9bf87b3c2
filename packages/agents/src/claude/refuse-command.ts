import type { TurnResult } from "@holdpoint/engine";

import type { Judge } from "../protection/judge-tool-use.ts";

/** Claude's own commands that run nothing from the folder and build no prompt from it. */
const HARMLESS: ReadonlySet<string> = new Set(
  (
    "autocompact clear compact config context cost effort fast goal init mcp model output-style " +
    "recap reload-skills rename usage"
  ).split(" "),
);
const COMMAND = /^\s*\/([^\s/]+)(?:\s|$)/u;

/**
 * The result of a turn whose message is a command that must not be sent, or `undefined`. A command's text can contain
 * further commands, which the runtime runs without asking and without hooks.
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
