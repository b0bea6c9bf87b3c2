import type { Interaction } from "@holdpoint/protocol";

/** The heading of an approval: the runtime's own where it has one. */
export function toApprovalTitle(interaction: Interaction): string {
  const { approval, prompt, toolName } = interaction;
  const given = approval?.display.title ?? prompt;
  if (given !== undefined && given.trim() !== "") return given;
  if (approval?.change !== undefined) {
    return approval.change.before === undefined ? "Create a file?" : "Edit a file?";
  }
  if (typeof approval?.input["command"] === "string") return "Run a command?";
  return `Use ${toolName}?`;
}
